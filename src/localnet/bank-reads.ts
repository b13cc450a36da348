// Reads of the embedded chain's bank: slots, blocks, fees and the history.
import { asBuffer } from './accounts.ts'
import { decodeKey, encodeBase58 } from './base58.ts'
import type { Chain } from './chain.ts'
import type { Bank, Commitment, SignatureStatus } from './contract.ts'
import { feeOf } from './fees.ts'
import { advancedNonce, readNonce } from './nonce.ts'
import { STATUS_SLOTS } from './recent.ts'
import { BLOCKHASH_BLOCKS, type Timeline } from './timeline.ts'
import { isSaneMessage, parseMessage } from './wire.ts'

const BLOCKS_SPAN = 500_000

export const keyOf = (address: Uint8Array): string => asBuffer(address).toString('latin1')
const textOf = (hash: string): string => encodeBase58(Buffer.from(hash, 'latin1'))

/** Newest slot of a commitment level. */
function slotAt(timeline: Timeline, commitment: Commitment): number {
  return commitment === 'finalized' ? timeline.rootSlot : timeline.openSlot
}

type SlotReads = Pick<
  Bank,
  'slot' | 'blockHeight' | 'blockTime' | 'firstAvailableBlock' | 'transactionCount' | 'latestBlockhash'
>

export function slotReads({ timeline, book }: Chain): SlotReads {
  return {
    slot: (commitment) => slotAt(timeline, commitment),
    blockHeight: (commitment) => timeline.heightOf(slotAt(timeline, commitment)) ?? timeline.openHeight,
    blockTime: (slot) => timeline.timeOf(slot),
    firstAvailableBlock: () => 0,
    transactionCount: () => book.transactionCount,
    latestBlockhash(commitment) {
      const slot = commitment === 'finalized' ? timeline.rootSlot : timeline.latest.slot
      const height = timeline.heightOf(slot) ?? timeline.latest.height
      const blockhash = textOf(timeline.blockhash(slot) ?? timeline.latest.hash)
      return { blockhash, lastValidBlockHeight: height + BLOCKHASH_BLOCKS, slot: slotAt(timeline, commitment) }
    },
  }
}

type FeeReads = Pick<Bank, 'isBlockhashValid' | 'rentExemptLamports' | 'messageFee' | 'recentPrioritizationFees'>

export function feeReads(chain: Chain): FeeReads {
  const { timeline, recent } = chain
  return {
    isBlockhashValid(blockhash) {
      const hash = decodeKey(blockhash)
      return hash !== null && timeline.heightOfBlockhash(hash.toString('latin1')) !== null
    },
    rentExemptLamports: (dataLength) => chain.vm.rentExemptLamports(dataLength),
    messageFee(bytes) {
      const message = parseMessage(bytes)
      if ('malformed' in message || !isSaneMessage(message)) return null
      if (timeline.heightOfBlockhash(message.blockhash) === null) {
        const nonceKey = advancedNonce(message)
        const account = nonceKey === null ? null : chain.accounts.get(nonceKey)
        if (!account || readNonce(account)?.value !== message.blockhash) return null
      }
      return feeOf(message).lamports
    },
    recentPrioritizationFees: (addresses) => recent.prices(addresses.map(keyOf), timeline.openSlot),
  }
}

type HistoryReads = Pick<Bank, 'signatureStatus' | 'transaction' | 'signaturesForAddress'>

export function historyReads({ accounts, timeline, history, recent }: Chain): HistoryReads {
  function statusOf(slot: number, error: SignatureStatus['error'], durable: boolean): SignatureStatus {
    if (slot <= timeline.rootSlot && durable)
      return { slot, error, confirmations: null, confirmationStatus: 'finalized' }
    const confirmations = timeline.openHeight - (timeline.heightOf(slot) ?? timeline.openHeight)
    return { slot, error, confirmations, confirmationStatus: durable ? 'confirmed' : 'processed' }
  }

  return {
    signatureStatus(signature, searchHistory) {
      const status = recent.status(signature)
      if (status && (searchHistory || status.slot >= timeline.openSlot - STATUS_SLOTS)) {
        return statusOf(status.slot, status.error, status.location <= history.durable)
      }
      const row = searchHistory ? history.transaction(signature, null) : null
      return row && statusOf(row.slot, row.error, true)
    },
    transaction: (signature) => history.transaction(signature, recent.status(signature)?.location ?? null),
    signaturesForAddress(address, { limit, before, until }) {
      const key = keyOf(address)
      const locate = (signature: string): number | null =>
        recent.status(signature)?.location ?? history.locationOf(signature)
      const newest = before === undefined ? Infinity : locate(before)
      if (newest === null) return []
      return history.ofAddress(key, accounts.headOf(key), limit, {
        before: newest,
        until: until === undefined ? 0 : (locate(until) ?? 0),
      })
    },
  }
}

export function blockReads({ timeline, history }: Chain): Pick<Bank, 'block' | 'blocks'> {
  return {
    block(slot) {
      const blockhash = timeline.blockhash(slot)
      if (blockhash === null) return null
      const stored = history.block(slot)
      const rows = stored ? history.ofBlock(stored) : []
      if (!rows) return null
      const parentSlot = timeline.segments.parentOf(slot)
      return {
        slot,
        parentSlot,
        blockHeight: timeline.heightOf(slot) ?? 0,
        blockhash: textOf(blockhash),
        previousBlockhash: textOf(timeline.blockhash(parentSlot) ?? blockhash),
        blockTime: timeline.timeOf(slot) ?? 0,
        signatures: rows.map((row) => row.signature),
      }
    },
    blocks(first, last) {
      const slots: number[] = []
      const end = Math.min(last, first + BLOCKS_SPAN, timeline.openSlot - 1)
      for (let slot = Math.max(0, first); slot <= end; slot += 1)
        if (timeline.segments.indexOf(slot) >= 0) slots.push(slot)
      return slots
    },
  }
}
