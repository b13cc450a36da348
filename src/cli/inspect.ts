// Checks a store that no other process has open: every row can be read, every record can be restored by the current
// machines, logs have no gaps, every key kept in a file has its file. Collects the recorded balances, for a comparison
// with the chain.
import { atHandNow } from '../../snapshots/at-hand.ts'
import type { Envelope, Store } from '../../snapshots/store.ts'
import type { TransactionPayload } from '../engine/records/codec.ts'
import { payloadOfRow } from '../engine/records/payload-row.ts'
import { hasEnded, isHolding, type HoldingState, type RecordState } from '../engine/records/record.ts'
import { isExternalKey } from '../keys/key-place.ts'
import type { SecretsFolder } from '../keys/secrets-folder.ts'
import { RowCheck } from './check-rows.ts'

export interface Findings {
  readonly rows: number
  /** Number of records by kind. */
  readonly records: Readonly<Record<string, number>>
  /** By tenant: sequence of its newest event. */
  readonly lastEvents: Readonly<Record<string, number>>
  /** At most 50 problems, and the number of all problems. */
  readonly problems: readonly string[]
  readonly problemCount: number
  /** By cluster: live records that have an address on chain. */
  readonly books: ReadonlyMap<string, readonly HoldingState[]>
  /** By cluster: transactions that have not ended, whose effects the records may not reflect yet. */
  readonly open: ReadonlyMap<string, number>
}

const NOT_ON_CHAIN: ReadonlySet<string> = new Set(['pending', 'closed'])

/** @param isRotating true during a rotation of the master key, when keys are sealed under one of two */
export async function inspectStore(
  store: Store,
  folder: SecretsFolder,
  progress: (rows: number) => void = () => undefined,
  isRotating = true,
): Promise<Findings> {
  const inspection = new Inspection(store, folder, isRotating ? undefined : store.meta('masterKeyCheck'))
  const view = store.view()
  try {
    for await (const page of view.everything()) {
      for (const [key, text] of page) {
        const pending = atHandNow(store, () => inspection.take(key, text))
        if (pending instanceof Promise) await pending
      }
      progress(inspection.rows)
    }
  } finally {
    await view.close()
  }
  return inspection
}

class Inspection extends RowCheck implements Findings {
  readonly records: Record<string, number> = {}
  readonly books = new Map<string, HoldingState[]>()
  readonly open = new Map<string, number>()
  readonly #store: Store
  readonly #folder: SecretsFolder
  /** Id of the master key that all keys must be sealed under; undefined: any. */
  readonly #masterKeyId: unknown

  constructor(store: Store, folder: SecretsFolder, masterKeyId: unknown) {
    super()
    this.#store = store
    this.#folder = folder
    this.#masterKeyId = masterKeyId
  }

  protected override payload({ tenant, cluster, id }: Envelope): TransactionPayload {
    const payload = this.#store.payload(tenant, cluster, id)
    if (payload === undefined) throw new Error(`the signed bytes of transaction ${id} are missing`)
    return payloadOfRow(payload)
  }

  protected override record(state: RecordState): void {
    const { kind, cluster, value } = state
    this.records[kind] = (this.records[kind] ?? 0) + 1
    if (kind === 'transaction' && !hasEnded(state)) this.open.set(cluster, (this.open.get(cluster) ?? 0) + 1)
    if (!isHolding(state) || NOT_ON_CHAIN.has(value)) return
    const books = this.books.get(cluster)
    if (books === undefined) this.books.set(cluster, [state])
    else books.push(state)
  }

  protected override secret(id: string, row: unknown): void {
    if (!isExternalKey(row)) {
      this.#sealed(id, row)
      return
    }
    if (row.kept !== 'folder') return
    const file = this.#folder.read(row.name)
    if (file === null) this.problem(`the key of account ${id} (${row.address}) has no file in the secrets folder`)
    else this.#sealed(id, file.sealed)
  }

  #sealed(id: string, row: unknown): void {
    const { masterKeyId } = row as { masterKeyId?: unknown }
    if (this.#masterKeyId === undefined || masterKeyId === undefined || masterKeyId === this.#masterKeyId) return
    this.problem(`the key of ${id} is sealed under a different master key than the rest`)
  }
}
