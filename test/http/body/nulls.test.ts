// An optional member that is null equals an absent one, in every body. The members come from the published schemas, so
// that a new endpoint or member is covered without a change here; if null has its own meaning, the document says that
// it is accepted.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { validate } from '../../../src/http/endpoint.ts'
import { openApi } from '../../../src/http/pages/openapi.ts'
import { routes } from '../../../src/http/routes.ts'
import { Refusal } from '../../../src/contract/refusal.ts'
import { resolveSchema, sample, type Components, type Schema } from '../samples.ts'

type Path = readonly (string | number)[]

const document = openApi(routes, ['CHAIN_DEVNET'])
const components = document.components.schemas as Components

/** Members whose null has its own meaning, by their last name. */
const MEANINGFUL = new Set([
  // Cleared by an update.
  'alId',
  'accountNumber',
  'code',
  'name',
  'offchainReferences',
  'mintAccountOffchainReferences',
  'comments',
  'domain',
  'canPayFees',
  'globalFeePayerForOrgs',
  'orgsAllowedToSignWithPrivateKey',
  'solDebitApiKeys',
  'networkCurrencyDebitApiKeys',
  'tokenDebitApiKeys',
  'subscribeToNetworkEvents',
  'description',
  'simpleCustomMetadata',
  'complexCustomMetadata',
  'logo',
  'ratingProvider',
  'borrowers',
  'originationCap',
  'liquidityBuffer',
  'destinationPolicy',
  'externalReference',
  'note',
  'reviewApproval',
  'screening',
  'coolingOffHours',
  'allowedPrograms',
  'acceptedFeePayers',
  'acceptsSigningRequests',
  'financialInstrument',
  'above',
  // The defaults apply; unlimited.
  'networkCurrencyDebitLimits',
  'tokenDebitLimits',
  'maxAllowedDebit',
  'limitAmount',
  'duration',
  // Revoked for ever.
  'transferHookProgram',
  'newClosingAuthority',
  'newPausableAuthority',
  'newScaledUiAmountAuthority',
  'newTransferHookAuthority',
  'mint',
  'freeze',
  'update',
  'permanentDelegate',
  'closing',
  'pausable',
  'scaledUiAmount',
  'transferHook',
  'confidentialTransfer',
  'metadataPointer',
  'maxSupply',
])

function bodySchema(path: string, method: string): Schema {
  const operation = document.paths[path]![method.toLowerCase()] as {
    requestBody: { content: Record<string, { schema: Schema }> }
  }
  return operation.requestBody.content['application/json']!.schema
}

/** Every member that may be absent, at any depth. */
function optionalMembers(schemaOrRef: Schema, path: Path = []): { path: Path; takesNull: boolean }[] {
  const schema = resolveSchema(schemaOrRef, components)
  if (schema.items !== undefined) return optionalMembers(schema.items, [...path, 0])
  return Object.entries(schema.properties ?? {}).flatMap(([name, member]) => {
    const at = [...path, name]
    const own = schema.required?.includes(name) === true ? [] : [{ path: at, takesNull: takesNull(member) }]
    return [...own, ...optionalMembers(member, at)]
  })
}

function takesNull(schemaOrRef: Schema): boolean {
  const schema = schemaOrRef.$ref === undefined ? schemaOrRef : components[schemaOrRef.$ref.split('/').at(-1)!]!
  return [schema.type ?? []].flat().includes('null') || schema.anyOf?.some(takesNull) === true
}

function withMember(
  body: unknown,
  path: Path,
  change: (parent: Record<string | number, unknown>, name: string | number) => void,
): unknown {
  const copy: unknown = structuredClone(body)
  let parent = copy as Record<string | number, unknown>
  for (const part of path.slice(0, -1)) {
    if (parent[part] === undefined || parent[part] === null) return copy
    parent = parent[part] as Record<string | number, unknown>
  }
  change(parent, path.at(-1)!)
  return copy
}

const asNull = (body: unknown, path: Path): unknown =>
  withMember(body, path, (parent, name) => {
    parent[name] = null
  })
const without = (body: unknown, path: Path): unknown =>
  withMember(body, path, (parent, name) => {
    Reflect.deleteProperty(parent, name)
  })

const ROUTES = routes.map((route) => {
  const schema = bodySchema(route.path, route.method)
  const outcome = (body: unknown): unknown => {
    try {
      return validate(route.schema, Buffer.from(JSON.stringify(body)))
    } catch (error) {
      if (error instanceof Refusal && error.status === 400) return error.problems
      throw error
    }
  }
  return { ...route, outcome, whole: sample(schema, components), members: optionalMembers(schema) }
})

describe.each(ROUTES)('$method $path', ({ outcome, whole, members }) => {
  it('treats null of an optional member as absent', () => {
    for (const { path, takesNull: own } of members) {
      if (own) expect(MEANINGFUL, path.join('/')).toContain(path.at(-1))
      else expect([path, outcome(asNull(whole, path))]).toEqual([path, outcome(without(whole, path))])
    }
  })

  it('treats any combination of nulls as absent', () => {
    const droppable = members.filter(({ takesNull: own }) => !own).map(({ path }) => path)
    fc.assert(
      fc.property(fc.subarray(droppable), (paths) => {
        expect(outcome(paths.reduce(asNull, whole))).toEqual(outcome(paths.reduce(without, whole)))
      }),
      { numRuns: 5 },
    )
  })
})

it('has a member for every exception', () => {
  const own = new Set(
    ROUTES.flatMap(({ members }) => members.filter((each) => each.takesNull).map(({ path }) => path.at(-1))),
  )
  expect([...MEANINGFUL].filter((name) => !own.has(name))).toEqual([])
})

describe('null', () => {
  const outcomeAt = (path: string, body: unknown) => ROUTES.find((route) => route.path === path)!.outcome(body)

  it('is refused for required values, in lists, and for unknown members', () => {
    const problem = (pointer: string, code: string) => [expect.objectContaining({ pointer, code }) as unknown]
    expect(outcomeAt('/api/v1/accounts', { itemData: null })).toEqual(problem('/itemData', 'INVALID_TYPE'))
    expect(outcomeAt('/api/v1/accounts', { itemData: { globalFeePayerForOrgs: [null] } })).toEqual(
      problem('/itemData/globalFeePayerForOrgs/0', 'INVALID_TYPE'),
    )
    expect(outcomeAt('/api/v1/accounts', { itemData: { canPayFee: null } })).toEqual(
      problem('/itemData/canPayFee', 'UNKNOWN_MEMBER'),
    )
    expect(outcomeAt('/api/v1/accounts', JSON.parse('{"itemData": {"__proto__": null}}') as unknown)).toEqual(
      problem('/itemData/__proto__', 'UNKNOWN_MEMBER'),
    )
  })

  it('is kept where it has a meaning', () => {
    const limits = { itemData: { networkCurrencyDebitLimits: null, comments: null } }
    expect(outcomeAt('/api/v1/accounts', limits)).toEqual({ itemData: { networkCurrencyDebitLimits: null } })
  })

  it('does not conflict with the other spelling of a member', () => {
    expect(
      outcomeAt('/api/v1/accounts', { itemData: { alreadyOnchain: true, onchainId: null, alreadyOnChain: null } }),
    ).toEqual({
      itemData: { alreadyOnchain: true },
    })
  })
})
