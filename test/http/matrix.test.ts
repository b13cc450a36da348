// Every route with every kind of caller: real keys and their records, and the real order of checks; only the operations
// are replaced. The table in rights.ts decides, not the routes.
import { beforeAll, afterAll, describe, expect, it } from 'vitest'
import { EVERY_CLUSTER } from '../../src/engine/records/record.ts'
import { generateApiKey } from '../../src/keys/api-key.ts'
import { Access } from '../../src/operations/admin/authenticate.ts'
import { ROLES } from '../../src/contract/roles.ts'
import { exampleOf } from '../../src/http/pages/examples.ts'
import { routes } from '../../src/http/routes.ts'
import type { Route } from '../../src/http/route.ts'
import { EngineFixture } from '../engine/engine-fixture.ts'
import { AT } from '../machines/records.ts'
import { RIGHTS } from './rights.ts'
import { startEcho, type Answer, type Echo, type Problems, type RunningService } from './service.ts'

const PAST = '2020-01-01T00:00:00.000Z'
const of = (name: string): string => keys.get(name)!
const nameOf = ({ method, path }: Route): string => `${method} ${path}`
const pathOf = ({ path }: Route): string => path.replace('{detail-level}', 'detailed')

let fixture: EngineFixture
let service: RunningService
/** Bearer values by their kind. */
const keys = new Map<string, string>()

beforeAll(async () => {
  fixture = await EngineFixture.open()
  await fixture.commit((unit) => {
    for (const tenant of ['SYSTEM', 'ACME', 'OTHER']) unit.alongside(tenant)
    const organization = (externalId: string, parentExternalId: string | null, tenant: string): void => {
      const fields = {
        externalId,
        name: externalId,
        parentExternalId,
        allowedPrograms: [],
        system: externalId === 'SYSTEM',
      }
      unit.create(
        'organization',
        { tenant, cluster: EVERY_CLUSTER, id: `organization ${externalId}` },
        { organization: fields },
      )
    }
    const key = (
      name: string,
      organization: string,
      tenant: string,
      roles: readonly string[],
      expiresAt: string | null = null,
    ) => {
      const { keyId, apiKey, secretHash } = generateApiKey()
      keys.set(name, apiKey)
      return unit.create(
        'apiKey',
        { tenant, cluster: EVERY_CLUSTER, id: `key ${name}` },
        {
          apiKey: {
            keyId,
            organization,
            name,
            roles: [...roles],
            secretHash,
            previousSecretHash: null,
            previousUntil: null,
            expiresAt,
            clusters: null,
            createdAt: AT,
            createdBy: keyId,
            lastUsedAt: null,
            rotatedAt: null,
            approvalsSuspendedUntil: null,
          },
        },
      )
    }
    organization('SYSTEM', null, 'SYSTEM')
    organization('ACME', null, 'ACME')
    organization('CHILD', 'ACME', 'ACME')
    organization('OTHER', null, 'OTHER')
    for (const role of ROLES) key(`only ${role}`, 'ACME', 'ACME', [role])
    key('without a role', 'ACME', 'ACME', [])
    key('expired', 'ACME', 'ACME', ROLES, PAST)
    unit.send<'apiKey'>(key('disabled', 'ACME', 'ACME', ROLES), { type: 'command.disable' })
    key('parent', 'ACME', 'ACME', ROLES)
    key(
      'parent without the role',
      'ACME',
      'ACME',
      ROLES.filter((role) => role !== 'ORGANIZATION_OVERRIDE'),
    )
    key('child', 'CHILD', 'ACME', ROLES)
    key('other', 'OTHER', 'OTHER', ROLES)
    key('system', 'SYSTEM', 'SYSTEM', ROLES)
  })
  const access = new Access(fixture.engine, { now: () => Date.now() })
  service = await startEcho({
    api: {
      authenticate: (bearer) => access.authenticate(bearer),
      callFor: (caller, { cluster, overrideOrganization }) =>
        access.callContext(caller, { cluster, overrideOrganizationExternalId: overrideOrganization }),
    },
  })
})
afterAll(() => service[Symbol.asyncDispose]())

function send(route: Route, bearer: string, body: object = {}): Promise<Answer> {
  return service.request(route.method, pathOf(route), body, { authorization: `Bearer ${bearer}` })
}

const codes = ({ body }: Answer): string[] => (body as Partial<Problems>).errors?.map(({ code }) => code) ?? []

it('every route is in the table of rights, and nothing else', () => {
  expect(routes.map(nameOf).sort()).toEqual(Object.keys(RIGHTS).sort())
})

/** One character of the secret differs, with a valid checksum: no gateway would stop it. */
function forgeKey(): string {
  return generateApiKey(of('parent').slice(3, 15)).apiKey
}

/** A body that the route accepts: its example, or the first of a few plain ones. */
const LOOKUP = { offchainId: '6f0f0a4e-6c2c-4c53-9c0e-0d7f2f2f1a11' }
const PLAIN: readonly object[] = [
  {},
  { itemQuery: {} },
  { itemData: {} },
  { itemData: LOOKUP },
  { itemData: { account: LOOKUP } },
  { itemData: { account: LOOKUP, comments: 'x' } },
  { itemData: { addressLookupTable: LOOKUP, comments: 'x' } },
  { itemData: { position: LOOKUP } },
  { itemData: { position: { position: LOOKUP }, comments: 'x' } },
  { itemData: { owner: LOOKUP, financialInstrument: LOOKUP } },
  { itemData: { position: { position: LOOKUP } } },
  { itemData: { financialInstrument: LOOKUP } },
  { itemData: { financialInstrumentToClose: LOOKUP } },
  { itemData: { addressLookupTable: LOOKUP } },
  { itemData: { addressLookupTable: LOOKUP, componentAddresses: [LOOKUP] } },
  { itemData: { transaction: LOOKUP } },
  { itemData: { mintAccount: LOOKUP, paused: true } },
  { itemData: { addressLookupTable: {}, authority: LOOKUP } },
  { itemData: { nonceAuthority: LOOKUP, count: 1 } },
  { itemData: { transaction: LOOKUP, signers: [LOOKUP] } },
  { itemData: { ...LOOKUP, outcome: 'EXPIRED', evidence: 'the blocks of that time' } },
  { itemData: { keyId: 'abcdef012345' } },
  { itemData: { externalId: 'ACME', name: 'Acme' } },
  { itemData: { url: 'https://example.org/hook' } },
]

function bodyOf(route: Route): object | undefined {
  return [exampleOf(route) ?? [], PLAIN].flat().find((body) => route.schema.safeParse(structuredClone(body)).success)
}

describe.each(routes)('$method $path', (route) => {
  it('is closed to unknown callers', async () => {
    const nobody = await fetch(service.url + pathOf(route), {
      method: route.method,
      body: '{}',
      headers: { 'content-type': 'application/json' },
    })
    expect([nobody.status, nobody.headers.get('www-authenticate')]).toEqual([401, 'Bearer realm="holdfast"'])
    for (const bearer of ['nonsense', forgeKey(), of('expired'), of('disabled')]) {
      const answer = await send(route, bearer)
      expect({ status: answer.status, codes: codes(answer) }).toEqual({ status: 401, codes: ['CREDENTIALS_INVALID'] })
    }
  })

  it('accepts each of its roles alone, and no other', async () => {
    const allowed = RIGHTS[nameOf(route)]!.split(' ')
    for (const role of ROLES) {
      const { status, ...answer } = await send(route, of(`only ${role}`))
      const isRefused = status === 403 && codes({ status, ...answer }).includes('ROLE_REQUIRED')
      expect({ role, refused: isRefused }).toEqual({ role, refused: !allowed.includes(role) })
    }
    expect((await send(route, of('without a role'))).status).toBe(403)
  })

  it('acts for another organization only if the key may', async () => {
    const body = bodyOf(route)
    expect(body, 'no body that this route takes').toBeDefined()
    const acting = async (name: string, organization: string): Promise<unknown> => {
      const answer = await send(route, of(name), {
        ...body,
        tenancyConfig: { overrideOrganizationExternalId: organization },
      })
      return answer.status < 300 ? (answer.body as Echo).call.organization : codes(answer)
    }
    expect(await acting('parent', 'CHILD')).toBe('CHILD')
    expect(await acting('system', 'OTHER')).toBe('OTHER')
    const refusals = [
      ['parent', 'OTHER', 'OVERRIDE_NOT_ALLOWED'],
      ['parent', 'NOBODY', 'OVERRIDE_NOT_ALLOWED'],
      ['parent without the role', 'CHILD', 'ROLE_REQUIRED'],
      ['parent without the role', 'OTHER', 'ROLE_REQUIRED'],
      ['child', 'ACME', 'OVERRIDE_NOT_ALLOWED'],
      ['other', 'ACME', 'OVERRIDE_NOT_ALLOWED'],
    ] as const
    for (const [name, organization, code] of refusals)
      expect([name, organization, await acting(name, organization)]).toEqual([name, organization, [code]])
  })
})
