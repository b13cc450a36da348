// The finalized blocks of one node between which a message can have landed: from the block of its blockhash to the
// first one past the end of the blockhash. Recorded slots and heights may be false. They say where to look, and the
// blocks decide: that of the blockhash by its hash, the other by its height, which must agree with the list of blocks.
// Without the block of the blockhash, counted blocks decide (`chain-pace.ts`). Any doubt leaves the history without
// this bound.
import { LIFETIME_BLOCKS, listBlocks, readBlocks, type BlockRead } from './blocks.ts'
import { Unproven } from './doubt.ts'
import type { ExpiryRequest } from './proof.ts'
import type { Endpoint } from '../pool.ts'
import { isSlot } from '../rpc.ts'
import type { Transport } from '../transport.ts'

export interface LandingBlocks {
  /** The block of the blockhash; null: it is not known. */
  readonly first: BlockRead | null
  /** A block that the message cannot have landed in, nor in a later one; null: none is known. */
  readonly past: BlockRead | null
}

const UNKNOWN: LandingBlocks = { first: null, past: null }
/** How far before the recorded slot the block of the blockhash is looked for. */
const SLOTS_BEFORE = 16
/** How far after it the end of the blockhash is looked for. */
const SLOTS_AFTER = 1_024
/** Skipped slots after which a block is sought. */
const SLOTS_SKIPPED = 64

/** Never rejects. */
export async function landingBlocks(endpoint: Endpoint, request: ExpiryRequest): Promise<LandingBlocks> {
  if (request.nonce !== undefined || request.lastValidBlockHeight === null) return UNKNOWN
  try {
    const first = await blockOfBlockhash(endpoint.transport, request)
    const past = first === null ? await pastCounted(endpoint, request) : await pastEndOf(endpoint, first, request)
    return { first, past }
  } catch {
    return UNKNOWN
  }
}

async function blockOfBlockhash(
  transport: Transport,
  { blockhash, blockhashSlot }: ExpiryRequest,
): Promise<BlockRead | null> {
  const slots = await listBlocks(transport, Math.max(0, blockhashSlot - SLOTS_BEFORE), blockhashSlot)
  const blocks = slots.length === 0 ? [] : await readBlocks(transport, slots.slice(-2))
  return blocks.find((block) => block.blockhash === blockhash) ?? null
}

/** The first block past the last height at which the blockhash is valid, which the record can only extend. */
async function pastEndOf(
  { transport }: Endpoint,
  first: BlockRead,
  { lastValidBlockHeight }: ExpiryRequest,
): Promise<BlockRead | null> {
  const height = Math.max(first.height + LIFETIME_BLOCKS, lastValidBlockHeight!) + 1
  const slots = await listBlocks(transport, first.slot, first.slot + SLOTS_AFTER)
  const slot = slots[height - first.height]
  if (slot === undefined) return null
  const [block] = await readBlocks(transport, [slot])
  return block!.height === height ? block! : null
}

/** A block past the height at which every blockhash has expired that was valid when blocks began to be counted. */
async function pastCounted({ transport, pace }: Endpoint, request: ExpiryRequest): Promise<BlockRead | null> {
  const { watchedSince = null, lastValidBlockHeight } = request
  const result = await transport.call('getEpochInfo', [{ commitment: 'finalized' }])
  const { absoluteSlot, blockHeight } = (result ?? {}) as { absoluteSlot?: unknown; blockHeight?: unknown }
  if (!isSlot(absoluteSlot) || !isSlot(blockHeight)) throw new Unproven('the epoch info is not in shape')
  if (watchedSince === null || !pace.isLifetimePast(watchedSince, blockHeight)) return null
  const height = pace.proofHeight(watchedSince, lastValidBlockHeight!) + 1
  // Every block takes a slot, so the block of this height is in this slot or an earlier one.
  const from = absoluteSlot - (blockHeight - height)
  const [slot] = await listBlocks(transport, from, from + SLOTS_SKIPPED)
  if (slot === undefined) return null
  const [block] = await readBlocks(transport, [slot])
  return block!.height >= height ? block! : null
}
