// What has to be asked of the cluster about a transaction made elsewhere: its lookup tables, its blockhash, and the rent it would pay.
import { TOKEN_PROGRAM } from '../../../solana/address.ts'
import type { CompiledMessage } from '../../../solana/message.ts'
import { associatedAccountBytes } from '../../../solana/mint-size.ts'
import { classify } from '../../../solana/table/classify.ts'
import type { Blockhash, ChainAccount, ClusterAccess } from '../../context/platform.ts'
import { badRequest } from '../../../contract/refusal.ts'
import { resolvedKeys, tableRents } from './foreign-tables.ts'

export interface ForeignSurvey {
  /** Every account of the message, looked-up ones included. */
  readonly keys: readonly string[]
  /** null under a durable nonce. */
  readonly blockhash: Blockhash | null
  /** Lamports that associated token accounts and lookup tables it makes or grows would take. */
  readonly rents: ReadonlyMap<string, bigint>
}

/** A blockhash lives this many blocks; of a foreign one only its validity now is known, so the longest it can have is assumed. */
const LIFETIME_BLOCKS = 150
/** The nodes of a cluster, and those behind one endpoint, are some blocks apart: another one may take it for longer. */
const APART_BLOCKS = 32
/** It is as old as that at most, though half of the slots had no block. */
const AGE_SLOTS = 2 * LIFETIME_BLOCKS

export async function surveyForeign(
  cluster: ClusterAccess,
  message: CompiledMessage,
  durable: boolean,
  pointer: string,
): Promise<ForeignSurvey> {
  const [keys, blockhash] = await Promise.all([
    resolvedKeys(cluster, message, pointer),
    durable ? null : blockhashOf(cluster, message, pointer),
  ])
  return { keys, blockhash, rents: await rentsOf(cluster, message, keys) }
}

async function blockhashOf(cluster: ClusterAccess, message: CompiledMessage, pointer: string): Promise<Blockhash> {
  const found = await foreignBlockhash(cluster, message)
  if (found === null) throw badRequest('BLOCKHASH_EXPIRED', 'the blockhash of the transaction is not valid now', pointer)
  return found
}

/** How long a message can land that somebody else made; null: its blockhash is not valid now. */
export async function foreignBlockhash(cluster: ClusterAccess, { blockhash }: CompiledMessage): Promise<Blockhash | null> {
  // The blockhash at hand may be some seconds old: how high the chain is has to be asked, or its end would be put too early.
  const [height, now] = await Promise.all([cluster.heightWhileValid(blockhash), cluster.freshBlockhash()])
  if (height === null) return null
  return {
    blockhash,
    slot: Math.max(0, now.slot - AGE_SLOTS),
    lastValidBlockHeight: height + LIFETIME_BLOCKS + APART_BLOCKS,
  }
}

async function rentsOf(cluster: ClusterAccess, message: CompiledMessage, keys: readonly string[]): Promise<ReadonlyMap<string, bigint>> {
  const effects = classify(message, keys)
  const made = effects.filter((effect) => effect.kind === 'createAssociated')
  const growing = await tableRents(cluster, effects)
  if (made.length === 0) return new Map(growing)
  const present = await cluster.accounts(made.map(({ account }) => account))
  const rents = await Promise.all(made.map(({ tokenProgram }, index) => rentOf(cluster, present[index] ?? null, tokenProgram)))
  return new Map([...growing, ...made.map(({ account }, index): [string, bigint] => [account, rents[index] ?? 0n])])
}

/** Extensions that a token account may be made larger by: transfer hook and pausable. The mint is not asked. */
const LARGEST_ACCOUNT = [14, 26]

async function rentOf(cluster: ClusterAccess, present: ChainAccount | null, tokenProgram: string): Promise<bigint> {
  if (present !== null) return 0n
  return await cluster.rentExemptLamports(associatedAccountBytes(tokenProgram === TOKEN_PROGRAM ? null : LARGEST_ACCOUNT))
}
