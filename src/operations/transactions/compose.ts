// Compiles a draft to a message that no other record has, with its compute budget, size and fee.
import {
  DEFAULT_LOADED_BYTES,
  LOADED_BYTES_UNITS,
  MAX_COMPUTE_UNITS,
  computeUnitLimit,
  computeUnitPrice,
  loadedBytesLimit,
} from '../../solana/instructions/compute-budget.ts'
import { memoUnits } from '../../solana/instructions/memo.ts'
import { compileSmallest, lookableKeys, SAVED_PER_ADDRESS_BYTES, TABLE_BYTES } from '../../solana/lookups.ts'
import {
  type CompiledMessage,
  type Instruction,
  type LookupTable,
  PACKET_LIMIT_BYTES,
  messageHash,
  transactionSize,
} from '../../solana/message.ts'
import type { ChainTransactionConfig } from '../../contract/values/chain-config.ts'
import type { Context } from '../context/platform.ts'
import { badRequest } from '../../contract/refusal.ts'
import type { Budget } from './budget.ts'
import type { Draft } from './draft.ts'
import { feeLamports } from '../../solana/fee.ts'
import { ADVANCE_UNITS, type Lifetime, openingOf } from './lifetime.ts'
import { isMessageTaken } from './unique-message.ts'
import type { MessageRequest } from '../../solana/compile.ts'

export interface ComposedMessage {
  readonly message: CompiledMessage
  /** Every account of the message, including those from lookup tables, in the order of instruction indexes. */
  readonly keys: readonly string[]
  readonly hash: string
  readonly sizeBytes: number
  readonly unitLimit: number
  /** Units by which the limit exceeds the one of the request or of the operation, to make the message new. */
  readonly raised: number
  /** Micro-lamports per compute unit. */
  readonly unitPrice: bigint
  readonly feeLamports: bigint
}

/**
 * Messages whose bound is the largest limit, as those of many items of a batch, cannot get a larger one: equal ones get
 * limits up to this much below it. The bound is generous, so that they do not lack these units.
 */
const ROOM_UNITS = 10_000

/**
 * Compiles the draft under a blockhash or the value of a nonce. Ed25519 is deterministic and requests share
 * blockhashes, so two equal requests would produce the same transaction; the compute unit limit is raised by one
 * until the message is new. A limit that the request names stays, and so does the fee: such a message gets a limit of
 * loaded bytes just below the one that holds without it, unless it would be too large with these bytes, or the limit so
 * tight that the units of that instruction could be missing.
 *
 * Throws 400 `TRANSACTION_TOO_LARGE`, `FEE_TOO_HIGH`.
 */
export function compose(
  { platform, call }: Context,
  draft: Draft,
  config: ChainTransactionConfig | undefined,
  {
    lifetime,
    budget,
    tables,
  }: { readonly lifetime: Lifetime; readonly budget: Budget; readonly tables: readonly LookupTable[] },
): ComposedMessage {
  const version = config?.transactionVersion ?? 'V0'
  const { unitPrice } = budget
  const bound = draft.computeUnits + memoUnits(draft.instructions) + (lifetime.nonce === null ? 0 : ADVANCE_UNITS)
  const ownLimit = Math.min(MAX_COMPUTE_UNITS, bound)
  const wanted = budget.unitLimit ?? ownLimit
  let unitLimit = wanted
  let keepsLimit =
    budget.unitLimit !== null && budget.simulated !== true && budget.unitLimit >= ownLimit + LOADED_BYTES_UNITS
  // Bytes by which the limit of loaded bytes is below its default.
  let below = 0
  for (;;) {
    const budgetInstructions: Instruction[] = [computeUnitLimit(unitLimit)]
    if (unitPrice > 0n) budgetInstructions.push(computeUnitPrice(unitPrice))
    if (below > 0) budgetInstructions.push(loadedBytesLimit(DEFAULT_LOADED_BYTES - below))
    const request = {
      feePayer: draft.feePayer.address,
      instructions: [...openingOf(lifetime), ...budgetInstructions, ...draft.instructions],
      blockhash: lifetime.blockhash,
      version,
    }
    const { message, keys } = compileSmallest(request, tables)
    const sizeBytes = transactionSize(message)
    const isTooLarge = sizeBytes > PACKET_LIMIT_BYTES
    if (isTooLarge && below === 0) throw tooLarge(request, message)
    const hash = messageHash(message.bytes)
    if (!isTooLarge && !isMessageTaken(platform, { cluster: call.cluster, hash, feePayer: request.feePayer })) {
      const fee = feeLamports(message.signers.length, unitLimit, unitPrice)
      if (fee > platform.limits.maxFeeLamports) {
        throw badRequest(
          'FEE_TOO_HIGH',
          `the fee of ${fee} lamports exceeds the limit of ${platform.limits.maxFeeLamports}`,
          '/chainTransactionConfig/computeUnitConfig',
        )
      }
      const raised = Math.max(0, unitLimit - wanted)
      return { message, keys, hash, sizeBytes, unitLimit, raised, unitPrice, feeLamports: fee }
    }
    keepsLimit &&= !isTooLarge
    below = keepsLimit ? below + 1 : 0
    if (!keepsLimit)
      unitLimit = unitLimit < MAX_COMPUTE_UNITS ? unitLimit + 1 : Math.min(ownLimit, MAX_COMPUTE_UNITS - ROOM_UNITS)
  }
}

/** The error for a transaction over the packet limit: its size, and how to make it smaller. */
function tooLarge(request: Omit<MessageRequest, 'lookupTables'>, message: CompiledMessage): Error {
  const sizeBytes = transactionSize(message)
  const problem = `the transaction would be ${sizeBytes} bytes, the limit is ${PACKET_LIMIT_BYTES}`
  return badRequest('TRANSACTION_TOO_LARGE', `${problem}. ${advice(request, message, sizeBytes)}`, '/itemData')
}

function advice(request: Omit<MessageRequest, 'lookupTables'>, message: CompiledMessage, sizeBytes: number): string {
  const version = request.version === 'LEGACY' ? ', with transactionVersion V0,' : ''
  // Bytes that a table costs, unless the message uses one already. Version V0 itself costs two bytes.
  const cost = (message.lookups.length > 0 ? 0 : TABLE_BYTES) + (request.version === 'LEGACY' ? 2 : 0)
  const keys = lookableKeys(request, message)
  const needed = Math.ceil((sizeBytes + cost - PACKET_LIMIT_BYTES) / SAVED_PER_ADDRESS_BYTES)
  const smallest = sizeBytes + cost - SAVED_PER_ADDRESS_BYTES * keys.length
  if (needed <= keys.length) {
    const named = keys.slice(0, needed)
    const then = sizeBytes + cost - SAVED_PER_ADDRESS_BYTES * needed
    return `In one address lookup table of the organization${version} ${needed} of its accounts make it ${then} bytes: ${named.join(', ')}`
  }
  const less = 'ask for less in one request: fewer items, shorter texts, or metadata in a later update'
  if (smallest >= sizeBytes) return `No address lookup table would make it smaller: ${less}`
  return `Even with all ${keys.length} accounts that an address lookup table can hold in one it would be ${smallest} bytes: ${less}`
}
