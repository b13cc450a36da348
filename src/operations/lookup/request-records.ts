// The records that one request concerns: fee payer, parties, positions, instruments and organizations. Each lookup
// reads the directory once. All steps (resolve, evaluate, authorize, record, reserve) share the cached result until a
// record is added to an index key or removed from one. A result contains the entries, not their states: a step sees the
// changes of earlier steps. `whose-records.ts` decides whose records count for a decision.
import type { Engine } from '../../engine/engine.ts'
import type { Directory } from '../../engine/index/directory.ts'
import type { RecordIndex } from '../../engine/index/record-index.ts'
import type { Entry } from '../../engine/records/entry.ts'
import type { Context } from '../context/platform.ts'
import { addressKey, closedAddressKey, escrowKey, idKey } from '../../engine/index/index-keys.ts'

/** The cached records of the request or, without them, the directory. */
export function recordIndexOf({ platform, records }: Context): RecordIndex {
  return records ?? platform.engine.directory
}

type CountingDirectory = RecordIndex & Pick<Directory, 'changes' | 'isAlone' | 'removals'>

export class RequestRecords implements RecordIndex {
  readonly #directory: CountingDirectory
  readonly #cluster: string
  /** The counters of the directory when the results were read. */
  #changes: number
  #removals: number
  /** By address or index key, which never coincide. */
  readonly #lists = new Map<string, readonly Entry[]>()
  readonly #first = new Map<string, Entry | null>()
  readonly #byId = new Map<string, Entry>()

  constructor(directory: CountingDirectory, cluster: string) {
    this.#directory = directory
    this.#cluster = cluster
    this.#changes = directory.changes
    this.#removals = directory.removals
  }

  ownAtAddress(cluster: string, address: string): readonly Entry[] {
    if (cluster !== this.#cluster) return this.#directory.ownAtAddress(cluster, address)
    this.#forgetIfChanged()
    const known = this.#lists.get(address)
    if (known !== undefined) return known
    const entries = this.#directory.ownAtAddress(cluster, address)
    this.#lists.set(address, entries)
    return entries
  }

  findOwn(key: string): readonly Entry[] {
    this.#forgetIfChanged()
    const known = this.#lists.get(key)
    if (known !== undefined) return known
    const entries = this.#directory.findOwn(key)
    this.#lists.set(key, entries)
    return entries
  }

  firstOwn(key: string): Entry | undefined {
    this.#forgetIfChanged()
    const known = this.#first.get(key)
    if (known !== undefined) return known ?? undefined
    const entry = this.#directory.firstOwn(key)
    this.#first.set(key, entry ?? null)
    return entry
  }

  resident(id: string): Entry | undefined {
    this.#forgetIfChanged()
    const known = this.#byId.get(id)
    if (known !== undefined) return known
    const entry = this.#directory.resident(id)
    if (entry !== undefined) this.#byId.set(id, entry)
    return entry
  }

  // Records of other cells are not cached here: the directory caches them while they are fresh.

  atAddress(cluster: string, address: string): readonly Entry[] {
    return this.#directory.isAlone ? this.ownAtAddress(cluster, address) : this.#directory.atAddress(cluster, address)
  }

  find(key: string): readonly Entry[] {
    return this.#directory.isAlone ? this.findOwn(key) : this.#directory.find(key)
  }

  first(key: string): Entry | undefined {
    return this.#directory.isAlone ? this.firstOwn(key) : this.#directory.first(key)
  }

  anywhere(id: string): Entry | undefined {
    return this.#directory.isAlone ? this.resident(id) : this.#directory.anywhere(id)
  }

  each(key: string): Iterable<Entry> {
    return this.#directory.each(key)
  }

  need(keys: () => readonly string[]): void {
    this.#directory.need(keys)
  }

  #forgetIfChanged(): void {
    const { changes, removals } = this.#directory
    if (this.#changes === changes) return
    this.#changes = changes
    this.#lists.clear()
    this.#first.clear()
    // An id refers to the same entry until the record is removed.
    if (this.#removals !== removals) this.#byId.clear()
    this.#removals = removals
  }
}

/** Throws `NotAtHand`. Does nothing while there is one cell. */
export function needNamed(directory: RecordIndex, cluster: string, input: unknown): void {
  directory.need(() => {
    const keys = new Set<string>()
    collect(input, (member, value) => {
      if (member === 'onchainId')
        for (const keyOf of [closedAddressKey, addressKey, escrowKey]) keys.add(keyOf(cluster, value))
      else if (member === 'offchainId' && directory.resident(value) === undefined) keys.add(idKey(value))
    })
    return [...keys]
  })
}

/** Throws `NotAtHand` for records at the addresses. Does nothing while there is one cell. */
export function needAddresses(directory: RecordIndex, cluster: string, addresses: Iterable<string>): void {
  directory.need(() => [...new Set(addresses)].map((address) => addressKey(cluster, address)))
}

/**
 * Reads the records of other cells with these names again: cached ones may be older than the last request of the same
 * caller, who expects to see the effects of that request.
 */
export async function readAgain(engine: Pick<Engine, 'fetch'>, names: readonly string[]): Promise<void> {
  await engine.fetch(names.map((name) => ({ read: 'name', name })))
}

/** As `readAgain`, for the records at the addresses. */
export async function readAddressesAgain(
  engine: Pick<Engine, 'fetch'>,
  cluster: string,
  addresses: readonly string[],
): Promise<void> {
  await readAgain(
    engine,
    addresses.map((address) => addressKey(cluster, address)),
  )
}

function collect(value: unknown, take: (member: string, value: string) => void): void {
  if (typeof value !== 'object' || value === null) return
  for (const [member, each] of Object.entries(value)) {
    if (typeof each === 'string') take(member, each)
    else collect(each, take)
  }
}
