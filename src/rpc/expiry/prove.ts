// Proves that a request can never land. All evidence is from one node, the statuses and the height in one batch.
// Anything missing, late or malformed proves nothing: a wrong "expired" would lead to a second payment, so every doubt
// results in "not proven".
import { CACHE_SLOTS } from '../status-verdict.ts'
import type { RpcAnswer } from '../answers.ts'
import type { Clock } from '../../time/clock.ts'
import { readBlocksOfWindow } from './blocks.ts'
import { readHistoryOfAddress } from './history.ts'
import { readNonceValue } from '../../solana/nonce-value.ts'
import { Unproven } from './doubt.ts'
import type { ExpiryProof, ExpiryRequest } from './proof.ts'
import type { Endpoint } from '../pool.ts'
import { isSlot, readStatuses, STATUS_LIMIT } from '../rpc.ts'
import type { RpcCall } from '../transport.ts'

/** Slots for which an outside signer's blockhash may have been valid before it was first seen. */
const FOREIGN_SLOTS = 200
/** Blocks that a blockhash is valid for. */
const LIFETIME_BLOCKS = 150

export type ExpiryVerdict =
  | { readonly proven: true; readonly proof: ExpiryProof }
  /** `landed`: the signature of the request that the chain knows. */
  | { readonly proven: false; readonly reason: string; readonly landed?: string }

/**
 * Never rejects.
 * @param genesisHash Of the cluster that the request was signed for: another chain at the same URL proves nothing.
 */
export async function proveExpiry(
  endpoint: Endpoint,
  genesisHash: string,
  request: ExpiryRequest,
  clock: Clock,
): Promise<ExpiryVerdict> {
  try {
    return { proven: true, proof: await prove(endpoint, genesisHash, request, clock) }
  } catch (error) {
    if (error instanceof Unproven && error.landed !== undefined)
      return { proven: false, reason: error.message, landed: error.landed }
    return { proven: false, reason: error instanceof Error ? error.message : 'unknown failure' }
  }
}

async function prove(
  endpoint: Endpoint,
  genesisHash: string,
  request: ExpiryRequest,
  clock: Clock,
): Promise<ExpiryProof> {
  checkProvable(endpoint, request)
  const { finalized, statuses } = await askOnce(endpoint, genesisHash, request)
  const distant = isDistant(request, Math.max(finalized.slot, statuses?.contextSlot ?? 0))
  const isCounted = isLifetimePast(endpoint, finalized.blockHeight, request)
  const old = isOld(request, finalized.slot, { distant, isCounted })
  const { transport } = endpoint
  const window = needsWindow(request, old) ? await readBlocksOfWindow(transport, request, finalized.slot) : null
  const history = needsHistory(request, old) ? await readHistoryOfAddress(endpoint, request, finalized.slot) : null
  const { nonce } = request
  if (!isCounted && nonce === undefined && (window?.blockhashHeight ?? null) === null) {
    throw new Unproven('a lifetime of blocks was not observed, and no block on record produced the blockhash')
  }
  return {
    rule: nonce === undefined ? 'blockhash' : 'nonce',
    atMs: clock.now(),
    endpoint: endpoint.name,
    genesisHash,
    blockhash: request.blockhash,
    blockhashSlot: request.blockhashSlot,
    lastValidBlockHeight: request.lastValidBlockHeight,
    finalized,
    statuses,
    window,
    history,
  }
}

function checkProvable({ distrusted }: Endpoint, { signatures, unknownSignature }: ExpiryRequest): void {
  if (distrusted !== null) throw new Unproven('the endpoint is distrusted')
  if (signatures.length === 0 && unknownSignature === undefined) throw new Unproven('no signature to look for')
  if (signatures.length > STATUS_LIMIT) throw new Unproven('more signatures than one question holds')
}

/**
 * True if the status cache may have forgotten the signatures: its reach is counted back from the slot of the response.
 * A foreign message may have been sent before its blockhash was first seen.
 */
function isDistant({ foreign, blockhashSlot }: ExpiryRequest, slot: number): boolean {
  const sinceSlot = foreign === true ? blockhashSlot - FOREIGN_SLOTS : blockhashSlot
  return slot - sinceSlot > CACHE_SLOTS
}

function needsWindow({ signatures, nonce }: ExpiryRequest, old: boolean): boolean {
  return old && nonce === undefined && signatures.length > 0
}

function needsHistory({ nonce, unknownSignature }: ExpiryRequest, old: boolean): boolean {
  return unknownSignature !== undefined || (old && nonce !== undefined)
}

/** Checks in one batch to one URL that the blockhash or nonce can no longer be used, and that no signature is known. */
async function askOnce(
  endpoint: Endpoint,
  genesisHash: string,
  request: ExpiryRequest,
): Promise<Pick<ExpiryProof, 'finalized' | 'statuses'>> {
  const { signatures, nonce } = request
  const finality = { commitment: 'finalized' }
  const over: RpcCall =
    nonce === undefined
      ? { method: 'getEpochInfo', params: [finality] }
      : { method: 'getAccountInfo', params: [nonce.account, { ...finality, encoding: 'base64' }] }
  const calls: RpcCall[] = [{ method: 'getGenesisHash', params: [] }, over]
  if (signatures.length > 0)
    calls.push({ method: 'getSignatureStatuses', params: [signatures, { searchTransactionHistory: true }] })
  const answers = await endpoint.transport.batch(calls)

  if (resultOf(answers[0]) !== genesisHash) throw new Unproven('the node is of another chain')
  const finalized =
    nonce === undefined
      ? heightIsPast(resultOf(answers[1]), request, endpoint)
      : nonceIsUsed(resultOf(answers[1]), nonce.value, request.blockhashSlot)
  if (signatures.length === 0) return { finalized, statuses: null }

  const { contextSlot, statuses } = readStatuses(resultOf(answers[2]), signatures.length)
  const landed = statuses.findIndex((status) => status !== null)
  if (landed !== -1) throw new Unproven(`the chain knows the signature ${signatures[landed]!}`, signatures[landed])
  if (contextSlot < finalized.slot)
    throw new Unproven(`statuses as of slot ${contextSlot}, before slot ${finalized.slot}`)
  return { finalized, statuses: { contextSlot, signatures, values: signatures.map(() => null) } }
}

/**
 * True if the finalized slot is less than a lifetime after the recorded slot. Every block takes a slot, so the height
 * cannot be past the last valid one: the recorded slot is wrong, and nothing can be counted from it.
 */
function isTooNear(finalizedSlot: number, { foreign, blockhashSlot }: ExpiryRequest): boolean {
  return foreign !== true && finalizedSlot - blockhashSlot < LIFETIME_BLOCKS
}

/** True if the blocks of a lifetime were observed at a possible pace. Heights alone are then sufficient evidence. */
function isLifetimePast({ pace }: Endpoint, height: number | null, { watchedSince = null }: ExpiryRequest): boolean {
  return height !== null && pace.isLifetimePast(watchedSince, height)
}

/** True if a null from the status cache is not sufficient. */
function isOld(
  request: ExpiryRequest,
  finalizedSlot: number,
  { distant, isCounted }: { readonly distant: boolean; readonly isCounted: boolean },
): boolean {
  if (request.disputed === true) return true
  if (request.nonce !== undefined) return distant
  // The recorded slot was never reached, so nothing can be counted from it.
  if (isCounted && request.blockhashSlot > finalizedSlot) return false
  return distant || !isCounted || isTooNear(finalizedSlot, request)
}

function heightIsPast(result: unknown, request: ExpiryRequest, endpoint: Endpoint): ExpiryProof['finalized'] {
  const { absoluteSlot, blockHeight } = (result ?? {}) as { absoluteSlot?: unknown; blockHeight?: unknown }
  const last = request.lastValidBlockHeight
  if (!isSlot(absoluteSlot) || !isSlot(blockHeight)) throw new Unproven('the epoch info is not in shape')
  if (last === null) throw new Unproven('the last valid block height is not known')
  if (blockHeight <= last && !isLifetimePast(endpoint, blockHeight, request))
    throw new Unproven(`finalized block height ${blockHeight} is not past ${last}`)
  return { slot: absoluteSlot, blockHeight, nonceValue: null }
}

function nonceIsUsed(result: unknown, value: string, knownAtSlot: number): ExpiryProof['finalized'] {
  const { context, value: account } = (result ?? {}) as { context?: { slot?: unknown }; value?: unknown }
  const slot = context?.slot
  if (!isSlot(slot)) throw new Unproven('the nonce account is not in shape')
  // A node that has not reached the slot of the recorded value would show an earlier value.
  if (slot < knownAtSlot) throw new Unproven(`the nonce as of slot ${slot}, before slot ${knownAtSlot}`)
  // A missing account may be an error that was answered as null, so it proves nothing.
  const nonceValue = readNonceValue(account)
  if (nonceValue === null) throw new Unproven('the node shows no initialized nonce account')
  if (nonceValue === value) throw new Unproven('the nonce still has the value that was signed')
  return { slot, blockHeight: null, nonceValue }
}

function resultOf(answer: RpcAnswer | undefined): unknown {
  if (answer === undefined) throw new Unproven('a call was not answered')
  if (!answer.ok) throw answer.error
  return answer.result
}
