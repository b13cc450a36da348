// Supervision of actors that throw: the record is restored from its last state, or quarantined when it throws
// repeatedly; other records and facts are processed.
import { describe, expect, it } from 'vitest'
import type { ActorFailed } from '../../../src/engine/records/supervisor.ts'
import { ChainFacts } from '../../../src/engine/settlement/chain-facts.ts'
import { RecordFailed, type UnitOfWork } from '../../../src/engine/records/unit-of-work.ts'
import type { Refusal } from '../../../src/contract/refusal.ts'
import { asRefusal } from '../../../src/operations/context/as-refusal.ts'
import type { ChainFact } from '../../../src/submission/submission.ts'
import { AT } from '../../machines/records.ts'
import { EngineFixture, newAccount, newTransaction, sign } from '../engine-fixture.ts'

const RESERVE = { type: 'command.reserve', asset: 'lamports', amount: '5', covered: true } as const
const FEE = { asset: 'lamports', released: '5', debited: '5', credited: '0' } as const
const DEFECT = new Error('an action threw')

type Failure = Parameters<ActorFailed>[0]

interface Scene {
  readonly fixture: EngineFixture
  readonly failures: Failure[]
}

async function scene(): Promise<Scene> {
  const failures: Failure[] = []
  const fixture = await EngineFixture.open(undefined, { onActorFailed: (failure) => failures.push(failure) })
  await fixture.commit((unit) => {
    for (const id of ['healthy', 'broken']) newAccount(unit, id, '100')
  })
  return { fixture, failures }
}

/** Makes every actor of the record throw. Returns a function that ends this. */
function breakRecord(fixture: EngineFixture, id: string): () => void {
  const entry = fixture.entry(id)
  entry.sleep()
  const mended = Reflect.getOwnPropertyDescriptor(entry, 'awake')
  Object.defineProperty(entry, 'awake', {
    configurable: true,
    value: () => {
      throw DEFECT
    },
  })
  return () => {
    if (mended === undefined) Reflect.deleteProperty(entry, 'awake')
  }
}

function reserveOn(fixture: EngineFixture, ...ids: readonly string[]): unknown {
  try {
    fixture.engine
      .transact((unit: UnitOfWork) => {
        for (const id of ids) unit.send<'account'>(fixture.entry(id), RESERVE)
      })
      .durable.catch(() => undefined)
    return null
  } catch (error) {
    return error
  }
}

const readReserved = (fixture: EngineFixture, id: string): string =>
  (fixture.entry(id).head.context as unknown as { lamports: { reserved: string } }).lamports.reserved

describe('a record whose actor throws', () => {
  it('rolls back its unit of work, is reported with its id, and is restored on next use', async () => {
    const { fixture, failures } = await scene()
    const mend = breakRecord(fixture, 'broken')
    const error = reserveOn(fixture, 'healthy', 'broken')
    expect(error).toBeInstanceOf(RecordFailed)
    expect(asRefusal(error)).toBe(error)
    expect([readReserved(fixture, 'healthy'), readReserved(fixture, 'broken')]).toEqual(['0', '0'])
    expect(failures.map(({ entry, quarantined, error: cause }) => [entry.head.id, quarantined, cause])).toEqual([
      ['broken', false, DEFECT],
    ])
    mend()
    expect(reserveOn(fixture, 'healthy', 'broken')).toBeNull()
    expect([readReserved(fixture, 'healthy'), readReserved(fixture, 'broken')]).toEqual(['5', '5'])
    expect(fixture.engine.quarantined).toBe(0)
  })

  it('is quarantined when it throws repeatedly: it answers 503, others are served, a restart restores it', async () => {
    const { fixture, failures } = await scene()
    const mend = breakRecord(fixture, 'broken')
    for (let count = 0; count < 3; count += 1) reserveOn(fixture, 'healthy', 'broken')
    mend()
    expect(failures.map(({ quarantined }) => quarantined)).toEqual([false, false, true])
    const refusal = asRefusal(reserveOn(fixture, 'broken')) as Refusal
    expect([refusal.status, refusal.problems.map(({ code }) => code)]).toEqual([503, ['RECORD_QUARANTINED']])
    expect(failures).toHaveLength(3)
    expect(fixture.engine.quarantined).toBe(1)
    expect(reserveOn(fixture, 'healthy')).toBeNull()
    expect(readReserved(fixture, 'healthy')).toBe('5')
    await fixture.restart()
    expect(reserveOn(fixture, 'broken')).toBeNull()
    expect([readReserved(fixture, 'broken'), fixture.engine.quarantined]).toEqual(['5', 0])
  })
})

describe('facts of the chain', () => {
  const seenFact = (transactionId: string): ChainFact => ({
    kind: 'seen',
    transactionId,
    atMs: Date.parse(AT),
    signature: `signature of ${transactionId}`,
    commitment: 'finalized',
    slot: 1,
    blockTime: null,
    error: null,
  })
  const balance = (fixture: EngineFixture, id: string): unknown =>
    (fixture.entry(id).head.context as unknown as { lamports: object }).lamports

  it('about a record whose actor throws are deferred; other facts settle, and it settles once restored', async () => {
    const { fixture } = await scene()
    await fixture.commit((unit) => {
      for (const payer of ['broken', 'healthy']) {
        unit.send<'account'>(fixture.entry(payer), RESERVE)
        const entries = [{ tenant: 'ACME', record: payer, movements: [FEE], charge: [FEE], facts: [] }]
        sign(unit, newTransaction(unit, `of ${payer}`, entries))
      }
    })
    const facts = new ChainFacts(fixture.engine, {
      error: (_, message) => {
        throw new Error(message)
      },
    })
    const mend = breakRecord(fixture, 'broken')
    facts.take([seenFact('of broken'), seenFact('of healthy')])
    expect([balance(fixture, 'broken'), balance(fixture, 'healthy')]).toEqual([
      { balance: '100', reserved: '5' },
      { balance: '95', reserved: '0' },
    ])
    expect([fixture.transaction('of broken').value, fixture.transaction('of healthy').value]).toEqual([
      'signed',
      'finalized',
    ])
    mend()
    facts.take([])
    await fixture.engine.flush()
    expect([balance(fixture, 'broken'), fixture.transaction('of broken').value]).toEqual([
      { balance: '95', reserved: '0' },
      'finalized',
    ])
  })
})
