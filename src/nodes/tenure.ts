// The ownership of one cell by this node: claims it when it is free, opens it, hands it over in order. A node whose
// cell another has claimed ends its process: what is gone cannot act on what it no longer owns.
import { setTimeout as pause } from 'node:timers/promises'
import type { Clock } from '../time/clock.ts'
import { Fenced, type Member, type MemberLog, type NodesSeen } from './member.ts'
import { isIdle, type CellRow, type Incarnation, type LiveNode, type NodeRows, type CellRest } from './node-rows.ts'
import { ranked } from './ranking.ts'

/** Those that are not first in the order claim this much later. */
const OTHERS_LATER_MS = 500
const AGAIN_MS = 250

/** The engine of the cell, and all that runs on it. */
export interface CellHalf {
  /** Reads what the cell holds. Nothing of it was read before. */
  open(epoch: number): Promise<void>
  /** Ends all work in order; everything that was acknowledged is durable then. */
  close(): Promise<void>
  /**
   * Resolves when what other cells had decided for this one before the call holds in it. Absent: they decide nothing.
   */
  catchUp?(): Promise<void>
  /** True: nothing happens in the cell, and nothing is due before long. Absent: the cell is never let go. */
  isIdle?(): boolean
  /** As `close`, of an idle cell. Null: something began before it was closed. */
  closeIdle?(): Promise<CellRest | null>
}

export interface TenureOptions {
  readonly cell: string
  readonly member: Member
  readonly rows: NodeRows
  readonly half: CellHalf
  readonly leaseMs: number
  readonly clock: Clock
  readonly log: MemberLog
  /** The process must end: it is fenced, or the cell cannot be opened. */
  readonly onFatal: (error: Error) => void
  /** For tests: false: only the fence of a commit shows that another node owns the cell. */
  readonly checksOwnLease?: boolean
  /** False: the cell becomes free when this node stops, and waits for it. Default: another node takes it over. */
  readonly handsOver?: boolean
}

/** `away`: another node owns the cell, or none. */
export type TenureState = 'away' | 'opening' | 'open' | 'leaving'

export class Tenure {
  readonly #options: TenureOptions
  #state: TenureState = 'away'
  #epoch = 0
  #takeovers = 0
  #stopped = false
  #claimableSince: { readonly epoch: number; readonly atMs: number } | null = null
  #acting: Promise<void> | null = null
  /** Of the cell, when this node last claimed it. */
  #former: Incarnation | null = null
  /** Somebody waits for the idle cell here. */
  #isAsked = false
  /** What is being opened was idle, or what is being closed is. */
  #isIdling = false

  constructor(options: TenureOptions) {
    this.#options = options
    options.member.onLook((sight) => this.#saw(sight))
    options.member.onRegain(async () => {
      if (this.#state !== 'away') await options.half.catchUp?.()
    })
  }

  get state(): TenureState {
    return this.#state
  }

  /** Name of the cell. */
  get cell(): string {
    return this.#options.cell
  }

  /** Of the cell, as this node owns it or saw it last. */
  get epoch(): number {
    return this.#state === 'away' ? (this.#seen?.epoch ?? 0) : this.#epoch
  }

  /** How often this node has taken the cell over, without the times that it was idle. */
  get takeovers(): number {
    return this.#takeovers
  }

  /** Nobody owns the cell, and nobody has to: it is idle, or is just becoming or ceasing to be. */
  get isResting(): boolean {
    if (this.#state === 'open') return false
    return this.#state === 'away' ? this.#seen?.rest != null : this.#isIdling
  }

  /** Somebody waits for the cell: if it is idle, this node claims it after the next look. Never rejects. */
  async wake(): Promise<void> {
    if (this.#state !== 'away' || this.#seen?.rest == null) return
    const { member, rows } = this.#options
    // Another node claims it then.
    if (member.draining || this.#stopped) await rows.wake(this.cell).catch(() => undefined)
    else this.#isAsked = true
  }

  get #seen(): CellRow | undefined {
    return this.#options.member.sight?.cells.get(this.cell)
  }

  /** Hands the cell over to a live node, if this one owns it, and claims none any more. */
  async stop(): Promise<void> {
    this.#stopped = true
    await this.#acting
    if (this.#state === 'open') await this.#handOver(this.#others()[0]?.id ?? null)
  }

  #saw({ cells, nodes }: NodesSeen): void {
    const cell = cells.get(this.cell)
    if (cell === undefined) return
    if (cell.rest === null) this.#isAsked = false
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
      else if (this.#options.half.isIdle?.() === true) await this.#letGo()
      return
    }
    if (this.#state !== 'away') return
    if (cell.owner?.id === member.me.id && cell.owner.incarnation === member.me.incarnation)
      // It was handed to this node before it was held, and there is nothing to close.
      await (cell.isHeld ? this.#free(null, cell.epoch) : this.#open(cell.epoch))
    else if (this.#mayClaim(cell, nodes)) await this.#claim(cell)
  }

  /** The node to hand the cell over to; null: the cell stays here. */
  #target({ wanted, isHeld }: CellRow, nodes: readonly LiveNode[]): string | null {
    const { me, draining } = this.#options.member
    if (isHeld) return null
    if (wanted !== null && wanted !== me.id && nodes.some(({ id }) => id === wanted)) return wanted
    return draining ? (this.#others()[0]?.id ?? null) : null
  }

  #others(): LiveNode[] {
    const { sight, me } = this.#options.member
    if (this.#options.handsOver === false) return []
    return ranked(
      this.cell,
      (sight?.nodes ?? []).filter(({ id, draining }) => id !== me.id && !draining),
    )
  }

  #mayClaim(cell: CellRow, nodes: readonly LiveNode[]): boolean {
    const { owner, epoch, wanted, isHeld, lostHistory } = cell
    const { member, clock } = this.#options
    const isFree =
      owner === null || owner.id === member.me.id || (owner.leftMs <= 0 && member.judges && member.lease.isHeld)
    const isAskedFor = cell.rest !== null && (this.#isAsked || wanted === member.me.id)
    if (!isFree || member.draining || isHeld || lostHistory !== null || (isIdle(cell) && !isAskedFor)) {
      this.#claimableSince = null
      return false
    }
    if (isAskedFor) return true
    if (this.#claimableSince?.epoch !== epoch) this.#claimableSince = { epoch, atMs: clock.elapsed() }
    const [first] = ranked(
      this.cell,
      nodes.filter(({ draining }) => !draining),
    )
    return first?.id === member.me.id || clock.elapsed() - this.#claimableSince.atMs >= OTHERS_LATER_MS
  }

  async #claim(seen: CellRow): Promise<void> {
    const { rows, member, leaseMs, log } = this.#options
    this.#former = seen.owner
    this.#isIdling = seen.rest !== null
    let epoch: number | null
    try {
      epoch = await rows.claim(this.cell, member.me, { judges: member.judges, leaseMs, epoch: seen.epoch })
    } catch (error) {
      // If it was performed all the same, the next look shows this node as the owner.
      log.warn({ err: error, cell: this.cell }, 'the cell was not claimed')
      return
    }
    if (epoch === null) this.#former = null
    else await this.#open(epoch)
  }

  async #open(epoch: number): Promise<void> {
    const { half, log } = this.#options
    this.#epoch = epoch
    this.#state = 'opening'
    if (!this.#isIdling) this.#takeovers += 1
    log.info({ cell: this.cell, epoch }, 'this node owns the cell')
    await this.#formerSilent()
    await half.open(epoch)
    this.#state = 'open'
    this.#isIdling = false
  }

  /**
   * Resolves when the former owner cannot answer requests any more. Its lease was over when the claim began. If the
   * claim had to wait, the former owner may have renewed it, and acts until it looks or its last look is too old.
   */
  async #formerSilent(): Promise<void> {
    const { member, clock, leaseMs, log } = this.#options
    const former = this.#former
    this.#former = null
    if (former === null || former.id === member.me.id) return
    const begunMs = clock.elapsed()
    for (let waits = false; clock.elapsed() - begunMs < leaseMs; waits = true) {
      await member.look().catch(() => undefined)
      const { sight } = member
      const isAlive = sight?.nodes.some(({ incarnation }) => incarnation === former.incarnation)
      if (sight !== null && sight.atMs >= begunMs && isAlive === false) return
      if (!waits)
        log.info({ cell: this.cell, node: former.id }, 'waiting until the former owner of the cell has noticed')
      await new Promise<void>((resolve) => void clock.setTimeout(resolve, AGAIN_MS))
    }
  }

  async #handOver(to: string | null): Promise<void> {
    this.#state = 'leaving'
    await this.#options.half.close()
    await this.#free(to)
  }

  async #letGo(): Promise<void> {
    const { half, member, rows, clock } = this.#options
    this.#isIdling = true
    this.#state = 'leaving'
    const rest = (await half.closeIdle?.()) ?? null
    // Something is to be done after all: the cell is claimed again.
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

  /** Ends the ownership by a statement, which is asked again until it is answered. */
  async #leave(statement: () => Promise<number | null>, fields: object): Promise<void> {
    const { member, log } = this.#options
    this.#state = 'leaving'
    for (;;) {
      try {
        const epoch = await statement()
        const done = 'to' in fields ? 'handed the cell over' : 'let the idle cell go'
        log.info({ cell: this.cell, epoch, ...fields }, epoch === null ? 'another node owns the cell' : done)
        break
      } catch (error) {
        log.warn({ err: error, cell: this.cell, ...fields }, 'the cell was not handed over yet')
        if (!member.lease.isHeld) break
        await pause(AGAIN_MS)
      }
    }
    await member.look().catch(() => undefined)
    this.#state = 'away'
  }
}
