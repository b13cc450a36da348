// Distributes new nonce accounts over transactions, and drafts the transaction of each step.
import { SYSTEM_PROGRAM } from '../../solana/address.ts'
import { compileMessage } from '../../solana/compile.ts'
import { computeUnitLimit, computeUnitPrice } from '../../solana/instructions/compute-budget.ts'
import { advanceNonce, initializeNonce, NONCE_SPACE } from '../../solana/instructions/nonce.ts'
import { createAccountInstruction } from '../../solana/instructions/system.ts'
import { PACKET_LIMIT_BYTES, transactionSize, type Instruction } from '../../solana/message.ts'
import type { JsonObject } from '../../contract/call.ts'
import type { ChainTransactionConfig } from '../../contract/values/chain-config.ts'
import type { Context } from '../context/platform.ts'
import type { Draft } from '../transactions/draft.ts'
import { feePayerOf } from '../transactions/fee-payer.ts'
import { clusterOf } from '../transactions/transact.ts'
import { isDurable } from '../transactions/nonces/free.ts'

export const NONCES_PURPOSE = 'nonces'
const UNITS_PER_NONCE = 2_000
const SOME_UNITS = computeUnitLimit(200_000)
const SOME_PRICE = computeUnitPrice(1n)
/** Placeholder addresses that no message built here contains otherwise. */
const STAND_IN = 'Stake11111111111111111111111111111111111111'
const OTHER_STAND_IN = 'Vote111111111111111111111111111111111111111'

export interface NonceToMake {
  readonly id: string
  readonly address: string
}

/** Stored data of one step. */
interface NonceStep {
  readonly authority: string
  readonly accounts: readonly NonceToMake[]
}

/** Drafts the transaction that creates the accounts of one step. */
export async function buildNoncesDraft(
  context: Context,
  config: ChainTransactionConfig | undefined,
  data: JsonObject,
): Promise<() => Draft> {
  const { platform, call } = context
  const { authority, accounts } = data as unknown as NonceStep
  const rent = await clusterOf(context).rentExemptLamports(NONCE_SPACE)
  return () => {
    const feePayer = feePayerOf(context, config)
    return {
      instructions: accounts.flatMap(({ address }) => creation(feePayer.address, address, authority, rent)),
      feePayer,
      parties: [],
      freshKeys: accounts.flatMap(({ id, address }) => {
        const signer = platform.keys.signerFor({ tenant: call.tenant, cluster: call.cluster, id, address })
        return signer === null ? [] : [signer]
      }),
      computeUnits: UNITS_PER_NONCE * accounts.length,
      shape: 'members',
    }
  }
}

function creation(payer: string, account: string, authority: string, lamports: bigint): Instruction[] {
  return [
    createAccountInstruction({ payer, account, lamports, space: NONCE_SPACE, owner: SYSTEM_PROGRAM }),
    initializeNonce(account, authority),
  ]
}

/** As many accounts per transaction as fit, in the given order. */
export function packNonces(
  context: Context,
  config: ChainTransactionConfig | undefined,
  authority: string,
  accounts: readonly NonceToMake[],
): NonceToMake[][] {
  const payer = feePayerOf(context, config).address
  const portions: NonceToMake[][] = []
  for (const account of accounts) {
    const last = portions.at(-1)
    if (last !== undefined && fits(config, payer, authority, [...last, account])) last.push(account)
    else portions.push([account])
  }
  return portions
}

/** Measures the actual message. A nonce that the message itself uses is assumed to have a separate authority. */
function fits(
  config: ChainTransactionConfig | undefined,
  payer: string,
  authority: string,
  accounts: readonly NonceToMake[],
): boolean {
  const first = accounts[0]?.address ?? ''
  const opening = isDurable(config) ? [advanceNonce(STAND_IN, OTHER_STAND_IN)] : []
  const priced = config?.computeUnitConfig === undefined ? [] : [SOME_PRICE]
  const message = compileMessage({
    feePayer: payer,
    instructions: [
      ...opening,
      SOME_UNITS,
      ...priced,
      ...accounts.flatMap(({ address }) => creation(payer, address, authority, 1n)),
    ],
    blockhash: first,
    version: config?.transactionVersion ?? 'V0',
  })
  return transactionSize(message) <= PACKET_LIMIT_BYTES
}
