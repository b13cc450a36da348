// sendTransaction, simulateTransaction, requestAirdrop. As on a real node, the response to a send does not tell the
// outcome of the transaction: with skipPreflight the signature is returned even if the cluster then drops the
// transaction. Without skipPreflight a transaction that would fail is rejected before a fee is charged.

import type { Bank, SendOutcome } from '../../contract.ts'
import { viewOf } from '../context.ts'
import { transactionErrorText } from '../error-text.ts'
import { internalError, preflightFailure, signatureVerificationFailure } from '../error.ts'
import type { RpcError } from '../error.ts'
import { firstSignature } from '../message.ts'
import type { MethodTable } from '../method.ts'
import { addressOf, booleanOf, configAt, optionalCount, requireCount, u64Of } from '../params.ts'
import type { Config } from '../params.ts'
import { malformedTransaction, transactionBytes } from '../transaction-bytes.ts'
import { failureData, simulateMethod } from './simulate.ts'

export function submitMethods(bank: Bank, received: (bytes: Uint8Array) => void): MethodTable {
  return {
    sendTransaction: (params) => {
      requireCount(params, 1)
      const config = configAt(params, 1)
      const bytes = transactionBytes(params[0], config['encoding'])
      const skipPreflight = booleanOf(config['skipPreflight'], false)
      optionalCount(config['maxRetries'])
      viewOf(bank, preflightView(config, skipPreflight))
      if (!skipPreflight) refuseFailing(bank, bytes)
      received(bytes)
      return bank.send(bytes).then((outcome) => sendAnswer(outcome, bytes, skipPreflight))
    },
    simulateTransaction: simulateMethod(bank),
    requestAirdrop: (params) => {
      requireCount(params, 2)
      const address = addressOf(params[0])
      const lamports = u64Of(params[1])
      const config = configAt(params, 2)
      viewOf(bank, config)
      return bank.airdrop(address, lamports).catch(() => {
        throw internalError()
      })
    },
  }
}

// Without preflight its commitment has no meaning, and a real node uses its newest bank.
function preflightView(config: Config, skipPreflight: boolean): Config {
  return {
    commitment: skipPreflight ? 'processed' : config['preflightCommitment'],
    minContextSlot: config['minContextSlot'],
  }
}

function refuseFailing(bank: Bank, bytes: Uint8Array): void {
  const simulation = bank.simulate(bytes, { sigVerify: true, replaceBlockhash: false, accounts: [] })
  if ('malformed' in simulation) throw malformedTransaction(simulation.malformed)
  if (simulation.error === null) return
  if (simulation.error === 'SignatureFailure') throw signatureVerificationFailure()
  throw preflightFailure(
    `Transaction simulation failed: ${transactionErrorText(simulation.error)}`,
    failureData(simulation),
  )
}

function sendAnswer(outcome: SendOutcome, bytes: Uint8Array, skipPreflight: boolean): string {
  switch (outcome.kind) {
    case 'executed':
      return outcome.signature
    case 'malformed':
      throw malformedTransaction(outcome.reason)
    case 'duplicate':
      if (skipPreflight) return firstSignature(bytes) ?? outcome.signature
      throw refusal('AlreadyProcessed', [])
    case 'refused': {
      const signature = firstSignature(bytes)
      if (skipPreflight && signature !== null) return signature
      throw outcome.error === 'SignatureFailure' ? signatureVerificationFailure() : refusal(outcome.error, outcome.logs)
    }
  }
}

function refusal(error: Parameters<typeof transactionErrorText>[0], logs: readonly string[]): RpcError {
  const data = failureData({
    error,
    logs,
    computeUnits: 0n,
    feeLamports: 0n,
    inner: [],
    returnData: null,
    accounts: [],
  })
  return preflightFailure(`Transaction simulation failed: ${transactionErrorText(error)}`, data)
}
