// The auditor of the protocol between the nodes and the database. It follows every commit that the database applies,
// and every one that a node takes for written.
import { createHash } from 'node:crypto'
import type { DiskOp } from '../../../snapshots/disk.ts'
import { isNameKey } from '../../../snapshots/keys.ts'
import { eventsOfRow } from '../../../src/engine/events/event-row.ts'
import type { AppliedCommit, SimulatedDatabase } from './database.ts'

/** Rows of logs are written once. */
const LOGS = /^[ea]!/

export class ProtocolAudit {
  readonly #violated: (kind: string, detail: string) => void
  /** Commits applied, by head and content. */
  readonly #history = new Map<string, number>()
  readonly #contents = new Set<string>()
  readonly #logRows = new Map<string, string>()
  #epoch = 0
  #head = 0

  constructor(database: SimulatedDatabase, violated: (kind: string, detail: string) => void) {
    this.#violated = violated
    database.onApplied((commit) => this.#applied(commit))
    // Here the database loses nothing.
    database.onLost((detail) => violated('history reported lost', detail))
  }

  /** A node of this epoch takes the rows for durable. Names are in a table of their own, which is not simulated. */
  acknowledged(node: string, epoch: number, all: readonly DiskOp[]): void {
    const ops = all.filter(({ key }) => !isNameKey(key))
    const content = contentOf(
      ops.map(({ key }) => key),
      ops.map((op) => (op.type === 'put' ? op.value : null)),
    )
    const commit = this.#history.get(content)
    if (commit === undefined)
      this.#violated('acknowledged and not in the history', `by ${node} under epoch ${epoch}: ${ops.length} rows`)
    else if (commit !== epoch)
      this.#violated('acknowledged under another epoch', `by ${node}: ${epoch}, written under ${commit}`)
  }

  #applied({ epoch, cellEpoch, head, keys, values }: AppliedCommit): void {
    if (epoch !== cellEpoch)
      this.#violated('commit of an earlier owner applied', `epoch ${epoch}, while the cell has epoch ${cellEpoch}`)
    if (epoch < this.#epoch) this.#violated('epochs went back', `${epoch} after ${this.#epoch}`)
    if (head !== this.#head + 1) this.#violated('commit out of order', `head ${head} after ${this.#head}`)
    this.#epoch = Math.max(this.#epoch, epoch)
    this.#head = head
    const content = contentOf(keys, values)
    if (this.#contents.has(content)) this.#violated('commit applied twice', `head ${head}`)
    this.#contents.add(content)
    this.#history.set(content, epoch)
    keys.forEach((key, at) => this.#logged(key ?? '', values[at] ?? null))
  }

  #logged(key: string, value: string | null): void {
    if (!LOGS.test(key)) return
    const before = this.#logRows.get(key)
    if (before !== undefined && value !== before)
      this.#violated(
        'row of a log changed',
        `${key}: ${before.slice(0, 200)}, now ${(value ?? 'deleted').slice(0, 200)}`,
      )
    if (value !== null) this.#logRows.set(key, value)
  }

  /** Every log is complete, and its rows are those that were written. */
  atRest(rowOf: (key: string) => string | undefined): void {
    const next = new Map<string, number>()
    for (const [key, text] of [...this.#logRows].sort(([a], [b]) => (a < b ? -1 : 1))) {
      if (rowOf(key) !== text) this.#violated('row of a log lost', key)
      const log = key.slice(0, key.lastIndexOf('!'))
      for (const sequence of sequencesOf(key, text)) {
        const expected = next.get(log) ?? 1
        if (sequence !== expected) this.#violated('gap in a log', `${key} has ${sequence}, after ${expected - 1}`)
        next.set(log, sequence + 1)
      }
    }
  }
}

/** An audit row is one entry; the events of a unit of work are one row. */
function sequencesOf(key: string, text: string): readonly number[] {
  const sequence = Number(key.slice(key.lastIndexOf('!') + 1))
  if (key.startsWith('a')) return [sequence]
  return eventsOfRow({ sequence, row: JSON.parse(text) }).map((event) => event.sequence)
}

function contentOf(keys: readonly (string | null)[], values: readonly (string | null)[]): string {
  return createHash('sha256')
    .update(JSON.stringify([keys, values]))
    .digest('hex')
}
