// One node among others: joins under an incarnation, renews its lease every second, and looks at who lives and who owns
// the cells.
import { setTimeout as pause } from 'node:timers/promises'
import { EXIT_CODES } from '../config/exit-codes.ts'
import type { Clock, Timer } from '../time/clock.ts'
import { Lease, MARGIN_MS } from './lease.ts'
import type { CellRow, Incarnation, LiveNode, NodeRows } from './node-rows.ts'

const LONGEST_RENEW_MS = 1_000
const LONGEST_LOOK_MS = 200
const JOIN_AGAIN_MS = 250
/** A node whose cells cannot catch up for so many leases leaves them to others. */
const OUTDATED_LEASES = 4
/** A node that leaves does not wait longer for the database. */
const LEAVE_MS = 2_000

export interface MemberOptions {
  readonly rows: NodeRows
  /** On a connection of their own: a look that waits delays no renewal. */
  readonly looks: NodeRows
  readonly me: Incarnation
  readonly release: string
  /** Highest layout of rows that this release reads. */
  readonly reads: number
  readonly leaseMs: number
  readonly clock: Clock
  readonly log: MemberLog
  /** This process must end: another incarnation has taken its id, or it cannot become an owner again. */
  readonly onReplaced: (error: Error) => void
}

export interface MemberLog {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
}

/** What this node saw when it last looked. */
export interface NodesSeen {
  /** By name. */
  readonly cells: ReadonlyMap<string, CellRow>
  readonly nodes: readonly LiveNode[]
  /** On the monotonic clock: when the look began. */
  readonly atMs: number
}

export class IdInUse extends Error {
  override readonly name = 'IdInUse'
  readonly exitCode = EXIT_CODES.dataHeld

  constructor(id: string) {
    super(`another node with the id ${id} is alive: set HOLDFAST_NODE_ID, which must differ between nodes`)
  }
}

/** The process lost its place: another owns what it owned. */
export class Fenced extends Error {
  override readonly name = 'Fenced'
  readonly exitCode = EXIT_CODES.fenced
}

export class Member {
  readonly lease: Lease
  readonly #options: MemberOptions
  readonly #renewMs: number
  readonly #lookMs: number
  readonly #looked: ((sight: NodesSeen) => void)[] = []
  readonly #regaining: (() => Promise<void>)[] = []
  #sight: NodesSeen | null = null
  #draining = false
  /** On the monotonic clock: since when every renewal succeeded. Null: the last one failed. */
  #soundSinceMs: number | null = null
  /** On the monotonic clock: since when the cells here cannot catch up. Null: they can. */
  #outdatedSinceMs: number | null = null
  #renewing: Timer | null = null
  #looking: Timer | null = null
  #looksUnderWay: Promise<void> | null = null
  #stopped = false

  constructor(options: MemberOptions) {
    this.#options = options
    this.lease = new Lease(options.clock, options.leaseMs)
    this.#renewMs = Math.min(LONGEST_RENEW_MS, options.leaseMs / 5)
    this.#lookMs = Math.min(LONGEST_LOOK_MS, options.leaseMs / 10)
  }

  get me(): Incarnation {
    return this.#options.me
  }

  /** Null: never looked yet. */
  get sight(): NodesSeen | null {
    return this.#sight
  }

  /** An operator wants this node to own nothing. */
  get draining(): boolean {
    return this.#draining
  }

  /**
   * False: the last look is so old that another node may own the cell and serve it. A claim that waits for a commit
   * under way judges by when it began, so that a lease that was renewed since does not prevent it.
   */
  get sees(): boolean {
    if (this.#sight === null) return false
    return this.#options.clock.elapsed() - this.#sight.atMs < this.#options.leaseMs - MARGIN_MS
  }

  /**
   * After a silence of the database, other nodes were silent for the same reason: their leases are judged only when
   * this node has renewed its own for a whole lease.
   */
  get judges(): boolean {
    if (this.#soundSinceMs === null || !this.lease.isHeld) return false
    return this.#options.clock.elapsed() - this.#soundSinceMs >= this.#options.leaseMs
  }

  /**
   * Rejects with `IdInUse` when another incarnation of the id lives for longer than a lease.
   *
   * @param url at which other nodes reach this one
   */
  async join(url: string): Promise<void> {
    const { rows, me, release, reads, leaseMs, clock, log } = this.#options
    const untilMs = clock.elapsed() + 1.5 * leaseMs
    for (let waits = false; ; waits = true) {
      const begun = this.lease.mark()
      if (await rows.join(me, { url, release, reads, leaseMs })) {
        this.lease.renewed(begun)
        this.#soundSinceMs = begun.elapsedMs
        break
      }
      if (clock.elapsed() > untilMs) throw new IdInUse(me.id)
      if (!waits) log.warn({ node: me.id }, 'another process of this node id has a lease: waiting until it is over')
      await pause(JOIN_AGAIN_MS)
    }
    await this.look()
  }

  start(): void {
    this.#renewing = this.#options.clock.setTimeout(() => void this.#renewRound(), this.#renewMs)
    this.#looking = this.#options.clock.setTimeout(() => void this.#lookRound(), this.#lookMs)
  }

  /** Ends the lease, so that nobody waits for it. */
  async stop(): Promise<void> {
    this.#stopped = true
    const { clock, rows, me, log } = this.#options
    if (this.#renewing !== null) clock.clearTimeout(this.#renewing)
    if (this.#looking !== null) clock.clearTimeout(this.#looking)
    await Promise.race([rows.leave(me), pause(LEAVE_MS, undefined, { ref: false })]).catch((error: unknown) =>
      log.warn({ err: error }, 'this node could not end its lease: others wait until it is over'),
    )
  }

  /** Listeners are called after every look. */
  onLook(listener: (sight: NodesSeen) => void): void {
    this.#looked.push(listener)
  }

  /**
   * Listeners are called whenever the lease was over and is renewed. It is held again once all of them have resolved:
   * while it was over, nobody waited for this node.
   */
  onRegain(listener: () => Promise<void>): void {
    this.#regaining.push(listener)
  }

  /** Looks at the tables now. Concurrent calls share one look. Rejects when the database does not answer. */
  look(): Promise<void> {
    this.#looksUnderWay ??= this.#look().finally(() => {
      this.#looksUnderWay = null
    })
    return this.#looksUnderWay
  }

  /** What is left of the lease of a cell's owner, by what was seen last. */
  ownerLeftMs(cell: string): number {
    const owner = this.#sight?.cells.get(cell)?.owner
    if (this.#sight === null || owner == null) return 0
    return Math.max(0, owner.leftMs - (this.#options.clock.elapsed() - this.#sight.atMs))
  }

  async #look(): Promise<void> {
    const { looks, clock } = this.#options
    const atMs = clock.elapsed()
    const [found, nodes] = await Promise.all([looks.cells(), looks.live()])
    if (found.length === 0 || this.#stopped) return
    const before = this.#sight?.cells
    // A later epoch is never forgotten for an earlier one.
    if (found.some(({ cell, epoch }) => epoch < (before?.get(cell)?.epoch ?? 0))) return
    this.#sight = { cells: new Map(found.map((each) => [each.cell, each])), nodes, atMs }
    for (const listener of this.#looked) listener(this.#sight)
  }

  async #renew(): Promise<void> {
    const { rows, me, leaseMs, onReplaced } = this.#options
    const begun = this.lease.mark()
    const renewed = await rows.renew(me, leaseMs)
    if (this.#stopped) return
    // Not when it began: the database may have performed it after the lease was over.
    const wasHeld = this.lease.isHeld
    if (renewed === null) {
      onReplaced(new Fenced(`another process has joined as node ${me.id}, after the lease of this one was over`))
      return
    }
    this.#draining = renewed.draining
    if (!wasHeld) await this.#catchUp()
    this.lease.renewed(begun)
    if (!wasHeld || this.#soundSinceMs === null) this.#soundSinceMs = begun.elapsedMs
  }

  /**
   * While the lease was over, another node may have claimed what this one owns, which a look shows, and switches of
   * SYSTEM were answered without this node. Rejects after half a lease, so that the lease is renewed meanwhile.
   */
  async #catchUp(): Promise<void> {
    await this.#lookAnew()
    try {
      await this.#readChanges()
      this.#outdatedSinceMs = null
    } catch (error) {
      this.#leaveIfOutdated()
      throw error
    }
  }

  async #readChanges(): Promise<void> {
    const { clock, leaseMs } = this.#options
    await new Promise<void>((resolve, reject) => {
      const late = new Error('what was changed while the lease was over could not be read in time')
      const timer = clock.setTimeout(() => reject(late), leaseMs / 2)
      void Promise.all(this.#regaining.map((listener) => listener()))
        .then(() => resolve(), reject)
        .finally(() => clock.clearTimeout(timer))
    })
  }

  /** The lease is renewed in the database meanwhile, so that no other node could take the cells over. */
  #leaveIfOutdated(): void {
    const { clock, leaseMs, me, onReplaced } = this.#options
    const nowMs = clock.elapsed()
    this.#outdatedSinceMs ??= nowMs
    if (nowMs - this.#outdatedSinceMs <= OUTDATED_LEASES * leaseMs) return
    onReplaced(new Fenced(`node ${me.id} could not read what was changed while its lease was over`))
  }

  /** A look that begins now. */
  async #lookAnew(): Promise<void> {
    await this.#looksUnderWay?.catch(() => undefined)
    await this.look()
  }

  async #renewRound(): Promise<void> {
    const { clock, log } = this.#options
    const begunMs = clock.elapsed()
    try {
      await this.#renew()
    } catch (error) {
      this.#soundSinceMs = null
      log.warn({ err: error, leaseLeftMs: Math.round(this.lease.leftMs) }, 'the lease of this node was not renewed')
    }
    if (this.#stopped) return
    const nextMs = Math.max(0, this.#renewMs - (clock.elapsed() - begunMs))
    this.#renewing = clock.setTimeout(() => void this.#renewRound(), nextMs)
  }

  async #lookRound(): Promise<void> {
    // A look that failed changes nothing; the renewal reports that the database is away.
    await this.look().catch(() => undefined)
    if (!this.#stopped) this.#looking = this.#options.clock.setTimeout(() => void this.#lookRound(), this.#lookMs)
  }
}
