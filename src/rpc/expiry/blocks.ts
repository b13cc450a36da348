// Reads the blocks of a transaction's validity window, if a null from the status cache is not sufficient. The window
// starts at the block of the blockhash, or, if that block's fork was abandoned, below its height. It ends at the first
// block past the last valid height. Each block names its predecessor by hash and height, so no block can be missing.
import { Unproven } from './doubt.ts'
import type { ExpiryRequest, WindowEvidence } from './proof.ts'
import { isSlot } from '../rpc.ts'
import type { Transport } from '../transport.ts'

/**
 * How far before `blockhashSlot` the block of the blockhash may be: an outside signer's blockhash was only seen valid
 * there.
 */
const SLOTS_BEFORE = 512
/** How far after `blockhashSlot` the window may reach: 150 blocks, and many slots without a block. */
const SLOTS_AFTER = 4_096
/** Blocks that a blockhash is valid for, counted inclusively. */
export const LIFETIME_BLOCKS = 151
const BLOCKS_PER_BATCH = 8
const TIMEOUT_MS = 60_000

export interface BlockRead {
  readonly slot: number
  readonly height: number
  readonly blockhash: string
  readonly previous: string
  readonly signatures: readonly string[]
}

/**
 * Rejects with Unproven (or with the failure of a call) unless the whole window was read and contains none of the
 * signatures.
 */
export async function readBlocksOfWindow(
  transport: Transport,
  request: ExpiryRequest,
  finalizedSlot: number,
): Promise<WindowEvidence> {
  const first = Math.max(0, request.blockhashSlot - SLOTS_BEFORE)
  const last = Math.min(finalizedSlot, request.blockhashSlot + SLOTS_AFTER)
  const slots = await listBlocks(transport, first, last)
  const anchor = await findAnchor(transport, slots, request)
  const ours = new Set(request.signatures)
  let past = request.lastValidBlockHeight! + 1
  let blockhashHeight: number | null = null
  const note = ({ blockhash, height }: BlockRead): void => {
    if (blockhash !== request.blockhash) return
    blockhashHeight = height
    // The block of the blockhash determines when the blockhash expires, whatever height was reported with it.
    const shown = height + LIFETIME_BLOCKS
    past = Math.max(shown, Math.min(past, shown + 1))
  }
  note(anchor)
  let previous = anchor
  let blocks = 1
  let transactions = anchor.signatures.length
  const after = slots.filter((slot) => slot > anchor.slot)
  for (let start = 0; start < after.length && previous.height < past; start += BLOCKS_PER_BATCH) {
    for (const block of await readBlocks(transport, after.slice(start, start + BLOCKS_PER_BATCH))) {
      if (block.previous !== previous.blockhash || block.height !== previous.height + 1) {
        throw new Unproven(`a gap between the blocks of slots ${previous.slot} and ${block.slot}`)
      }
      const landed = block.signatures.find((signature) => ours.has(signature))
      if (landed !== undefined)
        throw new Unproven(`the block of slot ${block.slot} holds the signature ${landed}`, landed)
      blocks += 1
      transactions += block.signatures.length
      previous = block
      note(block)
      if (block.height >= past) break
    }
  }
  if (previous.height < past) throw new Unproven(`the blocks end at height ${previous.height}, before ${past}`)
  return {
    firstSlot: anchor.slot,
    lastSlot: previous.slot,
    firstBlockHeight: anchor.height,
    lastBlockHeight: previous.height,
    firstBlockhash: anchor.blockhash,
    lastBlockhash: previous.blockhash,
    blocks,
    transactions,
    blockhashHeight,
  }
}

/**
 * Finds the block of the blockhash, at or before the slot it was read at. If the chain does not contain that block, a
 * block below its height serves: the transaction cannot have landed there or earlier. A foreign message counts twice
 * the lifetime, since its blockhash may have been near its end when it was first seen.
 */
async function findAnchor(transport: Transport, slots: readonly number[], request: ExpiryRequest): Promise<BlockRead> {
  const before = slots.filter((slot) => slot <= request.blockhashSlot).reverse()
  const lowest = request.lastValidBlockHeight! - LIFETIME_BLOCKS * (request.foreign === true ? 2 : 1)
  // The block is nearly always the first or second. After these two, the batches are larger.
  for (let start = 0, count = 2; start < before.length; start += count, count = BLOCKS_PER_BATCH) {
    const blocks = await readBlocks(transport, before.slice(start, start + count))
    const anchor = blocks.find((block) => block.blockhash === request.blockhash || block.height < lowest)
    if (anchor !== undefined) return anchor
  }
  throw new Unproven('the block of the blockhash was not found')
}

/** Slots of finalized blocks, in order. */
export async function listBlocks(transport: Transport, first: number, last: number): Promise<number[]> {
  const result = await transport.call('getBlocks', [first, last, { commitment: 'finalized' }], {
    timeoutMs: TIMEOUT_MS,
  })
  if (!Array.isArray(result) || !result.every(isSlot)) throw new Unproven('the list of blocks is not in shape')
  return [...new Set(result)].sort((a, b) => a - b)
}

/** Rejects with Unproven (or with the failure of a call) if one is missing. */
export async function readBlocks(transport: Transport, slots: readonly number[]): Promise<BlockRead[]> {
  const options = {
    commitment: 'finalized',
    transactionDetails: 'signatures',
    rewards: false,
    maxSupportedTransactionVersion: 1,
  }
  const calls = slots.map((slot) => ({ method: 'getBlock', params: [slot, options] }))
  const answers = await transport.batch(calls, { timeoutMs: TIMEOUT_MS })
  return answers.map((answer, index) => {
    if (!answer.ok) throw answer.error
    return readBlock(answer.result, slots[index]!)
  })
}

function readBlock(result: unknown, slot: number): BlockRead {
  const { blockHeight, blockhash, previousBlockhash, signatures } = (result ?? {}) as Record<string, unknown>
  const whole =
    isSlot(blockHeight) && typeof blockhash === 'string' && typeof previousBlockhash === 'string' && isTexts(signatures)
  if (!whole) throw new Unproven(`the block of slot ${slot} is missing or not in shape`)
  return { slot, height: blockHeight, blockhash, previous: previousBlockhash, signatures }
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((entry) => typeof entry === 'string')
}
