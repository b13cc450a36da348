// Supervises the actors of one tenant: which actors are active, which are passivated when there are too many, and what
// happens to a record whose actor throws. The tenant machine decides; this class tracks the order of last use.
import { createActor, type ActorRefFrom } from 'xstate'
import { tenantMachine } from '../../../machines/tenant.ts'
import type { Entry } from './entry.ts'

const AWAKE_PER_TENANT = 10_000
/**
 * Activations are reported to the machine in batches of this size: one event per record would cost more than the events
 * of a new transaction.
 */
const MAX_UNREPORTED = 64

/** Reports that the actor of a record threw. `quarantined`: the record accepts no further event in this process. */
export type ActorFailed = (failure: {
  readonly entry: Entry
  readonly error: unknown
  readonly quarantined: boolean
}) => void

export interface SupervisorOptions {
  /** Maximum number of active actors per tenant. */
  readonly capacity?: number | undefined
  readonly clock: { now(): number }
  readonly onActorFailed?: ActorFailed | undefined
}

class Supervisor {
  readonly tenant: string
  readonly #actor: ActorRefFrom<typeof tenantMachine>
  readonly #stride: number
  /** Least recently used first. */
  readonly #active = new Set<Entry>()
  readonly #clock: { now(): number }
  readonly #onActorFailed: ActorFailed | undefined
  #unreported = 0
  #quarantined = 0

  constructor(tenant: string, { capacity = AWAKE_PER_TENANT, clock, onActorFailed }: SupervisorOptions) {
    this.tenant = tenant
    this.#clock = clock
    this.#onActorFailed = onActorFailed
    this.#stride = Math.min(MAX_UNREPORTED, Math.max(1, Math.floor(capacity / 16)))
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
    return this.#active.size
  }

  get quarantined(): number {
    return this.#quarantined
  }

  /** Marks a record as used, and as active. */
  use(entry: Entry): void {
    if (this.#active.delete(entry)) {
      this.#active.add(entry)
      return
    }
    this.#active.add(entry)
    this.#unreported += 1
    if (this.#unreported < this.#stride) return
    const count = this.#unreported
    this.#unreported = 0
    this.#actor.send({ type: 'command.activate', count })
  }

  /** Passivates a record that is no longer needed. The next batch of activations reports it to the machine. */
  release(entry: Entry): void {
    if (this.#active.delete(entry)) this.#unreported -= 1
    entry.sleep()
  }

  /**
   * The actor of the record threw: its unit of work is rolled back, and the record is restored from its head on next
   * use, unless the machine quarantines it.
   */
  failed(entry: Entry, error: unknown): void {
    const quarantine = this.#actor.on('quarantine.record', () => {
      entry.quarantined = true
      this.#quarantined += 1
    })
    this.#actor.send({ type: 'actor.threw', id: entry.head.id, atMs: this.#clock.now() })
    quarantine.unsubscribe()
    entry.sleep()
    this.#onActorFailed?.({ entry, error, quarantined: entry.quarantined })
  }

  #passivateOldest(excess: number): void {
    let count = 0
    for (const entry of this.#active) {
      if (count === excess) break
      this.#active.delete(entry)
      entry.sleep()
      count += 1
    }
    if (count > 0) this.#actor.send({ type: 'command.passivate', count })
  }
}

/** The supervisors of all tenants. */
export class Supervisors {
  readonly #options: SupervisorOptions
  readonly #byTenant = new Map<string, Supervisor>()

  constructor(options: SupervisorOptions) {
    this.#options = options
  }

  of(tenant: string): Supervisor {
    let supervisor = this.#byTenant.get(tenant)
    if (supervisor === undefined) {
      supervisor = new Supervisor(tenant, this.#options)
      this.#byTenant.set(tenant, supervisor)
    }
    return supervisor
  }

  get awake(): number {
    return this.#sum(({ awake }) => awake)
  }

  /** Number of records that accept no event because their actors threw repeatedly. */
  get quarantined(): number {
    return this.#sum(({ quarantined }) => quarantined)
  }

  #sum(count: (supervisor: Supervisor) => number): number {
    let sum = 0
    for (const supervisor of this.#byTenant.values()) sum += count(supervisor)
    return sum
  }
}
