// The audit log over HTTP: who did what, and who was refused. It is complete, chained, and queried like other lists.
import { createHash, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { generateApiKey } from '../../src/keys/api-key.ts'
import { once, type Client } from './client.ts'
import { eventually, startWorld, type World } from './harness.ts'
import type { Ids, NewAccount, Problems, Result } from './models.ts'

interface Row {
  readonly sequence: number
  readonly at: string
  readonly keyId: string
  readonly action: string
  readonly outcome: string
  readonly resource: {
    readonly kind: string | null
    readonly onchainId: string | null
    readonly offchainId: string | null
  }
  readonly requestId: string
  readonly previousHash: string
  readonly hash: string
}

interface Page {
  readonly count: number
  readonly items: readonly Row[]
}

let world: World
beforeAll(async () => {
  world = await startWorld()
  await world.records.feePayer()
})
afterAll(() => world.stop())

const rows = async (itemQuery: object = {}, api: Client = world.api): Promise<Page> =>
  (await api.bulk('/audit/bulk', itemQuery)) as Page
const equals = (fieldName: string, valueString: string): object => ({
  fieldName,
  filterValues: [{ filterType: 'EQUALS', valueString }],
})
const ofRequest = async (requestId: string, api?: Client): Promise<Row[]> =>
  (await rows({ limit: 1000 }, api)).items.filter((row) => row.requestId === requestId)

async function tenant(externalId: string, roles: object): Promise<{ api: Client; keyId: string; apiKey: string }> {
  await world.api.ok(201, 'POST', '/admin/organizations', { externalId, name: externalId })
  return await keyOf(externalId, roles)
}

async function keyOf(
  organizationExternalId: string,
  roles: object,
): Promise<{ api: Client; keyId: string; apiKey: string }> {
  const key = await world.api.ok<{ apiKey: string; keyId: string }>(201, 'POST', '/admin/api-keys', {
    organizationExternalId,
    name: 'test',
    ...roles,
  })
  return { ...key, api: world.api.as(key.apiKey) }
}

describe('a write', () => {
  it('adds one row with actor, action and request, and none if nothing changed', async () => {
    const { api, keyId } = await tenant('AU-DOES', { bundle: 'ADMIN' })
    const [create, update, replay, rejection] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()]
    const headers = (requestId: string, key?: string): { headers: Record<string, string> } => ({
      headers: { 'x-request-id': requestId, ...(key === undefined ? {} : once(key)) },
    })
    const { newAccount } = await api.ok<NewAccount>(201, 'POST', '/accounts', {}, headers(create, 'one'))
    await api.ok(200, 'PATCH', '/accounts', { account: newAccount, comments: 'seen' }, headers(update))
    await api.ok(201, 'POST', '/accounts', {}, headers(replay, 'one'))
    await api.send('PATCH', '/accounts', { account: { offchainId: randomUUID() }, comments: 'x' }, headers(rejection))
    const { items, count } = await rows({}, api)
    const resource = { kind: 'account', onchainId: newAccount.onchainId, offchainId: newAccount.offchainId }
    expect(items.slice(0, 2)).toMatchObject([
      { keyId, action: 'PATCH /api/v1/accounts', outcome: 'DONE', resource, requestId: update },
      { keyId, action: 'POST /api/v1/accounts', outcome: 'DONE', resource, requestId: create },
    ])
    expect(count).toBe(items.length)
    expect(items.map(({ requestId }) => requestId)).not.toContain(replay)
    expect(items.map(({ requestId }) => requestId)).not.toContain(rejection)
  })

  it('that is held back, approved or rejected names the pending change', async () => {
    const { api } = await tenant('AU-HELD', { bundle: 'ADMIN' })
    const approver = await keyOf('AU-HELD', { bundle: 'ADMIN' })
    const policy = { operations: ['COUNTERPARTIES'], approvers: [approver.keyId], requiredApproversCount: 1 }
    await api.ok(201, 'POST', '/approval-policies', policy)
    const held = async (name: string): Promise<string> => {
      const itemData = { name, status: 'ALLOWED', addresses: [], externalReference: name }
      return (await api.ok<{ pendingChange: { offchainId: string } }>(202, 'POST', '/counterparties', itemData))
        .pendingChange.offchainId
    }
    const [applied, rejected, withdrawn] = [await held('ONE'), await held('TWO'), await held('THREE')]
    await approver.api.ok(200, 'POST', '/pending-changes/approve', { offchainId: applied })
    await approver.api.ok(200, 'POST', '/pending-changes/reject', { offchainId: rejected })
    await api.ok(200, 'POST', '/pending-changes/reject', { offchainId: withdrawn })
    const of = (offchainId: string): object => ({ kind: 'pending_change', onchainId: null, offchainId })
    const { items } = await rows({}, api)
    const decisions = items.filter(({ action }) => action.includes('/pending-changes/'))
    expect(decisions.map(({ resource }) => resource)).toEqual([of(withdrawn), of(rejected), of(applied)])
    const requests = items.filter(({ action }) => action.endsWith('/counterparties')).map(({ resource }) => resource)
    expect(requests).toEqual(expect.arrayContaining([of(withdrawn), of(rejected), of(applied)]))
  })

  it('names the kind of a record that changes only once the transaction has landed', async () => {
    const { api } = await tenant('AU-KINDS', { bundle: 'ADMIN' })
    const records = world.records.with(api)
    const [authority, holder] = [await records.feePayer(), await records.account()]
    const onchainData = { name: 'Before', symbol: 'B', uri: '' }
    const mint = await records.instrument('TOKEN_2022', authority, {
      updateAuthority: authority,
      freezeAuthority: authority,
      onchainData,
    })
    const { newAddressLookupTable: table } = await api.ok<{ newAddressLookupTable: Ids }>(
      201,
      'POST',
      '/address-lookup-tables',
      { authority, componentAddresses: [holder] },
    )
    const changes: readonly (readonly [string, object, string])[] = [
      ['/financial-instruments', { mintAccount: mint, onchainData: { name: 'Anew' } }, 'instrument'],
      [
        '/financial-instruments/authorities',
        { financialInstrument: mint, authorities: { freeze: holder } },
        'instrument',
      ],
      ['/address-lookup-tables/extend', { addressLookupTable: table, componentAddresses: [mint] }, 'lookup_table'],
    ]
    for (const [path, itemData, kind] of changes) {
      await api.ok(200, 'PATCH', path, itemData)
      const [{ action, resource } = { action: null, resource: null }] = (await rows({ limit: 1 }, api)).items
      expect([action, resource]).toMatchObject([`PATCH /api/v1${path}`, { kind }])
    }
  })

  it('adds the id of its transaction, and appears in the log of the tenant that it concerns', async () => {
    const { api } = await tenant('AU-TOUCHED', { bundle: 'ADMIN' })
    const [alice, bob]: Ids[] = [await world.records.funded(), await world.records.account()]
    const requestId = randomUUID()
    const { offchainId } = await world.api.ok<Result>(
      201,
      'POST',
      '/positions/transfer-network-currency',
      {
        source: alice,
        destination: bob,
        lamports: 1_000_000,
      },
      { headers: { 'x-request-id': requestId } },
    )
    expect(await ofRequest(requestId)).toMatchObject([
      { action: 'POST /api/v1/positions/transfer-network-currency', resource: { kind: 'transaction', offchainId } },
    ])
    const freeze = randomUUID()
    await world.api.ok(
      200,
      'PATCH',
      '/admin/freeze',
      { organizationExternalId: 'AU-TOUCHED' },
      { headers: { 'x-request-id': freeze } },
    )
    const expectedEntry = {
      action: 'PATCH /api/v1/admin/freeze',
      outcome: 'DONE',
      resource: { kind: 'organization', onchainId: null, offchainId: 'AU-TOUCHED' },
    }
    expect(await ofRequest(freeze)).toMatchObject([expectedEntry])
    expect(await ofRequest(freeze, api)).toMatchObject([expectedEntry])
  })

  it('adds a row for each export of a key, without the key', async () => {
    const account = await world.records.account()
    const exported: string[] = []
    for (let n = 0; n < 2; n += 1) {
      const { privateKeyDetails } = await world.api.read<{ privateKeyDetails: { privateKey: string } }>(
        '/accounts/single/private-key',
        {
          offchainId: account.offchainId,
        },
      )
      exported.push(privateKeyDetails.privateKey)
    }
    const { count, items } = await rows({
      filter: [
        equals('resourceOffchainId', account.offchainId),
        equals('action', 'POST /api/v1/accounts/single/private-key'),
      ],
    })
    expect(count).toBe(2)
    expect(items[0]).toMatchObject({ outcome: 'DONE', resource: { kind: 'account', ...account } })
    expect(JSON.stringify(await rows({ limit: 1000 }))).not.toContain(exported[0])
  })

  it('refuses a dry run of an export, which leaves the account as it is', async () => {
    const { offchainId } = await world.records.account()
    const record = (): Promise<object> => world.api.read<object>('/accounts/single', { offchainId })
    const before = await record()
    const refused = await world.api.send<Problems>(
      'POST',
      '/accounts/single/private-key',
      { offchainId },
      { headers: { 'holdfast-dry-run': 'true' } },
    )
    expect([refused.status, refused.body.errors?.[0]?.code]).toEqual([400, 'DRY_RUN_WITHOUT_TRANSACTION'])
    expect(JSON.stringify(refused.body)).not.toContain('privateKey')
    expect(await record()).toEqual(before)
    const exports = [equals('resourceOffchainId', offchainId), equals('outcome', 'DONE')]
    expect(await rows({ filter: exports })).toMatchObject({ count: 1, items: [{ action: 'POST /api/v1/accounts' }] })
  })
})

describe('a refusal', () => {
  it('adds a row to the log of the tenant of the key, with the records it named', async () => {
    const { api, keyId } = await tenant('AU-LESS', { roles: ['ACCOUNTS_READ', 'AUDIT_READ'] })
    const lookup = { offchainId: randomUUID() }
    const requestId = randomUUID()
    await api.refuses(403, 'ROLE_REQUIRED', 'POST', '/accounts', {}, { headers: { 'x-request-id': requestId } })
    await api.refuses(403, 'ROLE_REQUIRED', 'POST', '/accounts/single', lookup, { organization: 'SYSTEM' })
    const { items } = await rows({ filter: [equals('outcome', 'REFUSED')] }, api)
    expect(items).toMatchObject([
      { keyId, action: 'POST /api/v1/accounts/single', resource: { kind: null, onchainId: null, ...lookup } },
      {
        keyId,
        action: 'POST /api/v1/accounts',
        requestId,
        resource: { kind: null, onchainId: null, offchainId: null },
      },
    ])
    expect(await ofRequest(requestId)).toEqual([])
  })

  it('is recorded for a known key with a wrong secret or a disabled one, and not for an unknown key', async () => {
    const { keyId, apiKey } = await keyOf('SYSTEM', { roles: ['ACCOUNTS_READ'] })
    const failures = async (): Promise<number> =>
      (await rows({ filter: [equals('keyId', keyId), equals('outcome', 'REFUSED')] })).count
    // Repeats at one endpoint within a minute would be combined into one row.
    const statusOf = async (bearer: string, path = '/accounts/single'): Promise<number> =>
      (await world.api.as(bearer).send('POST', path, {})).status
    expect(await statusOf(generateApiKey(keyId).apiKey)).toBe(401)
    await eventually(async () => expect(await failures()).toBe(1))
    await world.api.ok(200, 'PATCH', '/admin/api-keys/disable', { keyId })
    expect(await statusOf(apiKey, '/accounts')).toBe(401)
    await eventually(async () => expect(await failures()).toBe(2))
    const before = (await rows()).count
    expect(await statusOf(generateApiKey().apiKey)).toBe(401)
    expect((await rows()).count).toBe(before)
  })
})

describe('the audit log', () => {
  /** RFC 8785, for the values that a row can contain. */
  function canonical(value: unknown): string {
    if (typeof value !== 'object' || value === null) return JSON.stringify(value)
    const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
    return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`).join(',')}}`
  }

  it('is a hash chain that a reader can verify', async () => {
    const { items } = await rows({ limit: 1000, sort: [{ fieldName: 'sequence', sortDirection: 'ASC' }] })
    expect(items.length).toBeGreaterThan(5)
    let previous = '0'.repeat(64)
    for (const [index, { hash, ...row }] of items.entries()) {
      expect(row.sequence).toBe(index + 1)
      expect(row.previousHash).toBe(previous)
      expect(createHash('sha256').update(canonical(row)).digest('hex')).toBe(hash)
      previous = hash
    }
  })

  it('is filtered by every field, in any order and page', async () => {
    const { items: all } = await rows({ limit: 1000 })
    expect(all.map(({ sequence }) => sequence)).toEqual(all.map((_, index) => all.length - index))
    const [some] = all.slice(3)
    expect((await rows({ limit: 4, skip: 2 })).items).toEqual(all.slice(2, 6))
    expect(await rows({ limit: 0 })).toEqual({ count: all.length, items: [] })
    expect((await rows({ skip: 10_000_000 })).items).toEqual([])
    const sequence = {
      fieldName: 'sequence',
      filterValues: [{ filterType: 'IN_RANGE', valueFromNumber: 2, valueToNumber: 5 }],
    }
    expect((await rows({ filter: [sequence] })).items.map((row) => row.sequence)).toEqual([5, 4, 3, 2])
    const at = { fieldName: 'at', filterValues: [{ filterType: 'LESS_THAN_OR_EQUAL', valueString: some!.at }] }
    expect((await rows({ filter: [at], limit: 1000 })).items).toEqual(all.filter((row) => row.at <= some!.at))
    const unnamed = { fieldName: 'resourceOffchainId', filterValues: [{ filterType: 'IS_NULL' }] }
    expect((await rows({ filter: [unnamed] })).count).toBe(
      all.filter(({ resource }) => resource.offchainId === null).length,
    )
    const action = { fieldName: 'action', filterValues: [{ filterType: 'CONTAINS', valueString: '/ACCOUNTS' }] }
    const byKey = [
      { fieldName: 'keyId', sortDirection: 'ASC' },
      { fieldName: 'sequence', sortDirection: 'DESC' },
    ]
    const expected = all
      .filter((row) => row.action.includes('/accounts'))
      .sort((a, b) => (a.keyId === b.keyId ? b.sequence - a.sequence : a.keyId < b.keyId ? -1 : 1))
    expect(await rows({ filter: [action], sort: byKey, limit: 5, skip: 1 })).toEqual({
      count: expected.length,
      items: expected.slice(1, 6),
    })
  })

  it('requires the role, and is separate for each tenant', async () => {
    const { api } = await tenant('AU-OWN', { roles: ['AUDIT_READ'] })
    expect((await rows({}, api)).items.map(({ action }) => action)).toEqual([
      'POST /api/v1/admin/api-keys',
      'POST /api/v1/admin/organizations',
    ])
    const { api: blind } = await keyOf('AU-OWN', { roles: ['ACCOUNTS_READ'] })
    const answer = await fetch(`${world.url}/api/v1/audit/bulk`, {
      method: 'POST',
      body: '{}',
      headers: { authorization: blind.bearer, 'content-type': 'application/json' },
    })
    expect(answer.status).toBe(403)
    await eventually(async () => expect((await rows({ filter: [equals('outcome', 'REFUSED')] }, api)).count).toBe(1))
  })
})
