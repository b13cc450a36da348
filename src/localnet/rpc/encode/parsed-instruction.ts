// Instructions in the `jsonParsed` form. The common ones of System, both token programs, Associated Token and Memo are
// parsed; any other is "partially decoded" (program id, account addresses, base58 data), as a real node does for
// programs that it does not know.

import { encodeBase58 } from '../../base58.ts'
import { ByteReader } from '../bytes.ts'
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from './mint.ts'
import { uiTokenAmount } from './ui-amount.ts'

const SYSTEM = '11111111111111111111111111111111'
/** Addresses of the versions of the memo program: 3, 1 and 4. */
export const MEMO_PROGRAMS: ReadonlySet<string> = new Set([
  'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr',
  'Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo',
  'Memo4c2pN8afCj432Lb7RMVKi9PbQnnW7ewFFaV3oAH',
])
const ASSOCIATED_TOKEN = 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL'

interface Parsed {
  readonly type: string
  readonly info: Record<string, unknown>
}

type Keys = readonly string[]

/**
 * One instruction.
 * @param keys addresses of its accounts in order
 * @param stackHeight null for an outer instruction
 */
export function parsedInstruction(program: string, keys: Keys, data: Uint8Array, stackHeight: number | null): unknown {
  if (MEMO_PROGRAMS.has(program)) {
    return { parsed: Buffer.from(data).toString('utf8'), program: 'spl-memo', programId: program, stackHeight }
  }
  const known = knownInstruction(program, keys, data)
  return known === null
    ? { accounts: keys, data: encodeBase58(data), programId: program, stackHeight }
    : { parsed: known.parsed, program: known.name, programId: program, stackHeight }
}

function knownInstruction(program: string, keys: Keys, data: Uint8Array): { name: string; parsed: Parsed } | null {
  try {
    const reader = new ByteReader(data)
    const instruction =
      program === SYSTEM
        ? { name: 'system', parsed: systemInstruction(reader, keys) }
        : program === ASSOCIATED_TOKEN
          ? { name: 'spl-associated-token-account', parsed: associatedInstruction(data, keys) }
          : program === TOKEN_PROGRAM || program === TOKEN_2022_PROGRAM
            ? {
                name: program === TOKEN_PROGRAM ? 'spl-token' : 'spl-token-2022',
                parsed: tokenInstruction(reader, keys),
              }
            : null
    return instruction?.parsed == null ? null : { name: instruction.name, parsed: instruction.parsed }
  } catch {
    return null
  }
}

// With too few accounts, the instruction is not the one that its first byte indicates.
function named(keys: Keys, names: readonly string[]): Record<string, unknown> {
  if (keys.length < names.length) throw new RangeError('too few accounts')
  return Object.fromEntries(names.map((name, index) => [name, keys[index]]))
}

function systemInstruction(reader: ByteReader, keys: Keys): Parsed | null {
  switch (reader.u32()) {
    case 0:
      return { type: 'createAccount', info: { ...named(keys, ['source', 'newAccount']), ...newAccount(reader) } }
    case 1:
      return { type: 'assign', info: { ...named(keys, ['account']), owner: reader.address() } }
    case 2:
      return { type: 'transfer', info: { ...named(keys, ['source', 'destination']), lamports: reader.u64() } }
    case 4:
      return { type: 'advanceNonce', info: named(keys, ['nonceAccount', 'recentBlockhashesSysvar', 'nonceAuthority']) }
    case 8:
      return { type: 'allocate', info: { ...named(keys, ['account']), space: reader.u64() } }
    default:
      return null
  }
}

function newAccount(reader: ByteReader): Record<string, unknown> {
  return { lamports: reader.u64(), space: reader.u64(), owner: reader.address() }
}

function associatedInstruction(data: Uint8Array, keys: Keys): Parsed | null {
  const kind = data[0] ?? 0
  if (kind > 1) return null
  const info = named(keys, ['source', 'account', 'wallet', 'mint', 'systemProgram', 'tokenProgram'])
  return { type: kind === 0 ? 'create' : 'createIdempotent', info }
}

// With more accounts than a single authority needs, the authority is a multisig and the rest are its signers.
function authority(keys: Keys, index: number, name: string): Record<string, unknown> {
  const key = keys[index]
  if (key === undefined) throw new RangeError('too few accounts')
  if (keys.length === index + 1) return { [name]: key }
  return { [`multisig${name.slice(0, 1).toUpperCase()}${name.slice(1)}`]: key, signers: keys.slice(index + 1) }
}

const plain = (reader: ByteReader): Record<string, unknown> => ({ amount: reader.u64().toString() })

function checked(reader: ByteReader): Record<string, unknown> {
  const raw = reader.u64()
  return { tokenAmount: uiTokenAmount(raw, reader.u8(), null) }
}

function tokenInstruction(reader: ByteReader, keys: Keys): Parsed | null {
  switch (reader.u8()) {
    case 3:
      return {
        type: 'transfer',
        info: { ...named(keys, ['source', 'destination']), ...plain(reader), ...authority(keys, 2, 'authority') },
      }
    case 7:
      return {
        type: 'mintTo',
        info: { ...named(keys, ['mint', 'account']), ...plain(reader), ...authority(keys, 2, 'mintAuthority') },
      }
    case 8:
      return {
        type: 'burn',
        info: { ...named(keys, ['account', 'mint']), ...plain(reader), ...authority(keys, 2, 'authority') },
      }
    case 9:
      return {
        type: 'closeAccount',
        info: { ...named(keys, ['account', 'destination']), ...authority(keys, 2, 'owner') },
      }
    case 10:
      return {
        type: 'freezeAccount',
        info: { ...named(keys, ['account', 'mint']), ...authority(keys, 2, 'freezeAuthority') },
      }
    case 11:
      return {
        type: 'thawAccount',
        info: { ...named(keys, ['account', 'mint']), ...authority(keys, 2, 'freezeAuthority') },
      }
    case 12: {
      const accounts = named(keys, ['source', 'mint', 'destination'])
      return { type: 'transferChecked', info: { ...accounts, ...checked(reader), ...authority(keys, 3, 'authority') } }
    }
    case 14: {
      const accounts = named(keys, ['mint', 'account'])
      return {
        type: 'mintToChecked',
        info: { ...accounts, ...checked(reader), ...authority(keys, 2, 'mintAuthority') },
      }
    }
    case 15:
      return {
        type: 'burnChecked',
        info: { ...named(keys, ['account', 'mint']), ...checked(reader), ...authority(keys, 2, 'authority') },
      }
    case 22:
      return { type: 'initializeImmutableOwner', info: named(keys, ['account']) }
    default:
      return null
  }
}
