// Bounds the concurrent deliveries to webhooks, so that receivers of one organization that do not answer delay no other
// organization of the tenant: an organization holds at most as many of the tenant's permits as remain free (dynamic
// thresholds, as in `submission/admission.ts`).
import type { Permits } from './permits.ts'

export interface DeliveringOrganization {
  readonly tenant: string
  /** External id. */
  readonly organization: string
}

export class DeliveryShares {
  readonly #permits: Permits
  /** Permits held, by tenant and by organization. */
  readonly #held = new Map<string, number>()
  /** Callbacks of those that wait for the share of their organization, in order of arrival. */
  readonly #waiting = new Map<() => void, DeliveringOrganization>()

  constructor(permits: Permits) {
    this.#permits = permits
  }

  /** Takes a permit, or returns false. Then `onFree` is called once when one may be available. */
  take(holder: DeliveringOrganization, onFree: () => void): boolean {
    if (!this.#fits(holder)) {
      this.#waiting.set(onFree, holder)
      return false
    }
    if (!this.#permits.take(holder.tenant, onFree)) return false
    this.#add(holder, 1)
    return true
  }

  give(holder: DeliveringOrganization): void {
    this.#add(holder, -1)
    this.#permits.give(holder.tenant)
    for (const [onFree, waiting] of [...this.#waiting]) {
      if (waiting.tenant === holder.tenant && this.#fits(waiting) && this.#waiting.delete(onFree)) onFree()
    }
  }

  /** Removes a waiting caller. */
  forget(onFree: () => void): void {
    this.#waiting.delete(onFree)
    this.#permits.forget(onFree)
  }

  #fits(holder: DeliveringOrganization): boolean {
    const [ofTenant, ofOrganization] = keysOf(holder).map((key) => this.#held.get(key) ?? 0) as [number, number]
    return ofOrganization < this.#permits.widest - ofTenant
  }

  #add(holder: DeliveringOrganization, step: 1 | -1): void {
    for (const key of keysOf(holder)) {
      const held = (this.#held.get(key) ?? 0) + step
      if (held === 0) this.#held.delete(key)
      else this.#held.set(key, held)
    }
  }
}

function keysOf({ tenant, organization }: DeliveringOrganization): readonly [string, string] {
  return [JSON.stringify([tenant]), JSON.stringify([tenant, organization])]
}
