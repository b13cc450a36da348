// Takes letters from outboxes to inboxes. Guarantees: every letter of a tenant is taken by its addressee once, in the order they were sent,
// whatever crashes between the sender's commit, the addressee's commit (which holds the number of the last letter taken) and the clearing of
// the outbox. Letters are delivered in the turn they are handed to the store; those that cannot be are tried again, and found at a start.
import type { Store, StoreOp } from '../../../snapshots/store.ts'
import type { Listed } from '../index/listing.ts'
import { EVERYBODY, type Letter, type Posted } from './message.ts'

/** Who takes letters of tenants that another process owns. */
export interface Elsewhere {
  owns(tenant: string): boolean
  /** Resolves when the addressee has taken it durably, or had before; a letter to everybody, when every other process has heard it. */
  deliver(letter: Posted): Promise<void>
  /** What the records of other processes are listed as, for one that starts. */
  listings?(): AsyncIterable<Listed>
}

export interface PostGround {
  readonly store: Pick<Store, 'outbox' | 'inbox' | 'meta'>
  /** Changes what the letter says in this very turn, with the cursor. Resolves when that is durable. Throws: it cannot be taken now. */
  readonly take: (letter: Posted) => Promise<void>
  /** Hands over rows of a tenant, in the order of the calls. */
  readonly write: (tenant: string, ops: readonly StoreOp[]) => Promise<void>
  readonly elsewhere?: Elsewhere | undefined
  /** Another process lists its records. */
  readonly list: (listed: Listed) => void
  /** A letter could not be delivered. */
  readonly failed: (letter: Posted, error: unknown) => void
}

interface Waiting {
  readonly letter: Posted
  /** On its way to another process. */
  under: boolean
  /** When its sender may go on: it was taken, or is left to a later try. */
  readonly settled: Settled
}

interface Settled {
  readonly promise: Promise<void>
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

/** Name of the fact that holds the number of a tenant's latest letter. */
export const lastLetterName = (tenant: string): string => `outbox!${tenant}`

export class Post {
  readonly #ground: PostGround
  /** Number of the latest letter, by sender. */
  readonly #last = new Map<string, number>()
  /** By sender, in order. */
  readonly #waiting = new Map<string, Waiting[]>()
  /** Last letter taken, by addressee and sender, durable or handed over. */
  readonly #taken = new Map<string, number>()
  #delivering = false

  constructor(ground: PostGround) {
    this.#ground = ground
  }

  /** Letters that their addressees have not taken yet. */
  get waiting(): number {
    let count = 0
    for (const letters of this.#waiting.values()) count += letters.length
    return count
  }

  /** Whether letters of this process wait for this addressee. */
  isWaitingFor(tenant: string): boolean {
    for (const letters of this.#waiting.values()) if (letters.some(({ letter }) => letter.to === tenant)) return true
    return false
  }

  /** Takes up what a tenant had not delivered. */
  async resume(sender: string): Promise<void> {
    const { store } = this.#ground
    this.#last.set(sender, (store.meta(lastLetterName(sender)) as number | undefined) ?? 0)
    for (const { sequence, row } of await store.outbox(sender)) this.#put({ ...(row as Letter), sender, sequence })
  }

  /** Numbers letters and gives their rows. To be called when nothing can keep them from being written any more. */
  write(sender: string, letters: readonly Letter[], append: (op: StoreOp) => void): Posted[] {
    if (letters.length === 0) return []
    let last = this.#last.get(sender) ?? 0
    const posted = letters.map((letter) => ({ ...letter, sender, sequence: (last += 1) }))
    this.#last.set(sender, last)
    for (const { sequence, to, notices } of posted) append({ type: 'outbox', tenant: sender, sequence, row: { to, notices } })
    append({ type: 'meta', name: lastLetterName(sender), value: last })
    return posted
  }

  /** Delivers what was just handed to the store. Resolves when it was taken durably, as far as it can be now. */
  async send(letters: readonly Posted[]): Promise<void> {
    const waiting = letters.map((letter) => this.#put(letter))
    this.deliver()
    await Promise.all(waiting.map(({ settled }) => settled.promise))
  }

  /** Tries everything that waits. */
  deliver(): void {
    // A letter that is taken may bring letters: they are taken in the turn that is under way.
    if (this.#delivering) return
    this.#delivering = true
    try {
      while (this.#round());
    } finally {
      this.#delivering = false
    }
  }

  /** For letters that another process brings, however often. Resolves when it is taken durably. Rejects: it cannot be taken now. */
  async receive(letter: Posted): Promise<void> {
    if (letter.to === EVERYBODY) {
      for (const notice of letter.notices) if (notice.kind === 'listed') this.#ground.list(notice.listed)
    } else if (!this.#isTaken(letter)) await this.#take(letter)
    // What was taken a moment ago is on disk before it is gone from the outbox it came from.
    else await this.#ground.write(letter.to, [])
  }

  #put(letter: Posted): Waiting {
    const waiting: Waiting = { letter, under: false, settled: unsettled() }
    const queue = this.#waiting.get(letter.sender)
    if (queue === undefined) this.#waiting.set(letter.sender, [waiting])
    else queue.push(waiting)
    return waiting
  }

  /** True: letters have come meanwhile that nobody has looked at. */
  #round(): boolean {
    let left = 0
    for (const [sender, queue] of this.#waiting) {
      // One that is stuck holds up its own addressee, and nobody else.
      const stuck = new Set<string>()
      for (let at = 0; at < queue.length;) {
        const waiting = queue[at]!
        if (stuck.has(waiting.letter.to) || !this.#hand(waiting)) {
          stuck.add(waiting.letter.to)
          waiting.settled.resolve()
          left += 1
          at += 1
        } else queue.splice(at, 1)
      }
      if (queue.length === 0) this.#waiting.delete(sender)
    }
    return this.waiting > left
  }

  /** True: it is taken, and cleared away. */
  #hand(waiting: Waiting): boolean {
    const { letter, settled } = waiting
    const { elsewhere } = this.#ground
    if (elsewhere !== undefined && (letter.to === EVERYBODY || !elsewhere.owns(letter.to))) {
      this.#carry(waiting, elsewhere)
      return false
    }
    // Nobody else is there any more: what this process owns it lists as it stands.
    if (letter.to === EVERYBODY) {
      settled.resolve()
      this.#clear(letter)
      return true
    }
    try {
      const taken = this.#isTaken(letter) ? Promise.resolve() : this.#take(letter)
      taken.then(settled.resolve, settled.reject)
    } catch (error) {
      this.#ground.failed(letter, error)
      return false
    }
    this.#clear(letter)
    return true
  }

  #carry(waiting: Waiting, elsewhere: Elsewhere): void {
    if (waiting.under) return
    waiting.under = true
    const { letter } = waiting
    elsewhere.deliver(letter).then(
      () => {
        const queue = this.#waiting.get(letter.sender)
        if (queue?.includes(waiting) !== true) return
        queue.splice(queue.indexOf(waiting), 1)
        this.#clear(letter)
        this.deliver()
      },
      (error: unknown) => {
        waiting.under = false
        this.#ground.failed(letter, error)
      },
    )
  }

  #isTaken({ sender, to, sequence }: Posted): boolean {
    return sequence <= (this.#taken.get(pair(to, sender)) ?? this.#ground.store.inbox(to, sender))
  }

  #take(letter: Posted): Promise<void> {
    const taken = this.#ground.take(letter)
    this.#taken.set(pair(letter.to, letter.sender), letter.sequence)
    return taken
  }

  /** Handed over after the addressee's commit, so it is never gone before that is durable. */
  #clear({ sender, sequence }: Posted): void {
    // A failed write ends the process; there is nobody here to tell.
    this.#ground.write(sender, [{ type: 'outbox', tenant: sender, sequence, row: null }]).catch(() => undefined)
  }
}

function unsettled(): Settled {
  let resolve = (): void => undefined
  let reject = (_error: unknown): void => undefined
  const promise = new Promise<void>((yes, no) => {
    resolve = yes
    reject = no
  })
  // Nobody waits for what is found at a start.
  promise.catch(() => undefined)
  return { promise, resolve, reject }
}

const pair = (to: string, sender: string): string => `${to}\u0000${sender}`
