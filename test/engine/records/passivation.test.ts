// Passivation is invisible: with a capacity of three actors a record answers as with a capacity for all.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CommandRejected, type UnitOfWork } from '../../../src/engine/records/unit-of-work.ts'
import { apiKey, AT } from '../../machines/records.ts'
import { EngineFixture, newAccount, newPosition, newTransaction, place, sign } from '../engine-fixture.ts'

const IDS = ['a', 'b', 'c', 'p', 'q', 'k']
const touch = { transactionId: null, signature: 's', at: AT }

const event = fc.constantFrom<{ readonly type: string }>(
  { type: 'command.freeze' },
  { type: 'command.unfreeze' },
  { type: 'command.reserve', asset: 'lamports', amount: '30', covered: true } as never,
  { type: 'chain.released', movements: [{ asset: 'lamports', released: '30', debited: '0', credited: '0' }] } as never,
  { type: 'chain.frozen', touch } as never,
  { type: 'chain.thawed', touch } as never,
  { type: 'chain.closed', touch } as never,
  { type: 'chain.reopened', as: 'initialized' } as never,
  { type: 'clock.used', at: AT } as never,
)
const eventLists = fc.array(fc.record({ id: fc.constantFrom(...IDS), event }), { maxLength: 40 })

async function openWithRecords(awake: number): Promise<EngineFixture> {
  const fixture = await EngineFixture.open(awake)
  await fixture.commit((unit) => {
    for (const id of ['a', 'b', 'c']) newAccount(unit, id, '100')
    for (const id of ['p', 'q']) newPosition(unit, id, 'initialized')
    unit.create('apiKey', place('k'), { apiKey })
  })
  return fixture
}

function answer(fixture: EngineFixture, id: string, event: { readonly type: string }): string {
  try {
    fixture.engine
      .transact((unit: UnitOfWork) => unit.send(fixture.entry(id), event as never))
      .durable.catch(() => undefined)
    return 'accepted'
  } catch (error) {
    if (!(error instanceof CommandRejected)) throw error
    return error.rejection.code
  }
}

describe('passivated records', () => {
  it('answer and behave like active ones', async () => {
    await fc.assert(
      fc.asyncProperty(eventLists, async (events) => {
        const [narrow, wide] = [await openWithRecords(3), await openWithRecords(1_000)]
        for (const { id, event: each } of events) {
          expect(answer(narrow, id, each)).toBe(answer(wide, id, each))
          expect(narrow.engine.awake).toBeLessThanOrEqual(3)
        }
        for (const id of IDS) expect(narrow.entry(id).head).toEqual(wide.entry(id).head)
        const heads = IDS.map((id) => narrow.entry(id).head)
        await narrow.restart(3)
        expect(IDS.map((id) => narrow.entry(id).head)).toEqual(heads)
      }),
      { numRuns: 25 },
    )
  })

  it('are the least recently used', async () => {
    const fixture = await openWithRecords(3)
    for (const id of ['a', 'b', 'c', 'a', 'p']) answer(fixture, id, { type: 'command.freeze' })
    expect(IDS.filter((id) => fixture.entry(id).actor !== undefined)).toEqual(['a', 'c', 'p'])
  })

  it('can be passivated within a unit of more records than the capacity', async () => {
    const fixture = await openWithRecords(2)
    await fixture.commit((unit) => {
      for (const id of ['a', 'b', 'c', 'p', 'q']) unit.send<'account'>(fixture.entry(id), { type: 'command.freeze' })
      for (const id of ['q', 'p', 'c', 'b', 'a']) unit.send<'account'>(fixture.entry(id), { type: 'command.unfreeze' })
      unit.send<'account'>(fixture.entry('a'), { type: 'command.freeze' })
    })
    const isFrozen = (id: string) =>
      (fixture.entry(id).head.context as { frozenByOperator?: boolean }).frozenByOperator === true
    const frozenIds = ['a', 'b', 'c', 'p', 'q'].filter(isFrozen)
    expect(frozenIds).toEqual(['a'])
  })

  it('include transactions as soon as they end; they answer like after a restart and take no capacity', async () => {
    const fixture = await EngineFixture.open(3)
    const ids = Array.from({ length: 40 }, (_, number) => `t${number}`)
    for (const id of ids) {
      await fixture.commit((unit) => sign(unit, newTransaction(unit, id, [])))
      expect(fixture.entry(id).actor).toBeDefined()
      await fixture.commit((unit) =>
        unit.send<'transaction'>(fixture.entry(id), { type: 'chain.expired', at: AT, proof: null }),
      )
      expect([fixture.entry(id).actor, fixture.engine.awake]).toEqual([undefined, 0])
    }
    await fixture.commit((unit) => {
      for (const id of ['a', 'b', 'c', 'd', 'e']) newPosition(unit, id, 'initialized')
    })
    expect(fixture.engine.awake).toBe(3)
    const heads = ids.map((id) => fixture.entry(id).head)
    expect(heads.map(({ value }) => value)).toEqual(ids.map(() => 'expired'))
    await fixture.restart(3)
    expect(ids.map((id) => fixture.entry(id).head)).toEqual(heads)
  })

  it('are new accounts once they are on disk, unless they were used meanwhile', async () => {
    const fixture = await EngineFixture.open(1_000)
    const { durable } = fixture.engine.transact((unit) => {
      for (const id of ['a', 'b']) newAccount(unit, id)
      newAccount(unit, 'pending', '1', 'pending')
    })
    expect(answer(fixture, 'b', { type: 'command.freeze' })).toBe('accepted')
    expect(['a', 'b', 'pending'].map((id) => fixture.entry(id).actor !== undefined)).toEqual([true, true, true])
    await durable
    expect(['a', 'b', 'pending'].map((id) => fixture.entry(id).actor !== undefined)).toEqual([false, true, true])
    expect(fixture.engine.awake).toBe(2)
    expect(answer(fixture, 'a', { type: 'command.freeze' })).toBe('accepted')
    expect(fixture.entry('a').head).toMatchObject({ revision: 2, context: { frozenByOperator: true } })
  })

  it('have a separate capacity for each tenant', async () => {
    const fixture = await EngineFixture.open(3)
    for (const tenant of ['ONE', 'TWO'])
      await fixture.commit((unit) => {
        for (let index = 0; index < 5; index += 1) newAccount(unit, `${tenant}${index}`, '1', 'active', tenant)
      })
    for (const tenant of ['ONE', 'TWO'])
      for (let index = 0; index < 5; index += 1) answer(fixture, `${tenant}${index}`, { type: 'command.freeze' })
    expect(fixture.engine.awake).toBe(6)
  })
})
