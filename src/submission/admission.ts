// Counts unconfirmed transactions in progress, per lane of a tenant, per tenant and per cluster. Above a limit the next
// request is rejected before it is signed; a submitted transaction is always counted, even above the limits. A place is
// claimed before the transaction is signed, so requests whose write is still in progress also count.
import type { AdmissionSettings } from '../rpc/cluster-settings.ts'
import { LaneFull } from './submission.ts'

interface Place {
  readonly tenant: string
  readonly lane: string
}

export class Admission {
  readonly #bounds: AdmissionSettings
  /** By transaction id. */
  readonly #places = new Map<string, Place>()
  readonly #lanes = new Map<string, number>()
  readonly #tenants = new Map<string, number>()

  constructor(bounds: AdmissionSettings) {
    this.#bounds = bounds
  }

  /**
   * Claims a place for a transaction; returns false if it already has one. Throws LaneFull.
   *
   * No tenant may use more than the free capacity (dynamic thresholds, as in shared buffers): the share of each tenant
   * shrinks as the cluster fills, so that one tenant alone never fills it.
   */
  claim(transactionId: string, place: Place): boolean {
    if (this.#places.has(transactionId)) return false
    const { perLane, perTenant, perCluster } = this.#bounds
    const total = this.#places.size
    if (total >= perCluster) throw new LaneFull('cluster', perCluster)
    if ((this.#lanes.get(laneKey(place)) ?? 0) >= perLane) throw new LaneFull('lane', perLane)
    const share = Math.min(perTenant, perCluster - total)
    if ((this.#tenants.get(place.tenant) ?? 0) >= share) throw new LaneFull('tenant', share)
    this.enter(transactionId, place)
    return true
  }

  /** Counts the transaction without checking the limits. */
  enter(transactionId: string, place: Place): void {
    if (this.#places.has(transactionId)) return
    this.#places.set(transactionId, place)
    add(this.#lanes, laneKey(place), 1)
    add(this.#tenants, place.tenant, 1)
  }

  leave(transactionId: string): void {
    const place = this.#places.get(transactionId)
    if (place === undefined) return
    this.#places.delete(transactionId)
    add(this.#lanes, laneKey(place), -1)
    add(this.#tenants, place.tenant, -1)
  }
}

/** By tenant and lane: transactions of another tenant with the same fee payer do not count. */
function laneKey({ tenant, lane }: Place): string {
  return JSON.stringify([tenant, lane])
}

function add(counts: Map<string, number>, key: string, step: 1 | -1): void {
  const count = (counts.get(key) ?? 0) + step
  if (count === 0) counts.delete(key)
  else counts.set(key, count)
}
