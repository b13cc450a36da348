// Counts what is under way and not yet confirmed, per lane, tenant and cluster. Over a bound the next request is refused before it
// is signed; what was submitted stays counted, whatever the bounds say.
import type { AdmissionSettings } from './cluster-settings.ts'
import { LaneFull } from './submission.ts'

export class Admission {
  readonly #bounds: AdmissionSettings
  readonly #lanes = new Map<string, number>()
  readonly #tenants = new Map<string, number>()
  #total = 0

  constructor(bounds: AdmissionSettings) {
    this.#bounds = bounds
  }

  /** Throws LaneFull. */
  check(tenant: string, lane: string): void {
    const { perLane, perTenant, perCluster } = this.#bounds
    if ((this.#lanes.get(lane) ?? 0) >= perLane) throw new LaneFull('lane', perLane)
    if ((this.#tenants.get(tenant) ?? 0) >= perTenant) throw new LaneFull('tenant', perTenant)
    if (this.#total >= perCluster) throw new LaneFull('cluster', perCluster)
  }

  enter(tenant: string, lane: string): void {
    this.#count(tenant, lane, 1)
  }

  leave(tenant: string, lane: string): void {
    this.#count(tenant, lane, -1)
  }

  #count(tenant: string, lane: string, step: 1 | -1): void {
    add(this.#lanes, lane, step)
    add(this.#tenants, tenant, step)
    this.#total += step
  }
}

function add(counts: Map<string, number>, key: string, step: number): void {
  const count = (counts.get(key) ?? 0) + step
  if (count === 0) counts.delete(key)
  else counts.set(key, count)
}
