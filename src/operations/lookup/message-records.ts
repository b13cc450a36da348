// The records that one message concerns: fee payer, parties, positions, instruments and organizations. Each question is
// put to the directory once, and every step that evaluates, authorizes, records and reserves the message reads the same
// answer. An answer names the records; their states are read when they are used, so that a step sees what the steps
// before it have changed. Whose records count for a decision is decided elsewhere (`whose-records.ts`).
import type { Directory } from '../../engine/index/directory.ts'
import type { RecordIndex } from '../../engine/index/record-index.ts'
import type { Entry } from '../../engine/records/entry.ts'

type AskedDirectory = RecordIndex & Pick<Directory, 'changes' | 'isAlone'>

export class MessageRecords implements RecordIndex {
  readonly #directory: AskedDirectory
  readonly #cluster: string
  /** State of the directory that the answers are of. */
  #asOf: number
  readonly #atAddress = new Map<string, readonly Entry[]>()
  readonly #found = new Map<string, readonly Entry[]>()
  readonly #first = new Map<string, Entry | undefined>()
  /** The records at the addresses that were asked for. */
  readonly #byId = new Map<string, Entry>()

  constructor(directory: AskedDirectory, cluster: string) {
    this.#directory = directory
    this.#cluster = cluster
    this.#asOf = directory.changes
  }

  ownAtAddress(cluster: string, address: string): readonly Entry[] {
    if (cluster !== this.#cluster) return this.#directory.ownAtAddress(cluster, address)
    this.#forgetIfChanged()
    const known = this.#atAddress.get(address)
    if (known !== undefined) return known
    const found = this.#directory.ownAtAddress(cluster, address)
    this.#atAddress.set(address, found)
    for (const entry of found) this.#byId.set(entry.outline.id, entry)
    return found
  }

  findOwn(key: string): readonly Entry[] {
    this.#forgetIfChanged()
    const known = this.#found.get(key)
    if (known !== undefined) return known
    const found = this.#directory.findOwn(key)
    this.#found.set(key, found)
    return found
  }

  firstOwn(key: string): Entry | undefined {
    this.#forgetIfChanged()
    if (this.#first.has(key)) return this.#first.get(key)
    const found = this.#directory.firstOwn(key)
    this.#first.set(key, found)
    return found
  }

  resident(id: string): Entry | undefined {
    this.#forgetIfChanged()
    return this.#byId.get(id) ?? this.#directory.resident(id)
  }

  // Records of other cells are asked for each time: the directory keeps them for as long as they are fresh.

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
    if (this.#asOf === this.#directory.changes) return
    this.#asOf = this.#directory.changes
    for (const answers of [this.#atAddress, this.#found, this.#first, this.#byId]) answers.clear()
  }
}
