// Merges the movement facts of several cells whose records move into one cell.
import type { Store } from '../../../snapshots/store.ts'
import { ofCells } from '../records/own-fact.ts'
import type { FinalityMark } from './finality.ts'
import { movementsFact, type KeptMovements } from './movements.ts'

/**
 * Merges the facts of all cells into those of the first, once. For the owner of all tenants of a store that was copied
 * from one with several cells. Must be called before the owner reads its facts.
 */
export async function joinMovements(store: Store, tenants: readonly string[]): Promise<void> {
  const [tenant] = tenants
  const first = movementsFact(undefined)
  const view = store.view()
  const ofOthers = await view.metas(ofCells(first)).finally(() => view.close())
  if (tenant === undefined || ofOthers.size === 0) return
  const kept = [store.meta(first), ...ofOthers.values()] as (KeptMovements | undefined)[]
  const value = kept.reduce(mergedMovements)
  const left = [...ofOthers.keys()].map((name) => ({ type: 'meta', name, value: null }) as const)
  await store.commit([{ tenant, epoch: store.epoch, ops: [{ type: 'meta', name: first, value }, ...left] }])
}

/** @param from facts of the cell that the tenant leaves; undefined: the cell has no movements */
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
    // The stamps of a balance must ascend across cells.
    last: Math.max(from.last, to.last),
    clusters: Object.fromEntries(clusters),
  }
}
