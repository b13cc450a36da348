// What has to be asked of the cluster about a transaction made elsewhere: its lookup tables, its blockhash, and the rent it would pay.
import { TOKEN_PROGRAM } from '../../chain/address.ts'
import { FormatError } from '../../chain/format-error.ts'
import { accountKeys, type CompiledMessage } from '../../chain/message.ts'
import { associatedAccountBytes } from '../../chain/mint-size.ts'
import { classify } from '../../chain/table/classify.ts'
import { decodeLookupTable } from '../../chain/system-layout.ts'
import type { Blockhash, ChainAccount, ClusterAccess } from '../platform.ts'
import { badRequest } from '../refusal.ts'

export interface ForeignSurvey {
  readonly tables: ReadonlyMap<string, readonly string[]>
  readonly blockhash: Blockhash
  /** Lamports that associated token accounts it creates would take. */
  readonly rents: ReadonlyMap<string, bigint>
}

/** A blockhash lives this many blocks; of a foreign one only its validity now is known, so the longest it can have is assumed. */
const LIFETIME_BLOCKS = 150

export async function surveyForeign(cluster: ClusterAccess, message: CompiledMessage, pointer: string): Promise<ForeignSurvey> {
  const [tables, valid, now] = await Promise.all([
    tablesOf(cluster, message, pointer),
    cluster.blockhashValid(message.blockhash),
    cluster.freshBlockhash(),
  ])
  if (!valid) throw badRequest('BLOCKHASH_EXPIRED', 'the blockhash of the transaction is not valid now', pointer)
  const height = cluster.blockHeight() ?? now.lastValidBlockHeight - LIFETIME_BLOCKS
  const blockhash = {
    blockhash: message.blockhash,
    slot: Math.max(0, now.slot - LIFETIME_BLOCKS),
    lastValidBlockHeight: height + LIFETIME_BLOCKS,
  }
  return { tables, blockhash, rents: await rentsOf(cluster, message, tables, pointer) }
}

async function tablesOf(
  cluster: ClusterAccess,
  message: CompiledMessage,
  pointer: string,
): Promise<ReadonlyMap<string, readonly string[]>> {
  if (message.lookups.length === 0) return new Map()
  const accounts = await cluster.accounts(message.lookups.map(({ table }) => table))
  return new Map(
    message.lookups.map(({ table }, index) => {
      const account = accounts[index]
      if (account === null || account === undefined)
        throw badRequest('LOOKUP_TABLE_NOT_FOUND', `there is no lookup table ${table}`, pointer)
      return [table, decodeLookupTable(account.data, account.owner).addresses] as const
    }),
  )
}

async function rentsOf(
  cluster: ClusterAccess,
  message: CompiledMessage,
  tables: ReadonlyMap<string, readonly string[]>,
  pointer: string,
): Promise<ReadonlyMap<string, bigint>> {
  const made = classify(message, keysOf(message, tables, pointer)).filter((effect) => effect.kind === 'createAssociated')
  if (made.length === 0) return new Map()
  const present = await cluster.accounts(made.map(({ account }) => account))
  const rents = await Promise.all(made.map(({ tokenProgram }, index) => rentOf(cluster, present[index] ?? null, tokenProgram)))
  return new Map(made.map(({ account }, index) => [account, rents[index] ?? 0n]))
}

/** Extensions that a token account may be made larger by: transfer hook and pausable. The mint is not asked. */
const LARGEST_ACCOUNT = [14, 26]

async function rentOf(cluster: ClusterAccess, present: ChainAccount | null, tokenProgram: string): Promise<bigint> {
  if (present !== null) return 0n
  return await cluster.rentExemptLamports(associatedAccountBytes(tokenProgram === TOKEN_PROGRAM ? null : LARGEST_ACCOUNT))
}

function keysOf(message: CompiledMessage, tables: ReadonlyMap<string, readonly string[]>, pointer: string): readonly string[] {
  try {
    return accountKeys(message, tables)
  } catch (error) {
    if (error instanceof FormatError) throw forbiddenIndex(error, pointer)
    throw error
  }
}

function forbiddenIndex(error: FormatError, pointer: string): Error {
  return badRequest('TRANSACTION_MALFORMED', error.message, pointer)
}
