// Background work whose record changes before it is done: the record rejects the event, and nothing is thrown.
import { describe, expect, it } from 'vitest'
import { Lapses } from '../../../src/operations/background/lapse.ts'
import { recordFacts, untilWritten } from '../../../src/operations/reconcile/record-facts.ts'
import { measure } from '../../../src/operations/transactions/measure.ts'
import { Dispatcher } from '../../../src/operations/webhooks/dispatcher.ts'
import { deliveryShares } from '../../../src/operations/context/outbound/shares.ts'
import type { Outbound } from '../../../src/operations/context/outbound/outbound.ts'
import type { Platform } from '../../../src/operations/context/platform.ts'
import type { EventRecord } from '../../../src/contract/schemas/event.ts'
import { MasterKey } from '../../../src/keys/master-key.ts'
import { generateWebhookSecret, WebhookSecrets } from '../../../src/keys/webhook-secret.ts'
import { keepSecrets } from '../../../src/operations/webhooks/secrets.ts'
import { systemClock } from '../../../src/time/clock.ts'
import { CLUSTER, EngineFixture, newAccount, newTransaction, place, sign, TENANT } from '../../engine/engine-fixture.ts'
import { AT, fixed, webhook } from '../../machines/records.ts'

const START = Date.parse(fixed.preparedAt)
const DAY = 24 * 3_600_000

interface Complaint {
  readonly fields: object
  readonly message: string
}

describe('a rejection by a record that has changed meanwhile', () => {
  it('of the expiry of a transaction is logged, changes nothing, and is retried after a minute', async () => {
    const fixture = await EngineFixture.open()
    const complaints: Complaint[] = []
    let now = START
    await fixture.commit((unit) => {
      newAccount(unit, 'a')
      // The record rejects that its creation is abandoned.
      const facts = [
        { event: { type: 'chain.created' }, undo: { type: 'chain.none' }, abandon: { type: 'chain.none' } },
      ] as const
      newTransaction(unit, 't', [{ tenant: TENANT, record: 'a', movements: [], charge: [], facts }], null)
    })
    const log = { error: (fields: object, message: string) => complaints.push({ fields, message }) }
    const lapses = new Lapses(fixture.engine, { now: () => now }, log)
    const before = fixture.entry('t').head
    const sweepAt = (ms: number): number => {
      now = ms
      lapses.sweep()
      return complaints.length
    }
    expect([START + DAY, START + DAY + 59_000, START + DAY + 60_000].map(sweepAt)).toEqual([1, 1, 2])
    expect(complaints[0]).toMatchObject({ fields: { transactionId: 't', code: 'UNKNOWN_EVENT' } })
    expect(fixture.entry('t').head).toBe(before)
    await fixture.restart()
    expect(fixture.entry('t').head).toEqual(before)
  })

  it('of an observation of the chain is logged, and the facts before it are dropped with it', async () => {
    const fixture = await EngineFixture.open()
    const complaints: Complaint[] = []
    const entry = await fixture.commit((unit) => newAccount(unit, 'a', '10'))
    const before = entry.head
    const log = { warn: (fields: object, message: string) => complaints.push({ fields, message }) }
    const platform = { engine: fixture.engine, log } as unknown as Platform
    const reads = { type: 'chain.observed', lamports: '7' } as never
    const writes = fixture.writes.length
    await recordFacts(platform, entry, [reads, { type: 'chain.none' }], 9)
    await untilWritten(entry)
    expect(complaints).toMatchObject([{ fields: { record: 'a', code: 'UNKNOWN_EVENT' } }])
    expect(entry.head).toBe(before)
    expect(fixture.writes).toHaveLength(writes)
    await recordFacts(platform, entry, [reads], 9)
    expect(fixture.entry('a').committed).toMatchObject({ revision: 2, context: { lamports: { balance: '7' } } })
  })

  it('of the measurements of a landing is dropped if the fork has died and the transaction has expired', async () => {
    const fixture = await EngineFixture.open()
    await fixture.commit((unit) => {
      newAccount(unit, 'a')
      sign(unit, newTransaction(unit, 't', []))
    })
    const seenEvent = {
      type: 'chain.seen',
      at: AT,
      commitment: 'confirmed',
      slot: 7,
      blockTime: null,
      error: null,
    } as const
    const landedEvent = { ...seenEvent, computeUnits: null, signature: 's' }
    await fixture.settle('t', landedEvent)
    const cluster = {
      landed: async () => {
        for (const event of [{ type: 'chain.forgotten' }, { type: 'chain.expired', proof: {} }])
          await fixture.settle('t', { ...event, at: AT } as never)
        return { computeUnits: 450, blockTime: null }
      },
    }
    await measure(fixture.engine, cluster as never, 't')
    const { value, context } = fixture.transaction('t')
    expect([value, context.computeUnitsConsumed]).toEqual(['expired', null])
  })

  it('of the progress of a delivery ends the round without a warning', async () => {
    const { fixture, dispatcher, warnings, answers } = await delivering()
    await until(() => answers.length === 1)
    fixture.hold()
    const redelivery = fixture.engine.transact((unit) =>
      unit.send<'webhook'>(fixture.entry('w'), { type: 'command.redeliver', at: AT, after: 0 }),
    )
    // The record is in the next round, of which the commit informs the dispatcher.
    answers[0]!()
    await new Promise((resolve) => setTimeout(resolve, 20))
    fixture.letGo()
    await redelivery.durable
    // The next round delivers the event again.
    await until(() => answers.length === 2)
    answers[1]!()
    await until(() => fixture.entry('w').committed?.revision === 3)
    expect(fixture.entry('w').head.context).toMatchObject({ round: 1, cursor: 1, attempts: [{ sequence: 1 }] })
    expect(warnings).toEqual([])
    await dispatcher.stop()
  })
})

/** A webhook whose target answers when the test lets it, and one event for it. */
async function delivering() {
  const fixture = await EngineFixture.open()
  const secrets = new WebhookSecrets(new MasterKey(Buffer.alloc(32, 7)))
  const warnings: Complaint[] = []
  const answers: (() => void)[] = []
  await fixture.commit((unit) => {
    unit.create('webhook', place('w'), { webhook: { ...webhook, eventTypes: ['*'], cursor: 0, waiting: [] } })
    keepSecrets(unit, secrets, { tenant: TENANT, cluster: CLUSTER, id: 'w' }, [
      { secret: generateWebhookSecret(), until: null },
    ])
  })
  const event = {
    id: 'e',
    sequence: 1,
    type: 'account.updated',
    resource: { offchainId: 'a' },
    tenantOrganizationId: webhook.organization,
    chainClusterId: CLUSTER,
  } as unknown as EventRecord
  const outbound = {
    fetch: async () => {
      await new Promise<void>((resolve) => answers.push(resolve))
      return { status: 200, retryAfter: null, body: '' }
    },
  }
  const dispatcher = new Dispatcher({
    engine: fixture.engine,
    events: {
      after: (_, sequence) => Promise.resolve(sequence < 1 ? [event] : []),
      lastSequence: () => 1,
      subscribe: () => () => undefined,
    },
    outbound: outbound as unknown as Outbound,
    permits: deliveryShares(null),
    secrets,
    clock: systemClock,
    log: { warn: (fields, message) => void warnings.push({ fields, message }) },
  })
  dispatcher.start()
  return { fixture, dispatcher, warnings, answers }
}

async function until(holds: () => boolean): Promise<void> {
  await expect.poll(holds, { timeout: 60_000, interval: 5 }).toBe(true)
}
