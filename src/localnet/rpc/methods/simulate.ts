// simulateTransaction, and the result that a failed preflight has as `data`.

import type { Bank, Simulation } from '../../contract.ts'
import { viewOf, withContext } from '../context.ts'
import { accountEncodingOf, encodedAccount } from '../encode/account.ts'
import { parsedInner, returnDataMember } from '../encode/meta.ts'
import { invalidParams, signatureVerificationFailure } from '../error.ts'
import { readTransaction, resolvedKeys } from '../message.ts'
import type { Method } from '../method.ts'
import { addressOf, arrayOf, booleanOf, configAt, isRecord, requireCount, wrongType } from '../params.ts'
import type { Config } from '../params.ts'
import { malformedTransaction, transactionBytes } from '../transaction-bytes.ts'

interface WantedAccounts {
  readonly addresses: readonly Uint8Array[]
  readonly encoding: 'base64' | 'jsonParsed'
}

/** The members of every simulation result. */
export function failureData(simulation: Simulation): Record<string, unknown> {
  return {
    accounts: null,
    err: simulation.error,
    fee: simulation.feeLamports,
    innerInstructions: null,
    logs: simulation.logs,
    replacementBlockhash: null,
    returnData: returnDataMember(simulation.returnData),
    unitsConsumed: simulation.computeUnits,
  }
}

export function simulateMethod(bank: Bank): Method {
  return (params) => {
    requireCount(params, 1)
    const config = configAt(params, 1)
    const bytes = transactionBytes(params[0], config['encoding'])
    const sigVerify = booleanOf(config['sigVerify'], false)
    const replaceBlockhash = booleanOf(config['replaceRecentBlockhash'], false)
    const innerWanted = booleanOf(config['innerInstructions'], false)
    if (sigVerify && replaceBlockhash) throw invalidParams('sigVerify may not be used with replaceRecentBlockhash')
    const { slot, commitment } = viewOf(bank, config)
    const wanted = wantedAccounts(config)
    const keys = accountKeys(bank, bytes)
    if (wanted !== null && wanted.addresses.length > keys.length) {
      throw invalidParams(`Too many accounts provided; max ${keys.length}`)
    }
    const simulation = bank.simulate(bytes, { sigVerify, replaceBlockhash, accounts: wanted?.addresses ?? [] })
    if ('malformed' in simulation) throw malformedTransaction(simulation.malformed)
    if (sigVerify && simulation.error === 'SignatureFailure') throw signatureVerificationFailure()
    const replacement = replaceBlockhash ? bank.latestBlockhash(commitment) : null
    return withContext(slot, {
      ...failureData(simulation),
      accounts: wanted === null ? null : postAccounts(bank, simulation, wanted),
      innerInstructions: innerWanted ? simulation.inner.map((set) => parsedInner(set, keys)) : null,
      replacementBlockhash:
        replacement === null
          ? null
          : { blockhash: replacement.blockhash, lastValidBlockHeight: replacement.lastValidBlockHeight },
    })
  }
}

function accountKeys(bank: Bank, bytes: Uint8Array): readonly string[] {
  try {
    return resolvedKeys(bank, readTransaction(bytes).message)
  } catch {
    throw malformedTransaction('io error: unexpected end of file')
  }
}

function wantedAccounts(config: Config): WantedAccounts | null {
  const accounts = config['accounts']
  if (accounts === undefined || accounts === null) return null
  if (!isRecord(accounts)) throw wrongType(accounts, 'struct RpcSimulateTransactionAccountsConfig')
  const encoding = accountEncodingOf(accounts['encoding'], 'base64')
  if (encoding === 'binary' || encoding === 'base58') throw invalidParams('base58 encoding not supported')
  return { addresses: arrayOf(accounts['addresses']).map(addressOf), encoding }
}

// After a failure the accounts are unchanged, and a real node returns none of them.
function postAccounts(bank: Bank, simulation: Simulation, wanted: WantedAccounts): unknown[] {
  if (simulation.error !== null) return wanted.addresses.map(() => null)
  const form = { encoding: wanted.encoding, slice: null }
  return wanted.addresses.map((_, index) => {
    const account = simulation.accounts[index] ?? null
    return account === null ? null : encodedAccount(bank, account, form)
  })
}
