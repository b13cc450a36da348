// An occurrence whose schedule changes while it is executed leaves nothing in memory, on disk or on the chain.
import { beforeEach, describe, expect, it } from 'vitest'
import type { ScheduleContext, ScheduleEvent } from '../../../machines/schedule.ts'
import type { Entry } from '../../../src/engine/records/entry.ts'
import { recordOccurrence } from '../../../src/operations/schedules/record-occurrence.ts'
import { apiKey, AT, plan } from '../../machines/records.ts'
import { CLUSTER, TenantsFixture, type Wallet } from '../tenants-fixture.ts'

const TENANT = 'ACME'
const SOL = 1_000_000_000n
const NEXT = { number: 1, at: AT }
const AFTER = { number: 2, at: '2999-01-01T00:00:00.000Z' }

let fixture: TenantsFixture
let source: Wallet
let target: Wallet

beforeEach(async () => {
  fixture = await TenantsFixture.open()
  await fixture.organization(TENANT)
  source = await fixture.wallet(TENANT, { canPayFees: true, networkCurrencyDebitLimits: [] }, 2n * SOL)
  target = await fixture.wallet(TENANT, {}, SOL)
  const roles = ['POSITIONS_WRITE', 'ACCOUNTS_WRITE']
  const key = { ...apiKey, keyId: 'key1', roles }
  await fixture.engine.transact((unit) =>
    unit.create('apiKey', { tenant: TENANT, cluster: '*', id: 'key1' }, { apiKey: key }),
  ).durable
})

const MADE = {
  TRANSFER_NETWORK_CURRENCY: () => ({
    source: { onchainId: source.onchainId },
    destination: { onchainId: target.onchainId },
    lamports: '1000',
  }),
  CREATE_ACCOUNT: () => ({ managed: true, canPayFees: false, alreadyOnchain: false, seed: null }),
  // The position does not exist on chain: the occurrence fails.
  TRANSFER: () => ({ source: { offchainId: 'none' }, destination: { offchainId: 'none' }, tokenAmount: '1' }),
} as const

const MEANWHILE: Readonly<Record<string, ScheduleEvent>> = {
  'is paused': { type: 'command.pause' },
  'is cancelled': { type: 'command.cancel', at: AT },
  advances: { type: 'command.run', number: 1, at: AT, isOver: true, problem: null, next: AFTER },
  ends: { type: 'command.run', number: 1, at: AT, isOver: true, problem: null, next: null },
}

async function schedule(operation: keyof typeof MADE): Promise<Entry> {
  const context: ScheduleContext = {
    ...{ organization: TENANT, endpoint: 'POST /api/v1/schedules', requestId: 'r', externalReference: null },
    requester: { ...plan.requester, keyId: 'key1' },
    operation,
    ...{ data: MADE[operation](), itemReference: null, config: null, startAt: AT, endAt: null, maxRuns: null },
    ...{ every: { code: 'DAYS', unit: 365 }, at: null, onMissed: 'RUN_ONCE', next: NEXT, runs: 0, missed: 0 },
    ...{ failuresInARow: 0, lastProblem: null, lastRunAt: null, pausedBecause: null, createdAt: AT, endedAt: null },
  }
  const { result, durable } = fixture.engine.transact((unit) =>
    unit.create('schedule', { tenant: TENANT, cluster: CLUSTER, id: 'schedule' }, { schedule: context }),
  )
  await durable
  return result
}

const send = (entry: Entry, event: ScheduleEvent): Promise<void> =>
  fixture.engine.transact((unit) => unit.send<'schedule'>(entry, event)).durable

const present = () => {
  const heads = [...fixture.engine.directory.entries()].map(({ head }) => JSON.stringify(head))
  const { commits } = fixture.engine.store.stats()
  return { heads: heads.sort(), commits, paid: fixture.lamports(target) - SOL }
}
const kinds = () =>
  [...fixture.engine.directory.entries('occurrence', 'transaction')].map(({ head }) => head.kind).sort()

describe('an occurrence', () => {
  for (const [operation, kept] of [
    ['TRANSFER_NETWORK_CURRENCY', ['occurrence', 'transaction']],
    ['CREATE_ACCOUNT', ['occurrence']],
    ['TRANSFER', ['occurrence']],
  ] as const) {
    it(`is recorded with what it made: ${operation}`, async () => {
      expect(await recordOccurrence(fixture.platform, await schedule(operation))).toBe(true)
      expect(kinds()).toEqual(kept)
    })

    for (const [change, event] of Object.entries(MEANWHILE))
      it(`makes nothing if its schedule ${change} in the meantime: ${operation}`, async () => {
        const entry = await schedule(operation)
        const occurred = recordOccurrence(fixture.platform, entry)
        await send(entry, event)
        const before = present()
        expect(await occurred).toBe(true)
        await fixture.engine.flush()
        expect(present()).toEqual(before)
        expect(kinds()).toEqual([])
      })
  }
})
