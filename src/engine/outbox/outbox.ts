// Delivers messages from outboxes to inboxes. Guarantees: each message is applied by its recipient exactly once, in the
// order of sending, across crashes between the sender's commit, the recipient's commit (which holds the number of the
// last message applied) and the removal from the outbox. Messages are delivered in the turn in which they are handed to
// the store; failed deliveries are retried, and also after a start.
import { NotAtHand } from '../../../snapshots/not-at-hand.ts'
import type { Store, StoreOp } from '../../../snapshots/store.ts'
import { atHandNow, MissingRows, type RowSource } from '../../../snapshots/at-hand.ts'
import type { TenantMessage, NumberedMessage, MessageItem } from './message.ts'
import type { AuditEntry } from '../audit/audit-row.ts'
import type { DomainEvent } from '../events/domain-events.ts'

/** Delivers messages to tenants owned by other processes. */
export interface RemoteDelivery {
  owns(tenant: string): boolean
  /**
   * Delivers messages of one sender to one recipient, in their order. Resolves when the recipient has applied them
   * durably (now or before).
   */
  deliver(messages: readonly NumberedMessage[]): Promise<void>
  /** Number of pairs of sender and recipient whose next message could not be applied here. Absent: 0. */
  readonly stuck?: number
}

export interface OutboxDependencies {
  readonly store: Pick<Store, 'outbox' | 'inbox' | 'meta'>
  /**
   * Applies a message and advances the inbox cursor, synchronously. Resolves when durable. Throws if the message cannot
   * be applied now.
   */
  readonly take: (message: NumberedMessage) => Promise<void>
  /** Fetches the rows that `take` needs. */
  readonly rows: RowSource
  /** Hands rows of a tenant to the store, in the order of the calls. */
  readonly write: (tenant: string, ops: readonly StoreOp[]) => Promise<void>
  readonly remoteDelivery?: RemoteDelivery | undefined
  /** Called when a delivery fails, once for each message that its recipient cannot apply. */
  readonly failed: (message: NumberedMessage, error: unknown) => void
}

interface Waiting {
  readonly message: NumberedMessage
  /** True while the message is being sent to another process. */
  isInFlight: boolean
  /** True while rows that the recipient needs are being fetched. */
  isFetching: boolean
  /** The missing rows of all attempts so far. */
  missing?: MissingRows
  /** Settles when the sender may continue: the message was applied, or will be retried later. */
  readonly settled: Settled
}

interface Settled {
  readonly promise: Promise<void>
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

/** Maximum number of messages in flight to one recipient. */
const MAX_IN_FLIGHT = 500

/** Store name of the number of a tenant's latest message. */
export const lastMessageName = (tenant: string): string => `outbox!${tenant}`

export class Outbox {
  readonly #deps: OutboxDependencies
  /** Number of the latest message, by sender. */
  readonly #last = new Map<string, number>()
  /** Undelivered messages by sender, in order. */
  readonly #waiting = new Map<string, Waiting[]>()
  /** Number of the last message applied, by recipient and sender; durable or handed to the store. */
  readonly #processed = new Map<string, number>()
  /** Number of the message that could not be applied, by recipient and sender of this process. */
  readonly #stuck = new Map<string, number>()
  #delivering = false

  constructor(deps: OutboxDependencies) {
    this.#deps = deps
  }

  /** Number of messages that their recipients have not applied. */
  get waiting(): number {
    let count = 0
    for (const messages of this.#waiting.values()) count += messages.length
    return count
  }

  /** Number of pairs of sender and recipient whose next message could not be applied: their later ones wait. */
  get stuck(): number {
    return this.#stuck.size + (this.#deps.remoteDelivery?.stuck ?? 0)
  }

  /** True if messages of this process wait for this recipient. */
  isWaitingFor(tenant: string): boolean {
    for (const messages of this.#waiting.values())
      if (messages.some(({ message }) => message.to === tenant)) return true
    return false
  }

  /** Loads the undelivered messages of a tenant. */
  async resume(sender: string): Promise<void> {
    const { store } = this.#deps
    this.#last.set(sender, (store.meta(lastMessageName(sender)) as number | undefined) ?? 0)
    for (const { sequence, row } of await store.outbox(sender))
      this.#put({ ...(row as TenantMessage), sender, sequence })
  }

  /** Numbers messages and appends their rows. Must be called only when the write can no longer be refused. */
  write(sender: string, messages: readonly TenantMessage[], append: (op: StoreOp) => void): NumberedMessage[] {
    if (messages.length === 0) return []
    let last = this.#last.get(sender) ?? 0
    const numbered = messages.map((message) => ({ ...message, sender, sequence: (last += 1) }))
    this.#last.set(sender, last)
    for (const { sequence, to, notices: items } of numbered)
      append({ type: 'outbox', tenant: sender, sequence, row: { to, notices: items } })
    append({ type: 'meta', name: lastMessageName(sender), value: last })
    return numbered
  }

  /**
   * Delivers messages just handed to the store. Resolves when they are applied durably; messages that cannot be
   * delivered now do not delay it.
   */
  async send(messages: readonly NumberedMessage[]): Promise<void> {
    const waiting = messages.map((message) => this.#put(message))
    this.deliver()
    await Promise.all(waiting.map(({ settled }) => settled.promise))
  }

  /** Tries to deliver all waiting messages. */
  deliver(): void {
    // Applying a message may send messages: the loop in progress delivers them.
    if (this.#delivering) return
    this.#delivering = true
    try {
      while (this.#round());
    } finally {
      this.#delivering = false
    }
  }

  /**
   * Receives messages of one sender to one recipient from another process, in order, possibly repeatedly. Messages that
   * need no fetch are applied in one turn and written together. Stops at the first message that cannot be applied;
   * those before it are applied. Resolves when all are applied durably.
   */
  async receiveAll(messages: readonly NumberedMessage[]): Promise<void> {
    const written: Promise<void>[] = []
    // A message that is applied may not be on disk yet; the sender must not clear its outbox before it is.
    const take = (message: NumberedMessage) => ({
      done: this.#isTaken(message) ? this.#deps.write(message.to, []) : this.#take(message),
    })
    try {
      for (const message of messages) {
        const handed = atHandNow(this.#deps.rows, () => take(message))
        const { done } = handed instanceof Promise ? await handed : handed
        // Awaited below, perhaps only after rows for a later message were fetched.
        done.catch(() => undefined)
        written.push(done)
      }
    } finally {
      await Promise.all(written)
    }
  }

  #put(message: NumberedMessage): Waiting {
    const waiting: Waiting = { message, isInFlight: false, isFetching: false, settled: newSettled() }
    const queue = this.#waiting.get(message.sender)
    if (queue === undefined) this.#waiting.set(message.sender, [waiting])
    else queue.push(waiting)
    return waiting
  }

  /** Returns true if messages arrived during the round. */
  #round(): boolean {
    let left = 0
    for (const [sender, queue] of this.#waiting) {
      // A stuck message delays later messages to the same recipient only.
      const stuck = new Map<string, Waiting>()
      for (let at = 0; at < queue.length;) {
        const waiting = queue[at]!
        const { to } = waiting.message
        if (stuck.has(to) || !this.#hand(waiting)) {
          if (!stuck.has(to)) stuck.set(to, waiting)
          // During a fetch the sender keeps waiting, as it does for the write of the recipient.
          if (stuck.get(to)?.isFetching !== true) waiting.settled.resolve()
          left += 1
          at += 1
        } else queue.splice(at, 1)
      }
      if (queue.length === 0) this.#waiting.delete(sender)
    }
    return this.waiting > left
  }

  /** Returns true if the message was applied and cleared. */
  #hand(waiting: Waiting): boolean {
    const { message, settled } = waiting
    const { remoteDelivery } = this.#deps
    if (remoteDelivery !== undefined && !remoteDelivery.owns(message.to)) {
      this.#sendElsewhere(waiting, remoteDelivery)
      return false
    }
    if (waiting.isFetching) return false
    try {
      const processing = this.#isTaken(message) ? Promise.resolve() : this.#take(message)
      processing.then(settled.resolve, settled.reject)
    } catch (error) {
      if (error instanceof NotAtHand) this.#fetch(waiting, error)
      else this.#fail(message, error)
      return false
    }
    this.#stuck.delete(pair(message.to, message.sender))
    this.#clear(message)
    return true
  }

  #fail(message: NumberedMessage, error: unknown): void {
    const key = pair(message.to, message.sender)
    if (this.#stuck.get(key) === message.sequence) return
    this.#stuck.set(key, message.sequence)
    this.#deps.failed(message, error)
  }

  #fetch(waiting: Waiting, error: NotAtHand): void {
    waiting.isFetching = true
    waiting.missing ??= new MissingRows(this.#deps.rows)
    waiting.missing.fetch(error).then(
      () => {
        waiting.isFetching = false
        this.deliver()
      },
      (reason: unknown) => {
        waiting.isFetching = false
        waiting.settled.resolve()
        this.#deps.failed(waiting.message, reason)
      },
    )
  }

  /** Sends all waiting messages of the recipient together. Later messages wait for them, which preserves the order. */
  #sendElsewhere({ isInFlight, message: first }: Waiting, remoteDelivery: RemoteDelivery): void {
    if (isInFlight) return
    const { sender, to } = first
    const batch = (this.#waiting.get(sender) ?? []).filter(({ message }) => message.to === to).slice(0, MAX_IN_FLIGHT)
    for (const each of batch) each.isInFlight = true
    remoteDelivery.deliver(batch.map(({ message }) => message)).then(
      () => {
        this.#delivered(sender, batch)
        this.deliver()
      },
      (error: unknown) => {
        for (const each of batch) each.isInFlight = false
        this.#deps.failed(first, error)
      },
    )
  }

  #delivered(sender: string, batch: readonly Waiting[]): void {
    const delivered = new Set(batch)
    const left = (this.#waiting.get(sender) ?? []).filter((waiting) => !delivered.has(waiting))
    if (left.length === 0) this.#waiting.delete(sender)
    else this.#waiting.set(sender, left)
    for (const { message } of batch) this.#clear(message)
  }

  #isTaken({ sender, to, sequence }: NumberedMessage): boolean {
    return sequence <= (this.#processed.get(pair(to, sender)) ?? this.#deps.store.inbox(to, sender))
  }

  #take(message: NumberedMessage): Promise<void> {
    const processing = this.#deps.take(message)
    this.#processed.set(pair(message.to, message.sender), message.sequence)
    return processing
  }

  /** Queued after the recipient's commit, so that a message is never deleted before it is durably applied. */
  #clear({ sender, sequence }: NumberedMessage): void {
    // A failed write ends the process, so there is no error to report here.
    this.#deps.write(sender, [{ type: 'outbox', tenant: sender, sequence, row: null }]).catch(() => undefined)
  }
}

function newSettled(): Settled {
  let resolve = (): void => undefined
  let reject = (_error: unknown): void => undefined
  const promise = new Promise<void>((yes, no) => {
    resolve = yes
    reject = no
  })
  // No caller awaits messages that were loaded at the start.
  promise.catch(() => undefined)
  return { promise, resolve, reject }
}

const pair = (to: string, sender: string): string => `${to}\u0000${sender}`

/**
 * The outgoing messages of a unit of work: one per recipient, with its items, events and audit entries.
 *
 * @param events events for logs of other tenants
 * @param auditEntries entries for audit logs of other tenants
 */
export function messagesOf(
  sent: readonly TenantMessage[],
  events: readonly DomainEvent[],
  auditEntries: readonly AuditEntry[],
): readonly TenantMessage[] {
  if (events.length === 0 && auditEntries.length === 0) return sent
  const items = new Map<string, MessageItem[]>(sent.map((message) => [message.to, [...message.notices]]))
  const add = (to: string, item: MessageItem): void => {
    const known = items.get(to)
    if (known === undefined) items.set(to, [item])
    else known.push(item)
  }
  for (const each of events) add(each.tenant, { kind: 'event', told: each })
  for (const auditEntry of auditEntries) add(auditEntry.tenant, { kind: 'deed', deed: auditEntry })
  return [...items].map(([to, all]) => ({ to, notices: all }))
}
