// Approval policies over the terms of lending, with subjects of access tokens as approvers, over HTTP: two persons
// create and change a strategy, and a person is the same with every token.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '../e2e/client.ts'
import { LoanFixture, terms } from '../e2e/loans/loan-fixture.ts'
import type { Ids, Problems } from '../e2e/models.ts'
import type { Records } from '../e2e/records.ts'
import { makeIssuer, type Issuer } from './fixtures/issuer.ts'
import { newParty } from './fixtures/parties.ts'

const STRATEGIES = '/loans/strategies'
const ORGANIZATION = 'ACME'
const APPROVERS = ['jwt:bob', 'jwt:carol']

interface Change {
  readonly offchainId: string
  readonly status: string
  readonly operation: string
  readonly requestedBy: string
  readonly result: { readonly newStrategy?: Ids } | null
}

interface HeldBack extends Problems {
  /** Absent in a refusal. */
  readonly pendingChange?: Change
}

let issuer: Issuer
let fixture: LoanFixture
let admin: Client
let records: Records
let cash: Ids
let bond: Ids

beforeAll(async () => {
  issuer = await makeIssuer()
  fixture = await LoanFixture.open(issuer.settings)
  const party = await newParty(fixture.world, ORGANIZATION)
  admin = party.api
  records = party.records
  await records.feePayer()
  const authority = await records.account()
  cash = await records.instrument('SPL', authority)
  bond = await records.instrument('TOKEN_2022', authority)
  for (const instrument of [cash, bond]) await fixture.feed(instrument, '1', admin)
  await admin.ok(201, 'POST', '/approval-policies', {
    operations: ['STRATEGIES'],
    approvers: APPROVERS,
    requiredApproversCount: 1,
  })
})
afterAll(async () => {
  await fixture.world.stop()
  issuer.remove()
})

/** A client with a new token of the person. */
const person = async (sub: string, scope: string): Promise<Client> =>
  fixture.world.api.as(await issuer.token({ sub, scope, org: ORGANIZATION }))
const approver = (sub: string): Promise<Client> => person(sub, 'DEBIT_LIMIT_APPROVE TRANSACTIONS_READ')
const approve = async (sub: string, { offchainId }: Change): Promise<{ status: number; body: HeldBack }> =>
  (await approver(sub)).send<HeldBack>('POST', '/pending-changes/approve', { offchainId })
const codeOf = ({ status, body }: { status: number; body: Problems }) => [status, body.errors?.[0]?.code]

async function strategy(): Promise<object> {
  const strategyAccount = await records.account()
  await records.position(strategyAccount, cash)
  return {
    strategyAccount,
    financialInstrument: cash,
    originationsEnabled: true,
    collateral: [terms(bond)],
    duration: { code: 'WEEKS', unit: 2 },
  }
}
async function requestChange(api: Client, method: 'POST' | 'PATCH', itemData: object): Promise<Change> {
  const { status, body } = await api.send<HeldBack>(method, STRATEGIES, itemData)
  expect(status, JSON.stringify(body)).toBe(202)
  expect(body.pendingChange).toMatchObject({ operation: 'STRATEGIES', status: 'PENDING' })
  return body.pendingChange!
}
const count = async (): Promise<unknown> => ((await admin.bulk(`${STRATEGIES}/bulk`, {})) as { count: number }).count

describe('a strategy under a policy whose approvers are subjects', () => {
  it('is created when one of them approves, and by no other approval', async () => {
    const before = await count()
    const change = await requestChange(admin, 'POST', await strategy())
    expect(await count()).toBe(before)
    expect(codeOf(await approve('dave', change))).toEqual([403, 'NOT_AN_APPROVER'])
    expect(await count()).toBe(before)
    const { status, body } = await approve('bob', change)
    expect([status, body.pendingChange?.status], JSON.stringify(body)).toEqual([200, 'APPLIED'])
    expect(await count()).toBe(Number(before) + 1)
    expect(codeOf(await approve('carol', change))).toEqual([400, 'CHANGE_ENDED'])
  })

  it('attack: is not approved by the person that requested it, with any token', async () => {
    const bob = await person('bob', 'ADMIN')
    const change = await requestChange(bob, 'POST', await strategy())
    expect(change.requestedBy).toBe('jwt:bob')
    expect(codeOf(await approve('bob', change))).toEqual([403, 'REQUESTER_CANNOT_APPROVE'])
    const { body } = await approve('carol', change)
    expect(body.pendingChange?.status, JSON.stringify(body)).toBe('APPLIED')
  })

  it('is changed by two persons too; a disabled subject approves nothing', async () => {
    const approval = await approve('bob', await requestChange(admin, 'POST', await strategy()))
    const { offchainId } = approval.body.pendingChange!.result!.newStrategy!
    const read = () =>
      admin.read<{ originationsEnabled: boolean }>(`${STRATEGIES}/single`, { strategy: { offchainId } })
    const change = await requestChange(admin, 'PATCH', { strategy: { offchainId }, originationsEnabled: false })
    expect((await read()).originationsEnabled).toBe(true)
    await admin.ok(200, 'PATCH', '/admin/api-keys/disable', { keyId: 'jwt:carol' })
    expect((await approve('carol', change)).status).toBeGreaterThanOrEqual(400)
    expect((await read()).originationsEnabled).toBe(true)
    const { body } = await approve('bob', change)
    expect(body.pendingChange?.status, JSON.stringify(body)).toBe('APPLIED')
    expect((await read()).originationsEnabled).toBe(false)
  })
})
