// Reads the members that lists show of many transactions, from memory and from the cold store.
import type { Directory } from '../index/directory.ts'
import { glanceOf, type TransactionGlance } from '../records/glance.ts'
import { ofKind } from '../records/record.ts'
import type { ColdStore } from './cold-store.ts'

/** Committed transactions, by id; those of the cold store are read together. Absent: no record. */
export async function glancesOf(
  ids: readonly string[],
  directory: Pick<Directory, 'resident'>,
  coldStore: Pick<ColdStore, 'glances'>,
): Promise<ReadonlyMap<string, TransactionGlance>> {
  const found = new Map<string, TransactionGlance>()
  const cold: string[] = []
  for (const id of new Set(ids)) {
    const entry = directory.resident(id)
    if (entry === undefined) cold.push(id)
    const state = ofKind(entry?.committed, 'transaction')
    if (state !== undefined) found.set(id, glanceOf(state))
  }
  for (const glance of await coldStore.glances(cold)) found.set(glance.id, glance)
  return found
}
