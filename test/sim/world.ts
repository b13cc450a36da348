// A simulated world: the whole service in this process, on a disk, a clock and a cluster that are the simulator's.
// Everything that happens follows from the seed, so the same seed is the same world.
import { boldly } from '../shy-store.ts'
import { Engine } from '../../src/engine/engine.ts'
import { ofKind } from '../../src/engine/records/record.ts'
import { cancelTransaction } from '../../src/operations/signing/cancel.ts'
import type { Clock } from '../../src/time/clock.ts'
import { accountBalance } from '../../src/operations/accounts/balance.ts'
import type { Write } from '../../src/operations/context/platform.ts'
import { addressOf } from '../../src/solana/address.ts'
import { Auditor } from './audits/auditor.ts'
import { SimulatedChain, SLOT_MS } from './chain.ts'
import { TOLERATED_MS } from '../../src/time/service-clock.ts'
import { Clients, describe } from './clients.ts'
import { BooksAudit } from './audits/books-audit.ts'
import { closingAudit } from './audits/closing-audit.ts'
import { HookHosts } from './sides/hook-side.ts'
import type { Host, HostOptions } from './host.ts'
import { isAskedFor } from './landings.ts'
import { LendingHosts } from './lending-hosts.ts'
import { takeOverMachine, takeOverPauses } from './machine.ts'
import { Network } from './network.ts'
import { Fleet } from './nodes/fleet.ts'
import { SimulatedNode } from './node.ts'
import { CLUSTER, ENDPOINTS, type Surroundings } from './process.ts'
import { PriceHosts } from './prices.ts'
import { Random } from './random.ts'
import { Tally } from './audits/tally.ts'
import { lifeClock, settle, Time } from './time.ts'
import { draft, Tenants } from './tenants.ts'
import { Trace } from './trace.ts'
import type { Asking, Side } from './sides/side.ts'
import { sidesOf } from './sides/sides.ts'
import { SingleHost } from './single-host.ts'
import { climateOf, Sky } from './faults.ts'
import { Workload } from './workload.ts'
import type { Report, WorldOptions } from './world-options.ts'

/** Everything must have ended within this much simulated time after the faults stopped. */
const REST_MS = 30 * 60_000
/** What is looked at again when nothing is under way has been looked at after this. */
const QUIET_MS = 10_000
const CHECK_EVERY = 20
/** Of clients of several nodes: one that is paused answers late, and another may answer sooner. */
const PATIENCE_MS = 12_000

export class World {
  readonly #options: WorldOptions
  readonly #time = new Time()
  readonly #tally: Tally
  readonly #random: Random
  readonly #around: Surroundings
  readonly #sky: Sky
  readonly #chain: SimulatedChain
  readonly #nodes: readonly SimulatedNode[]
  readonly #host: Host
  readonly #clients: Clients
  readonly #auditor: Auditor
  readonly #books: BooksAudit
  readonly #sides: readonly Side[]
  readonly #tenants: Tenants
  readonly #trace: Trace | null
  /** Something happened that the run was to show. */
  #isOver = false

  private constructor(options: WorldOptions, chain: SimulatedChain, time: Time) {
    const { seed } = options
    this.#options = options
    this.#time = time
    this.#tally = options.tally ?? new Tally()
    this.#random = new Random(seed, 'world')
    this.#chain = chain
    this.#sky = new Sky(climateOf(this.#random, options.climate))
    this.#nodes = ['a', 'b', 'c'].map((name) => new SimulatedNode(name, chain))
    const [a, b, c] = this.#nodes as [SimulatedNode, SimulatedNode, SimulatedNode]
    const network = new Network(
      seed,
      time,
      this.#sky,
      this.#tally,
      new Map([
        [ENDPOINTS[0], [a, b]],
        [ENDPOINTS[1], [c]],
      ]),
    )
    this.#around = {
      seed,
      time,
      row: (key) => this.#host.row(key),
      network,
      prices: new PriceHosts(seed, time, this.#sky, this.#tally),
      hooks: new HookHosts(seed, time, this.#sky, this.#tally),
      lending: new LendingHosts({ seed, time, sky: this.#sky, tally: this.#tally, chain }),
      outsiders: new Set([faucetOf(chain)]),
      sky: this.#sky,
      tally: this.#tally,
      planted: options.planted ?? (() => ({})),
      violated: (kind, detail) => this.#violated(kind, detail),
      hidesTime: () => this.#time.skewMs + SLOT_MS * Math.max(...this.#nodes.map((node) => node.behind)) > TOLERATED_MS,
    }
    this.#host = hostOf(options, {
      around: this.#around,
      random: this.#random,
      opened: (engine, isCurrent) => this.#follow(engine, isCurrent),
      died: (life) => this.#clients.died(life),
    })
    const servers = () => this.#host.serving()
    this.#clients = new Clients(this.#around, servers, (options.nodes ?? 1) > 1 ? PATIENCE_MS : null)
    this.#tenants = new Tenants(seed, this.#clients, chain, servers)
    this.#trace = options.trace === undefined ? null : new Trace(options.trace, time, chain)
    this.#auditor = new Auditor(this.#around, chain, this.#clients)
    this.#books = new BooksAudit(this.#around, chain, faucetOf(chain), () => this.#tenants.houses)
    this.#sides = sidesOf(options.sides, this.#around, chain, this.#clients)
  }

  static async run(options: WorldOptions): Promise<Report> {
    const time = new Time()
    const machineClock = lifeClock(time, time.world, new Random(options.seed, 'machine'))
    let world: World | null = null
    const clock = (): Clock => world?.clock ?? machineClock
    const giveBack = takeOverMachine(clock)
    const giveBackPauses = (options.nodes ?? 1) > 1 ? takeOverPauses(clock) : null
    try {
      const chain = await SimulatedChain.open(options.seed, time)
      world = new World(options, chain, time)
      await world.#live()
      return {
        seed: options.seed,
        climate: world.#sky.climate.name,
        steps: time.steps,
        elapsedMs: time.elapsedMs,
        digest: time.digest,
        tally: world.#tally,
      }
    } finally {
      giveBack()
      giveBackPauses?.()
    }
  }

  get clock(): Clock | null {
    return this.#host.clock
  }

  #violated(kind: string, detail: string): void {
    const { elapsedMs, steps } = this.#time
    this.#tally.violations.push({ kind, detail: `${detail} [${(elapsedMs / 1000).toFixed(1)} s]`, step: steps })
    this.#isOver ||= this.#options.lookedFor?.includes(kind) ?? true
  }

  async #live(): Promise<void> {
    this.#clients.faulty = false
    this.#host.start()
    const building = { done: false }
    const build = async (): Promise<void> => {
      await this.#tenants.build()
      for (const side of this.#sides) await side.build(this.#tenants)
      building.done = true
    }
    build().catch((error: unknown) => this.#around.violated('tenants not created', String(error)))
    await this.#until(() => building.done, 10 * 60_000)
    if (!building.done) {
      this.#around.violated('tenants not created', `${this.#clients.open} requests open`)
      return
    }

    for (const { outsider } of this.#tenants.houses) this.#auditor.outsiders.add(outsider.onchainId)
    // The creation of the tenants is final: no fork takes it away.
    await this.#until(() => this.#allEnded(), 60_000)
    this.#clients.faulty = true
    const workload = new Workload(this.#options.seed, this.#tenants, this.#clients, this.#chain, this.#time)
    if (this.#options.sides?.includes('payments') !== false) workload.start()
    for (const side of this.#sides) side.start?.()
    this.#breakThings()
    const end = this.#time.steps + this.#options.steps
    while (this.#time.steps < end && !this.#isOver) {
      await this.#time.step()
      this.#host.stepped()
      if (this.#time.steps % CHECK_EVERY === 0) this.#check()
    }
    workload.stop()
    for (const side of this.#sides) side.stop?.()
    if (!this.#isOver) await this.#comeToRest()
  }

  #check(): void {
    this.#auditor.checkCover()
    const engine = this.#running()
    if (engine !== null) this.#books.check(engine)
  }

  /** The faults stop; then everything has to end. */
  async #comeToRest(): Promise<void> {
    this.#sky.heal()
    this.#host.heal()
    this.#clients.faulty = false
    for (const node of this.#nodes) {
      node.behind = 0
      node.withoutHistory = false
    }
    await this.#until(() => this.#running() !== null, REST_MS)
    // What nobody came back for holds on to nonces that others wait for.
    await this.#cancelForgotten()
    await this.#until(() => this.#isIdle() && this.#running() !== null, REST_MS)
    await this.#cancelForgotten()
    await this.#until(() => this.#isIdle() && this.#allEnded(), REST_MS)
    const settling = { done: false }
    void Promise.all(this.#sides.map((side) => side.settle?.() ?? Promise.resolve())).finally(
      () => (settling.done = true),
    )
    await this.#until(() => settling.done && this.#isIdle() && this.#allEnded(), REST_MS)
    if (this.#clients.open > 0) {
      const open = this.#clients.requests.filter(({ state }) => state === 'asking')
      const summaries = open
        .slice(0, 3)
        .map((each) => `${describe(each)}, ${each.attempts} attempts, answered ${each.code ?? 'nothing'}`)
      this.#around.violated('requests without an answer', `${open.length}: ${summaries.join('; ')}`)
    }
    if (!this.#allEnded()) this.#around.violated('not at rest', this.#whatIsOpen())
    await this.#askForBalances()
    await this.#until(() => false, QUIET_MS)
    // Runs of jobs that come to nothing are written, too.
    await this.#until(() => this.#isWritten(), QUIET_MS)
    const engine = this.#running()
    if (engine === null) {
      this.#around.violated('not up at rest', '')
      return
    }
    boldly(() => closingAudit(engine, this.#chain, this.#auditor, this.#around.violated))
    await this.#auditSides(engine)
    this.#host.atRest()
  }

  /** Neither a client nor a side has work under way. */
  #isIdle(): boolean {
    return this.#clients.open === 0 && this.#sides.every(({ isBusy }) => isBusy !== true)
  }

  #running(): Engine | null {
    const process = this.#host.owner()
    return process?.service == null || process.hasFailed ? null : process.engine
  }

  #allEnded(): boolean {
    const engine = this.#running()
    if (engine === null) return false
    for (const { head } of engine.directory.entries()) {
      const transaction = ofKind(head, 'transaction')
      if (transaction !== undefined && transaction.context.finalAt === null) return false
    }
    return true
  }

  #whatIsOpen(): string {
    const link = this.#host.owner()?.service?.links.get(CLUSTER)
    const open = [...this.#auditor.records.values()].filter(({ context }) => context.finalAt === null)
    const summaries = open.slice(0, 3).map(({ id, value, context }) => {
      const { blockhashSlot, lastValidBlockHeight } = context.fixed
      return JSON.stringify({ id, value, blockhashSlot, lastValidBlockHeight, ...link?.state(id) })
    })
    const { bank } = this.#chain
    return `${open.length} open at slot ${bank.slot('processed')}, height ${bank.blockHeight('finalized')}: ${summaries.join(' ')}`
  }

  /** What somebody prepared and never came back for ends when an operator cancels it. */
  async #cancelForgotten(): Promise<void> {
    for (const { head } of this.#running()?.directory.entries() ?? []) {
      const transaction = ofKind(head, 'transaction')
      if (transaction === undefined || transaction.context.finalAt !== null) continue
      // Only what a client asked for: an advance that voids a nonce is what another cancellation waits for.
      if (!isAskedFor(Buffer.from(transaction.context.fixed.message, 'base64'))) continue
      const organization = { tenant: transaction.tenant, name: transaction.context.fixed.organization }
      const write = cancelTransaction as Write<never>
      void this.#clients.ask(draft(organization, 'cancel at rest', write, { itemData: { offchainId: transaction.id } }))
    }
    await settle()
  }

  /** Money that came in from outside is learned when somebody asks. */
  async #askForBalances(): Promise<void> {
    let remaining = 0
    for (const house of this.#tenants.houses) {
      for (const { offchainId } of [...house.wallets, ...house.left]) {
        remaining += 1
        const reading = this.#tenants.read(house.organization, accountBalance, { itemData: { offchainId } })
        // No answer shows the balance of a closed account.
        void reading.catch(() => undefined).finally(() => (remaining -= 1))
      }
    }
    await this.#until(() => remaining === 0, 60_000)
  }

  async #auditSides(engine: Engine): Promise<void> {
    await this.#until(() => this.#sides.every(({ hasSettled }) => hasSettled !== false), REST_MS)
    const ask: Asking = (organization, read, input) => this.#tenants.read(organization, read, input as never)
    let isDone = false
    const audit = async (): Promise<void> => {
      for (const side of this.#sides) await side.auditAtRest?.(engine, ask)
    }
    audit()
      .catch((error: unknown) => this.#around.violated('not audited', String(error)))
      .finally(() => (isDone = true))
    await this.#until(() => isDone, REST_MS)
  }

  #isWritten(): boolean {
    return [...(this.#running()?.directory.entries() ?? [])].every(({ head, committed }) => head === committed)
  }

  async #until(reached: () => boolean, withinMs: number): Promise<void> {
    const endMs = this.#time.elapsedMs + withinMs
    while (!reached() && this.#time.elapsedMs < endMs && !this.#isOver) await this.#time.step()
  }

  #follow(engine: Engine, isCurrent: () => boolean): void {
    for (const side of this.#sides) side.opened?.(engine)
    engine.onCommitted((changes) => {
      // The id of a message does not depend on the owner that committed it.
      this.#books.committed(changes)
      // What an earlier owner committed arrives late: the next one has read it.
      if (!isCurrent()) return
      this.#auditor.committed(changes)
      for (const side of this.#sides) side.committed?.(changes)
    })
    this.#trace?.follow(engine)
  }

  #breakThings(): void {
    const { climate } = this.#sky
    this.#sky.begin()
    for (const endpoint of ENDPOINTS) this.#sky.blow(endpoint, this.#random, this.#time)
    if (climate.lag) for (const node of this.#nodes) this.#lag(node)
    if (climate.forks) this.#fork()
    if (climate.clockJumps) this.#jump()
    this.#host.breakThings()
  }

  #lag(node: SimulatedNode): void {
    const random = this.#random
    node.behind = random.chance(0.5) ? 0 : random.chance(0.8) ? random.below(8) : random.below(200)
    node.withoutHistory = random.chance(0.2)
    if (node.behind > 0) this.#tally.fault('node fell behind')
    if (node.withoutHistory) this.#tally.fault('history gone')
    this.#again(random.between(2_000, 40_000), () => this.#lag(node))
  }

  #fork(): void {
    this.#again(this.#random.between(2_000, 40_000), () => {
      this.#tally.fault('slots forked away')
      void this.#chain.fork(this.#random.chance(0.7) ? 1 + this.#random.below(3) : 1 + this.#random.below(24))
      this.#fork()
    })
  }

  #jump(): void {
    this.#again(this.#random.between(10_000, 60_000), () => {
      this.#tally.fault('wall clock jumped')
      this.#time.skewMs = this.#random.between(-25_000, 25_000)
      this.#jump()
    })
  }

  #again(delayMs: number, work: () => void): void {
    this.#time.plan(delayMs, () => {
      if (!this.#sky.healed) work()
    })
  }
}

function hostOf({ nodes = 1, plantedProtocol, nodeFaults, checksOwnLease }: WorldOptions, options: HostOptions): Host {
  if (nodes === 1) return new SingleHost(options)
  return new Fleet({ ...options, nodes, planted: plantedProtocol, faults: nodeFaults, checksOwnLease })
}

function faucetOf(chain: SimulatedChain): string {
  return addressOf(chain.faucet)
}
