// The time of a simulated world: a queue of events. All work happens in an event, one event is one step, and all
// immediate consequences of an event (settled promises included) are done before the next one.
import type { Clock, Timer } from '../../src/time/clock.ts'
import type { Random } from './random.ts'

const nextTurn = setImmediate
const YEAR_2026_MS = Date.UTC(2026, 0, 1)

/** The owner of events. Events of an ended life never happen. */
export interface Life {
  readonly name: string
  alive: boolean
  /** Its events wait until then. */
  pausedUntilMs?: number
}

interface Event {
  atMs: number
  order: number
  readonly life: Life
  work: (() => void) | null
}

export class Time {
  /** Never goes back. */
  elapsedMs = 0
  /** The offset of the wall clock; may jump both ways. */
  skewMs = 0
  steps = 0
  /** A digest of all events and their times: the same for the same world. */
  digest = 0
  readonly world: Life = { name: 'world', alive: true }
  /** The owner of the present event. */
  current: Life = this.world
  readonly #heap: Event[] = []
  #order = 0

  get wallMs(): number {
    return YEAR_2026_MS + this.elapsedMs + this.skewMs
  }

  plan(delayMs: number, work: () => void, life: Life = this.world): Timer {
    const event: Event = { atMs: this.elapsedMs + Math.max(0, delayMs), order: (this.#order += 1), life, work }
    this.#push(event)
    return event
  }

  cancel(timer: Timer): void {
    ;(timer as Event).work = null
  }

  /** Runs the next event, and all its immediate consequences. False: there is none. */
  async step(): Promise<boolean> {
    for (;;) {
      const event = this.#pop()
      if (event === undefined) return false
      const { work } = event
      if (work === null || !event.life.alive) continue
      const { pausedUntilMs = 0 } = event.life
      if (pausedUntilMs > this.elapsedMs && pausedUntilMs > event.atMs) {
        event.atMs = pausedUntilMs
        event.order = this.#order += 1
        this.#push(event)
        continue
      }
      this.current = event.life
      this.elapsedMs = Math.max(this.elapsedMs, event.atMs)
      this.steps += 1
      event.work = null
      this.digest = (Math.imul(this.digest, 31) + Math.floor(event.atMs * 1_000) + event.order) | 0
      work()
      await settle()
      return true
    }
  }

  #push(event: Event): void {
    const heap = this.#heap
    let at = heap.length
    heap.push(event)
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (!before(event, heap[parent]!)) break
      heap[at] = heap[parent]!
      at = parent
    }
    heap[at] = event
  }

  #pop(): Event | undefined {
    const heap = this.#heap
    const top = heap[0]
    const last = heap.pop()
    if (top === undefined || last === undefined || heap.length === 0) return top
    let at = 0
    for (;;) {
      let child = at * 2 + 1
      if (child >= heap.length) break
      if (child + 1 < heap.length && before(heap[child + 1]!, heap[child]!)) child += 1
      if (!before(heap[child]!, last)) break
      heap[at] = heap[child]!
      at = child
    }
    heap[at] = last
    return top
  }
}

function before(one: Event, other: Event): boolean {
  return one.atMs < other.atMs || (one.atMs === other.atMs && one.order < other.order)
}

/** Resolves when every promise that can settle without an event has settled. */
export function settle(): Promise<void> {
  return new Promise((resolve) => nextTurn(resolve))
}

/** The clock of one life of a process. Timers are never early and sometimes late, as on a busy machine. */
export function lifeClock(time: Time, life: Life, random: Random): Clock {
  const bornMs = time.elapsedMs
  const randomDelay = (): number => (random.chance(0.01) ? random.between(5, 400) : random.between(0, 2))
  return {
    now: () => Math.floor(time.wallMs),
    elapsed: () => time.elapsedMs - bornMs + 1_000,
    setTimeout: (callback, delayMs) => time.plan(delayMs + randomDelay(), callback, life),
    clearTimeout: (timer) => time.cancel(timer),
    soon: (callback) => void time.plan(0, callback, life),
    random: () => random.next(),
  }
}
