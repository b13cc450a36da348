// The cluster of a simulated world: the real bank of the embedded chain, driven by the time of the world, with its
// ledger in memory. Keeps the past that a lagging node and an auditor need: every account by slot, and every
// transaction on the present fork.
import type { BankAccount, LedgerTransaction } from '../../src/localnet/contract.ts'
import { openBank, type OpenBank } from '../../src/localnet/bank.ts'
import { memoryDatabase } from './database.ts'
import { Random } from './random.ts'
import type { Time } from './time.ts'

export const SLOT_MS = 400
export const FINALITY_SLOTS = 32
/** Slots that a lagging node may be behind. */
const SLOTS_KEPT = 400

const SYSTEM_PROGRAM = new Uint8Array(32)
const FAUCET_HAS = 10n ** 17n

interface Version {
  readonly slot: number
  /** null: it does not exist. */
  readonly account: BankAccount | null
}

export class SimulatedChain {
  readonly bank: OpenBank
  /** Transactions on the present fork, by signature, in the order of execution. */
  readonly standing = new Map<string, LedgerTransaction>()
  /** Sends that the bank has not answered yet: its accounts may be ahead of `standing`. */
  sending = 0
  forks = 0
  /** Signatures of the transactions that outsiders send with their own keys. */
  readonly outside = new Set<string>()
  readonly #accounts = new Map<string, Version[]>()
  readonly #listeners: ((transaction: LedgerTransaction) => void)[] = []
  #forked = false

  private constructor(bank: OpenBank) {
    this.bank = bank
    bank.on((event) => {
      if (event.type === 'transaction') {
        this.standing.set(event.transaction.signature, event.transaction)
        for (const { address, account } of event.changed) this.#changed(address, event.transaction.slot, account)
        for (const listener of this.#listeners) listener(event.transaction)
      } else if (event.type === 'forked') {
        for (const signature of event.signatures) this.standing.delete(signature)
        this.#forked = true
      } else if (this.#forked) {
        this.#forked = false
        for (const versions of this.#accounts.values()) {
          while (versions.length > 0 && versions.at(-1)!.slot > event.parent) versions.pop()
        }
      }
    })
  }

  static async open(seed: string, time: Time): Promise<SimulatedChain> {
    const random = new Random(seed, 'chain')
    const every = (periodMs: number, work: () => void): (() => void) => {
      let timer = {}
      const planNext = (): void => {
        timer = time.plan(periodMs, () => {
          planNext()
          work()
        })
      }
      planNext()
      return () => time.cancel(timer)
    }
    const bank = await openBank({
      dataDir: 'memory',
      slotMs: SLOT_MS,
      finalitySlots: FINALITY_SLOTS,
      faults: true,
      fatal: (error) => {
        throw error
      },
      surroundings: {
        now: () => Math.floor(time.wallMs - time.skewMs),
        elapsed: () => time.elapsedMs,
        every,
        soon: (work) => void time.plan(0, work),
        randomBytes: (count) => random.bytes(count),
        openDatabase: () => Promise.resolve(memoryDatabase()),
      },
    })
    return new SimulatedChain(bank)
  }

  /** Address of the faucet: the only account at the start. */
  get faucet(): Uint8Array {
    for (const { address, account } of this.bank.accountsByProgram(SYSTEM_PROGRAM))
      if (account.lamports > FAUCET_HAS) return address
    throw new Error('the chain has no faucet')
  }

  /** Called with every executed transaction, successful or failed. */
  onLanded(listener: (transaction: LedgerTransaction) => void): void {
    this.#listeners.push(listener)
  }

  send: OpenBank['send'] = async (bytes) => {
    this.sending += 1
    try {
      return await this.bank.send(bytes)
    } finally {
      this.sending -= 1
    }
  }

  /** An account at the end of a slot. */
  accountAt(address: Uint8Array, slot: number): BankAccount | null {
    const versions = this.#accounts.get(keyOf(address))
    if (versions === undefined) return this.bank.account(address)
    return versions.findLast((version) => version.slot <= slot)?.account ?? null
  }

  async fork(slots: number): Promise<void> {
    this.forks += 1
    await this.bank.faults!.forkAway(slots)
  }

  #changed(address: Uint8Array, slot: number, account: BankAccount): void {
    const versions = this.#accounts.get(keyOf(address)) ?? []
    this.#accounts.set(keyOf(address), versions)
    if (versions.at(-1)?.slot === slot) versions.pop()
    versions.push({ slot, account: account.lamports === 0n ? null : account })
    while (versions.length > 1 && versions[1]!.slot < this.bank.slot('processed') - SLOTS_KEPT) versions.shift()
  }
}

function keyOf(address: Uint8Array): string {
  return Buffer.from(address.buffer, address.byteOffset, address.length).toString('latin1')
}
