// Rows in the order of their keys, in memory: a lookup is a binary search, a change moves the keys behind it.
import type { DiskOp, RowPage, Range } from '../../snapshots/disk.ts'

export class SortedRows {
  #values = new Map<string, string>()
  #keys: string[] = []

  copy(): SortedRows {
    const rows = new SortedRows()
    rows.#values = new Map(this.#values)
    rows.#keys = [...this.#keys]
    return rows
  }

  get(key: string): string | undefined {
    return this.#values.get(key)
  }

  apply(ops: readonly DiskOp[]): void {
    for (const op of ops) {
      if (op.type === 'put') this.#put(op.key, op.value)
      else if (this.#values.delete(op.key)) this.#keys.splice(this.#firstFrom(op.key), 1)
    }
  }

  /** The first rows of a range, in order. */
  between({ gte = '', lt }: Range, limit = Infinity): RowPage {
    const from = this.#firstFrom(gte)
    const to = lt === undefined ? this.#keys.length : this.#firstFrom(lt)
    return this.#keys.slice(from, Math.min(to, from + limit)).map((key) => [key, this.#values.get(key) ?? ''] as const)
  }

  last({ gte = '', lt }: Range): RowPage[number] | undefined {
    const key = this.#keys[(lt === undefined ? this.#keys.length : this.#firstFrom(lt)) - 1]
    return key === undefined || key < gte ? undefined : [key, this.#values.get(key) ?? '']
  }

  #put(key: string, value: string): void {
    if (!this.#values.has(key)) this.#keys.splice(this.#firstFrom(key), 0, key)
    this.#values.set(key, value)
  }

  /** Position of the first key that is not below this one. */
  #firstFrom(key: string): number {
    let low = 0
    let high = this.#keys.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.#keys[middle] ?? '') < key) low = middle + 1
      else high = middle
    }
    return low
  }
}
