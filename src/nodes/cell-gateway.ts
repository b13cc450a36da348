// Tells where requests to one cell are served at this moment: on this node, on another node, or on none while the cell
// has no owner.
import type { Clock } from '../time/clock.ts'
import type { Member } from './member.ts'
import type { CellOwnership } from './cell-ownership.ts'

/** After this time without a poll, a request is forwarded even to an owner whose lease seems to have expired. */
const STALE_MS = 1_500
const IDLE_POLL_MS = 10
const MIN_RETRY_MS = 1_000

export type CellLocation =
  | { readonly at: 'here' }
  | { readonly at: 'elsewhere'; readonly node: string; readonly url: string; readonly epoch: number }
  /** `isMoving`: the cell will have an owner soon, so the request can wait. */
  | { readonly at: 'nowhere'; readonly isMoving: boolean; readonly retryAfterMs: number }

export class CellGateway {
  readonly #member: Member
  readonly #ownership: Pick<CellOwnership, 'cell' | 'state' | 'wake'>
  readonly #clock: Clock
  readonly #checksOwnLease: boolean
  #open = 0
  /** Monotonic time of the end of the last request. */
  #quietSinceMs: number

  constructor(
    member: Member,
    ownership: Pick<CellOwnership, 'cell' | 'state' | 'wake'>,
    { clock, checksOwnLease = true }: { readonly clock: Clock; readonly checksOwnLease?: boolean },
  ) {
    this.#member = member
    this.#ownership = ownership
    this.#clock = clock
    this.#checksOwnLease = checksOwnLease
    this.#quietSinceMs = clock.elapsed()
  }

  get node(): string {
    return this.#member.me.id
  }

  /** Remaining time of the owner's lease, according to the last poll. */
  get ownerLeftMs(): number {
    return this.#member.ownerLeftMs(this.#ownership.cell)
  }

  /** True while this node may serve requests of the cell and act as its owner. */
  get mayAct(): boolean {
    return !this.#checksOwnLease || (this.#member.lease.isHeld && this.#member.hasRecentPoll)
  }

  where(): CellLocation {
    const { state, cell } = this.#ownership
    if (state === 'open') return this.mayAct ? { at: 'here' } : nowhere(false, MIN_RETRY_MS)
    if (state !== 'away') return nowhere(true, MIN_RETRY_MS)
    const { lastPoll, me } = this.#member
    const seen = lastPoll?.cells.get(cell)
    const owner = seen?.owner
    if (lastPoll === null || seen === undefined || owner == null || owner.id === me.id || owner.url === null)
      return nowhere(true, MIN_RETRY_MS)
    const leftMs = this.ownerLeftMs
    const isStale = this.#clock.elapsed() - lastPoll.atMs > STALE_MS
    if (leftMs <= 0 && !isStale) return nowhere(false, MIN_RETRY_MS)
    return { at: 'elsewhere', node: owner.id, url: owner.url, epoch: seen.epoch }
  }

  /** Counts a request that this node serves. The returned function ends it. null: this node does not serve it. */
  enter(): (() => void) | null {
    if (this.where().at !== 'here') return null
    this.#open += 1
    return () => {
      this.#open -= 1
      this.#quietSinceMs = this.#clock.elapsed()
    }
  }

  /** Time since the last request on this node; 0 while one is open. */
  get quietMs(): number {
    return this.#open > 0 ? 0 : this.#clock.elapsed() - this.#quietSinceMs
  }

  /** Wakes the cell if it is idle, and polls the tables. Never rejects: after an error the last poll stays valid. */
  async refresh(): Promise<void> {
    await this.#ownership.wake()
    await this.#member.poll().catch(() => undefined)
  }

  /** Waits until this node serves no request, for at most `withinMs`. Returns whether it serves none. */
  async idle(withinMs: number): Promise<boolean> {
    const untilMs = this.#clock.elapsed() + withinMs
    while (this.#open > 0 && this.#clock.elapsed() < untilMs)
      await new Promise<void>((resolve) => void this.#clock.setTimeout(resolve, IDLE_POLL_MS))
    return this.#open === 0
  }
}

function nowhere(isMoving: boolean, retryAfterMs: number): CellLocation {
  return { at: 'nowhere', isMoving, retryAfterMs }
}
