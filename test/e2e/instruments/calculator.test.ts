// The calculator is exact: for every combination of extensions, with and without metadata, a mint created through the
// interface has the calculated size and rent. The chain is read with the standard library.
import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startWorld, type World } from '../harness.ts'
import type { Ids, NewInstrument, Problems } from '../models.ts'

/** The member of Create Financial Instrument that requests each extension. */
const MEMBERS = {
  PERMANENT_DELEGATE: 'permanentDelegateAuthority',
  MINT_CLOSE: 'closingAuthority',
  DEFAULT_ACCOUNT_STATE: 'defaultPositionState',
  SCALED_UI_AMOUNT: 'scaledUiAmountAuthority',
  PAUSABLE: 'pausableAuthority',
  TRANSFER_HOOK: 'transferHookAuthority',
  CONFIDENTIAL_TRANSFER: 'confidentialTransferAuthority',
  CONFIDENTIAL_MINT_BURN: 'confidentialMintBurnAuthority',
} as const
type Extension = keyof typeof MEMBERS
const EXTENSIONS = Object.keys(MEMBERS) as Extension[]
const AT_ONCE = 24

interface Sizes {
  readonly mintAccountSize: number
  readonly mintAccountSizeWithMetadata: number
  readonly estimatedRentAmount: number
  readonly estimatedRentLamports: number
}

interface Metadata {
  readonly name?: string
  readonly symbol?: string
  readonly uri?: string
  readonly simpleCustomMetadata?: Readonly<Record<string, string>>
}

let world: World
let authority: Ids

beforeAll(async () => {
  world = await startWorld()
  authority = await world.records.account({ offchainReferences: { type: 'TOKEN_MANAGEMENT_AUTHORITY' } })
  await world.records.feePayer()
})

afterAll(async () => await world.stop())

async function ask(body: object): Promise<{ status: number; body: unknown }> {
  const response = await fetch(`${world.url}/api/v1/financial-instruments/token-extensions-calculator`, {
    method: 'POST',
    headers: { authorization: world.api.bearer, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return { status: response.status, body: await response.json() }
}

async function calculate(extensions: readonly string[], metadata?: object): Promise<Sizes> {
  const { status, body } = await ask({ extensions, ...(metadata === undefined ? {} : { metadata }) })
  expect(status, JSON.stringify(body)).toBe(200)
  return body as Sizes
}

/** The calculated size and rent of a mint equal those on chain after its creation. */
async function comesTrue(extensions: readonly Extension[], metadata?: Metadata): Promise<Sizes> {
  const sizes = await calculate(extensions, metadata)
  const { newFinancialInstrument: ids, chainTransaction } = await world.api.ok<NewInstrument>(
    201,
    'POST',
    '/financial-instruments',
    {
      mintAccount: {},
      version: 'TOKEN_2022',
      mintAuthority: authority,
      ...(extensions.includes('DEFAULT_ACCOUNT_STATE') ? { freezeAuthority: authority } : {}),
      ...Object.fromEntries(
        extensions.map((name) => [MEMBERS[name], name === 'DEFAULT_ACCOUNT_STATE' ? 'FROZEN' : authority]),
      ),
      ...(metadata === undefined ? {} : { onchainData: metadata }),
    },
  )
  expect(chainTransaction?.success, JSON.stringify({ extensions, metadata, chainTransaction })).toBe(true)
  const account = await world.chain.account(ids.onchainId)
  const actual = { bytes: account?.data.length, lamports: account?.lamports }
  expect(actual, JSON.stringify({ extensions, metadata })).toEqual({
    bytes: sizes.mintAccountSizeWithMetadata,
    lamports: sizes.estimatedRentLamports,
  })
  expect(BigInt(sizes.estimatedRentLamports)).toBe(await world.chain.rent(sizes.mintAccountSizeWithMetadata))
  expect(sizes.estimatedRentAmount).toBe(sizes.estimatedRentLamports / 1e9)
  return sizes
}

/** Every set of extensions that can be combined. */
function combinations(): Extension[][] {
  return Array.from({ length: 2 ** EXTENSIONS.length }, (_, bits) =>
    EXTENSIONS.filter((_name, index) => (bits >> index) & 1),
  ).filter((names) => !names.includes('CONFIDENTIAL_MINT_BURN') || names.includes('CONFIDENTIAL_TRANSFER'))
}

const text = (most: number) =>
  fc.string({ maxLength: most, unit: 'grapheme' }).filter((value) => !/[\p{Cc}\p{Cs}]/u.test(value))
const key = text(10).filter((value) => value !== '' && !['__proto__', 'constructor', 'prototype'].includes(value))
const arbitraryMetadata: fc.Arbitrary<Metadata> = fc.record(
  {
    name: text(16),
    symbol: text(6),
    uri: text(16),
    simpleCustomMetadata: fc.dictionary(key, text(12), { maxKeys: 3, noNullPrototype: true }),
  },
  { requiredKeys: ['name'] },
)

async function inPortions<T>(items: readonly T[], each: (item: T) => Promise<unknown>): Promise<void> {
  for (let at = 0; at < items.length; at += AT_ONCE) await Promise.all(items.slice(at, at + AT_ONCE).map(each))
}

describe('every combination of extensions', () => {
  const all = combinations()

  it('has the calculated size and rent without metadata', async () => {
    expect(all).toHaveLength(192)
    // A mint without extensions is a combination too, of 82 bytes.
    await inPortions(all, async (extensions) => {
      const sizes = await comesTrue(extensions)
      expect(sizes.mintAccountSize).toBe(sizes.mintAccountSizeWithMetadata)
    })
  })

  it('has the calculated size and rent with random metadata', async () => {
    const seed = Number.parseInt(createHash('sha256').update('calculator').digest('hex').slice(0, 8), 16) | 0
    const metadata = fc.sample(arbitraryMetadata, { numRuns: all.length, seed })
    const pairs = all.map((extensions, index) => ({ extensions, metadata: metadata[index]! }))
    await inPortions(pairs, async ({ extensions, metadata: described }) => {
      const sizes = await comesTrue(extensions, described)
      expect(sizes.mintAccountSize).toBe((await calculate([...extensions, 'METADATA_POINTER'])).mintAccountSize)
    })
  })
})

it('never has the size of a multisig', async () => {
  // 234 with the pointer, 4 of header, and a value of 80 bytes beside the name: at 37 bytes of name it would be 355.
  for (const length of [36, 37, 38]) {
    const { mintAccountSizeWithMetadata } = await comesTrue([], { name: 'x'.repeat(length) })
    expect(mintAccountSizeWithMetadata).toBe(length === 37 ? 357 : 318 + length)
  }
})

it('accepts metadata under both names, and adds the extensions it implies', async () => {
  const pairs = { isin: 'DE0001' }
  const one = await calculate([], { name: 'Bond', additionalMetadata: pairs })
  expect(
    await calculate(['METADATA_POINTER', 'TOKEN_METADATA'], { name: 'Bond', simpleCustomMetadata: pairs }),
  ).toEqual(one)
  expect(await calculate(['TOKEN_METADATA'])).toEqual(await calculate([], {}))
})

it('accepts free-form metadata: unknown members become additional keys', async () => {
  const one = await calculate([], { name: 'Bond', additionalMetadata: { isin: 'DE0001', 'due at': '2030' } })
  expect(await calculate([], { name: 'Bond', isin: 'DE0001', 'due at': '2030' })).toEqual(one)
  expect(
    await calculate([], { name: 'Bond', isin: 'DE0001', simpleCustomMetadata: { 'due at': '2030', isin: 'DE0001' } }),
  ).toEqual(one)
  const both = { additionalMetadata: { isin: 'DE0001' }, simpleCustomMetadata: { isin: 'DE0001', 'due at': '2030' } }
  expect(await calculate([], { name: 'Bond', ...both })).toEqual(one)
})

it('reports impossible combinations', async () => {
  const readRefusal = async (body: object): Promise<string | undefined> => {
    const answer = await ask(body)
    expect(answer.status).toBe(400)
    return (answer.body as Problems).errors?.[0]?.code
  }
  expect(await readRefusal({ extensions: ['CONFIDENTIAL_MINT_BURN'] })).toBe('EXTENSION_CONFLICT')
  expect(await readRefusal({ extensions: ['TRANSFER_FEE'] })).toBe('INVALID_VALUE')
  expect(await readRefusal({ metadata: { additionalMetadata: { a: 'b' }, simpleCustomMetadata: { a: 'c' } } })).toBe(
    'MUTUALLY_EXCLUSIVE',
  )
  expect(await readRefusal({ metadata: { a: 'b', simpleCustomMetadata: { a: 'c' } } })).toBe('MUTUALLY_EXCLUSIVE')
  expect(await readRefusal({ metadata: { a: 5 } })).toBe('INVALID_TYPE')
  expect(await readRefusal({ metadata: { constructor: 'b' } })).toBe('UNKNOWN_MEMBER')
  const simpleCustomMetadata = Object.fromEntries(
    Array.from({ length: 20 }, (_, index) => [`key ${index}`, 'x'.repeat(4_000)]),
  )
  expect(await readRefusal({ metadata: { simpleCustomMetadata } })).toBe('TOO_LONG')
})
