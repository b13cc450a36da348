// Simulates a transaction against the current state, without keeping anything.

import { hash } from 'node:crypto'
import { asBuffer } from './accounts.ts'
import { writableKeys, type Chain } from './chain.ts'
import type { BankAccount, Simulation, TransactionErrorJson } from './contract.ts'
import { errorJson } from './errors.ts'
import { feeOf } from './fees.ts'
import { readNonce, withNonceValue } from './nonce.ts'
import { areSigned } from './submit.ts'
import { isSane, parseTransaction } from './wire.ts'

export interface SimulationOptions {
  readonly sigVerify: boolean
  readonly replaceBlockhash: boolean
  /** Addresses whose state after the simulation is returned, 32 bytes each. */
  readonly accounts: readonly Uint8Array[]
}

export function simulate(
  chain: Chain,
  bytes: Uint8Array,
  options: SimulationOptions,
): Simulation | { readonly malformed: string } {
  const transaction = parseTransaction(bytes)
  if ('malformed' in transaction) return transaction
  chain.poll()
  const keys = options.accounts.map((address) => asBuffer(address).toString('latin1'))
  const stopped = (error: TransactionErrorJson): Simulation => ({
    error,
    logs: [],
    computeUnits: 0n,
    feeLamports: 0n,
    inner: [],
    returnData: null,
    accounts: keys.map((key) => chain.runtime.account(key)),
  })
  if (!isSane(transaction)) return stopped('SanitizeFailure')
  const { message } = transaction
  // First, as on a real node; the engine then skips it.
  if (options.sigVerify && !areSigned(transaction)) return stopped('SignatureFailure')
  if (!options.replaceBlockhash) {
    if (chain.recent.ranAs(hash('sha256', message.bytes, 'binary')) !== null) return stopped('AlreadyProcessed')
    if (!chain.runtime.lifetime(message)) return stopped('BlockhashNotFound')
  }
  const loaded = chain.loadedKeys(message)
  if (typeof loaded === 'string') return stopped(loaded)
  const result = chain.runtime.simulate(transaction, writableKeys(message, loaded))
  const { after } = result
  const stateOf = (key: string): BankAccount | null => {
    const now = chain.runtime.account(key)
    const touched = message.keys.includes(key) || loaded.writable.includes(key) || loaded.readonly.includes(key)
    const then = after && touched ? (after.get(key) ?? null) : now
    return then?.data.length === 80 ? settledNonce(then, now, chain.runtime.blockNonce) : then
  }
  return {
    error: result.error === null ? null : errorJson(result.error),
    logs: result.logs,
    computeUnits: result.computeUnits,
    feeLamports: feeOf(message).lamports,
    inner: result.inner,
    returnData: result.returnData,
    accounts: keys.map(stateOf),
  }
}

/** Shows the nonce value that the chain would assign, for a nonce advanced by the simulation. */
function settledNonce(then: BankAccount, now: BankAccount | null, blockNonce: string): BankAccount {
  const nonce = readNonce(then)
  const stored = now && readNonce(now)
  if (!nonce || nonce.value === stored?.value) return then
  return {
    lamports: then.lamports,
    owner: then.owner,
    executable: then.executable,
    data: withNonceValue(then.data, blockNonce),
  }
}
