// Delivers messages to tenants of other cells, over the database that all cells share. The sender's outbox row is the
// message, and the recipient's inbox cursor is the acknowledgement. Each cell polls for outbox rows addressed to its
// tenants, and for inbox cursors that acknowledge messages of its tenants. No other rows are written, so a crash loses
// nothing.
import type { SentMessage } from '../../../snapshots/sent-message.ts'
import type { Clock, Timer } from '../../time/clock.ts'
import type { NumberedMessage, TenantMessage } from './message.ts'
import type { RemoteDelivery, Outbox } from './outbox.ts'

const POLL_MS = 100
/** Maximum number of messages from one sender to one recipient per poll. */
const MAX_AT_ONCE = 500

/** The rows of all cells. */
export interface SharedMessages {
  /** Outbox rows from one snapshot, by sender and then by number. */
  undelivered(): AsyncIterable<readonly SentMessage[]>
  /** Number of the last message that each recipient has processed, in the order of `pairs`. */
  takenBy(pairs: readonly Pair[]): Promise<readonly number[]>
}

interface Pair {
  readonly to: string
  readonly sender: string
}

export interface AcrossCellsOptions {
  readonly messages: SharedMessages
  /** True for the tenants of this cell. */
  readonly owns: (tenant: string) => boolean
  /** Wakes the idle cells of tenants that have not processed their messages. Absent: no cell is idle. */
  readonly wake?: (tenants: readonly string[]) => Promise<void>
  readonly clock: Pick<Clock, 'setTimeout' | 'clearTimeout'>
  /**
   * Called once for each message that cannot be applied. It waits, and later messages from its sender to its recipient
   * wait behind it; behind one without a known recipient, all later messages of its sender.
   */
  readonly failed: (message: FailedMessage, error: unknown) => void
  /** Called when the database did not answer. The next poll repeats the read. */
  readonly unseen: (error: unknown) => void
}

/** `to` undefined: the row is damaged. */
type FailedMessage = Pick<NumberedMessage, 'sender' | 'sequence'> & { readonly to: string | undefined }

interface Sent extends Pair {
  readonly sequence: number
  readonly taken: () => void
}

export class AcrossCells implements RemoteDelivery {
  readonly #options: AcrossCellsOptions
  /** Last messages of deliveries that are not acknowledged yet. */
  #sent: Sent[] = []
  /** Number of the last message that failed, by pair, or by sender if its recipient is not known. */
  readonly #stuck = new Map<string, number>()
  /** Senders with a damaged message at the last poll. */
  #damaged: ReadonlySet<string> = new Set()
  #timer: Timer | null = null
  #runningPoll: Promise<void> | null = null
  #stopped = false

  constructor(options: AcrossCellsOptions) {
    this.#options = options
  }

  owns(tenant: string): boolean {
    return this.#options.owns(tenant)
  }

  get stuck(): number {
    return this.#stuck.size
  }

  deliver(messages: readonly NumberedMessage[]): Promise<void> {
    const last = messages.at(-1)
    if (last === undefined) return Promise.resolve()
    const { to, sender, sequence } = last
    return new Promise((resolve) => void this.#sent.push({ to, sender, sequence, taken: resolve }))
  }

  /** Starts polling. `outbox`: the outbox of the engine that uses this object. */
  start(outbox: Pick<Outbox, 'receiveAll'>): void {
    const { clock } = this.#options
    const plan = (): void => {
      this.#timer = clock.setTimeout(() => {
        this.#runningPoll = this.poll(outbox).finally(() => {
          if (!this.#stopped) plan()
        })
      }, POLL_MS)
    }
    plan()
  }

  /** Resolves when no message is being applied. */
  async stop(): Promise<void> {
    this.#stopped = true
    if (this.#timer !== null) this.#options.clock.clearTimeout(this.#timer)
    await this.#runningPoll
  }

  /** Polls once. Never rejects. Calls must not overlap, because messages are applied in order. */
  async poll(outbox: Pick<Outbox, 'receiveAll'>): Promise<void> {
    await Promise.all([this.#take(outbox), this.#readReceipts()].map((part) => part.catch(this.#options.unseen)))
  }

  async #take(outbox: Pick<Outbox, 'receiveAll'>): Promise<void> {
    const queues = new Map<string, NumberedMessage[]>()
    const damaged = new Set<string>()
    for await (const page of this.#options.messages.undelivered())
      for (const { sender, sequence, row, damage } of page) {
        // A damaged message may have any recipient, and each must apply messages in the order of sending.
        if (this.owns(sender) || damaged.has(sender)) continue
        if (damage !== undefined) {
          damaged.add(sender)
          this.#fail(sender, { sender, sequence, to: undefined }, damage)
          continue
        }
        const message = { ...(row as TenantMessage), sender, sequence }
        if (!this.owns(message.to)) continue
        const queue = queues.get(pairName(message)) ?? []
        queues.set(pairName(message), queue)
        if (queue.length < MAX_AT_ONCE) queue.push(message)
      }
    for (const sender of this.#damaged) if (!damaged.has(sender)) this.#stuck.delete(sender)
    this.#damaged = damaged
    await Promise.all([...queues].map(([pair, queue]) => this.#receive(outbox, pair, queue)))
  }

  async #receive(outbox: Pick<Outbox, 'receiveAll'>, pair: string, queue: readonly NumberedMessage[]): Promise<void> {
    try {
      await outbox.receiveAll(queue)
      this.#stuck.delete(pair)
    } catch (error) {
      const [first] = queue
      if (first !== undefined) this.#fail(pair, first, error)
    }
  }

  #fail(key: string, message: FailedMessage, error: unknown): void {
    if (this.#stuck.get(key) === message.sequence) return
    this.#stuck.set(key, message.sequence)
    this.#options.failed(message, error)
  }

  async #readReceipts(): Promise<void> {
    const pairs = new Map(this.#sent.map((message) => [pairName(message), message]))
    if (pairs.size === 0) return
    const names = [...pairs.keys()]
    const cursors = await this.#options.messages.takenBy([...pairs.values()])
    const cursorOf = new Map(names.map((name, at) => [name, cursors[at] ?? 0]))
    const isTaken = (message: Sent): boolean => message.sequence <= (cursorOf.get(pairName(message)) ?? 0)
    const taken = this.#sent.filter(isTaken)
    this.#sent = this.#sent.filter((message) => !isTaken(message))
    for (const message of taken) message.taken()
    if (this.#sent.length > 0) await this.#options.wake?.([...new Set(this.#sent.map(({ to }) => to))])
  }
}

const pairName = ({ to, sender }: Pair): string => JSON.stringify([to, sender])
