// The ownership of one cell by this node: claims the cell when it is free, opens it, and hands it over in order. If
// another node has claimed a cell of this node, the process ends, so that it cannot act on a cell that it lost.
import { setTimeout as pause } from 'node:timers/promises'
import type { Clock } from '../time/clock.ts'
import { CellUnreadable, Fenced, OpeningStopped } from './errors.ts'
import type { Member, MemberLog, PollResult } from './member.ts'
import { isIdle, type CellHolder, type CellRow, type LiveNode, type NodeRows, type CellRest } from './node-rows.ts'
import { rankNodes } from './ranking.ts'

/** Nodes that are not first in the ranking claim this much later. */
const OTHERS_LATER_MS = 500
const AGAIN_MS = 250

/** A cell whose rows this node cannot read is claimed again after this time, which doubles with each attempt. */
const FIRST_REST_MS = 15_000
const MAX_REST_MS = 120_000
/** How long a stop waits for a cell whose rows are being read: the database may accept no connection. */
const OPENING_MS = 20_000

/** The engine of the cell and everything that runs on it. */
export interface CellRuntime {
  /**
   * Opens the cell. No row of the cell may be read before this call. Rejects with `CellUnreadable` if that is possible
   * later, or on another node, and with `OpeningStopped`; after other errors the process must end.
   *
   * @param stopping ends the wait for a database that does not answer
   */
  open(epoch: number, stopping: AbortSignal): Promise<void>
  /** Ends all work in order. Afterwards everything that was acknowledged is durable. */
  close(): Promise<void>
  /**
   * Resolves when this cell has applied the decisions that other cells had made for it before the call. Absent: they
   * make none.
   */
  catchUp?(): Promise<void>
  /**
   * The error with which the process must end because the database no longer has acknowledged commits of the open cell.
   * null: it has them. Absent: it cannot lose any.
   */
  findLoss?(): Promise<Error | null>
  /** True: the cell has no work now, and none is due soon. Absent: the cell is never released as idle. */
  isIdle?(): boolean
  /** Closes an idle cell. null: work began before the cell was closed. */
  closeIdle?(): Promise<CellRest | null>
}

export interface CellOwnershipOptions {
  readonly cell: string
  readonly member: Member
  readonly rows: NodeRows
  readonly runtime: CellRuntime
  readonly leaseMs: number
  readonly clock: Clock
  readonly log: MemberLog
  /** Called when the process must end, because it is fenced or cannot open the cell and cannot do without it. */
  readonly onFatal: (error: Error) => void
  /** For tests. False: only the fence of a commit stops a former owner. */
  readonly checksOwnLease?: boolean
  /** False: the cell becomes free when this node stops, and no other node claims it. Default: another node does. */
  readonly handsOver?: boolean
}

/** `away`: this node does not own the cell. */
export type OwnershipState = 'away' | 'opening' | 'open' | 'leaving'

export class CellOwnership {
  readonly #options: CellOwnershipOptions
  #state: OwnershipState = 'away'
  #epoch = 0
  #takeovers = 0
  #stopped = false
  readonly #stopping = new AbortController()
  #claimableSince: { readonly epoch: number; readonly atMs: number } | null = null
  #acting: Promise<void> | null = null
  /** Owner of the cell before the last claim of this node. */
  #former: CellHolder | null = null
  /** A request on this node waits for the idle cell. */
  #isRequested = false
  /** The cell is being opened after it was idle, or is being released as idle. */
  #isIdling = false
  /** The rows of the cell could not be read at the last attempts. `untilMs`: until when this node makes no other. */
  #unreadable: { readonly restMs: number; readonly untilMs: number } | null = null

  constructor(options: CellOwnershipOptions) {
    this.#options = options
    options.member.onPoll((lastPoll) => this.#processPoll(lastPoll))
    options.member.onLeaseRegained(async () => {
      if (this.#state !== 'away') await options.runtime.catchUp?.()
    })
    options.member.onDoubt(async () => (this.#state === 'away' ? null : ((await options.runtime.findLoss?.()) ?? null)))
  }

  get state(): OwnershipState {
    return this.#state
  }

  /** Name of the cell. */
  get cell(): string {
    return this.#options.cell
  }

  /** Epoch under which this node owns the cell, or the epoch of the last poll. */
  get epoch(): number {
    return this.#state === 'away' ? (this.#seen?.epoch ?? 0) : this.#epoch
  }

  /** How often this node took the cell over. Claims of the idle cell, or of an unreadable one, do not count. */
  get takeovers(): number {
    return this.#takeovers
  }

  /** True if this node could not read the rows of the cell at its last attempt, and does not own it for that reason. */
  get isUnreadable(): boolean {
    return this.#unreadable !== null
  }

  /** True if the cell needs no owner: it is idle, or this node is opening or closing it as an idle cell. */
  get isResting(): boolean {
    if (this.#state === 'open') return false
    return this.#state === 'away' ? this.#seen?.rest != null : this.#isIdling
  }

  /** Must be called when a request waits for the cell. After the next poll this node claims it. Never rejects. */
  async wake(): Promise<void> {
    if (this.#state !== 'away' || this.#seen?.rest == null) return
    const { member, rows } = this.#options
    // This node claims no cells, so another one must.
    if (member.draining || this.#stopped) await rows.wake(this.cell).catch(() => undefined)
    else this.#isRequested = true
  }

  get #seen(): CellRow | undefined {
    return this.#options.member.lastPoll?.cells.get(this.cell)
  }

  /**
   * Hands the cell over to a live node if this node owns it. Afterwards this node does not claim it. Returns whether
   * another node gets it.
   */
  async stop(): Promise<boolean> {
    this.#stopped = true
    this.#stopping.abort()
    // A cell that is still being opened serves no request, and the lease ends with the process.
    await Promise.race([this.#acting, pause(OPENING_MS, undefined, { ref: false })])
    if (this.#state !== 'open') return false
    // A node that has joined a moment ago may be the only other one.
    await this.#options.member.poll().catch(() => undefined)
    const to = this.#others()[0]?.id ?? null
    await this.#handOver(to)
    return to !== null
  }

  #processPoll({ cells, nodes }: PollResult): void {
    const cell = cells.get(this.cell)
    if (cell === undefined) return
    if (cell.rest === null) this.#isRequested = false
    if (this.#isFenced(cell)) {
      const { owner, epoch } = cell
      const now = `node ${owner?.id ?? 'none'} owns the cell ${this.cell} under epoch ${epoch}`
      this.#options.onFatal(new Fenced(`${now}; this node owned it under ${this.#epoch}`))
      return
    }
    if (this.#acting !== null || this.#stopped) return
    this.#acting = this.#act(cell, nodes)
      .catch((error: unknown) => this.#options.onFatal(error as Error))
      .finally(() => {
        this.#acting = null
      })
  }

  #isFenced(cell: CellRow): boolean {
    if (this.#options.checksOwnLease === false) return false
    return (this.#state === 'opening' || this.#state === 'open') && cell.epoch > this.#epoch
  }

  async #act(cell: CellRow, nodes: readonly LiveNode[]): Promise<void> {
    const { member } = this.#options
    if (this.#state === 'open') {
      const to = this.#target(cell, nodes)
      if (to !== null || cell.isHeld) await this.#handOver(to)
      else if (this.#options.runtime.isIdle?.() === true) await this.#releaseIdle()
      return
    }
    if (this.#state !== 'away') return
    if (cell.owner?.id === member.me.id && cell.owner.incarnation === member.me.incarnation)
      // If the cell was held for a move after it was handed to this node, it is freed without being opened.
      await (cell.isHeld ? this.#free(null, cell.epoch) : this.#open(cell.epoch))
    else if (this.#mayClaim(cell, nodes)) await this.#claim(cell)
  }

  /** The node to hand the cell over to; null: the cell stays here. */
  #target({ wanted, isHeld, lostHistory }: CellRow, nodes: readonly LiveNode[]): string | null {
    const { me, draining } = this.#options.member
    // No node may open such a cell.
    if (isHeld || lostHistory !== null) return null
    // A draining node would hand the cell over again at once.
    if (wanted !== me.id && nodes.some(({ id, draining: drains }) => id === wanted && !drains)) return wanted
    return draining ? (this.#others()[0]?.id ?? null) : null
  }

  #others(): LiveNode[] {
    const { lastPoll, me } = this.#options.member
    if (this.#options.handsOver === false) return []
    return rankNodes(
      this.cell,
      (lastPoll?.nodes ?? []).filter(({ id, draining }) => id !== me.id && !draining),
    )
  }

  #mayClaim(cell: CellRow, nodes: readonly LiveNode[]): boolean {
    const { owner, epoch, wanted, isHeld, lostHistory } = cell
    const { member, clock } = this.#options
    const isFree =
      owner === null ||
      owner.id === member.me.id ||
      (owner.leftMs <= 0 && member.maySeizeExpired(this.#leaseMsOf(owner)))
    const isWanted = cell.rest !== null && (this.#isRequested || wanted === member.me.id)
    const mayTry = this.#unreadable === null || clock.elapsed() >= this.#unreadable.untilMs
    if (!isFree || !mayTry || member.draining || isHeld || lostHistory !== null || (isIdle(cell) && !isWanted)) {
      this.#claimableSince = null
      return false
    }
    if (isWanted) return true
    if (this.#claimableSince?.epoch !== epoch) this.#claimableSince = { epoch, atMs: clock.elapsed() }
    const [first] = rankNodes(
      this.cell,
      nodes.filter(({ draining }) => !draining),
    )
    return first?.id === member.me.id || clock.elapsed() - this.#claimableSince.atMs >= OTHERS_LATER_MS
  }

  /** A node of an earlier release does not state its lease. */
  #leaseMsOf(owner: CellHolder | null): number {
    return owner?.leaseMs ?? this.#options.leaseMs
  }

  async #claim(seen: CellRow): Promise<void> {
    const { rows, member, log } = this.#options
    const leaseMs = this.#leaseMsOf(seen.owner)
    this.#former = seen.owner
    this.#isIdling = seen.rest !== null
    let epoch: number | null
    try {
      epoch = await rows.claim(this.cell, member.me, {
        maySeizeExpired: member.maySeizeExpired(leaseMs),
        leaseMs,
        epoch: seen.epoch,
      })
    } catch (error) {
      // If the database executed the claim nevertheless, the next poll shows this node as the owner.
      log.warn({ err: error, cell: this.cell }, 'the cell was not claimed')
      return
    }
    if (epoch === null) this.#former = null
    else await this.#open(epoch)
  }

  async #open(epoch: number): Promise<void> {
    const { runtime, log } = this.#options
    this.#epoch = epoch
    this.#state = 'opening'
    if (!this.#isIdling && this.#unreadable === null) this.#takeovers += 1
    log.info({ cell: this.cell, epoch }, 'this node owns the cell')
    await this.#waitForFormerOwner()
    try {
      await runtime.open(epoch, this.#stopping.signal)
    } catch (error) {
      if (error instanceof OpeningStopped) {
        log.warn({ err: error, cell: this.cell }, 'the cell was not opened')
        await this.#free()
        return
      }
      if (!(error instanceof CellUnreadable && this.#hasOtherCells)) throw error
      await this.#giveUp(error)
      return
    }
    this.#unreadable = null
    this.#state = 'open'
    this.#isIdling = false
  }

  /** False: without this cell, the process has nothing to do. */
  get #hasOtherCells(): boolean {
    const { handsOver = true, member } = this.#options
    return handsOver && (member.lastPoll?.cells.size ?? 1) > 1
  }

  /** Frees the cell: another node may have the release that reads it. */
  async #giveUp(error: CellUnreadable): Promise<void> {
    const { clock, log } = this.#options
    const restMs = Math.min(MAX_REST_MS, this.#unreadable === null ? FIRST_REST_MS : 2 * this.#unreadable.restMs)
    log.warn({ err: error, cell: this.cell, againInMs: restMs }, 'the rows of the cell cannot be read')
    await this.#free()
    this.#unreadable = { restMs, untilMs: clock.elapsed() + restMs }
    this.#isIdling = false
  }

  /**
   * Resolves when the former owner can no longer serve requests. Its lease was expired when the claim began. But if the
   * claim waited for a commit, the former owner may have renewed the lease meanwhile, and serves requests until its
   * next poll, or until its last poll is too old.
   */
  async #waitForFormerOwner(): Promise<void> {
    const { member, clock, log } = this.#options
    const former = this.#former
    const leaseMs = this.#leaseMsOf(former)
    this.#former = null
    if (former === null || former.id === member.me.id) return
    const begunMs = clock.elapsed()
    for (let waits = false; clock.elapsed() - begunMs < leaseMs; waits = true) {
      await member.poll().catch(() => undefined)
      const { lastPoll } = member
      const isAlive = lastPoll?.nodes.some(({ incarnation }) => incarnation === former.incarnation)
      if (lastPoll !== null && lastPoll.atMs >= begunMs && isAlive === false) return
      if (!waits) log.info({ cell: this.cell, node: former.id }, 'waiting until the former owner notices the takeover')
      await new Promise<void>((resolve) => void clock.setTimeout(resolve, AGAIN_MS))
    }
  }

  async #handOver(to: string | null): Promise<void> {
    this.#state = 'leaving'
    await this.#options.runtime.close()
    await this.#free(to)
  }

  async #releaseIdle(): Promise<void> {
    const { runtime, member, rows, clock } = this.#options
    this.#isIdling = true
    this.#state = 'leaving'
    const rest = (await runtime.closeIdle?.()) ?? null
    // The cell has work after all. It becomes free, and a node claims it again.
    if (rest === null) await this.#free()
    else {
      const closedMs = clock.elapsed()
      const dueInMs = (): number | null => (rest.dueInMs === null ? null : rest.dueInMs - (clock.elapsed() - closedMs))
      await this.#leave(() => rows.rest(this.cell, member.me, dueInMs(), this.#epoch), { ...rest })
    }
    this.#isIdling = false
  }

  async #free(to: string | null = null, epoch = this.#epoch): Promise<void> {
    const { member, rows } = this.#options
    await this.#leave(() => rows.handOver(this.cell, member.me, to, epoch), { to })
  }

  /** Ends the ownership with a statement, which is retried until the database answers or the lease has expired. */
  async #leave(statement: () => Promise<number | null>, fields: object): Promise<void> {
    const { member, log } = this.#options
    this.#state = 'leaving'
    for (;;) {
      try {
        const epoch = await statement()
        const message = 'to' in fields ? 'handed the cell over' : 'released the idle cell'
        log.info({ cell: this.cell, epoch, ...fields }, epoch === null ? 'another node owns the cell' : message)
        break
      } catch (error) {
        log.warn({ err: error, cell: this.cell, ...fields }, 'the cell was not handed over yet')
        if (!member.lease.isHeld) break
        await pause(AGAIN_MS)
      }
    }
    await member.poll().catch(() => undefined)
    this.#state = 'away'
  }
}
