// Work that was already done in the meantime is not repeated, and no request is refused.
import { beforeEach, expect, it } from 'vitest'
import type { Entry } from '../../../src/engine/records/entry.ts'
import { ofKind } from '../../../src/engine/records/record.ts'
import type { Platform } from '../../../src/operations/context/platform.ts'
import { makeStep } from '../../../src/operations/transactions/plans/make-step.ts'
import { transact } from '../../../src/operations/transactions/transact.ts'
import { transferLamports } from '../../../src/solana/instructions/system.ts'
import { plan } from '../../machines/records.ts'
import { CLUSTER, TenantsFixture, type Wallet } from '../tenants-fixture.ts'

const TENANT = 'ACME'
const AT = '2026-11-26T08:00:00.000Z'
const PLACE = { tenant: TENANT, cluster: CLUSTER, id: 'plan' }

let fixture: TenantsFixture
let platform: Platform
let payer: Wallet
let entry: Entry

beforeEach(async () => {
  fixture = await TenantsFixture.open()
  payer = await fixture.wallet(TENANT, { canPayFees: true, networkCurrencyDebitLimits: [] }, 2_000_000_000n)
  platform = { ...fixture.platform, planSteps: { tested: () => Promise.resolve(draft) } }
  const step = { data: {}, records: [], transactionId: null, done: false }
  const { result, durable } = fixture.engine.transact((unit) =>
    unit.create('plan', PLACE, { plan: { ...plan, config: null, purpose: 'tested', steps: [step, step] } }),
  )
  await durable
  entry = result
})

const draft = () => ({
  instructions: [transferLamports(payer.onchainId, payer.onchainId, 1n)],
  feePayer: { address: payer.onchainId, entry: payer.entry, autoSign: true },
  parties: [],
  computeUnits: 10_000,
  shape: 'bare' as const,
})
const planNow = () => ofKind(entry.head, 'plan')!
const transactions = () => [...fixture.engine.directory.entries('transaction')].map(({ head }) => head.id)

it('a step of a plan that is made twice at the same time is made once', async () => {
  await Promise.all([makeStep(platform, entry, planNow()), makeStep(platform, entry, planNow())])
  expect(transactions()).toHaveLength(1)
  expect(planNow().context.steps.map(({ transactionId }) => transactionId)).toEqual([...transactions(), null])
})

it('a step of a plan that fails in the meantime is not made', async () => {
  const making = makeStep(platform, entry, planNow())
  await fixture.engine.transact((unit) => unit.send<'plan'>(entry, { type: 'command.fail', reason: 'tested', at: AT }))
    .durable
  const { commits } = fixture.engine.store.stats()
  await making
  expect([transactions(), planNow().value]).toEqual([[], 'failed'])
  expect(fixture.engine.store.stats().commits).toBe(commits)
})

it('a draft that finds nothing left to do makes nothing, also where it is estimated', async () => {
  const context = { platform, call: fixture.call(TENANT) }
  for (const config of [undefined, { computeUnitConfig: { enable: true } }]) {
    expect(await transact(context, config, () => undefined)).toBeUndefined()
    expect(transactions()).toEqual([])
  }
})
