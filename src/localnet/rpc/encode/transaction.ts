// Encodings of transactions for getTransaction and getBlock, and the memo line of an address's history.

import type { LedgerTransaction } from '../../contract.ts'
import type { WireMessage } from '../../wire.ts'
import { encodeBase58 } from '../../base58.ts'
import { base64 } from '../bytes.ts'
import { unsupportedVersion } from '../error.ts'
import { keyRoles, keyText, readTransaction, signaturesOf } from '../message.ts'
import { oneOf, optionalCount } from '../params.ts'
import type { Config } from '../params.ts'
import { transactionMeta } from './meta.ts'
import { MEMO_PROGRAMS, parsedInstruction } from './parsed-instruction.ts'

export type TransactionEncoding = 'binary' | 'base58' | 'base64' | 'json' | 'jsonParsed'

const ENCODINGS: readonly TransactionEncoding[] = ['binary', 'base58', 'base64', 'json', 'jsonParsed']

export interface TransactionForm {
  readonly encoding: TransactionEncoding
  /** Undefined: the client reads only legacy transactions and gets no `version` member. */
  readonly maxVersion: number | undefined
}

export function transactionEncodingOf(value: unknown): TransactionEncoding {
  return value === undefined || value === null ? 'json' : oneOf(value, ENCODINGS)
}

/** `encoding` and `maxSupportedTransactionVersion` of a configuration object. */
export function transactionFormOf(config: Config): TransactionForm {
  return {
    encoding: transactionEncodingOf(config['encoding']),
    maxVersion: optionalCount(config['maxSupportedTransactionVersion']),
  }
}

/**
 * The `version` member; absent for a client that did not ask for versions.
 * @throws -32015 when the client cannot read this version
 */
export function versionMember(
  transaction: LedgerTransaction,
  maxVersion: number | undefined,
): 'legacy' | 0 | undefined {
  if (transaction.version !== 'legacy' && maxVersion === undefined) throw unsupportedVersion(transaction.version)
  return maxVersion === undefined ? undefined : transaction.version
}

/** `{ transaction, meta, version }` in the requested form. */
export function encodedTransaction(transaction: LedgerTransaction, form: TransactionForm): Record<string, unknown> {
  const version = versionMember(transaction, form.maxVersion)
  return {
    meta: transactionMeta(transaction, form.encoding === 'jsonParsed'),
    transaction: body(transaction, form.encoding),
    version,
  }
}

/** The `accounts` detail of a block: the accounts, without instructions. */
export function accountsBody(transaction: LedgerTransaction): unknown {
  const wire = readTransaction(transaction.bytes)
  return {
    accountKeys: keyRoles(wire.message, transaction.accountKeys, transaction.loadedAddresses.writable.length),
    signatures: signaturesOf(wire),
  }
}

function body(transaction: LedgerTransaction, encoding: TransactionEncoding): unknown {
  if (encoding === 'base64') return [base64(transaction.bytes), 'base64']
  if (encoding === 'base58') return [encodeBase58(transaction.bytes), 'base58']
  if (encoding === 'binary') return encodeBase58(transaction.bytes)
  const wire = readTransaction(transaction.bytes)
  return {
    message: encoding === 'json' ? plainMessage(wire.message) : parsedMessage(wire.message, transaction),
    signatures: signaturesOf(wire),
  }
}

function lookupsMember(message: WireMessage): unknown {
  if (message.version === 'legacy') return undefined
  return message.lookups.map((lookup) => ({
    accountKey: encodeBase58(lookup.table),
    readonlyIndexes: [...lookup.readonly],
    writableIndexes: [...lookup.writable],
  }))
}

function plainMessage(message: WireMessage): unknown {
  return {
    accountKeys: message.keys.map(keyText),
    addressTableLookups: lookupsMember(message),
    header: {
      numReadonlySignedAccounts: message.readonlySigned,
      numReadonlyUnsignedAccounts: message.readonlyUnsigned,
      numRequiredSignatures: message.requiredSignatures,
    },
    instructions: message.instructions.map((instruction) => ({
      accounts: [...instruction.accounts],
      data: encodeBase58(instruction.data),
      programIdIndex: instruction.programIdIndex,
      stackHeight: 1,
    })),
    recentBlockhash: keyText(message.blockhash),
  }
}

function parsedMessage(message: WireMessage, transaction: LedgerTransaction): unknown {
  const keys = transaction.accountKeys
  return {
    accountKeys: keyRoles(message, keys, transaction.loadedAddresses.writable.length),
    addressTableLookups: lookupsMember(message),
    instructions: message.instructions.map((instruction) => {
      const accounts = Array.from(instruction.accounts, (index) => keys[index] ?? '')
      return parsedInstruction(keys[instruction.programIdIndex] ?? '', accounts, instruction.data, 1)
    }),
    recentBlockhash: keyText(message.blockhash),
  }
}

/** The memos of a transaction as history lists them, `[length] text` joined by `; `, or null. */
export function memoLine(transaction: LedgerTransaction): string | null {
  if (!transaction.accountKeys.some((key) => MEMO_PROGRAMS.has(key))) return null
  const memos = readTransaction(transaction.bytes)
    .message.instructions.filter((instruction) =>
      MEMO_PROGRAMS.has(transaction.accountKeys[instruction.programIdIndex] ?? ''),
    )
    .map((instruction) => `[${instruction.data.length}] ${Buffer.from(instruction.data).toString('utf8')}`)
  return memos.length === 0 ? null : memos.join('; ')
}
