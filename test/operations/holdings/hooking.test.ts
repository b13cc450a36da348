// The accounts that a transfer passes to its hook, by the accounts that the cluster returns: existing and missing
// programs, lists with excessive demands, and a destination that does not exist yet.
import { PublicKey } from '@solana/web3.js'
import { describe, expect, it } from 'vitest'
import { TOKEN_2022_PROGRAM } from '../../../src/solana/address.ts'
import { extraAccountListAddress } from '../../../src/solana/transfer-hook.ts'
import type { RecordState } from '../../../src/engine/records/record.ts'
import type { ChainAccount } from '../../../src/operations/context/platform.ts'
import { Refusal } from '../../../src/contract/refusal.ts'
import { hookAccountsOf } from '../../../src/operations/holdings/delivery.ts'
import { addressNumber } from '../../solana/arbitraries.ts'
import { instrument } from '../../machines/records.ts'

const [MINT, HOOK, SOURCE, DESTINATION, AUTHORITY, OWNER, OTHER] = [40, 41, 42, 43, 44, 45, 46].map(addressNumber) as [
  string,
  string,
  string,
  string,
  string,
  string,
  string,
]
const LIST = extraAccountListAddress(MINT, HOOK)
const leg = { source: SOURCE, destination: DESTINATION, newOwner: null, authority: AUTHORITY, amount: 5n }
const bytes = (address: string): Buffer => new PublicKey(address).toBuffer()

function account(owner: string, data: Buffer, executable = false): ChainAccount {
  return { lamports: 1n, owner, data, executable }
}

function mint(program: string | null): ChainAccount {
  const data = Buffer.alloc(166 + 4 + 64)
  data.writeUInt8(1, 45)
  data.writeUInt8(1, 165)
  data.writeUInt16LE(14, 166)
  data.writeUInt16LE(64, 168)
  if (program !== null) bytes(program).copy(data, 170 + 32)
  return account(TOKEN_2022_PROGRAM, data)
}

/** A list of one account. */
function listOf(configuration: Buffer, signer: boolean, writable: boolean): Buffer {
  const entry = Buffer.concat([
    configuration,
    Buffer.alloc(33 - configuration.length),
    Buffer.from([Number(signer), Number(writable)]),
  ])
  const head = Buffer.concat([Buffer.from('692565c54bfb661a', 'hex'), Buffer.alloc(8)])
  head.writeUInt32LE(39, 8)
  head.writeUInt32LE(1, 12)
  return Buffer.concat([head, entry])
}

const hooked = {
  context: { ...instrument, address: MINT, extensions: ['TRANSFER_HOOK'] },
} as unknown as RecordState<'instrument'>
const plain = { context: { ...instrument, address: MINT, extensions: [] } } as unknown as RecordState<'instrument'>

function accountsOf(
  found: Readonly<Record<string, ChainAccount>>,
  of = hooked,
  more: Partial<typeof leg> | { newOwner: string } = {},
) {
  const all = (addresses: readonly string[]) => addresses.map((address) => found[address] ?? null)
  try {
    return hookAccountsOf(
      { all, get: (address) => all([address])[0] ?? null },
      of,
      { ...leg, ...more },
      '/itemData/source',
    )
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return `${error.status} ${error.problems[0]?.code} ${error.problems[0]?.pointer}`
  }
}

const program = account('NativeLoader1111111111111111111111111111111', Buffer.alloc(0), true)
const literal = (address: string): Buffer => Buffer.concat([Buffer.from([0]), bytes(address)])

describe('the transfer hook of an instrument', () => {
  it('is absent if the mint has no such extension, or names no program', () => {
    expect(accountsOf({}, plain)).toEqual([])
    expect(accountsOf({ [MINT]: mint(null) })).toEqual([])
    expect(accountsOf({})).toEqual([])
  })

  it('is an existing program', () => {
    expect(accountsOf({ [MINT]: mint(HOOK) })).toBe('400 TRANSFER_HOOK_UNAVAILABLE /itemData/source')
    const wallet = account('11111111111111111111111111111111', Buffer.alloc(0))
    expect(accountsOf({ [MINT]: mint(HOOK), [HOOK]: wallet })).toBe('400 TRANSFER_HOOK_UNAVAILABLE /itemData/source')
    const alone = [{ address: HOOK, signer: false, writable: false }]
    expect(accountsOf({ [MINT]: mint(HOOK), [HOOK]: program })).toEqual(alone)
    // Anyone can send network currency to the address of the list.
    expect(accountsOf({ [MINT]: mint(HOOK), [HOOK]: program, [LIST]: wallet })).toEqual(alone)
  })

  it('receives the accounts of its list', () => {
    const list = account(HOOK, listOf(literal(OTHER), false, true))
    expect(accountsOf({ [MINT]: mint(HOOK), [HOOK]: program, [LIST]: list })).toEqual([
      { address: OTHER, signer: false, writable: true },
      { address: HOOK, signer: false, writable: false },
      { address: LIST, signer: false, writable: false },
    ])
  })

  it('receives no signature, and the authority only without its own', () => {
    const wanting = (address: string) =>
      accountsOf({ [MINT]: mint(HOOK), [HOOK]: program, [LIST]: account(HOOK, listOf(literal(address), true, true)) })
    expect(wanting(OTHER)).toBe('400 TRANSFER_HOOK_REFUSED /itemData/source')
    expect(wanting(AUTHORITY)).toMatchObject([{ address: AUTHORITY, signer: false, writable: false }, {}, {}])
  })

  it('with an invalid list is refused', () => {
    const list = account(HOOK, Buffer.from('no list at all'))
    expect(accountsOf({ [MINT]: mint(HOOK), [HOOK]: program, [LIST]: list })).toBe(
      '400 TRANSFER_HOOK_UNAVAILABLE /itemData/source',
    )
  })

  it('receives the future owner of a destination that is created by the transaction', () => {
    // The owner is at byte 32 of the third account.
    const list = account(HOOK, listOf(Buffer.from([2, 2, 2, 32]), false, false))
    const accounts = { [MINT]: mint(HOOK), [HOOK]: program, [LIST]: list }
    expect(accountsOf(accounts)).toBe('400 TRANSFER_HOOK_UNAVAILABLE /itemData/source')
    expect(accountsOf(accounts, hooked, { newOwner: OWNER })).toMatchObject([{ address: OWNER }, {}, {}])
  })
})
