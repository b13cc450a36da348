// Supervises the records of one tenant: which are awake, and which go to sleep when too many are. What it may do is
// decided by the tenant machine; it only keeps the order of last use.
import { createActor, type ActorRefFrom } from 'xstate'
import { tenantMachine } from '../../../machines/tenant.ts'
import type { Entry } from './entry.ts'

const AWAKE_PER_TENANT = 10_000
/** Awakenings told to the machine at once: one a record would cost every new transaction more than its own events do. */
const MOST_UNTOLD = 64

export class Supervisor {
  readonly tenant: string
  readonly #actor: ActorRefFrom<typeof tenantMachine>
  readonly #stride: number
  /** Least recently used first. */
  readonly #awake = new Set<Entry>()
  #untold = 0

  constructor(tenant: string, capacity: number) {
    this.tenant = tenant
    this.#stride = Math.min(MOST_UNTOLD, Math.max(1, Math.floor(capacity / 16)))
    this.#actor = createActor(tenantMachine, { input: { capacity } })
    this.#actor.subscribe({
      error: (error: unknown) => {
        throw error
      },
    })
    this.#actor.on('passivate.oldest', ({ excess }) => this.#passivateOldest(excess))
    this.#actor.start()
  }

  get awake(): number {
    return this.#awake.size
  }

  /** Notes that a record is in use and must be awake. */
  use(entry: Entry): void {
    if (this.#awake.delete(entry)) {
      this.#awake.add(entry)
      return
    }
    this.#awake.add(entry)
    this.#untold += 1
    if (this.#untold < this.#stride) return
    const count = this.#untold
    this.#untold = 0
    this.#actor.send({ type: 'command.activate', count })
  }

  /** Nobody is going to need it awake. Told to the machine with the next ones that wake. */
  release(entry: Entry): void {
    if (this.#awake.delete(entry)) this.#untold -= 1
    entry.sleep()
  }

  #passivateOldest(excess: number): void {
    let count = 0
    for (const entry of this.#awake) {
      if (count === excess) break
      this.#awake.delete(entry)
      entry.sleep()
      count += 1
    }
    if (count > 0) this.#actor.send({ type: 'command.passivate', count })
  }
}

/** Those of all tenants. */
export class Supervisors {
  readonly #capacity: number
  readonly #byTenant = new Map<string, Supervisor>()

  /** @param capacity actors kept awake, of each tenant */
  constructor(capacity = AWAKE_PER_TENANT) {
    this.#capacity = capacity
  }

  of(tenant: string): Supervisor {
    let supervisor = this.#byTenant.get(tenant)
    if (supervisor === undefined) {
      supervisor = new Supervisor(tenant, this.#capacity)
      this.#byTenant.set(tenant, supervisor)
    }
    return supervisor
  }

  get awake(): number {
    let awake = 0
    for (const supervisor of this.#byTenant.values()) awake += supervisor.awake
    return awake
  }
}
