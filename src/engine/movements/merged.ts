// The facts of movements when a tenant goes from one cell to another: what holds for the records of both.
import type { FinalityMark } from './finality.ts'
import type { KeptMovements } from './movements.ts'

/** @param from of the cell that the tenant leaves; undefined: nothing of it has moved */
export function mergedMovements(
  from: KeptMovements | undefined,
  to: KeptMovements | undefined,
): KeptMovements | undefined {
  if (from === undefined || to === undefined) return from ?? to
  const clusters = new Map<string, FinalityMark>(Object.entries(to.clusters))
  for (const [cluster, mark] of Object.entries(from.clusters)) {
    const known = clusters.get(cluster) ?? mark
    clusters.set(cluster, { until: Math.min(known.until, mark.until), slot: Math.max(known.slot, mark.slot) })
  }
  return {
    since: Math.max(from.since, to.since),
    // Stamps of one balance ascend, whichever cell gives them.
    last: Math.max(from.last, to.last),
    clusters: Object.fromEntries(clusters),
  }
}
