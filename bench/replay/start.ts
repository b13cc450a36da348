// Starts the bare loop for transactions observed on chain: fetches them and their accounts, and starts the process.
import { join } from 'node:path'
import { PublicKey, type Connection, type VersionedMessage } from '@solana/web3.js'
import { startChild, type Child } from '../measure/child.ts'
import type { CopiedAccount, ReplayQuestion, ReplayRound } from './process.ts'

export type Replayed = Child<ReplayQuestion, ReplayRound | null>

/** @param signatures signatures of one cycle, after which all accounts are as before */
export async function startReplay(chain: Connection, signatures: readonly string[], node: string): Promise<Replayed> {
  const messages = await Promise.all(signatures.map((signature) => messageOf(chain, signature)))
  const addresses = [
    ...new Set(messages.flatMap(({ staticAccountKeys }) => staticAccountKeys.map((key) => key.toBase58()))),
  ]
  const accounts = (await Promise.all(addresses.map((address) => copyOf(chain, address)))).flat()
  const child = startChild<ReplayQuestion, ReplayRound | null>(join(import.meta.dirname, 'process.ts'), node)
  try {
    await child.ask({
      kind: 'scene',
      messages: messages.map((message) => Buffer.from(message.serialize()).toString('base64')),
      accounts,
    })
    return child
  } catch (error) {
    await child[Symbol.asyncDispose]()
    throw error
  }
}

async function messageOf(chain: Connection, signature: string): Promise<VersionedMessage> {
  const response = await chain.getTransaction(signature, { commitment: 'confirmed', maxSupportedTransactionVersion: 0 })
  if (response === null) throw new Error(`${signature} is not on chain`)
  if (response.transaction.message.addressTableLookups.length > 0) throw new Error(`${signature} uses lookup tables`)
  return response.transaction.message
}

/** Owners of accounts of the runtime itself; LiteSVM has its own. */
const ITS_OWN = /^(?:Sysvar|NativeLoader)/

/** Empty for programs, which LiteSVM has, and for absent accounts. */
async function copyOf(chain: Connection, address: string): Promise<CopiedAccount[]> {
  const account = await chain.getAccountInfo(new PublicKey(address), 'confirmed')
  if (account === null || account.executable || ITS_OWN.test(account.owner.toBase58())) return []
  return [{ address, lamports: BigInt(account.lamports), data: account.data, owner: account.owner.toBase58() }]
}

export const cyclesPerSecond = ({ cycles, seconds }: ReplayRound): number => cycles / seconds
