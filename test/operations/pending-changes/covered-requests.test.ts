// Every request that an approval policy can cover: until the last approval, only the pending change is added in memory
// and on disk.
import { beforeEach, describe, expect, it } from 'vitest'
import { escrowVault } from '../../../src/lending/escrow-vault.ts'
import type { Call, JsonObject } from '../../../src/contract/call.ts'
import { ROLES } from '../../../src/contract/roles.ts'
import { EVERY_CLUSTER } from '../../../src/engine/records/record.ts'
import type { UnitOfWork } from '../../../src/engine/records/unit-of-work.ts'
import type { Write } from '../../../src/operations/context/platform.ts'
import { approveChange } from '../../../src/operations/pending-changes/approve.ts'
import { COVERED_REQUESTS } from '../../../src/operations/pending-changes/operations.ts'
import { changeRecords } from '../../../src/operations/transactions/change-records.ts'
import type { RequestOutcome } from '../../../src/operations/transactions/perform.ts'
import { approvalPolicy } from '../../machines/approval-subjects.ts'
import { apiKey, AT, dataSource, strategy } from '../../machines/records.ts'
import { CLUSTER, TenantsFixture, type Wallet } from '../tenants-fixture.ts'

const TENANT = 'ACME'
const REQUESTER = 'key of ACME'
const APPROVERS = ['anna', 'bert'] as const
const ROTATED = 'key2rotate12'
const PLACE = { tenant: TENANT, cluster: CLUSTER }
const KEYS = { ...PLACE, cluster: EVERY_CLUSTER }

interface Records {
  readonly wallet: Wallet
  readonly vault: Wallet
  readonly mint: Wallet
  readonly gold: Wallet
  readonly position: Wallet
}

let fixture: TenantsFixture
let records: Records

const refOf = ({ onchainId, offchainId }: Wallet) => ({ address: onchainId, id: offchainId })
const idsOf = ({ onchainId, offchainId }: Wallet) => ({ onchainId, offchainId })

beforeEach(async () => {
  fixture = await TenantsFixture.open(false, { lending: new Map([[escrowVault.name, escrowVault]]) })
  await fixture.organization(TENANT)
  const wallet = await fixture.wallet(TENANT)
  const vault = await fixture.wallet(TENANT)
  const mint = await fixture.instrument(TENANT, wallet.onchainId)
  const position = await fixture.position(TENANT, wallet, mint)
  await fixture.position(TENANT, vault, mint)
  const gold = await fixture.instrument(TENANT, wallet.onchainId)
  records = { wallet, vault, mint, gold, position }
  await fixture.engine.transact(createOthers).durable
})

function createOthers(unit: UnitOfWork): void {
  const { mint, gold, wallet, position } = records
  for (const keyId of [REQUESTER, ...APPROVERS, ROTATED]) {
    const roles = keyId === REQUESTER ? [...ROLES] : ['DEBIT_LIMIT_APPROVE']
    unit.create('apiKey', { ...KEYS, id: keyId }, { apiKey: { ...apiKey, keyId, roles } })
  }
  const operations = ['ACCOUNT_POLICY', 'API_KEYS', 'COUNTERPARTIES', 'STRATEGIES', 'APPROVAL_POLICIES'] as const
  const terms = { operations, financialInstrument: null, above: null, approvers: APPROVERS }
  unit.create('approvalPolicy', { ...PLACE, id: 'policy' }, { policy: { ...approvalPolicy, ...terms } })
  unit.send<'instrument'>(mint.entry, { type: 'command.limit', maxSupply: '1000' })
  for (const [id, priced] of Object.entries({ feed: mint, goldFeed: gold })) {
    const feed = { ...dataSource, address: id, financialInstrument: refOf(priced) }
    unit.create('dataSource', { ...PLACE, id }, { holding: feed, state: 'active' })
  }
  const references = { organization: TENANT, vault: refOf(wallet), position: refOf(position), instrument: refOf(mint) }
  unit.create('strategy', { ...PLACE, id: 'strategy' }, { strategy: { ...strategy, ...references } })
  unit.create(
    'counterparty',
    { ...PLACE, id: 'miller' },
    {
      counterparty: {
        ...{ organization: TENANT, externalReference: null, name: 'Miller', note: null, createdAt: AT, updatedAt: AT },
        addresses: [],
        status: 'ALLOWED',
      },
    },
  )
}

/** A request of each endpoint that a policy of the tenant covers. */
const BODIES: Readonly<Record<string, () => JsonObject>> = {
  'PATCH /api/v1/accounts': () => ({ account: idsOf(records.wallet), orgsAllowedToSignWithPrivateKey: [TENANT] }),
  'PATCH /api/v1/positions': () => ({
    position: { position: idsOf(records.position) },
    tokenDebitApiKeys: [REQUESTER],
  }),
  'PATCH /api/v1/financial-instruments': () => ({ mintAccount: idsOf(records.mint), maxSupply: null }),
  'PATCH /api/v1/admin/organizations': () => ({ externalId: TENANT, acceptsSigningRequests: true }),
  'POST /api/v1/admin/api-keys': () => ({ organizationExternalId: TENANT, name: 'new', roles: ['ACCOUNTS_READ'] }),
  'PATCH /api/v1/admin/api-keys/rotate': () => ({ keyId: ROTATED }),
  'POST /api/v1/counterparties': () => ({ name: 'Smith', status: 'ALLOWED' }),
  'PATCH /api/v1/counterparties': () => ({ counterparty: { offchainId: 'miller' }, name: 'Muller' }),
  'POST /api/v1/loans/strategies': () => ({
    strategyAccount: idsOf(records.vault),
    financialInstrument: idsOf(records.mint),
    onchainDataSource: { offchainId: 'feed' },
    duration: { code: 'DAYS', unit: 30 },
    collateral: [
      {
        financialInstrument: idsOf(records.gold),
        onchainDataSource: { offchainId: 'goldFeed' },
        ...{ apy: 50_000, loanToValueRatio: 500_000, liquidationRatio: 800_000, maxPriceAgeSeconds: 600 },
      },
    ],
  }),
  'PATCH /api/v1/loans/strategies': () => ({
    strategy: { offchainId: 'strategy' },
    duration: { code: 'DAYS', unit: 31 },
  }),
  'POST /api/v1/approval-policies': () => ({
    operations: ['ACCOUNT_POLICY'],
    approvers: [...APPROVERS],
    requiredApproversCount: 1,
  }),
  'PATCH /api/v1/approval-policies': () => ({ offchainId: 'policy', requiredApproversCount: 1 }),
}

const perform = async (endpoint: string, write: Write<never>, itemData: JsonObject): Promise<RequestOutcome> =>
  await fixture.perform(TENANT, write, { itemData } as never, buildCall(endpoint))

function buildCall(endpoint: string, keyId = REQUESTER): Partial<Call> {
  const caller = { ...fixture.call(TENANT).caller, keyId, roles: new Set<string>(ROLES) }
  return { endpoint, caller, idempotency: { key: `${endpoint} ${keyId}`, digest: 'd' } }
}

const idOf = ({ body }: RequestOutcome): string => (body['pendingChange'] as { readonly offchainId: string }).offchainId

const approve = async (keyId: string, pendingRequest: RequestOutcome): Promise<unknown> => {
  const input = { itemData: { offchainId: idOf(pendingRequest) } }
  const call = buildCall('POST /api/v1/pending-changes/approve', keyId)
  const answer = await fixture.perform(TENANT, approveChange, input, call)
  return (answer.body['pendingChange'] as JsonObject)['status']
}

interface Present {
  /** Every record in memory, and every row of the store, except the pending change and the rows of the requests. */
  readonly others: readonly string[]
  /** Audit and idempotency rows. */
  readonly requests: number
}

async function present(pendingChange = 'none yet'): Promise<Present> {
  const { engine } = fixture
  await engine.flush()
  const others: string[] = []
  let requests = 0
  for (const { head } of engine.directory.entries())
    if (head.id !== pendingChange) others.push(JSON.stringify([head.id, head]))
  const view = engine.store.view()
  for await (const page of view.everything())
    for (const [key, text] of page)
      if (/^[ai]!/.test(key)) requests += 1
      else if (!key.includes(pendingChange)) others.push(JSON.stringify([key, text]))
  await view.close()
  return { others: others.sort(), requests }
}

describe('a covered request', () => {
  it('is tried for every endpoint', () => expect(Object.keys(BODIES)).toEqual(Object.keys(COVERED_REQUESTS)))

  for (const [endpoint, body] of Object.entries(BODIES))
    it(`changes nothing before its last approval: ${endpoint}`, async () => {
      const { others } = await present()
      const pendingRequest = await perform(endpoint, COVERED_REQUESTS[endpoint]!, body())
      expect(pendingRequest).toMatchObject({ pending: true, body: { pendingChange: { status: 'PENDING' } } })
      expect(await present(idOf(pendingRequest))).toEqual({ others, requests: 2 })
      expect(await approve('anna', pendingRequest)).toBe('PENDING')
      expect(await present(idOf(pendingRequest))).toEqual({ others, requests: 4 })
      expect(await approve('bert', pendingRequest)).toBe('APPLIED')
      const after = await present(idOf(pendingRequest))
      // The rows of the approver, and the audit entry of the requester.
      expect(after.requests).toBe(7)
      expect(after.others).not.toEqual(others)
    })
})

it('is applied by two last approvals at once', async () => {
  const [endpoint, body] = Object.entries(BODIES)[0]!
  const pendingRequest = await perform(endpoint, COVERED_REQUESTS[endpoint]!, body())
  const statuses = await Promise.all(APPROVERS.map((keyId) => approve(keyId, pendingRequest)))
  expect(statuses).toContain('APPLIED')
  expect(await present(idOf(pendingRequest))).toMatchObject({ requests: 7 })
})

it('a unit of work that ends with needed approvals is discarded, whatever it did before', async () => {
  const before = await present()
  const call = { ...fixture.call(TENANT), ...buildCall('tested') }
  const approvalNeed = { operation: 'ACCOUNT_POLICY', entries: [], decided: null } as const
  const { needsApproval } = await changeRecords({ platform: fixture.platform, call }, (unit) => {
    unit.send<'account'>(records.wallet.entry, { type: 'command.update', changes: { comments: 'half done' } })
    return approvalNeed
  })
  expect(needsApproval).toBe(approvalNeed)
  expect(await present()).toEqual(before)
})
