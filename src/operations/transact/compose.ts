// From a draft to a message that no other record has: compute budget, size, fee.
import { compileMessage } from '../../chain/compile.ts'
import { computeUnitLimit, computeUnitPrice, MAX_COMPUTE_UNITS } from '../../chain/instructions/compute-budget.ts'
import { messageHash, PACKET_LIMIT_BYTES, transactionSize, type CompiledMessage, type Instruction } from '../../chain/message.ts'
import type { Call } from '../call.ts'
import type { ChainTransactionConfig } from '../input.ts'
import type { Blockhash, Platform } from '../platform.ts'
import { badRequest } from '../refusal.ts'
import type { Budget } from './budget.ts'
import type { Draft } from './draft.ts'
import { feeLamports } from './fee-payer.ts'

export interface Composed {
  readonly message: CompiledMessage
  readonly hash: string
  readonly sizeBytes: number
  readonly unitLimit: number
  /** Micro-lamports per compute unit. */
  readonly unitPrice: bigint
  readonly feeLamports: bigint
}

/**
 * Compiles the draft under a blockhash. Ed25519 is deterministic and the blockhash is shared, so two equal requests would be one
 * transaction: the compute unit limit is raised by one until the message is new.
 *
 * Throws 400 `TRANSACTION_TOO_LARGE`, `FEE_TOO_HIGH`.
 */
export function compose(
  platform: Platform,
  call: Call,
  draft: Draft,
  config: ChainTransactionConfig | undefined,
  blockhash: Blockhash,
  budget: Budget,
): Composed {
  const version = config?.transactionVersion ?? 'V0'
  const { unitPrice } = budget
  let unitLimit = budget.unitLimit ?? draft.computeUnits
  for (;;) {
    const asked: Instruction[] = [computeUnitLimit(unitLimit)]
    if (unitPrice > 0n) asked.push(computeUnitPrice(unitPrice))
    const message = compileMessage({
      feePayer: draft.feePayer.address,
      instructions: [...asked, ...draft.instructions],
      blockhash: blockhash.blockhash,
      version,
    })
    const sizeBytes = transactionSize(message)
    if (sizeBytes > PACKET_LIMIT_BYTES) throw tooLarge(sizeBytes)
    const hash = messageHash(message.bytes)
    if (platform.engine.store.transactionOfMessage(call.cluster, hash) === undefined) {
      const fee = feeLamports(message.signers.length, unitLimit, unitPrice)
      if (fee > platform.limits.maxFeeLamports) {
        throw badRequest(
          'FEE_TOO_HIGH',
          `the fee of ${fee} lamports is over the limit of ${platform.limits.maxFeeLamports}`,
          '/chainTransactionConfig/computeUnitConfig',
        )
      }
      return { message, hash, sizeBytes, unitLimit, unitPrice, feeLamports: fee }
    }
    unitLimit = unitLimit < MAX_COMPUTE_UNITS ? unitLimit + 1 : draft.computeUnits
  }
}

function tooLarge(sizeBytes: number): Error {
  return badRequest(
    'TRANSACTION_TOO_LARGE',
    `the transaction would be ${sizeBytes} bytes, the limit is ${PACKET_LIMIT_BYTES}: fewer items in one request, or an address lookup table, make it smaller`,
    '/itemData',
  )
}
