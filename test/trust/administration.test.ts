// The scope of administration: the root organization of a tenant administers the whole tenant, an organization below it
// only itself. Tested for each operation over random trees of organizations, and as an attack of the administrator of a
// sub-organization on its tenant.
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '../e2e/client.ts'
import { eventually, startWorld, type World } from '../e2e/harness.ts'
import type { Ids, Problems, Result } from '../e2e/models.ts'
import type { Records } from '../e2e/records.ts'
import { SOL } from '../e2e/records.ts'
import { ROLES } from '../../src/contract/roles.ts'

interface NewKey {
  readonly keyId: string
  readonly apiKey: string
}

interface Party {
  readonly name: string
  readonly keyId: string
  readonly api: Client
  readonly records: Records
}

let world: World
beforeAll(async () => {
  // A payment that is held back must still land on a busy machine.
  world = await startWorld({ HOLDFAST_EMBEDDED_SLOT_MS: '200' })
})
afterAll(() => world.stop())

async function newKey(
  by: Client,
  organizationExternalId: string,
  members: object,
): Promise<NewKey & { readonly api: Client }> {
  const key = await by.ok<NewKey>(201, 'POST', '/admin/api-keys', { organizationExternalId, name: 'test', ...members })
  return { ...key, api: world.api.as(key.apiKey) }
}

/** An organization with a key with the given roles. */
async function party(name: string, parentExternalId?: string, grant: object = { bundle: 'ADMIN' }): Promise<Party> {
  const parent = parentExternalId === undefined ? {} : { parentExternalId }
  await world.api.ok(201, 'POST', '/admin/organizations', { externalId: name, name: `${name} Ltd`, ...parent })
  const { api, keyId } = await newKey(world.api, name, grant)
  return { name, keyId, api, records: world.records.with(api) }
}

async function codeOf(response: Promise<{ readonly status: number; readonly body: Problems }>): Promise<string> {
  const { status, body } = await response
  return status < 300 ? 'done' : `${status} ${body.errors?.[0]?.code ?? ''}`
}

const namesIn = async (api: Client, path: string, member: string): Promise<string[]> => {
  const { items } = (await api.bulk(path, { limit: 100 })) as { items: readonly Record<string, string>[] }
  return items.map((item) => item[member]!)
}

describe('attack 8: the administrator of a sub-organization', () => {
  let parent: Party
  let child: Party
  let sibling: Party
  let victim: Ids

  beforeAll(async () => {
    parent = await party('PARENT')
    child = await party('CHILD', 'PARENT')
    sibling = await party('SIBLING', 'PARENT')
    await sibling.records.feePayer()
    victim = await sibling.records.funded({}, SOL)
  })

  it('does not become administrator of the parent; control: it adds one of its own', async () => {
    for (const organizationExternalId of ['PARENT', 'SIBLING']) {
      const body = { organizationExternalId, name: 'mine', bundle: 'ADMIN' }
      await child.api.refuses(400, 'ORGANIZATION_NOT_FOUND', 'POST', '/admin/api-keys', body)
    }
    for (const { keyId } of [parent, sibling]) {
      await child.api.refuses(400, 'API_KEY_NOT_FOUND', 'PATCH', '/admin/api-keys/rotate', { keyId })
      await child.api.refuses(400, 'API_KEY_NOT_FOUND', 'PATCH', '/admin/api-keys/disable', { keyId })
    }
    const own = await newKey(child.api, 'CHILD', { bundle: 'ADMIN' })
    await child.api.ok(200, 'PATCH', '/admin/api-keys/rotate', { keyId: own.keyId })
    const ofParent = await newKey(parent.api, 'SIBLING', { bundle: 'VIEWER' })
    await ofParent.api.bulk('/accounts/bulk/compact', {})
  })

  it('does not export the key of a sibling; control: the sibling does', async () => {
    await child.api.refuses(404, 'ACCOUNT_NOT_FOUND', 'POST', '/accounts/single/private-key', victim)
    const organization = { organization: 'SIBLING' }
    await child.api.refuses(403, 'OVERRIDE_NOT_ALLOWED', 'POST', '/accounts/single/private-key', victim, organization)
    await sibling.api.read('/accounts/single/private-key', victim)
  })

  it('freezes neither parent nor sibling, nor their accounts; control: itself', async () => {
    for (const organizationExternalId of ['PARENT', 'SIBLING']) {
      await child.api.refuses(400, 'ORGANIZATION_NOT_FOUND', 'PATCH', '/admin/freeze', { organizationExternalId })
      await child.api.refuses(400, 'ORGANIZATION_NOT_FOUND', 'PATCH', '/admin/lanes/suspend', {
        organizationExternalId,
      })
    }
    await child.api.refuses(400, 'ACCOUNT_NOT_FOUND', 'PATCH', '/admin/freeze', { account: victim })
    await child.api.refuses(400, 'ACCOUNT_NOT_FOUND', 'PATCH', '/admin/lanes/suspend', { account: victim })
    const destination = await sibling.records.account({})
    const payment = { source: victim, destination, lamports: 1_000_000 }
    await sibling.api.ok(201, 'POST', '/positions/transfer-network-currency', payment)
    await child.api.ok(200, 'PATCH', '/admin/freeze', { organizationExternalId: 'CHILD' })
    await child.api.ok(200, 'PATCH', '/admin/unfreeze', { organizationExternalId: 'CHILD' })
  })

  it('changes neither parent nor sibling, adds no sibling, and lists only itself', async () => {
    const allowedPrograms = ['Vote111111111111111111111111111111111111111']
    for (const externalId of ['PARENT', 'SIBLING']) {
      await child.api.refuses(400, 'ORGANIZATION_NOT_FOUND', 'PATCH', '/admin/organizations', {
        externalId,
        allowedPrograms,
      })
    }
    const below = { externalId: 'BELOW', name: 'Below', parentExternalId: 'PARENT' }
    await child.api.refuses(400, 'ORGANIZATION_NOT_FOUND', 'POST', '/admin/organizations', below)
    await child.api.ok(200, 'PATCH', '/admin/organizations', { externalId: 'CHILD', allowedPrograms })
    await parent.api.ok(200, 'PATCH', '/admin/organizations', { externalId: 'CHILD', allowedPrograms: [] })
    expect(await namesIn(child.api, '/admin/organizations/bulk', 'externalId')).toEqual(['CHILD'])
    expect(new Set(await namesIn(child.api, '/admin/api-keys/bulk', 'organizationExternalId'))).toEqual(
      new Set(['CHILD']),
    )
    expect(await namesIn(parent.api, '/admin/organizations/bulk', 'externalId')).toEqual(['CHILD', 'PARENT', 'SIBLING'])
    expect(new Set(await namesIn(parent.api, '/admin/api-keys/bulk', 'organizationExternalId'))).toEqual(
      new Set(['CHILD', 'PARENT', 'SIBLING']),
    )
  })

  it('reads in the audit log what its own keys did; control: the parent reads all of it', async () => {
    const keyIds = async (api: Client): Promise<Set<string>> => new Set(await namesIn(api, '/audit/bulk', 'keyId'))
    const visibleIds = await keyIds(child.api)
    expect(visibleIds.has(child.keyId)).toBe(true)
    for (const keyId of [parent.keyId, sibling.keyId]) expect(visibleIds.has(keyId)).toBe(false)
    const all = await keyIds(parent.api)
    for (const { keyId } of [parent, child, sibling]) expect(all.has(keyId)).toBe(true)
  })

  it('stops by its own record of an address only the transactions of its own organization', async () => {
    const sponsor = await world.records.funded(
      { globalFeePayerForOrgs: ['PARENT', 'CHILD'], networkCurrencyDebitLimits: [] },
      3n * SOL,
    )
    const [ofParent, ofChild] = [await parent.records.funded({}, SOL), await child.records.funded({}, SOL)]
    const config = { feePayer: { onchainId: sponsor.onchainId } }
    const pay = ({ api }: Party, source: Ids, waitSeconds: number) =>
      api.send<Result>(
        'POST',
        '/positions/transfer-network-currency',
        { source, destination: victim, lamports: 1_000 },
        {
          config,
          headers: { Prefer: `wait=${waitSeconds}` },
        },
      )
    const note = await child.records.account({ managed: false, onchainId: sponsor.onchainId })
    await child.api.ok(200, 'PATCH', '/admin/lanes/suspend', { account: note })
    expect((await pay(parent, ofParent, 60)).body.success).toBe(true)
    const payment = await pay(child, ofChild, 1)
    expect(payment.body.status, JSON.stringify(payment.body)).toBe('SIGNED')
    await child.api.ok(200, 'PATCH', '/admin/lanes/resume', { account: note })
    await eventually(async () => {
      const { body } = await child.api.send<Result>('POST', '/transactions/status', {
        offchainId: payment.body.offchainId,
      })
      expect(body.success).toBe(true)
    })
  })
})

const OPERATIONS = [
  'createKey',
  'rotateKey',
  'disableKey',
  'freeze',
  'suspendLanes',
  'updateOrganization',
  'freezeAccount',
] as const
type Operation = (typeof OPERATIONS)[number]

interface Target {
  readonly party: Party
  readonly account: Ids
}

async function attempt(by: Client, operation: Operation, { party: { name }, account }: Target): Promise<string> {
  const organizationExternalId = name
  switch (operation) {
    case 'createKey':
      return await codeOf(
        by.send('POST', '/admin/api-keys', { organizationExternalId, name: 'made', roles: ['TENANT_ADMIN'] }),
      )
    case 'rotateKey':
    case 'disableKey': {
      const { keyId } = await newKey(world.api, name, { roles: ['TENANT_ADMIN'] })
      return await codeOf(
        by.send('PATCH', `/admin/api-keys/${operation === 'rotateKey' ? 'rotate' : 'disable'}`, { keyId }),
      )
    }
    case 'updateOrganization':
      return await codeOf(by.send('PATCH', '/admin/organizations', { externalId: name, name: 'Renamed' }))
    case 'freeze':
      return await switchOnAndOff(by, '/admin/freeze', '/admin/unfreeze', { organizationExternalId })
    case 'suspendLanes':
      return await switchOnAndOff(by, '/admin/lanes/suspend', '/admin/lanes/resume', { organizationExternalId })
    case 'freezeAccount':
      return await switchOnAndOff(by, '/admin/freeze', '/admin/unfreeze', {
        account: { offchainId: account.offchainId },
      })
  }
}

/** The operator resets the switch, so that the next request finds it unchanged. */
async function switchOnAndOff(by: Client, on: string, off: string, itemData: object): Promise<string> {
  const code = await codeOf(by.send('PATCH', on, itemData))
  if (code === 'done') await world.api.ok(200, 'PATCH', off, itemData)
  return code
}

const GRANTS = [{ roles: ['TENANT_ADMIN'] }, { bundle: 'OPERATOR' }, { bundle: 'VIEWER' }] as const

describe('14.8 administration', () => {
  it('covers for every key exactly the tenant from the root, and itself from a sub-organization', async () => {
    let trees = 0
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 0, max: 2 }), { minLength: 2, maxLength: 2 }),
        fc.constantFrom(...GRANTS),
        fc.infiniteStream(fc.constantFrom(...OPERATIONS)),
        async (children, grant, operations) => {
          trees += 1
          const targets = await forest(`T${trees}`, children)
          for (const { party: by, root } of targets) {
            const { api } = await newKey(world.api, by.name, grant)
            for (const target of targets) {
              const mayAdminister =
                'roles' in grant && target.root === root && (by.name === root || by.name === target.party.name)
              const operation = operations.next().value as Operation
              const code = await attempt(api, operation, target)
              const expected = mayAdminister ? ['done'] : 'roles' in grant ? NOT_FOUND : ['403 ROLE_REQUIRED']
              expect(expected, `${by.name} ${operation} ${target.party.name}`).toContain(code)
            }
          }
        },
      ),
      { numRuns: 4 },
    )
  })

  it('gives a key only roles of its creator', async () => {
    const root = await party('GRANTS')
    const narrow = await newKey(root.api, 'GRANTS', { roles: ['TENANT_ADMIN', 'ACCOUNTS_READ'] })
    const body = { organizationExternalId: 'GRANTS', name: 'more' }
    await narrow.api.refuses(403, 'ROLE_REQUIRED', 'POST', '/admin/api-keys', { ...body, roles: ['ACCOUNTS_WRITE'] })
    await narrow.api.refuses(403, 'ROLE_REQUIRED', 'POST', '/admin/api-keys', { ...body, bundle: 'ADMIN' })
    await narrow.api.refuses(403, 'ROLE_REQUIRED', 'PATCH', '/admin/api-keys/rotate', { keyId: root.keyId })
    await narrow.api.ok(201, 'POST', '/admin/api-keys', { ...body, roles: ['ACCOUNTS_READ'] })
  })

  it('gives a key no organization above its creator, also with PLATFORM_ADMIN; control: SYSTEM', async () => {
    const [tenant, other] = [await party('RAISED'), await party('APART')]
    const raised = await newKey(world.api, 'RAISED', { roles: [...ROLES] })
    const system = await newKey(world.api, 'SYSTEM', { roles: ['PLATFORM_ADMIN', 'ACCOUNTS_READ'] })
    for (const [organizationExternalId, keyId] of [
      ['SYSTEM', system.keyId],
      ['APART', other.keyId],
    ] as const) {
      const body = { organizationExternalId, name: 'more', roles: ['ACCOUNTS_READ'] }
      await raised.api.refuses(400, 'ORGANIZATION_NOT_FOUND', 'POST', '/admin/api-keys', body)
      await raised.api.refuses(400, 'API_KEY_NOT_FOUND', 'PATCH', '/admin/api-keys/rotate', { keyId })
      await system.api.ok(201, 'POST', '/admin/api-keys', body)
    }
    await raised.api.ok(200, 'PATCH', '/admin/api-keys/rotate', { keyId: tenant.keyId })
  })
})

const NOT_FOUND = ['400 ORGANIZATION_NOT_FOUND', '400 API_KEY_NOT_FOUND', '400 ACCOUNT_NOT_FOUND']

/** Tenants with this number of organizations below their roots, each with an account. */
async function forest(prefix: string, children: readonly number[]): Promise<(Target & { readonly root: string })[]> {
  const targets: (Target & { readonly root: string })[] = []
  for (const [tenant, count] of children.entries()) {
    const root = `${prefix}-${tenant}`
    const names = [root, ...Array.from({ length: count }, (_, at) => `${root}-${at}`)]
    for (const name of names) {
      const one = await party(name, name === root ? undefined : root)
      targets.push({ party: one, account: await one.records.account({}), root })
    }
  }
  return targets
}

it('a key is disabled at once: only a grace period of 0 is accepted', async () => {
  const { name } = await party('GRACE')
  const { keyId } = await newKey(world.api, name, { roles: ['ACCOUNTS_READ'] })
  const disable = (graceSeconds: number) => ({ keyId, graceSeconds })
  await world.api.refuses(400, 'INVALID_VALUE', 'PATCH', '/admin/api-keys/disable', disable(3_600))
  await world.api.ok(200, 'PATCH', '/admin/api-keys/disable', disable(0))
})
