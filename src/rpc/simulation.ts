// Simulating a message that nobody has signed.
import { malformed, readAccount, readContext, type ChainAccount } from './account-read.ts'
import { describeTransactionError } from '../solana/chain-error.ts'
import type { Transport } from './transport.ts'

export interface SimulationOptions {
  /** Addresses whose state afterwards is wanted. */
  readonly accounts?: readonly string[]
  /** True: the node puts in a blockhash of its own. */
  readonly replaceBlockhash?: boolean
}

export interface Simulated {
  readonly slot: number
  /** Null when it would land well; else JSON of the chain's error and the same in words. */
  readonly error: string | null
  /** The error as the chain spells it. */
  readonly errorJson: unknown
  readonly logs: readonly string[]
  readonly computeUnits: number | null
  /** In the order asked for; null where none exists. */
  readonly accounts: readonly (ChainAccount | null)[]
}

/** `message`: bytes of a legacy or version 0 message. Rejects with RpcError or TransportError. */
export async function simulateMessage(transport: Transport, message: Uint8Array, options: SimulationOptions): Promise<Simulated> {
  const { accounts = [], replaceBlockhash = false } = options
  const settings = {
    encoding: 'base64',
    commitment: 'confirmed',
    sigVerify: false,
    replaceRecentBlockhash: replaceBlockhash,
    ...(accounts.length === 0 ? {} : { accounts: { encoding: 'base64', addresses: accounts } }),
  }
  const result = await transport.call('simulateTransaction', [unsigned(message), settings], { exact: true })
  const { slot, value } = readContext(result)
  const { err, logs, unitsConsumed, accounts: states } = (value ?? {}) as Record<string, unknown>
  if (err === undefined) throw malformed('a simulation')
  const after = Array.isArray(states) ? states.map(readAccount) : []
  // Some nodes answer no accounts for a transaction that failed.
  if (after.length !== accounts.length && err === null) throw malformed('a simulation')
  return {
    slot,
    error: err === null ? null : describeTransactionError(err),
    errorJson: err,
    logs: Array.isArray(logs) ? logs.map(String) : [],
    computeUnits: typeof unitsConsumed === 'number' ? unitsConsumed : null,
    accounts: after,
  }
}

/** Wire bytes, base64, with a zero in place of each signature. Their number stands in the header, after a version byte if there is one. */
function unsigned(message: Uint8Array): string {
  const count = message[(message[0] ?? 0) >= 0x80 ? 1 : 0] ?? 0
  return Buffer.concat([Uint8Array.of(count), new Uint8Array(64 * count), message]).toString('base64')
}
