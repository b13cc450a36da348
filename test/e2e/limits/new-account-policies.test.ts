// New accounts under approval policies: a key that cannot loosen the limits of an account alone cannot get round them
// through an account that it creates.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startWorld, unwatched, type World } from '../harness.ts'
import { LimitFixture, PAY, perTransaction, to, type Person } from './limit-fixture.ts'
import type { Ids } from '../models.ts'
import { SOL, type Records } from '../records.ts'

const CODE = 'APPROVAL_REQUIRED'

let world: World
let organization: string
let admin: Person
let approver: Person
let records: Records
let wallet: Ids
let instrument: Ids

beforeAll(async () => {
  world = await startWorld({}, unwatched)
  const fixture = new LimitFixture(world)
  organization = await fixture.organization()
  admin = await fixture.person(organization, 'ADMIN')
  approver = await fixture.person(organization, ['DEBIT_LIMIT_APPROVE'])
  records = world.records.with(admin.api)
  await records.feePayer()
  wallet = await records.funded({}, 10n * SOL)
  instrument = await records.instrument('SPL', wallet)
  await admin.api.ok(201, 'POST', '/approval-policies', {
    operations: ['ACCOUNT_POLICY'],
    approvers: [approver.keyId],
    requiredApproversCount: 1,
  })
})
afterAll(() => world.stop())

it('attack: an ADMIN key alone creates no account with a policy beyond the defaults', async () => {
  const approvers = { approversForOverride: [approver.keyId], requiredApproversCount: 1 }
  for (const beyond of [
    { networkCurrencyDebitLimits: [] },
    { networkCurrencyDebitLimits: [to('ANY', perTransaction(1, approvers))] },
    { tokenDebitLimits: [] },
    { canPayFees: true },
    { globalFeePayerForOrgs: [organization] },
    { orgsAllowedToSignWithPrivateKey: [organization] },
  ]) {
    await admin.api.refuses(403, CODE, 'POST', '/accounts', beyond)
    await admin.api.refuses(403, CODE, 'POST', '/batches', { operation: 'CREATE_ACCOUNT', items: [beyond] })
  }
  const unlimited = { owner: wallet, financialInstrument: instrument, tokenDebitLimits: [] }
  await admin.api.refuses(403, CODE, 'POST', '/positions', unlimited)
})

it('attack: an account of a type without limits is as one whose key is held elsewhere', async () => {
  const hop = await records.account({ offchainReferences: { type: 'TOKEN_MANAGEMENT_AUTHORITY' } })
  const pay = { source: wallet, destination: hop, amount: 2 }
  await admin.api.refuses(400, 'DEBIT_LIMIT_EXCEEDED', 'POST', PAY, pay)
})

it('control: an account within the defaults is created, and its policy is changed after an approval', async () => {
  const plain = await records.account()
  await admin.api.ok(201, 'POST', PAY, { source: wallet, destination: plain, amount: 2 })
  const limits = { account: plain, networkCurrencyDebitLimits: [] }
  const change = await admin.api.ok<{ pendingChange: Ids }>(202, 'PATCH', '/accounts', limits)
  const { offchainId } = change.pendingChange
  await approver.api.ok(200, 'POST', '/pending-changes/approve', { offchainId })
  expect(await records.accountRecord(plain)).toMatchObject({ networkCurrencyDebitLimits: [] })
})
