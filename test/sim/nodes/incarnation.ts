// One process of a node: the real member, ownership and gateway of `src/nodes` on the simulated database, and the
// cell while it owns it. As `src/service/node.ts`, without HTTP.
import { isBold } from '../../shy-store.ts'
import { openStoreOnShared } from '../../../snapshots/disk-store.ts'
import { NotAtHand } from '../../../snapshots/not-at-hand.ts'
import { Database } from '../../../snapshots/postgres/database.ts'
import { PostgresDisk } from '../../../snapshots/postgres/postgres-disk.ts'
import type { Store } from '../../../snapshots/store.ts'
import { Refusal } from '../../../src/contract/refusal.ts'
import type { AssembledService } from '../../../src/service/assemble.ts'
import { CellGateway } from '../../../src/nodes/cell-gateway.ts'
import { Member } from '../../../src/nodes/member.ts'
import { NodeRows } from '../../../src/nodes/node-rows.ts'
import { CellOwnership } from '../../../src/nodes/cell-ownership.ts'
import type { Clock } from '../../../src/time/clock.ts'
import type { HostOptions } from '../host.ts'
import { deadAfterFailure, Process, type OpenStore } from '../process.ts'
import { Random } from '../random.ts'
import { lifeClock, type Life } from '../time.ts'
import { Cable, type Surroundings as CableSurroundings } from './connections.ts'
import type { PlantedProtocol } from './planted-protocol.ts'
import type { ProtocolAudit } from './protocol-audit.ts'

export const LEASE_MS = 5_000
const BOUND_MS = 2_500
const HAND_OVER_GRACE_MS = 4_000
const ADDRESS = { host: 'database', port: 5_432, user: 'holdfast', database: 'holdfast', sslMode: 'disable' } as const
const SILENT = { info: () => undefined, warn: () => undefined }

/** What the nodes of a world have in common. */
export interface NodeSurroundings {
  readonly host: HostOptions
  readonly cable: CableSurroundings
  readonly audit: ProtocolAudit
  readonly planted: PlantedProtocol
  /** False: only the fence shows a node that another owns the cell. */
  readonly checksOwnLease: boolean
  /** Numbers the processes that opened the cell. */
  readonly count: () => number
}

export class Incarnation {
  readonly id: string
  readonly life: Life
  readonly clock: Clock
  readonly cable: Cable
  readonly member: Member
  readonly ownership: CellOwnership
  readonly gateway: CellGateway
  /** The cell, while this node owns it. */
  cell: NodeProcess | null = null
  isStopping = false
  /** The process ends with the turn. */
  isEnding = false
  hasJoined = false
  readonly #around: NodeSurroundings
  readonly #died: (reason: string) => void
  readonly #closers: (() => void)[] = []

  constructor(around: NodeSurroundings, id: string, number: number, died: (reason: string) => void) {
    const { seed, time } = around.host.around
    const random = new Random(seed, 'incarnation', id, number)
    this.id = id
    this.#around = around
    this.#died = died
    this.life = { name: `node ${id} ${number}`, alive: true }
    this.clock = drifting(lifeClock(time, this.life, new Random(seed, 'clock', id, number)), random)
    this.cable = new Cable(around.cable, this.life)
    const { clock } = this
    const onFatal = (error: Error): void => {
      this.isEnding = true
      clock.soon(() => died(String(error)))
    }
    const database = this.#database()
    const [lane, pollLane] = [database.lane(), database.lane()]
    const boundMs = Math.min(2_000, LEASE_MS / 2)
    const rows = new NodeRows(lane, boundMs)
    this.member = new Member({
      ...{ rows, pollRows: new NodeRows(pollLane, boundMs), leaseMs: LEASE_MS, clock, log: SILENT },
      ...{ me: { id, incarnation: random.uuid() }, release: 'simulated', reads: 1, onReplaced: onFatal },
    })
    const runtime = { open: (epoch: number) => this.#open(epoch), close: () => this.#close() }
    const { checksOwnLease } = around
    this.ownership = new CellOwnership({
      ...{
        cell: 'main',
        member: this.member,
        rows,
        runtime,
        leaseMs: LEASE_MS,
        clock,
        log: SILENT,
        onFatal,
        checksOwnLease,
      },
    })
    this.gateway = new CellGateway(this.member, this.ownership, { clock, checksOwnLease })
    this.#closers.push(...[lane, pollLane].map((each) => () => each.destroy()), () => database.close())
  }

  /** False: its process is ending. */
  get acts(): boolean {
    return !this.isEnding && this.cell?.hasFailed !== true
  }

  async start(): Promise<void> {
    try {
      await this.member.join(`http://${this.id}`)
      this.member.start()
      this.hasJoined = true
    } catch (error) {
      this.#died(String(error))
    }
  }

  /** Ends in order: hands the cell over, and gives the lease back. */
  async stop(): Promise<void> {
    this.isStopping = true
    await this.ownership.stop()
    await this.member.stop()
    for (const close of this.#closers) close()
  }

  #database(): Database {
    const connect = this.#around.planted.connect((_address, { boundMs }) => this.cable.connect(boundMs))
    return new Database({ address: ADDRESS, boundMs: BOUND_MS, connect })
  }

  async #open(epoch: number): Promise<void> {
    const { host, count } = this.#around
    const { cable } = this
    const cell = new NodeProcess(this, host, count(), {
      openStore: this.#openStore(epoch),
      died: this.#died,
      node: { life: this.life, clock: this.clock, maySend: () => this.acts && this.gateway.mayAct },
    })
    this.cell = cell
    await cell.start((engine) =>
      host.opened(engine, () => !cell.isClosed && cable.around.database.tables.cell.epoch === epoch),
    )
    // What failed has ended the process.
    if (cell.service === null) await new Promise(() => undefined)
  }

  #openStore(epoch: number): OpenStore {
    return async ({ onFatal, turn }): Promise<Store> => {
      const { audit, planted, cable } = this.#around
      const disk = new PostgresDisk({
        database: this.#database(),
        cell: 'main',
        claim: () => Promise.resolve(epoch),
      })
      const { write, get } = { write: disk.write, get: disk.get.bind(disk) }
      const changed = {
        write: async (ops: Parameters<typeof write>[0]) => {
          await planted.write(write)(ops)
          if (this.life.alive) audit.acknowledged(this.life.name, epoch, ops)
        },
        // Auditors read everything at once.
        get: (key: string) => {
          try {
            return get(key)
          } catch (error) {
            if (!(error instanceof NotAtHand && isBold())) throw error
            return cable.database.tables.rows.get(key) ?? undefined
          }
        },
      }
      const store = openStoreOnShared(Object.assign(disk, changed), { path: 'main', onFatal, turn })
      await store.claim()
      return deadAfterFailure(store)
    }
  }

  async #close(): Promise<void> {
    const { cell } = this
    if (cell?.service == null) return
    cell.engine?.waiters.end()
    await this.gateway.idle(HAND_OVER_GRACE_MS)
    await cell.service.stop()
    await cell.store?.close()
    cell.isClosed = true
    this.cell = null
  }
}

/** The cell of a node. Requests come to it through the network, and through the gateway of the node. */
export class NodeProcess extends Process {
  readonly #node: Incarnation
  readonly #host: HostOptions
  readonly #random: Random

  constructor(node: Incarnation, host: HostOptions, number: number, options: ConstructorParameters<typeof Process>[2]) {
    super(host.around, number, options)
    this.#node = node
    this.#host = host
    this.#random = new Random(host.around.seed, 'hops', number)
  }

  override serve<T>(work: (service: AssembledService) => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const arrived = (): void => {
        const leave = this.#node.acts && !this.isClosed ? this.#node.gateway.enter() : null
        if (leave === null || this.service === null) {
          leave?.()
          reject(unavailable())
          return
        }
        work(this.service).finally(leave).then(resolve, reject)
      }
      this.#host.around.time.plan(this.#random.between(0.2, 3), arrived, this.life)
    })
  }
}

function unavailable(): Refusal {
  return new Refusal(503, [{ code: 'TENANT_UNAVAILABLE', message: 'no node owns the data', retryable: true }], 1)
}

/** A clock of its own speed and wall time. */
function drifting(clock: Clock, random: Random): Clock {
  const speed = random.between(0.98, 1.02)
  const aheadMs = Math.round(random.between(-5_000, 5_000))
  return {
    ...clock,
    now: () => clock.now() + aheadMs,
    elapsed: () => clock.elapsed() * speed,
    setTimeout: (callback, delayMs) => clock.setTimeout(callback, delayMs / speed),
  }
}
