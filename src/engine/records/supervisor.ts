// Supervises the actors of one tenant: which are active, and which passivate when there are too many. The tenant
// machine decides; this class keeps the order of last use.
import { createActor, type ActorRefFrom } from 'xstate'
import { tenantMachine } from '../../../machines/tenant.ts'
import type { Entry } from './entry.ts'

const AWAKE_PER_TENANT = 10_000
/**
 * Activations are reported to the machine in batches of this size: one event per record would cost more than the events
 * of a new transaction.
 */
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

  /** Marks a record as used, and as active. */
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

  /** Passivates a record that is no longer needed. The machine learns of it with the next batch of activations. */
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

/** The supervisors of all tenants. */
export class Supervisors {
  readonly #capacity: number
  readonly #byTenant = new Map<string, Supervisor>()

  /** @param capacity maximum number of active actors per tenant */
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
