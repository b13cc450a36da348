// Tracks the rights and switches of a tenant that other cells may not have applied yet: those changed since the other
// cells had last applied all changes. At first these are all switches, because an earlier owner may have changed them.
import type { Kind } from '../../machines/kinds.ts'
import { recordKey } from '../../snapshots/keys.ts'
import type { Engine } from './engine.ts'
import type { RecordState } from './records/record.ts'

/** Other cells follow these kinds. They are never evicted, so their rows always exist. */
const SWITCHES: ReadonlySet<Kind> = new Set(['organization', 'apiKey', 'suspension'])

export class UnappliedSwitches {
  readonly #engine: Pick<Engine, 'directory'>
  readonly #tenant: string
  /** Number of the change, by key of the row. */
  readonly #changed = new Map<string, number>()
  #changes = 0
  /** False: the switches that earlier owners may have changed were not added yet. */
  #isComplete = false

  constructor(engine: Pick<Engine, 'directory' | 'onCommitted'>, tenant: string) {
    this.#engine = engine
    this.#tenant = tenant
    engine.onCommitted((changes) => {
      for (const { next } of changes) this.#note(next)
    })
  }

  /**
   * Resolves when every other cell has applied all changes so far. Rejects if one of the functions does.
   *
   * @param lastOf returns the last commit that changed one of these rows
   * @param applied resolves when every other cell has applied a commit
   */
  async settle(
    lastOf: (keys: readonly string[]) => Promise<number>,
    applied: (commit: number) => Promise<void>,
  ): Promise<void> {
    if (!this.#isComplete) for (const { head } of this.#engine.directory.entries(...SWITCHES)) this.#note(head)
    this.#isComplete = true
    const changed = [...this.#changed]
    if (changed.length === 0) return
    await applied(await lastOf(changed.map(([key]) => key)))
    for (const [key, change] of changed) if (this.#changed.get(key) === change) this.#changed.delete(key)
  }

  #note({ kind, tenant, cluster, id }: RecordState): void {
    if (tenant !== this.#tenant || !SWITCHES.has(kind)) return
    this.#changes += 1
    this.#changed.set(recordKey(tenant, cluster, id), this.#changes)
  }
}
