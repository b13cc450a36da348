// The rows of one write that moves records to the cold store, with the number of records in each list.
import { oldDebitRows } from '../limits/debit-windows.ts'
import type { Entry } from '../records/entry.ts'
import type { Store, StoreOp } from '../../../snapshots/store.ts'
import type { ColdStore } from './cold-store.ts'
import { ownFact } from '../records/own-fact.ts'
import { countName } from './cold-view.ts'

export class ColdRows {
  readonly #store: Pick<Store, 'meta'>
  readonly #cell: string | undefined
  readonly #coldStore: ColdStore
  /** Number of records per list, including the write in progress. */
  readonly #counts = new Map<string, number>()

  /** Each cell has its own counts, because a list may contain records of several. */
  constructor(
    { store, cell }: { readonly store: Pick<Store, 'meta'>; readonly cell: string | undefined },
    coldStore: ColdStore,
  ) {
    this.#store = store
    this.#cell = cell
    this.#coldStore = coldStore
  }

  /** The rows by tenant. Must be called once per write, because it counts the records as listed. */
  of(entries: readonly Entry[]): Map<string, StoreOp[]> {
    const rows = new Map<string, StoreOp[]>()
    const counted = new Map<string, string>()
    for (const { head } of entries) {
      const { tenant, cluster, id } = head
      const own = rows.get(tenant) ?? []
      own.push({ type: 'unloaded', tenant, cluster, id }, ...this.#coldStore.rowsOf(head), ...oldDebitRows(head))
      rows.set(tenant, own)
      for (const list of this.#coldStore.listsOf(head)) {
        this.#counts.set(list, this.#count(list) + 1)
        counted.set(list, tenant)
      }
    }
    for (const [list, tenant] of counted)
      rows.get(tenant)!.push({ type: 'meta', name: ownFact(countName(list), this.#cell), value: this.#count(list) })
    return rows
  }

  #count(list: string): number {
    const known = this.#counts.get(list)
    return known ?? (this.#store.meta(ownFact(countName(list), this.#cell)) as number | undefined) ?? 0
  }
}
