// Records that are not over yet, as committed: what a world still has to wait for.
import type { Engine } from '../../src/engine/engine.ts'
import type { Change } from '../../src/engine/records/change.ts'
import type { RecordState } from '../../src/engine/records/record.ts'

export class OpenRecords {
  readonly #isOpen: (state: RecordState) => boolean
  readonly #open = new Map<string, RecordState>()

  constructor(isOpen: (state: RecordState) => boolean) {
    this.#isOpen = isOpen
  }

  get size(): number {
    return this.#open.size
  }

  get all(): readonly RecordState[] {
    return [...this.#open.values()]
  }

  /** A process has read its disk. */
  opened(engine: Engine): void {
    this.#open.clear()
    for (const { head } of engine.directory.entries()) this.#note(head)
  }

  committed(changes: readonly Change[]): void {
    for (const { next } of changes) this.#note(next)
  }

  #note(state: RecordState): void {
    if (this.#isOpen(state)) this.#open.set(state.id, state)
    else this.#open.delete(state.id)
  }
}
