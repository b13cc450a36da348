// Changes of records under approval policies, over HTTP: stored as data, evaluated again when applied, and applied
// once. No single key can change, bypass or remove a policy.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Client } from '../client.ts'
import { startWorld, unwatched, type World } from '../harness.ts'
import { LimitFixture, PAY, perTransaction, stranger, to, type Person } from './limit-fixture.ts'
import type { Ids, Problems } from '../models.ts'
import { SOL, type Records } from '../records.ts'

const POLICIES = '/approval-policies'
const CHANGES = '/pending-changes'

interface Change {
  readonly offchainId: string
  readonly status: string
  readonly operation: string
  readonly requestedBy: string
  readonly itemData: object
  readonly result: object | null
  readonly approval: { readonly required: number; readonly given: number; readonly policies: readonly object[] }
}

interface HeldBack extends Problems {
  readonly pendingChange: Change
  readonly keyId?: string
  readonly apiKey?: string
}

let world: World
let fixture: LimitFixture
let organization: string
let admin: Person
let anna: Person
let bert: Person
let records: Records
let wallet: Ids

beforeAll(async () => {
  world = await startWorld({}, unwatched)
  fixture = new LimitFixture(world)
})
afterAll(() => world.stop())

beforeEach(async () => {
  organization = await fixture.organization()
  ;[admin, anna, bert] = await Promise.all([
    fixture.person(organization, 'ADMIN'),
    fixture.person(organization, ['DEBIT_LIMIT_APPROVE']),
    fixture.person(organization, ['DEBIT_LIMIT_APPROVE', 'TRANSACTIONS_READ']),
  ])
  records = world.records.with(admin.api)
  wallet = await records.funded(
    { canPayFees: true, networkCurrencyDebitLimits: [to('ANY', perTransaction(1))] },
    20n * SOL,
  )
})

const policy = async (operations: readonly string[], more: object = {}): Promise<string> => {
  const body = { operations, approvers: [anna.keyId, bert.keyId], requiredApproversCount: 1, ...more }
  return (await admin.api.ok<{ newApprovalPolicy: { offchainId: string } }>(201, 'POST', POLICIES, body))
    .newApprovalPolicy.offchainId
}
const requestChange = async (
  method: 'POST' | 'PATCH',
  path: string,
  itemData: object,
  api = admin.api,
  headers: Record<string, string> = {},
): Promise<HeldBack> => {
  const { status, body } = await api.send<HeldBack>(method, path, itemData, { headers })
  expect(status, JSON.stringify(body)).toBe(202)
  expect(body.pendingChange.status).toBe('PENDING')
  return body
}
const approve = (person: Person, { pendingChange: { offchainId } }: HeldBack) =>
  person.api.send<HeldBack>('POST', `${CHANGES}/approve`, { offchainId })
const expectApproval = async (person: Person, change: HeldBack, status = 'APPLIED'): Promise<Change> => {
  const answer = await approve(person, change)
  expect([answer.status, answer.body.pendingChange.status], JSON.stringify(answer.body)).toEqual([200, status])
  return answer.body.pendingChange
}
const code = async (answer: Promise<{ status: number; body: Problems }>) => {
  const { status, body } = await answer
  return [status, body.errors?.[0]?.code]
}
const clearLimits = (account = wallet, api = admin.api) =>
  requestChange('PATCH', '/accounts', { account, networkCurrencyDebitLimits: [] }, api)
const pays = (lamports: bigint, api: Client = admin.api) =>
  api.send<Problems & { success?: boolean }>('POST', PAY, {
    source: wallet,
    destination: stranger(),
    lamports: lamports.toString(),
  })
const limitsOf = async (): Promise<unknown> =>
  (await admin.api.read<{ networkCurrencyDebitLimits: unknown }>('/accounts/single', wallet)).networkCurrencyDebitLimits

describe('a change of an account policy', () => {
  it('attack: an ADMIN key alone does not clear the limits of an account', async () => {
    const id = await policy(['ACCOUNT_POLICY'])
    const before = await limitsOf()
    const change = await clearLimits()
    expect(change.pendingChange).toMatchObject({ operation: 'ACCOUNT_POLICY', requestedBy: admin.keyId, result: null })
    expect(change.pendingChange.approval.policies).toMatchObject([
      { approvalPolicy: { offchainId: id }, operations: ['ACCOUNT_POLICY'] },
    ])
    expect(await code(approve(admin, change))).toEqual([403, 'REQUESTER_CANNOT_APPROVE'])
    await requestChange('PATCH', '/accounts', { account: wallet, solDebitApiKeys: [admin.keyId] })
    await requestChange('PATCH', '/accounts', { account: wallet, orgsAllowedToSignWithPrivateKey: [organization] })
    await requestChange('PATCH', '/admin/organizations', { externalId: organization, acceptsSigningRequests: true })
    expect(await code(admin.api.send('POST', '/accounts/single/private-key', wallet))).toEqual([
      403,
      'APPROVAL_REQUIRED',
    ])
    expect(await limitsOf()).toEqual(before)
    expect((await pays(2n * SOL)).status).toBe(400)
    // A change of a member outside the policy is applied at once.
    await admin.api.ok(200, 'PATCH', '/accounts', { account: wallet, comments: 'no policy' })

    const applied = await expectApproval(anna, change)
    expect(applied.result).toEqual({ updatedAccount: wallet })
    expect(await limitsOf()).toEqual([])
    expect((await pays(2n * SOL)).status).toBe(201)
    expect(await code(approve(anna, change))).toEqual([400, 'ALREADY_APPROVED'])
    expect(await code(approve(bert, change))).toEqual([400, 'CHANGE_ENDED'])
  })

  it('requires the approvals of the policy, can be rejected by an approver or withdrawn by the requester', async () => {
    await policy(['ACCOUNT_POLICY'], { requiredApproversCount: 2 })
    const change = await clearLimits()
    expect((await expectApproval(anna, change, 'PENDING')).approval).toMatchObject({ required: 2, given: 1 })
    expect(await code(approve(anna, change))).toEqual([400, 'ALREADY_APPROVED'])
    expect(await limitsOf()).not.toEqual([])
    const inbox = async (person: Person): Promise<unknown> =>
      (
        (await bert.api.bulk(`${CHANGES}/bulk`, {
          filter: [
            { fieldName: 'awaitsApprovalBy', filterValues: [{ filterType: 'EQUALS', valueString: person.keyId }] },
          ],
        })) as { count: number }
      ).count
    expect(await Promise.all([admin, anna, bert].map(inbox))).toEqual([0, 0, 1])
    await expectApproval(bert, change)
    expect(await inbox(bert)).toBe(0)
    expect(await limitsOf()).toEqual([])

    const reject = (person: Person, { pendingChange: { offchainId } }: HeldBack) =>
      person.api.send<HeldBack>('POST', `${CHANGES}/reject`, { offchainId, reason: 'no' })
    const other = await requestChange('PATCH', '/accounts', { account: wallet, canPayFees: false })
    expect(await code(reject(await fixture.person(organization, 'ADMIN'), other))).toEqual([403, 'NOT_AN_APPROVER'])
    expect((await reject(bert, other)).body.pendingChange).toMatchObject({
      status: 'REJECTED',
      rejectedBy: bert.keyId,
      rejectedBecause: 'no',
    })
    expect(await code(approve(anna, other))).toEqual([400, 'CHANGE_ENDED'])
    expect((await reject(admin, await clearLimits())).body.pendingChange.status).toBe('REJECTED')
  })

  it('attack: an approval applies to the shown record, even if the lookup later finds another one', async () => {
    await policy(['ACCOUNT_POLICY'])
    const [small, large] = await Promise.all([
      records.account({ offchainReferences: { code: 'SMALL' } }),
      records.account({ offchainReferences: { code: 'LARGE' } }),
    ])
    const change = await requestChange('PATCH', '/accounts', {
      account: { offchainReferences: { code: 'SMALL' } },
      networkCurrencyDebitLimits: [],
    })
    expect(change.pendingChange.approval.policies).toMatchObject([{ target: small.offchainId }])
    await admin.api.ok(200, 'PATCH', '/accounts', { account: small, offchainReferences: { code: 'OTHER' } })
    await admin.api.ok(200, 'PATCH', '/accounts', { account: large, offchainReferences: { code: 'SMALL' } })
    const { approval } = await expectApproval(anna, change, 'PENDING')
    expect(approval.policies).toMatchObject([{ target: small.offchainId }, { target: large.offchainId }])
    expect(await admin.api.read<object>('/accounts/single', large)).toMatchObject({
      defaultDebitLimits: ['networkCurrencyDebitLimits', 'tokenDebitLimits'],
    })
  })

  it('is authorized again when it is applied: a requester without the right changes nothing', async () => {
    await policy(['ACCOUNT_POLICY'])
    const clerk = await fixture.person(organization, 'ADMIN')
    const change = await clearLimits(wallet, clerk.api)
    await admin.api.ok(200, 'PATCH', '/admin/api-keys/disable', { keyId: clerk.keyId })
    expect(await code(approve(anna, change))).toEqual([400, 'REQUESTER_DISABLED'])
    const second = await records.account()
    const staleChange = await clearLimits(second)
    await admin.api.ok(200, 'PATCH', '/accounts/inactivate', { account: second })
    expect((await approve(anna, staleChange)).status).toBe(400)
    expect(await limitsOf()).not.toEqual([])
  })

  it('is applied once by concurrent approvals, and replayed under its idempotency key', async () => {
    await policy(['ACCOUNT_POLICY'])
    const headers = { 'Idempotency-Key': `clear-${organization}` }
    const body = { account: wallet, networkCurrencyDebitLimits: [] }
    const change = await requestChange('PATCH', '/accounts', body, admin.api, headers)
    expect((await requestChange('PATCH', '/accounts', body, admin.api, headers)).pendingChange.offchainId).toBe(
      change.pendingChange.offchainId,
    )
    const answers = await Promise.all([approve(anna, change), approve(bert, change)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400])
    const { items } = (await bert.api.bulk(`${CHANGES}/bulk`, {
      filter: [{ fieldName: 'approvers', filterValues: [{ filterType: 'EQUALS', valueString: bert.keyId }] }],
    })) as { items: readonly Change[] }
    expect(items.map(({ offchainId, status }) => [offchainId, status])).toEqual([
      [change.pendingChange.offchainId, 'APPLIED'],
    ])
  })

  it('is visible only to its organization and tenant', async () => {
    await policy(['ACCOUNT_POLICY'])
    const {
      pendingChange: { offchainId },
    } = await clearLimits()
    const other = await fixture.person(await fixture.organization(), 'ADMIN')
    for (const path of ['single', 'approve'])
      await other.api.refuses(400, 'PENDING_CHANGE_NOT_FOUND', 'POST', `${CHANGES}/${path}`, { offchainId })
    await other.api.refuses(400, 'PENDING_CHANGE_NOT_FOUND', 'POST', `${CHANGES}/reject`, { offchainId })
  })
})

describe('a change of counterparties', () => {
  it('attack: one key alone cannot allow an address', async () => {
    await policy(['COUNTERPARTIES'])
    const body = { name: 'Broker', status: 'ALLOWED', addresses: [{ onchainId: wallet.onchainId, label: 'main' }] }
    const change = await requestChange('POST', '/counterparties', body)
    expect(((await admin.api.bulk('/counterparties/bulk', {})) as { count: number }).count).toBe(0)
    const { newCounterparty } = (await expectApproval(anna, change)).result as {
      newCounterparty: { offchainId: string }
    }
    const block = await requestChange('PATCH', '/counterparties', { counterparty: newCounterparty, status: 'BLOCKED' })
    expect(block.pendingChange.approval.policies).toMatchObject([{ target: newCounterparty.offchainId }])
    // As requested: an approver must not read that the reference goes.
    expect(block.pendingChange.itemData).toEqual({ counterparty: newCounterparty, status: 'BLOCKED' })
    await expectApproval(bert, block)
  })
})

describe('a supply limit', () => {
  const PATH = '/financial-instruments'
  const limitOf = async (token: Ids): Promise<number | undefined> =>
    (await records.instrumentRecord(token)).maxSupply?.amount as number | undefined

  it('attack: is not raised or removed by one key while minting the instrument requires approval', async () => {
    const issuer = await records.account()
    const token = await records.instrument('SPL', issuer, { maxSupply: 100 })
    const other = await records.instrument('SPL', issuer, { maxSupply: 100 })
    await policy(['MINT'], { financialInstrument: token, above: 50 })
    await admin.api.ok(200, 'PATCH', PATH, { mintAccount: token, maxSupply: 90 })
    const raise = await requestChange('PATCH', PATH, { mintAccount: token, maxSupply: '95.5' })
    expect(raise.pendingChange.itemData).toMatchObject({ maxSupply: 95.5 })
    await requestChange('PATCH', PATH, { mintAccount: token, maxSupply: null })
    expect(await limitOf(token)).toBe(90)
    await admin.api.ok(200, 'PATCH', PATH, { mintAccount: other, maxSupply: 200 })
    await expectApproval(anna, raise)
    expect(await limitOf(token)).toBe(95.5)
  })

  it('attack: is not raised together with another change of the mint either', async () => {
    const issuer = await records.account()
    const token = await records.instrument('TOKEN_2022', issuer, {
      maxSupply: 100,
      onchainData: { name: 'A', symbol: 'A' },
    })
    await policy(['ACCOUNT_POLICY'])
    const both = { mintAccount: token, maxSupply: 101, onchainData: { name: 'B' } }
    expect((await admin.api.refuses(403, 'APPROVAL_REQUIRED', 'PATCH', PATH, both)).pointer).toBe('/itemData/maxSupply')
    expect(await limitOf(token)).toBe(100)
    await expectApproval(bert, await requestChange('PATCH', PATH, { mintAccount: token, maxSupply: 101 }))
    expect(await limitOf(token)).toBe(101)
  })
})

describe('API keys', () => {
  it('are created and rotated after approval; only the requester receives the secret, invalid before', async () => {
    await policy(['API_KEYS'])
    const change = await requestChange('POST', '/admin/api-keys', {
      organizationExternalId: organization,
      name: 'second',
      bundle: 'ADMIN',
    })
    const second = world.api.as(change.apiKey!)
    expect((await second.send('POST', '/accounts/bulk/compact', {})).status).toBe(401)
    const view = await bert.api.read<object>(`${CHANGES}/single`, { offchainId: change.pendingChange.offchainId })
    expect(JSON.stringify(view)).not.toContain(change.apiKey!.slice(-20))
    const answer = await approve(anna, change)
    expect(answer.body.pendingChange.result).toEqual({ keyId: change.keyId })
    expect(JSON.stringify(answer.body)).not.toContain('apiKey')
    expect((await second.send('POST', '/accounts', {})).status).toBe(201)

    await requestChange('PATCH', '/admin/api-keys/rotate', { keyId: change.keyId! })
    // A key replaces its own secret, and a key is disabled, without an approval.
    await admin.api.ok(200, 'PATCH', '/admin/api-keys/disable', { keyId: change.keyId! })
  })

  it('attack: the operator of the service cannot create a key in the tenant either', async () => {
    await policy(['API_KEYS'])
    await world.api.refuses(403, 'APPROVAL_REQUIRED', 'POST', '/admin/api-keys', {
      organizationExternalId: organization,
      name: 'operator',
      bundle: 'ADMIN',
    })
  })
})

describe('a policy', () => {
  it('attack: is not changed or removed by one key, even if no policy covers policies', async () => {
    const id = await policy(['MINT'], { requiredApproversCount: 2 })
    const helper = await admin.api.ok<{ keyId: string; apiKey: string }>(201, 'POST', '/admin/api-keys', {
      organizationExternalId: organization,
      name: 'helper',
      roles: ['DEBIT_LIMIT_APPROVE', 'TRANSACTIONS_READ'],
    })
    const lower = await requestChange('PATCH', POLICIES, { offchainId: id, requiredApproversCount: 1 })
    await requestChange('PATCH', POLICIES, { offchainId: id, approvers: [helper.keyId], requiredApproversCount: 1 })
    await requestChange('PATCH', POLICIES, { offchainId: id, operations: ['PAUSE'] })
    const removal = await requestChange('PATCH', POLICIES, { approvalPolicy: { offchainId: id }, removed: true })
    expect(await code(approve({ ...helper, api: world.api.as(helper.apiKey) }, removal))).toEqual([
      403,
      'NOT_AN_APPROVER',
    ])
    expect(await admin.api.read(`${POLICIES}/single`, { offchainId: id })).toMatchObject({
      status: 'ACTIVE',
      requiredApproversCount: 2,
      operations: ['MINT'],
    })
    await expectApproval(anna, lower, 'PENDING')
    await expectApproval(bert, lower)
    expect(await admin.api.read(`${POLICIES}/single`, { offchainId: id })).toMatchObject({ requiredApproversCount: 1 })
    // The removal was requested under the former terms: two approvals are still needed.
    await expectApproval(anna, removal, 'PENDING')
    await expectApproval(bert, removal)
    expect(await admin.api.read(`${POLICIES}/single`, { offchainId: id })).toMatchObject({ status: 'REMOVED' })
    await admin.api.refuses(400, 'POLICY_REMOVED', 'PATCH', POLICIES, { offchainId: id, requiredApproversCount: 1 })
  })

  it('for policies applies to new policies', async () => {
    await policy(['APPROVAL_POLICIES'])
    const change = await requestChange('POST', POLICIES, {
      operations: ['MINT'],
      approvers: [anna.keyId],
      requiredApproversCount: 1,
    })
    const { items } = (await bert.api.bulk(`${POLICIES}/bulk`, {})) as { items: readonly unknown[] }
    expect(items).toHaveLength(1)
    await expectApproval(bert, change)
  })

  it('counts a rotated approver again once it names the approver again', async () => {
    const id = await policy(['ACCOUNT_POLICY'])
    const { apiKey } = await admin.api.ok<{ apiKey: string }>(200, 'PATCH', '/admin/api-keys/rotate', {
      keyId: anna.keyId,
    })
    const rotated = { ...anna, api: world.api.as(apiKey) }
    expect(await code(approve(rotated, await clearLimits()))).toEqual([403, 'APPROVALS_SUSPENDED'])
    await expectApproval(
      bert,
      await requestChange('PATCH', POLICIES, { offchainId: id, approvers: [anna.keyId, bert.keyId] }),
    )
    // The suspension of 24 hours after a rotation by another key still applies.
    expect(await code(approve(rotated, await clearLimits()))).toEqual([403, 'APPROVALS_SUSPENDED'])
  })

  it('whose approvers are lost is released by the operator after a delay, in which the tenant can object', async () => {
    const id = await policy(['ACCOUNT_POLICY'])
    for (const { keyId } of [anna, bert]) await admin.api.ok(200, 'PATCH', '/admin/api-keys/disable', { keyId })
    const release = () =>
      world.api.ok(200, 'PATCH', `${POLICIES}/release`, { offchainId: id, reason: 'both approvers are lost' })
    await admin.api.refuses(403, 'ROLE_REQUIRED', 'PATCH', `${POLICIES}/release`, {
      offchainId: id,
      reason: 'by myself',
    })
    await release()
    const { release: announced } = await admin.api.read<{
      release: { reason: string; requestedAt: string; effectiveAt: string }
    }>(`${POLICIES}/single`, { offchainId: id })
    expect(announced.reason).toBe('both approvers are lost')
    expect(Date.parse(announced.effectiveAt) - Date.parse(announced.requestedAt)).toBe(72 * 3_600_000)
    // Until then nothing is released.
    await clearLimits()
    const { items } = (await admin.api.bulk('/audit/bulk', {
      filter: [
        {
          fieldName: 'action',
          filterValues: [{ filterType: 'EQUALS', valueString: `PATCH /api/v1${POLICIES}/release` }],
        },
      ],
    })) as { items: readonly object[] }
    expect(items).toMatchObject([{ outcome: 'REFUSED' }, { outcome: 'DONE' }].reverse())
    await world.api.refuses(400, 'RELEASE_REQUESTED', 'PATCH', `${POLICIES}/release`, {
      offchainId: id,
      reason: 'again',
    })
    await admin.api.ok(200, 'PATCH', `${POLICIES}/keep`, { offchainId: id })
    await admin.api.refuses(400, 'NO_RELEASE', 'PATCH', `${POLICIES}/keep`, { offchainId: id })
    await release()
  })
})
