// Finds records by id, address, references, ownership. Follows the heads of records (what the actors say), so that two requests
// of one tick cannot both take a name; readers check `committed` themselves.
//
// It spans tenants on purpose: an address is onboarded or it is not, whoever asks. What a caller may learn from it is the
// operations' business.
import type { Entry } from './entry.ts'
import { keysOf, sameKeys, signatureKey } from './index-keys.ts'
import { Multimap } from './multimap.ts'
import type { RecordState } from './record.ts'

/** Where the records are found that are not in memory. */
export interface OldEntries {
  byId(id: string): Entry | undefined
  bySignature(cluster: string, signature: string): Entry | undefined
}

export class Directory {
  readonly #byId = new Map<string, Entry>()
  readonly #byKey = new Multimap<Entry>()
  readonly #old: OldEntries | undefined

  constructor(old?: OldEntries) {
    this.#old = old
  }

  byId(id: string): Entry | undefined {
    return this.#byId.get(id) ?? this.#old?.byId(id)
  }

  /** Records under a key of `index-keys.ts`, in no promised order. */
  find(key: string): readonly Entry[] {
    return this.#byKey.get(key)
  }

  first(key: string): Entry | undefined {
    return this.#byKey.first(key)
  }

  /** A transaction. */
  bySignature(cluster: string, signature: string): Entry | undefined {
    return this.first(signatureKey(cluster, signature)) ?? this.#old?.bySignature(cluster, signature)
  }

  /** Those in memory. */
  entries(): IterableIterator<Entry> {
    return this.#byId.values()
  }

  moved(entry: Entry, previous: RecordState | undefined, next: RecordState | undefined): void {
    if (previous !== undefined && next !== undefined && sameKeys(previous, next)) return
    const before = previous === undefined ? [] : keysOf(previous)
    const after = next === undefined ? [] : keysOf(next)
    // Keys that stay are left alone: under each, records stand in the order they came.
    for (const key of before) if (!after.includes(key)) this.#byKey.delete(key, entry)
    for (const key of after) if (!before.includes(key)) this.#byKey.add(key, entry)
    if (next !== undefined) this.#byId.set(next.id, entry)
    else if (previous !== undefined) this.#byId.delete(previous.id)
  }
}
