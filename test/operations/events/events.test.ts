// The event log: one event for each change that a client can see, in the batch of the change, in commit order and
// without gaps, through refusals and restarts.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { UnitOfWork } from '../../../src/engine/records/unit-of-work.ts'
import { EngineEventLog } from '../../../src/operations/events/log.ts'
import type { EventRecord } from '../../../src/contract/schemas/event.ts'
import { eventsOfChange } from '../../../src/operations/events/events-of-change.ts'
import {
  CLUSTER,
  EngineFixture,
  newAccount,
  newPosition,
  newTransaction,
  sign,
  TENANT,
} from '../../engine/engine-fixture.ts'
import { AT } from '../../machines/records.ts'

const OTHER = 'OTHER'

async function open(): Promise<{
  fixture: EngineFixture
  log: EngineEventLog
  readonly restart: () => Promise<EngineEventLog>
}> {
  const fixture = await EngineFixture.open()
  const take = (): EngineEventLog => {
    fixture.engine.journal.useEventSource(eventsOfChange)
    return new EngineEventLog(fixture.engine)
  }
  return { fixture, log: take(), restart: async () => (await fixture.restart(), take()) }
}

const everything = (log: EngineEventLog, tenant = TENANT): Promise<readonly EventRecord[]> =>
  log.after(tenant, 0, Number.MAX_SAFE_INTEGER)
const types = (events: readonly EventRecord[]): string[] => events.map(({ type }) => type)

const say = (unit: UnitOfWork, fixture: EngineFixture, id: string, changes: object): void => {
  unit.send<'account'>(fixture.entry(id), { type: 'command.update', changes })
}

describe('an event', () => {
  it('contains the change as the read model shows it, for the organization that owns the record', async () => {
    const { fixture, log } = await open()
    await fixture.commit((unit) => newAccount(unit, 'a'))
    await fixture.commit((unit) => say(unit, fixture, 'a', { comments: 'now', canPayFees: false }))
    const [created, updated] = await everything(log)
    expect(created).toMatchObject({
      sequence: 1,
      type: 'account.created',
      chainClusterId: CLUSTER,
      resource: { kind: 'account', onchainId: 'a', offchainId: 'a' },
      data: { onchain: { id: 'a' }, offchain: { id: 'a' }, status: 'ACTIVE' },
    })
    expect(created!.tenantOrganizationId).toBe(
      (fixture.entry('a').head.context as { organization: string }).organization,
    )
    expect(updated).toMatchObject({ sequence: 2, type: 'account.updated', data: { comments: 'now' } })
    expect(updated!.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    expect(updated!.id).not.toBe(created!.id)
    expect((await everything(log)).map(({ id }) => id)).toEqual([created!.id, updated!.id])
  })

  it('does not contain reservations, which are in the event of the transaction', async () => {
    const { fixture, log } = await open()
    await fixture.commit((unit) => newAccount(unit, 'a'))
    await fixture.commit((unit) =>
      unit.send<'account'>(fixture.entry('a'), {
        type: 'command.reserve',
        asset: 'lamports',
        amount: '10',
        covered: true,
      }),
    )
    expect(types(await everything(log))).toEqual(['account.created'])
  })

  it('follows a transaction and its ledger effects; observations are published when written, once', async () => {
    const { fixture, log } = await open()
    await fixture.commit((unit) => newAccount(unit, 'a'))
    const movements = [{ asset: 'lamports', released: '10', debited: '10', credited: '0' }] as const
    await fixture.commit((unit) => {
      unit.send<'account'>(fixture.entry('a'), {
        type: 'command.reserve',
        asset: 'lamports',
        amount: '10',
        covered: true,
      })
      sign(unit, newTransaction(unit, 't', [{ tenant: TENANT, record: 'a', movements, charge: [], facts: [] }]))
    })
    const deliver = async (event: object): Promise<void> => fixture.settle('t', event as never)
    const seenEvent = (commitment: string): object => ({
      type: 'chain.seen',
      at: AT,
      commitment,
      slot: 7,
      blockTime: null,
      error: null,
      computeUnits: null,
      signature: 'signature of t',
    })
    await deliver({ type: 'chain.sent', at: AT, endpoint: 'one', answer: 'taken' })
    expect(types(await everything(log))).toEqual(['account.created', 'transaction.signed'])
    await fixture.engine.flush()
    await deliver({ type: 'chain.sent', at: AT, endpoint: 'one', answer: 'taken' })
    await fixture.engine.flush()
    await deliver(seenEvent('processed'))
    await deliver(seenEvent('confirmed'))
    await deliver(seenEvent('finalized'))
    const events = await everything(log)
    expect(types(events)).toEqual([
      'account.created',
      'transaction.signed',
      'transaction.submitted',
      'transaction.confirmed',
      'account.updated',
      'transaction.finalized',
    ])
    expect(events[1]!.resource.onchainId, 'it is not out yet').toBeNull()
    expect(events[3]!.resource.onchainId).toBe('signature of t')
    expect(events[4]!.data).toMatchObject({ offchain: { lamportsBalance: 990, lastTransactionId: 't' } })
  })

  it('may be added beyond the changes of records', async () => {
    const { fixture, log } = await open()
    await fixture.commit((unit) =>
      unit.event({
        tenant: TENANT,
        cluster: CLUSTER,
        organization: TENANT,
        type: 'account.network_activity',
        onchainId: 'x',
        offchainId: 'y',
        data: { slot: 3 },
      }),
    )
    expect(await everything(log)).toMatchObject([{ sequence: 1, type: 'account.network_activity', data: { slot: 3 } }])
  })
})

type Step = { readonly tenant: string; readonly id: string; readonly refused: boolean }

describe('sequence numbers', () => {
  const step = fc.record({
    tenant: fc.constantFrom(TENANT, OTHER),
    id: fc.constantFrom('a', 'b', 'c'),
    refused: fc.boolean(),
  })

  it('have no gap and follow the order of the commits, through refusals, group commits and restarts', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(step, { maxLength: 5 }), { maxLength: 8 }), async (rounds) => {
        const { fixture, log, restart } = await open()
        let current = log
        const expected: Record<string, string[]> = { [TENANT]: [], [OTHER]: [] }
        let count = 0
        const run = ({ tenant, id, refused }: Step): Promise<void> => {
          const name = `${id} of ${tenant}`
          const label = `${count++}`
          const exists = fixture.engine.directory.byId(name) !== undefined
          const { durable } = fixture.engine.transact((unit) => {
            if (!exists) newAccount(unit, name, '0', 'active', tenant)
            else say(unit, fixture, name, { comments: label })
            if (refused) throw new Error('refused')
          })
          expected[tenant]!.push(exists ? label : name)
          return durable
        }
        for (const round of rounds) {
          const writes: Promise<void>[] = []
          for (const one of round) {
            try {
              writes.push(run(one))
            } catch (error) {
              if ((error as Error).message !== 'refused') throw error
            }
          }
          await Promise.all(writes)
          if (round.length % 2 === 1) current = await restart()
        }
        for (const tenant of [TENANT, OTHER]) {
          const events = await everything(current, tenant)
          expect(events.map(({ sequence }) => sequence)).toEqual(expected[tenant]!.map((_, index) => index + 1))
          expect(events.map(({ data, resource }) => data['comments'] ?? resource.offchainId)).toEqual(expected[tenant])
          expect(current.lastSequence(tenant)).toBe(events.length)
        }
      }),
      { numRuns: 20 },
    )
  })

  it('are visible and published only once they are on disk', async () => {
    const { fixture, log } = await open()
    const received: number[] = []
    const end = log.subscribe(TENANT, () => received.push(log.lastSequence(TENANT)))
    fixture.hold()
    const { durable } = fixture.engine.transact((unit) => newPosition(unit, 'p', 'initialized'))
    expect(log.lastSequence(TENANT)).toBe(0)
    expect(await everything(log)).toEqual([])
    fixture.letGo()
    await durable
    expect(received).toEqual([1])
    expect(types(await everything(log))).toEqual(['position.created'])
    end()
    await fixture.commit((unit) => newAccount(unit, 'later'))
    expect(received).toEqual([1])
  })
})
