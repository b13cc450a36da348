// The bank of the embedded chain, as the JSON-RPC server uses it. It behaves like a cluster where the engine alone does
// not: blockhashes advance with the clock, a message runs only once, a transaction is durable before the response, and
// a restart continues the same chain.

import { blockReads, feeReads, historyReads, keyOf, slotReads } from './bank-reads.ts'
import { Chain } from './chain.ts'
import type { Bank, BankFaults } from './contract.ts'
import { Faucet } from './faucet.ts'
import { forkAway } from './fork.ts'
import { genesisHashOf, identityOf, signerOf } from './genesis.ts'
import { openChain } from './open.ts'
import { simulate } from './simulation.ts'
import { submit } from './submit.ts'
import { machine, type Surroundings } from './surroundings.ts'
import type { PreloadedState } from './given.ts'

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
  /** At this start, sets the time of the chain back to the clock if it is ahead. */
  readonly putsBackTime?: boolean
  readonly given?: PreloadedState
  /** The archive of the ledger from now on; empty: none; absent: the one recorded in the ledger. */
  readonly archiveLine?: string | undefined
  /** Called once when a write failed, instead of ending the process with code 74. */
  readonly fatal?: (error: unknown) => void
}

export interface OpenBank extends Bank {
  /** Opens this many slots at once, in addition to those that time opens. For tests. */
  advance(slots: number): Promise<void>
  /** All rows on disk, from a snapshot. */
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

/** Opens or creates the chain in `dataDir` and starts its clock. Rejects when another process locks the directory. */
export async function openBank(options: BankOptions): Promise<OpenBank> {
  const { dataDir, slotMs, finalitySlots, faults = false, fatal = exitAfterFailedWrite } = options
  const around = { ...machine, ...(options.now === undefined ? {} : { now: options.now }), ...options.surroundings }
  const { archiveLine, putsBackTime = false, given } = options
  const opened = await openChain({ dataDir, slotMs, around, fatal, archiveLine, putsBackTime, given })
  const chain = new Chain(opened, { slotMs, finalitySlots, around, faults, fatal })
  const { timeline, undo, views } = chain
  const stopClock = around.every(slotMs, () => chain.poll())

  let closing: Promise<void> | null = null
  const send: Bank['send'] = async (bytes) => {
    if (closing) throw new Error('the chain is closed')
    return submit(chain, bytes)
  }
  const accountAt: BankFaults['accountAt'] = (address, slot) => {
    const earlier = undo?.accountAt(keyOf(address), slot)
    return earlier === undefined ? views.account(keyOf(address)) : earlier
  }
  const advance: BankFaults['advance'] = async (slots) => {
    for (let left = slots; left > 0;) {
      left -= timeline.advance(left, () => chain.opened())
      if (left > 0) await chain.ledger.settled()
    }
  }
  const faucetSigner = signerOf(Buffer.from(opened.genesis.faucetSeed, 'hex'))
  const faucet = new Faucet(faucetSigner, () => Buffer.from(timeline.latest.hash, 'latin1'), send)

  return {
    genesisHash: genesisHashOf(opened.genesis),
    identity: identityOf(opened.genesis),
    ...slotReads(chain),
    ...feeReads(chain),

    account: (address) => (address.length === 32 ? views.account(keyOf(address)) : null),
    allAccounts: () => views.all(),
    accountsByProgram: (program) => views.byProgram(keyOf(program)),
    tokenAccountsByOwner: (owner) => views.byHolder(keyOf(owner)),
    tokenAccountsByMint: (mint) => views.byMint(keyOf(mint)),

    send,
    simulate: (bytes, simulationOptions) => simulate(chain, bytes, simulationOptions),
    airdrop: (address, lamports) => faucet.airdrop(address, lamports),

    ...historyReads(chain),
    ...blockReads(chain),
    on: (listener) => chain.listen(listener),

    faults: undo === null ? null : { forkAway: async (slots) => forkAway(chain, slots), advance, accountAt },
    advance,
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
