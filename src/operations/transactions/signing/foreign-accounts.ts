// Reads the chain state that the evaluation of a transaction made elsewhere needs: its lookup tables, its blockhash,
// and the rent it would pay.
import { TOKEN_PROGRAM } from '../../../solana/address.ts'
import type { CompiledMessage } from '../../../solana/message.ts'
import { associatedAccountBytes } from '../../../solana/mint-size.ts'
import { classify } from '../../../solana/table/classify.ts'
import type { Blockhash, ChainAccount, PlatformCluster } from '../../context/platform.ts'
import { badRequest } from '../../../contract/refusal.ts'
import { resolvedKeys, tableRents } from './foreign-tables.ts'

export interface ForeignAccounts {
  /** Every account of the message, including those from lookup tables. */
  readonly keys: readonly string[]
  /** null under a durable nonce. */
  readonly blockhash: Blockhash | null
  /**
   * Lamports that the transaction would put into associated token accounts and lookup tables that it creates or
   * extends, by address.
   */
  readonly rents: ReadonlyMap<string, bigint>
}

/**
 * Lifetime of a blockhash in blocks. The age of a foreign blockhash is unknown, so its full lifetime is assumed to
 * remain.
 */
const LIFETIME_BLOCKS = 150
/**
 * Nodes of a cluster, also those behind one endpoint, are some blocks apart: another node may accept the blockhash
 * for longer.
 */
const APART_BLOCKS = 32
/** Upper bound of the age of a valid blockhash in slots, if half of the slots had no block. */
const AGE_SLOTS = 2 * LIFETIME_BLOCKS

export async function loadForeign(
  cluster: PlatformCluster,
  message: CompiledMessage,
  durable: boolean,
  pointer: string,
): Promise<ForeignAccounts> {
  const [keys, blockhash] = await Promise.all([
    resolvedKeys(cluster, message, pointer),
    durable ? null : blockhashOf(cluster, message, pointer),
  ])
  return { keys, blockhash, rents: await rentsOf(cluster, message, keys) }
}

async function blockhashOf(cluster: PlatformCluster, message: CompiledMessage, pointer: string): Promise<Blockhash> {
  const bounds = await foreignBlockhash(cluster, message)
  if (bounds === null) throw badRequest('BLOCKHASH_EXPIRED', 'the blockhash of the transaction has expired', pointer)
  return bounds
}

/** Bounds of the lifetime of a message made elsewhere; null: its blockhash is not valid now. */
export async function foreignBlockhash(
  cluster: PlatformCluster,
  { blockhash }: CompiledMessage,
): Promise<Blockhash | null> {
  // A cached blockhash may be some seconds old, which would put the expiry too early; hence a fresh one.
  const [height, now] = await Promise.all([cluster.heightWhileValid(blockhash), cluster.freshBlockhash()])
  if (height === null) return null
  return {
    blockhash,
    slot: Math.max(0, now.slot - AGE_SLOTS),
    lastValidBlockHeight: height + LIFETIME_BLOCKS + APART_BLOCKS,
  }
}

async function rentsOf(
  cluster: PlatformCluster,
  message: CompiledMessage,
  keys: readonly string[],
): Promise<ReadonlyMap<string, bigint>> {
  const effects = classify(message, keys)
  const creations = effects.filter((effect) => effect.kind === 'createAssociated')
  const growing = await tableRents(cluster, effects)
  if (creations.length === 0) return new Map(growing)
  const present = await cluster.accounts(creations.map(({ account }) => account))
  const rents = await Promise.all(
    creations.map(({ tokenProgram }, index) => rentOf(cluster, present[index] ?? null, tokenProgram)),
  )
  const created = creations.map(({ account }, index): [string, bigint] => [account, rents[index] ?? 0n])
  return new Map([...growing, ...created])
}

/** Extensions that may enlarge a token account: transfer hook and pausable. The mint is not read. */
const LARGEST_ACCOUNT = [14, 26]

async function rentOf(cluster: PlatformCluster, present: ChainAccount | null, tokenProgram: string): Promise<bigint> {
  if (present !== null) return 0n
  return await cluster.rentExemptLamports(
    associatedAccountBytes(tokenProgram === TOKEN_PROGRAM ? null : LARGEST_ACCOUNT),
  )
}
