// Simulates a message without signatures.
import { malformed, readAccount, readContext, type ChainAccount } from './account-read.ts'
import { describeTransactionError } from '../solana/chain-error.ts'
import type { Transport } from './transport.ts'

export interface SimulationOptions {
  /** Addresses whose state after the simulation is returned. */
  readonly accounts?: readonly string[]
  /** True: the node substitutes a current blockhash. */
  readonly replaceBlockhash?: boolean
}

export interface SimulationAnswer {
  readonly slot: number
  /** Null if the transaction would succeed; else the chain's error in words. */
  readonly error: string | null
  readonly logs: readonly string[]
  readonly computeUnits: number | null
  /** In the order of the request; null where the account does not exist. */
  readonly accounts: readonly (ChainAccount | null)[]
}

/**
 * Rejects with RpcError or TransportError.
 * @param message Bytes of a legacy or version 0 message.
 */
export async function simulateMessage(
  transport: Transport,
  message: Uint8Array,
  options: SimulationOptions,
): Promise<SimulationAnswer> {
  const { accounts = [], replaceBlockhash = false } = options
  const settings = {
    encoding: 'base64',
    commitment: 'confirmed',
    sigVerify: false,
    replaceRecentBlockhash: replaceBlockhash,
    ...(accounts.length === 0 ? {} : { accounts: { encoding: 'base64', addresses: accounts } }),
  }
  const result = await transport.call('simulateTransaction', [unsignedWire(message), settings], { exact: true })
  const { slot, value } = readContext(result)
  const { err, logs, unitsConsumed, accounts: states } = (value ?? {}) as Record<string, unknown>
  if (err === undefined) throw malformed('a simulation')
  const after = Array.isArray(states) ? states.map(readAccount) : []
  // Some nodes return no accounts for a failed transaction.
  if (after.length !== accounts.length && err === null) throw malformed('a simulation')
  return {
    slot,
    error: err === null ? null : describeTransactionError(err),
    logs: Array.isArray(logs) ? logs.map(String) : [],
    computeUnits: typeof unitsConsumed === 'number' ? unitsConsumed : null,
    accounts: after,
  }
}

/**
 * Wire bytes in base64 with zeros in place of each signature. The header, after the version byte if there is one, gives
 * their number.
 */
function unsignedWire(message: Uint8Array): string {
  const count = message[(message[0] ?? 0) >= 0x80 ? 1 : 0] ?? 0
  return Buffer.concat([Uint8Array.of(count), new Uint8Array(64 * count), message]).toString('base64')
}
