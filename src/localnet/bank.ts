// The bank of the embedded chain, as the JSON-RPC server uses it. It behaves like a cluster where the engine alone does
// not: blockhashes advance with the clock, a message runs only once, a transaction is durable before the response, and
// a restart continues the same chain.

import { asBuffer } from './accounts.ts'
import { decodeKey, encodeBase58 } from './base58.ts'
import { Chain } from './chain.ts'
import type { Bank, Commitment, SignatureStatus } from './contract.ts'
import { Faucet } from './faucet.ts'
import { feeOf } from './fees.ts'
import { forkAway } from './fork.ts'
import { genesisHashOf, identityOf, signerOf } from './genesis.ts'
import { advancedNonce, readNonce } from './nonce.ts'
import { openChain } from './open.ts'
import { simulate } from './simulation.ts'
import { STATUS_SLOTS } from './recent.ts'
import { submit } from './submit.ts'
import { machine, type Surroundings } from './surroundings.ts'
import { BLOCKHASH_BLOCKS } from './timeline.ts'
import type { Given } from './given.ts'
import { isSaneMessage, parseMessage } from './wire.ts'

const BLOCKS_SPAN = 500_000
/** Exit code after a failed write. */
const EXIT_FAILED_WRITE = 74

export interface BankOptions {
  readonly dataDir: string
  /** Milliseconds per slot. */
  readonly slotMs: number
  /** A slot is final when this many slots have opened after it. */
  readonly finalitySlots: number
  /** Wall clock, Unix milliseconds. */
  readonly now?: () => number
  /** Absent members default to the machine's. */
  readonly surroundings?: Partial<Surroundings>
  /** Enables `bank.faults`. */
  readonly faults?: boolean
  /** The time of the chain goes back to the clock at this start, if it is ahead of it. */
  readonly putsBackTime?: boolean
  readonly given?: Given
  /** The archive that follows the ledger from now on; empty: none; absent: as recorded in the ledger. */
  readonly archiveLine?: string | undefined
  /** Called once when a write failed, instead of ending the process with code 74. */
  readonly fatal?: (error: unknown) => void
}

export interface Faults {
  /**
   * Removes the open slot and up to `slots - 1` non-final slots before it. Resolves, when this is durable, with the
   * signatures of the removed transactions.
   */
  forkAway(slots: number): Promise<readonly string[]>
}

export interface OpenBank extends Bank {
  /** Null unless enabled. */
  readonly faults: Faults | null
  /** Opens this many slots at once, in addition to those that time opens. For tests. */
  advance(slots: number): Promise<void>
  /** All rows on disk as of this moment. */
  rows(): AsyncIterable<[Buffer, Buffer]>
  /** The changes after a batch, for an archive (see `redo.ts`). */
  changes(after: number): AsyncIterable<[Buffer, Buffer]>
  close(): Promise<void>
}

function exitAfterFailedWrite(error: unknown): void {
  process.stderr.write(
    `embedded chain: a write to the ledger failed, or it lost track of the engine, ending: ${String(error)}\n`,
  )
  process.exit(EXIT_FAILED_WRITE)
}

const keyOf = (address: Uint8Array): string => asBuffer(address).toString('latin1')
const textOf = (hash: string): string => encodeBase58(Buffer.from(hash, 'latin1'))

/** Opens or creates the chain in `dataDir` and starts its clock. Rejects when another process locks the directory. */
export async function openBank(options: BankOptions): Promise<OpenBank> {
  const { dataDir, slotMs, finalitySlots, faults = false, fatal = exitAfterFailedWrite } = options
  const around = { ...machine, ...(options.now === undefined ? {} : { now: options.now }), ...options.surroundings }
  const { archiveLine, putsBackTime = false, given } = options
  const opened = await openChain({ dataDir, slotMs, around, fatal, archiveLine, putsBackTime, given })
  const chain = new Chain(opened, { slotMs, finalitySlots, around, faults, fatal })
  const { timeline, views, history, recent } = chain
  const stopClock = around.every(slotMs, () => chain.poll())

  let closing: Promise<void> | null = null
  const send: Bank['send'] = async (bytes) => {
    if (closing) throw new Error('the chain is closed')
    return submit(chain, bytes)
  }
  const faucetSigner = signerOf(Buffer.from(opened.genesis.faucetSeed, 'hex'))
  const faucet = new Faucet(faucetSigner, () => Buffer.from(timeline.latest.hash, 'latin1'), send)

  /** Newest slot of a commitment level, and its height. */
  const slotAt = (commitment: Commitment): number =>
    commitment === 'finalized' ? timeline.rootSlot : timeline.openSlot
  const heightAt = (commitment: Commitment): number => timeline.heightOf(slotAt(commitment)) ?? timeline.openHeight

  function statusOf(slot: number, error: SignatureStatus['error'], durable: boolean): SignatureStatus {
    if (slot <= timeline.rootSlot && durable)
      return { slot, error, confirmations: null, confirmationStatus: 'finalized' }
    const confirmations = timeline.openHeight - (timeline.heightOf(slot) ?? timeline.openHeight)
    return { slot, error, confirmations, confirmationStatus: durable ? 'confirmed' : 'processed' }
  }

  return {
    genesisHash: genesisHashOf(opened.genesis),
    identity: identityOf(opened.genesis),
    slot: slotAt,
    blockHeight: heightAt,
    blockTime: (slot) => timeline.timeOf(slot),
    firstAvailableBlock: () => 0,
    transactionCount: () => chain.book.transactionCount,
    latestBlockhash(commitment) {
      const slot = commitment === 'finalized' ? timeline.rootSlot : timeline.latest.slot
      const height = timeline.heightOf(slot) ?? timeline.latest.height
      const blockhash = textOf(timeline.blockhash(slot) ?? timeline.latest.hash)
      return { blockhash, lastValidBlockHeight: height + BLOCKHASH_BLOCKS, slot: slotAt(commitment) }
    },
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

    account: (address) => (address.length === 32 ? views.account(keyOf(address)) : null),
    allAccounts: () => views.all(),
    accountsByProgram: (program) => views.byProgram(keyOf(program)),
    tokenAccountsByOwner: (owner) => views.byHolder(keyOf(owner)),
    tokenAccountsByMint: (mint) => views.byMint(keyOf(mint)),

    send,
    simulate: (bytes, simulationOptions) => simulate(chain, bytes, simulationOptions),
    airdrop: (address, lamports) => faucet.airdrop(address, lamports),

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
      return history.ofAddress(
        key,
        chain.accounts.headOf(key),
        limit,
        newest,
        until === undefined ? 0 : (locate(until) ?? 0),
      )
    },
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
    on: (listener) => chain.listen(listener),

    faults: faults ? { forkAway: async (slots) => forkAway(chain, slots) } : null,
    async advance(slots) {
      for (let left = slots; left > 0;) {
        left -= timeline.advance(left, () => chain.opened())
        if (left > 0) await chain.ledger.settled()
      }
    },
    rows: () => chain.ledger.everything(),
    changes: (after) => chain.ledger.changes(after),
    close() {
      stopClock()
      if (!closing) {
        timeline.release()
        closing = chain.ledger.close()
      }
      return closing
    },
  }
}
