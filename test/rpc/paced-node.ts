// A node of a chain that makes a block every `slotMs`, on a clock of the test. It answers with the state of the chain,
// or with an added offset.
import type { Call } from './scripted-node.ts'
import type { ToyClock } from './wire-nodes.ts'

export interface Lie {
  /** Slots and heights are too high by this number. */
  readonly offset: number
  readonly methods: readonly string[]
}

const FIRST_SLOT = 10_000
const FIRST_HEIGHT = 9_000
const FINALITY = 32
const OWNER = '11111111111111111111111111111111'

export class PacedNode {
  readonly #clock: ToyClock
  readonly #slotMs: number
  /** The offset that it adds to its answers now. */
  lie: Lie | null = null
  /** Transactions that were sent to it and withheld. */
  readonly kept = new Set<string>()
  readonly #landed = new Map<string, number>()

  constructor(clock: ToyClock, slotMs: number) {
    this.#clock = clock
    this.#slotMs = slotMs
  }

  get height(): number {
    return FIRST_HEIGHT + this.#passed
  }

  get slot(): number {
    return FIRST_SLOT + this.#passed
  }

  /** The last height at which a transaction with this blockhash can land. */
  lastValid(blockhash: string): number {
    return Number(blockhash.slice('hash-'.length)) + 150
  }

  /** Lets a sent transaction land. */
  land(signature: string): void {
    this.#landed.set(signature, this.slot)
  }

  readonly script = ({ method, params }: Call): unknown => {
    const offset = this.lie?.methods.includes(method) === true ? this.lie.offset : 0
    const { commitment = 'finalized', minContextSlot = 0 } = (params.at(-1) ?? {}) as {
      commitment?: string
      minContextSlot?: number
    }
    const back = commitment === 'finalized' ? FINALITY : 0
    const slot = Math.max(0, this.slot - back + offset)
    const height = Math.max(0, this.height - back + offset)
    if (minContextSlot > slot)
      return { error: { code: -32016, message: 'Minimum context slot', data: { contextSlot: slot } } }
    switch (method) {
      case 'getGenesisHash':
        return 'genesis'
      case 'getSlot':
        return slot
      case 'getEpochInfo':
        return { absoluteSlot: slot, blockHeight: height }
      case 'getLatestBlockhash':
        return {
          context: { slot },
          value: { blockhash: `hash-${this.height - back}`, lastValidBlockHeight: height + 150 },
        }
      case 'getMultipleAccounts':
        return {
          context: { slot },
          value: (params[0] as string[]).map(() => ({
            lamports: 5,
            owner: OWNER,
            data: ['', 'base64'],
            executable: false,
          })),
        }
      case 'getSignatureStatuses':
        return {
          context: { slot: this.slot + offset },
          value: (params[0] as string[]).map((signature) => this.#status(signature)),
        }
      case 'sendTransaction':
        return this.#keep(params[0] as string)
      case 'getBlocks':
        return this.#slots(Number(params[0]), Math.min(Number(params[1]), this.slot - FINALITY))
      case 'getBlock':
        return this.#block(Number(params[0]))
      default:
        return null
    }
  }

  get #passed(): number {
    return Math.floor(this.#clock.elapsed() / this.#slotMs)
  }

  #keep(base64: string): string {
    this.kept.add(base64)
    return signatures.get(base64) ?? ''
  }

  #status(signature: string): object | null {
    const slot = this.#landed.get(signature)
    if (slot === undefined) return null
    return {
      slot,
      confirmations: null,
      err: null,
      confirmationStatus: slot <= this.slot - FINALITY ? 'finalized' : 'confirmed',
    }
  }

  #slots(first: number, last: number): number[] {
    return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index)
  }

  #block(slot: number): object {
    const height = slot - FIRST_SLOT + FIRST_HEIGHT
    const landed = [...this.#landed].flatMap(([signature, at]) => (at === slot ? [signature] : []))
    return {
      blockHeight: height,
      blockhash: `hash-${height}`,
      previousBlockhash: `hash-${height - 1}`,
      signatures: landed,
    }
  }
}

/** By the bytes of the transaction. */
export const signatures = new Map<string, string>()
