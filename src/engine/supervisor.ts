// Supervises the records of one tenant: which are awake, and which go to sleep when too many are. What it may do is
// decided by the tenant machine; it only keeps the order of last use.
import { createActor, type ActorRefFrom } from 'xstate'
import { tenantMachine } from '../../machines/tenant.ts'
import type { Entry } from './entry.ts'

export class Supervisor {
  readonly tenant: string
  readonly #actor: ActorRefFrom<typeof tenantMachine>
  /** Least recently used first. */
  readonly #awake = new Set<Entry>()

  constructor(tenant: string, capacity: number) {
    this.tenant = tenant
    this.#actor = createActor(tenantMachine, { input: { capacity } })
    this.#actor.subscribe({
      error: (error: unknown) => {
        throw error
      },
    })
    this.#actor.on('passivate.oldest', () => this.#passivateOldest())
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
    this.#actor.send({ type: 'command.activate' })
  }

  #passivateOldest(): void {
    const [oldest] = this.#awake
    if (oldest === undefined) return
    this.#awake.delete(oldest)
    oldest.sleep()
    this.#actor.send({ type: 'command.passivate' })
  }
}
