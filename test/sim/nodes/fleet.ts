// Several nodes on one simulated database. Nodes are killed, paused and cut off, hand the cell over and are stopped;
// the database restarts; statements and answers get lost or come late.
import type { Clock } from '../../../src/time/clock.ts'
import type { Host, HostOptions } from '../host.ts'
import type { Process } from '../process.ts'
import { Random } from '../random.ts'
import { SimulatedDatabase, type AppliedCommit } from './database.ts'
import type { DatabaseFaultRates } from './connections.ts'
import { Incarnation, LEASE_MS, type NodeSurroundings } from './incarnation.ts'
import { NOTHING_PLANTED, type PlantedProtocol } from './planted-protocol.ts'
import { ProtocolAudit } from './protocol-audit.ts'

const CLEAR: DatabaseFaultRates = { statementLost: 0, statementLate: 0, answerLost: 0, answerLate: 0, commitSlow: 0 }
const FAULT_RATES: readonly DatabaseFaultRates[] = [
  CLEAR,
  { statementLost: 0.003, statementLate: 0.005, answerLost: 0.01, answerLate: 0.01, commitSlow: 0.02 },
  { statementLost: 0.02, statementLate: 0.05, answerLost: 0.08, answerLate: 0.05, commitSlow: 0.1 },
]

/** What happens to the nodes and their database, and how often. */
const FAULTS = {
  kill: 4,
  killOwner: 4,
  pauseShort: 3,
  pauseLong: 5,
  cutOff: 3,
  handOver: 4,
  drain: 1,
  stop: 2,
  databaseRestart: 2,
  databaseKilledOwnerToo: 1,
  strandedCommit: 3,
  heldCommit: 3,
  killAfterSigning: 3,
} as const

export type NodeFault = keyof typeof FAULTS

/** A node that is gone, or silent, for this long has lost the cell. */
const LONG_ENOUGH_MS = LEASE_MS + 3_000

export interface FleetOptions extends HostOptions {
  readonly nodes: number
  readonly planted?: PlantedProtocol | undefined
  /** Those that happen; absent: all. */
  readonly faults?: readonly NodeFault[] | undefined
  /** False: only the fence of a commit shows a node that another owns the cell. Absent: by the seed. */
  readonly checksOwnLease?: boolean | undefined
}

export class Fleet implements Host {
  readonly database: SimulatedDatabase
  readonly #options: FleetOptions
  readonly #random: Random
  readonly #around: NodeSurroundings
  readonly #audit: ProtocolAudit
  readonly #nodes = new Map<string, Incarnation | null>()
  readonly #weights: Readonly<Record<NodeFault, number>>
  #incarnations = 0
  #cells = 0
  #rates = CLEAR
  #healed = true
  #isRestless = false
  /** It dies when it has committed a new message, before it sends that. */
  #doomed: Incarnation | null = null

  constructor(options: FleetOptions) {
    const { seed, time, tally, violated } = options.around
    this.#options = options
    this.#random = new Random(seed, 'fleet')
    this.database = new SimulatedDatabase(time)
    this.#audit = new ProtocolAudit(this.database, violated)
    this.database.onApplied((commit) => this.#applied(commit))
    this.database.onFenced(() => tally.fault('commit refused by the fence'))
    this.#weights = weightsOf(options.faults)
    const drawn = this.#random.chance(0.7)
    this.#around = {
      host: options,
      audit: this.#audit,
      planted: options.planted ?? NOTHING_PLANTED,
      checksOwnLease: options.checksOwnLease ?? drawn,
      count: () => (this.#cells += 1),
      cable: {
        ...{ time, tally, database: this.database, random: new Random(seed, 'cable') },
        rates: () => this.#rates,
      },
    }
  }

  get clock(): Clock | null {
    const { current } = this.#options.around.time
    return this.#alive().find(({ life }) => life === current)?.clock ?? null
  }

  start(): void {
    for (let number = 0; number < this.#options.nodes; number += 1) this.#begin(String.fromCharCode(97 + number))
  }

  /** Clients know every node; what a gateway saw last may be wrong. */
  serving(): Process | null {
    const gateways = this.#alive().filter(({ hasJoined, isStopping }) => hasJoined && !isStopping)
    if (gateways.length === 0) return null
    const entry = this.#random.pick(gateways)
    const where = entry.gateway.where()
    if (where.at === 'nowhere') return null
    const owner = where.at === 'here' ? entry : this.#nodes.get(where.node)
    const cell = owner?.cell
    // Without its own check, a node answers from what it remembers: only those that ask it themselves believe it.
    if (!this.#around.checksOwnLease && owner !== this.#owner()) return null
    return cell?.service == null ? null : cell
  }

  owner(): Process | null {
    return this.#owner()?.cell ?? null
  }

  row(key: string): string | undefined {
    return this.database.tables.rows.get(key) ?? undefined
  }

  breakThings(): void {
    this.#healed = false
    this.#isRestless = true
    this.#blow()
    this.#nextFault()
  }

  heal(): void {
    this.#healed = true
    this.#rates = CLEAR
    if (!this.database.isUp) this.database.restart()
    this.#doomed = null
    for (const { life, cable } of this.#alive()) {
      cable.isCut = false
      cable.isBlind = false
      cable.onNextCommit = null
      life.pausedUntilMs = 0
    }
    // A node that does not check its own lease, and writes nothing, would never learn that it is not the owner.
    for (const node of this.#alive()) if (node.cell !== null && node !== this.#owner()) this.#end(node, 'killed')
  }

  stepped(): void {
    if (!this.#around.checksOwnLease) return
    const { time, violated } = this.#options.around
    const serving = this.#alive().filter(
      ({ gateway, life, acts }) => acts && (life.pausedUntilMs ?? 0) <= time.elapsedMs && gateway.where().at === 'here',
    )
    if (serving.length < 2) return
    const rows = this.database.tables.nodes
    const described = serving.map(
      ({ id, life, ownership, member }) =>
        `${life.name} under epoch ${ownership.epoch}, which finds ${Math.round(member.lease.leftMs)} ms of its lease left, the database ${Math.round(rows.get(id)!.expiresAtMs - time.elapsedMs)} ms`,
    )
    violated('two nodes serve', described.join('; '))
  }

  atRest(): void {
    this.#audit.atRest((key) => this.row(key))
  }

  #alive(): Incarnation[] {
    return [...this.#nodes.values()].filter((node) => node !== null)
  }

  #owner(): Incarnation | null {
    const { node, incarnation } = this.database.tables.cell
    const owner = this.#nodes.get(node ?? '')
    return owner?.member.me.incarnation === incarnation ? owner : null
  }

  #begin(id: string): void {
    const node: Incarnation = new Incarnation(this.#around, id, (this.#incarnations += 1), (reason) =>
      this.#end(node, reason),
    )
    this.#nodes.set(id, node)
    this.#options.around.time.plan(0, () => void node.start(), node.life)
  }

  /** @param forMs how long it is down; absent: any time */
  #end(node: Incarnation, reason: string, forMs?: number): void {
    if (!node.life.alive) return
    const { time, tally } = this.#options.around
    tally.fault(`node ended: ${reason.slice(0, 40)}`)
    node.life.alive = false
    this.#nodes.set(node.id, null)
    // Of a cell that was handed over, requests may still be under way.
    this.#options.died(node.life)
    const random = this.#random
    const isLong = !this.#healed && random.chance(0.1)
    const anyMs = isLong ? random.between(20_000, 90_000) : random.between(10, 4_000)
    time.plan(forMs ?? anyMs, () => this.#begin(node.id))
  }

  #blow(): void {
    if (this.#healed) return
    this.#rates = this.#random.pick(FAULT_RATES)
    this.#options.around.time.plan(this.#random.between(5_000, 40_000), () => this.#blow())
  }

  #nextFault(): void {
    const delayMs = this.#random.chance(0.2) ? this.#random.between(10, 1_000) : this.#random.between(3_000, 40_000)
    this.#options.around.time.plan(delayMs, () => {
      if (this.#healed || !this.#isRestless) return
      this.#fault(this.#random.weighted(this.#weights))
      this.#nextFault()
    })
  }

  #fault(kind: NodeFault): void {
    const random = this.#random
    const nodes = this.#alive()
    const { tally } = this.#options.around
    if (nodes.length === 0) return
    const owner = this.#owner()
    const one = owner !== null && random.chance(0.6) ? owner : random.pick(nodes)
    tally.fault(`nodes: ${kind}`)
    switch (kind) {
      case 'kill':
        this.#end(random.pick(nodes), 'killed')
        return
      case 'killOwner':
        this.#end(owner ?? one, 'killed')
        return
      case 'pauseShort':
        this.#pause(one, random.between(50, 2_000))
        return
      case 'pauseLong':
        this.#pause(one, LEASE_MS + random.between(-1_000, 15_000))
        return
      case 'cutOff':
        this.#cutOff(one, random.between(500, 20_000))
        return
      case 'handOver':
        this.database.want(random.pick(nodes).id)
        return
      case 'drain':
        this.database.drain(one.id)
        return
      case 'stop':
        this.#stop(one)
        return
      case 'databaseKilledOwnerToo':
        this.#end(owner ?? one, 'killed')
        this.#restartDatabase(random.between(10, 2_000))
        return
      case 'strandedCommit':
        if (owner !== null) this.#strand(owner)
        return
      case 'heldCommit':
        if (owner !== null) this.#hold(owner)
        return
      case 'killAfterSigning':
        this.#doomed = owner
        return
      case 'databaseRestart':
        this.#restartDatabase(random.chance(0.3) ? random.between(5_000, 30_000) : random.between(50, 3_000))
        return
    }
  }

  /** Its next commit arrives right after the next claim of the cell, which does not come from this node. */
  #strand(node: Incarnation): void {
    node.cable.onNextCommit = (commit) => {
      this.database.onNextClaim(() => this.#options.around.time.plan(this.#random.between(0, 60), () => commit()))
      this.#silence(node)
    }
  }

  /** Its next commit is under way until another node claims the cell, which has to wait then. */
  #hold(node: Incarnation): void {
    node.cable.onNextCommit = (commit) => {
      const comesBack = this.#random.chance(0.5)
      commit({ afterClaimMs: comesBack ? this.#random.between(1_500, 9_000) : this.#random.between(1, 40) })
      if (comesBack) this.#cutOffUntilClaimed(node)
      else this.#silence(node)
    }
  }

  /** It renews its lease while the claim waits, and may not see what becomes of that. */
  #cutOffUntilClaimed({ cable }: Incarnation): void {
    const { time } = this.#options.around
    cable.isCut = true
    this.database.onClaimBegun(() => {
      cable.isCut = false
      if (this.#random.chance(0.3)) return
      const blindMs = this.#random.between(1_000, 15_000)
      const blind = (): void => {
        cable.isBlind = !this.#healed
        time.plan(blindMs, () => {
          cable.isBlind = false
        })
      }
      time.plan(this.#random.between(1_000, 6_000), blind)
    })
  }

  /** For longer than its lease. */
  #silence(node: Incarnation): void {
    const forMs = LONG_ENOUGH_MS + this.#random.between(0, 10_000)
    const how = this.#random.pick(['killed', 'paused', 'cut off'] as const)
    if (how === 'killed') this.#end(node, 'killed during a commit', forMs)
    else if (how === 'paused') this.#pause(node, forMs)
    else this.#cutOff(node, forMs)
  }

  #applied({ keys }: AppliedCommit): void {
    const doomed = this.#doomed
    if (doomed === null || doomed !== this.#owner() || !keys.some((key) => key !== null && isMessageKey(key))) return
    this.#doomed = null
    const forMs = LONG_ENOUGH_MS + this.#random.between(0, 10_000)
    this.#options.around.time.plan(0, () => this.#end(doomed, 'killed before it sent', forMs))
  }

  #pause({ life }: Incarnation, forMs: number): void {
    life.pausedUntilMs = this.#options.around.time.elapsedMs + forMs
  }

  #cutOff({ cable }: Incarnation, forMs: number): void {
    cable.isCut = true
    this.#options.around.time.plan(forMs, () => {
      cable.isCut = false
    })
  }

  #stop(node: Incarnation): void {
    const { time } = this.#options.around
    const asked = (): void => {
      time.plan(30_000, () => this.#end(node, 'killed while it stopped'), node.life)
      void node.stop().then(() => time.plan(1, () => this.#end(node, 'stopped'), node.life))
    }
    time.plan(0, asked, node.life)
  }

  #restartDatabase(downMs: number): void {
    if (!this.database.isUp) return
    this.database.crash((probability) => this.#random.chance(probability))
    for (const { cable } of this.#alive()) cable.broken()
    this.#options.around.time.plan(downMs, () => {
      if (!this.database.isUp) this.database.restart()
    })
  }
}

function weightsOf(wanted: readonly NodeFault[] | undefined): Readonly<Record<NodeFault, number>> {
  const weights = Object.entries(FAULTS).map(([kind, weight]): [NodeFault, number] => {
    const fault = kind as NodeFault
    return [fault, wanted?.includes(fault) === false ? 0 : weight]
  })
  return Object.fromEntries(weights) as Record<NodeFault, number>
}

/** Written with a transaction that is new. */
const isMessageKey = (key: string): boolean => key.startsWith('h!')
