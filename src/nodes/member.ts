// The membership of this node: joins under an incarnation, renews the lease every second, and polls the tables of live
// nodes and of the owners of cells.
import { setTimeout as pause } from 'node:timers/promises'
import type { Clock, Timer } from '../time/clock.ts'
import { problemBeside, type CommonSettings } from './common-settings.ts'
import { DatabaseUnreachable, Fenced, IdInUse } from './errors.ts'
import { Lease, MARGIN_MS } from './lease.ts'
import type { CellRow, Incarnation, LiveNode, NodeRows } from './node-rows.ts'
import { SeenLeases } from './seen-leases.ts'

const MAX_RENEW_INTERVAL_MS = 1_000
const MAX_POLL_INTERVAL_MS = 200
/** How long a poll usually takes at most. */
const USUAL_POLL_MS = 200
const JOIN_AGAIN_MS = 250
/** Number of leases after which a node gives up cells that cannot catch up. */
const OUTDATED_LEASES = 4
/** How long a stopping node waits for the database to end its lease. */
const LEAVE_MS = 2_000

export interface MemberOptions {
  readonly rows: NodeRows
  /** Uses a separate connection, so that a slow poll does not delay a renewal. */
  readonly pollRows: NodeRows
  readonly me: Incarnation
  readonly release: string
  /** Highest layout of rows that this release reads. */
  readonly reads: number
  /** Ids of the clusters of its settings. Absent: the process has no other nodes. */
  readonly clusters?: readonly string[]
  /** Equal for nodes with the same secret. Absent: the process has no other nodes. */
  readonly secretTag?: string
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

/** The result of the last poll. */
export interface PollResult {
  /** Cells by name. */
  readonly cells: ReadonlyMap<string, CellRow>
  readonly nodes: readonly LiveNode[]
  /** Start of the poll, on the monotonic clock. */
  readonly atMs: number
}

export class Member {
  readonly lease: Lease
  readonly #options: MemberOptions
  readonly #renewMs: number
  readonly #pollMs: number
  readonly #pollListeners: ((lastPoll: PollResult) => void)[] = []
  readonly #regainListeners: (() => Promise<void>)[] = []
  readonly #doubtListeners: (() => Promise<Error | null>)[] = []
  #lastPoll: PollResult | null = null
  #draining = false
  /** Monotonic time since which every renewal has succeeded. null: the last one failed. */
  #soundSinceMs: number | null = null
  /** On the monotonic clock: since when the cells here cannot catch up. Null: they can. */
  #outdatedSinceMs: number | null = null
  #renewTimer: Timer | null = null
  #pollTimer: Timer | null = null
  #runningPoll: Promise<void> | null = null
  #runningDoubt: Promise<Error | null> | null = null
  #stopped = false

  constructor(options: MemberOptions) {
    this.#options = options
    this.lease = new Lease(options.clock, options.leaseMs)
    this.#renewMs = Math.min(MAX_RENEW_INTERVAL_MS, options.leaseMs / 5)
    this.#pollMs = Math.min(MAX_POLL_INTERVAL_MS, options.leaseMs / 10)
  }

  get me(): Incarnation {
    return this.#options.me
  }

  /** null before the first poll. */
  get lastPoll(): PollResult | null {
    return this.#lastPoll
  }

  /** True if an operator wants this node to own no cell. */
  get draining(): boolean {
    return this.#draining
  }

  /**
   * False: the last poll is so old that another node may own a cell and serve it, even if this node still has its
   * lease: a claim that waits for a running commit checks the lease as of its start, and ignores later renewals.
   */
  get hasRecentPoll(): boolean {
    if (this.#lastPoll === null) return false
    return this.#options.clock.elapsed() - this.#lastPoll.atMs < this.#options.leaseMs - MARGIN_MS
  }

  /**
   * True if this node may treat the lease of another node as expired. After an outage of the database no node could
   * renew, so this node first renews its own lease for the duration of that lease.
   *
   * @param leaseMs length of the lease of the other node. Absent: as of the lease of this node
   */
  maySeizeExpired(leaseMs = this.#options.leaseMs): boolean {
    if (this.#soundSinceMs === null || !this.lease.isHeld) return false
    return this.#options.clock.elapsed() - this.#soundSinceMs >= leaseMs
  }

  /**
   * Rejects with `IdInUse` if another incarnation of the id renews its lease for longer than a lease, and with
   * SettingsError if a node does that has other clusters (it could take over a cell, and would leave transactions of
   * the missing clusters) or another secret (neither would accept what the other forwards).
   *
   * @param url where other nodes reach this one
   */
  async join(url: string): Promise<void> {
    const { rows, me, release, reads, leaseMs, clock, log } = this.#options
    const settings = this.#settings
    const untilMs = clock.elapsed() + 1.5 * leaseMs
    const seen = new SeenLeases(clock)
    await this.#untilAlike(untilMs, seen)
    for (let waits = false; ; waits = true) {
      const start = this.lease.mark()
      if (await rows.join(me, { url, release, reads, leaseMs, ...settings })) {
        this.lease.renewed(start)
        this.#soundSinceMs = start.elapsedMs
        break
      }
      const renewed = seen.renewed(await rows.live())
      if (clock.elapsed() > untilMs && renewed.some(({ id }) => id === me.id)) throw new IdInUse(me.id)
      if (!waits) log.warn({ node: me.id }, 'another process with this node id has a lease: waiting for its end')
      await pause(JOIN_AGAIN_MS)
    }
    // One that has joined at the same time.
    const problem = this.#problemBeside(await rows.live())
    if (problem !== null) {
      await rows.leave(me)
      throw problem
    }
    await this.poll()
  }

  /** The lease of a process that was killed remains for a while, which may be longer than a lease of this one. */
  async #untilAlike(untilMs: number, seen: SeenLeases): Promise<void> {
    const { rows, clock, log, me } = this.#options
    for (let waits = false; ; waits = true) {
      const nodes = await rows.live()
      const problem = this.#problemBeside(nodes)
      if (problem === null) return
      const lasting = this.#problemBeside(seen.renewed(nodes))
      if (clock.elapsed() > untilMs && lasting !== null) throw lasting
      if (!waits) log.warn({ node: me.id, err: problem }, 'a node with other settings has a lease: waiting for its end')
      await pause(JOIN_AGAIN_MS)
    }
  }

  get #settings(): CommonSettings {
    const { clusters, secretTag = null } = this.#options
    return { clusters: clusters?.toSorted().join(', ') ?? null, secretTag }
  }

  #problemBeside(nodes: readonly LiveNode[]): Error | null {
    const { me } = this.#options
    return problemBeside(
      this.#settings,
      nodes.filter(({ id }) => id !== me.id),
    )
  }

  start(): void {
    this.#renewTimer = this.#options.clock.setTimeout(() => void this.#renewRound(), this.#renewMs)
    this.#pollTimer = this.#options.clock.setTimeout(() => void this.#pollRound(), this.#pollMs)
  }

  /**
   * Resolves when the other nodes have polled the tables since the call, unless the database is slow. Nodes with a
   * longer lease poll less often than this one.
   */
  async untilOthersHavePolled(): Promise<void> {
    await pause(2 * MAX_POLL_INTERVAL_MS + USUAL_POLL_MS)
  }

  /**
   * The result of `work` that needs the database. Rejects with `DatabaseUnreachable` once the lease has been over for
   * as long as a lease: other nodes may own the cells by then, or will when the database is back.
   */
  async whileInReach<T>(work: Promise<T>): Promise<T> {
    const { clock, leaseMs } = this.#options
    let timer!: Timer
    const unreachable = new Promise<never>((_, reject) => {
      let heldMs = clock.elapsed()
      const check = (): void => {
        const nowMs = clock.elapsed()
        if (this.lease.isHeld) heldMs = nowMs
        if (nowMs - heldMs > leaseMs) reject(new DatabaseUnreachable())
        else timer = clock.setTimeout(check, this.#renewMs)
      }
      check()
    })
    try {
      return await Promise.race([work, unreachable])
    } finally {
      clock.clearTimeout(timer)
    }
  }

  /** Ends the lease, so that other nodes need not wait for its expiry. */
  async stop(): Promise<void> {
    this.#stopped = true
    const { clock, rows, me, log } = this.#options
    if (this.#renewTimer !== null) clock.clearTimeout(this.#renewTimer)
    if (this.#pollTimer !== null) clock.clearTimeout(this.#pollTimer)
    await Promise.race([rows.leave(me), pause(LEAVE_MS, undefined, { ref: false })]).catch((error: unknown) =>
      log.warn({ err: error }, 'this node could not end its lease: other nodes wait until it expires'),
    )
  }

  /** Listeners are called after every poll. */
  onPoll(listener: (lastPoll: PollResult) => void): void {
    this.#pollListeners.push(listener)
  }

  /**
   * Listeners are called whenever the lease was over and is renewed. The lease counts as held again once all of them
   * have resolved, because no other node waited for this one while it was over.
   */
  onLeaseRegained(listener: () => Promise<void>): void {
    this.#regainListeners.push(listener)
  }

  /**
   * Listeners are called when the tables differ from what this node knows as a restored backup would. They return the
   * error with which the process must end if acknowledged commits are lost, otherwise null.
   */
  onDoubt(listener: () => Promise<Error | null>): void {
    this.#doubtListeners.push(listener)
  }

  /** Polls the tables. Concurrent calls share one poll. Rejects if the database does not answer. */
  poll(): Promise<void> {
    this.#runningPoll ??= this.#readTables().finally(() => {
      this.#runningPoll = null
    })
    return this.#runningPoll
  }

  /** Remaining time of the lease of a cell's owner, according to the last poll. */
  ownerLeftMs(cell: string): number {
    const owner = this.#lastPoll?.cells.get(cell)?.owner
    if (this.#lastPoll === null || owner == null) return 0
    return Math.max(0, owner.leftMs - (this.#options.clock.elapsed() - this.#lastPoll.atMs))
  }

  async #readTables(): Promise<void> {
    const { pollRows, clock } = this.#options
    const atMs = clock.elapsed()
    const [cells, nodes] = await Promise.all([pollRows.cells(), pollRows.live()])
    if (cells.length === 0 || this.#stopped) return
    const before = this.#lastPoll?.cells
    // Epochs only grow, so an answer with an earlier epoch is older than the last one, unless a backup was restored.
    if (cells.some(({ cell, epoch }) => epoch < (before?.get(cell)?.epoch ?? 0))) {
      await this.#endIfLost()
      return
    }
    this.#lastPoll = { cells: new Map(cells.map((each) => [each.cell, each])), nodes, atMs }
    for (const listener of this.#pollListeners) listener(this.#lastPoll)
  }

  async #renew(): Promise<void> {
    const { rows, me, leaseMs, onReplaced } = this.#options
    const start = this.lease.mark()
    const renewal = await rows.renew(me, leaseMs)
    if (this.#stopped) return
    // Checked after the answer, because the database may have executed the renewal after the lease expired.
    const wasHeld = this.lease.isHeld
    if (renewal === null) {
      this.lease.end()
      // A restored backup has no row of this process either.
      await this.#endIfLost()
      onReplaced(new Fenced(`another process has joined as node ${me.id}, after the lease of this one was over`))
      return
    }
    this.#draining = renewal.draining
    if (!wasHeld) await this.#catchUp()
    this.lease.renewed(start)
    if (!wasHeld || this.#soundSinceMs === null) this.#soundSinceMs = start.elapsedMs
  }

  /**
   * While the lease was over, another node may have claimed what this one owns, or joined with other settings (a poll
   * shows both), and switches of SYSTEM were answered without this node. Rejects after half a lease, so that the lease
   * is renewed meanwhile.
   */
  async #catchUp(): Promise<void> {
    await this.#endIfLost()
    await this.#pollAgain()
    const problem = this.#problemBeside(this.#lastPoll?.nodes ?? [])
    if (problem !== null) {
      // Not with the exit code of a wrong setting, after which a service manager does not start the process again: if
      // two such nodes regain their leases at once, both end here, and one of them must serve again.
      this.#options.onReplaced(new Fenced(problem.message))
      throw problem
    }
    try {
      await this.#readChanges()
      this.#outdatedSinceMs = null
    } catch (error) {
      this.#leaveIfOutdated()
      throw error
    }
  }

  /**
   * Ends the process and rejects if the database no longer has acknowledged commits of its cells. A loss that cannot be
   * read now is found at the next commit.
   */
  async #endIfLost(): Promise<void> {
    this.#runningDoubt ??= this.#findLoss().finally(() => {
      this.#runningDoubt = null
    })
    const loss = await this.#runningDoubt
    if (loss === null) return
    this.lease.end()
    this.#options.onReplaced(loss)
    throw loss
  }

  async #findLoss(): Promise<Error | null> {
    const losses = this.#doubtListeners.map((listener) => listener().catch(() => null))
    const found = Promise.all(losses).then((all) => all.find((loss) => loss !== null) ?? null)
    return await this.#withinHalfLease(found, 'the commits of the cells').catch(() => null)
  }

  async #readChanges(): Promise<void> {
    const read = Promise.all(this.#regainListeners.map((listener) => listener()))
    await this.#withinHalfLease(read, 'what was changed while the lease was over')
  }

  async #withinHalfLease<T>(read: Promise<T>, what: string): Promise<T> {
    const { clock, leaseMs } = this.#options
    return await new Promise<T>((resolve, reject) => {
      const timer = clock.setTimeout(() => reject(new Error(`${what} could not be read in time`)), leaseMs / 2)
      void read.then(resolve, reject).finally(() => clock.clearTimeout(timer))
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

  /** Starts a new poll instead of sharing a running one. */
  async #pollAgain(): Promise<void> {
    await this.#runningPoll?.catch(() => undefined)
    await this.poll()
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
    this.#renewTimer = clock.setTimeout(() => void this.#renewRound(), nextMs)
  }

  async #pollRound(): Promise<void> {
    // A failed poll changes nothing, and the renewal reports that the database does not answer.
    await this.poll().catch(() => undefined)
    if (!this.#stopped) this.#pollTimer = this.#options.clock.setTimeout(() => void this.#pollRound(), this.#pollMs)
  }
}
