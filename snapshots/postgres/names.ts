// The table of names. The owner of a tenant writes the names of its records; other cells look up records by them. One
// statement reads a name and its record, so that they are consistent.
import type { NamedRows, NameTable, RowPage } from '../disk.ts'
import { nameText } from '../keys.ts'
import { NameForms, type NameForm } from '../name-forms.ts'
import { NotAtHand } from '../not-at-hand.ts'
import type { Database } from './database.ts'

/**
 * An ended record may be cold: its row is then `o` instead of `r`. Names of transactions begin with `tx`; the payload
 * of a transaction is a separate row, `p`. A null key joins no row.
 */
const ELSEWHERE = {
  name: 'holdfast-names-with-cold',
  text: `SELECT n.key, CASE WHEN r.value IS NULL THEN o.key ELSE r.key END, coalesce(r.value, o.value), p.value
FROM holdfast.name AS n
JOIN holdfast.tenant AS t ON t.tenant = n.tenant AND t.cell <> $1
LEFT JOIN holdfast.row AS r ON r.key = 'r!' || n.tenant || '!' || n.id
LEFT JOIN holdfast.row AS o ON o.key = CASE WHEN r.value IS NULL THEN 't!' || split_part(n.id, '!', 2) END
LEFT JOIN holdfast.row AS p ON p.key = CASE WHEN left(n.key, 5) = 'tx%00' THEN 'p!' || n.tenant || '!' || n.id END
WHERE n.key = ANY ($2::text[]) AND n.held AND coalesce(r.value, o.value) IS NOT NULL ORDER BY 1, 2`,
}
const UNDER = {
  name: 'holdfast-names-under',
  text: `SELECT r.key, r.value FROM holdfast.name AS n
JOIN holdfast.tenant AS t ON t.tenant = n.tenant AND t.cell <> $1
JOIN holdfast.row AS r ON r.key = 'r!' || n.tenant || '!' || n.id AND r.value IS NOT NULL
WHERE n.key >= $2 AND n.key < $3 AND n.held ORDER BY r.key`,
}
const LISTED = {
  name: 'holdfast-names-listed',
  text: `WITH named AS (SELECT n.key FROM holdfast.name AS n
  JOIN holdfast.tenant AS t ON t.tenant = n.tenant AND t.cell <> $1
  WHERE n.key >= $2 AND n.key < $3 AND n.held)
SELECT all_names.count, first.key FROM (SELECT count(*) FROM named) AS all_names
LEFT JOIN (SELECT key FROM named ORDER BY key LIMIT $4) AS first ON true ORDER BY first.key`,
}
/** Sorts after every character of a name. */
const END = '\u007f'
/** From this number of cached answers on, each fetch removes the expired ones. */
const MAX_ANSWERS = 10_000
const NONE: NamedRows = []

interface Answer {
  readonly rows: NamedRows
  readonly untilMs: number
}

/** A name, the key and text of its record, and the payload of a transaction. */
export type NamedRow = readonly [name: string, ...NamedRows[number]]

export interface NamesOptions {
  /** The records of other cells that have one of these names, in key order for each name. */
  readonly read: (names: readonly string[]) => Promise<readonly NamedRow[]>
  /** The records of other cells with a name that begins with this text, in key order. */
  readonly under: (beginning: string) => Promise<RowPage>
  /** The first names of other cells that begin with this text, in order, and the number of all of them. */
  readonly listed: Elsewhere['listed']
  /** False: no record of another cell has the name at this moment. Absent: only a query can tell. */
  readonly mayExist?: (name: NameForm) => boolean
  /** Absent: there is no other cell. */
  readonly hasNeighbours?: (() => boolean) | undefined
}

type Elsewhere = NameTable['elsewhere']

/** @param cell the cell whose own records are excluded */
export function namesInTable(database: Database, cell: string): Pick<NamesOptions, 'read' | 'under' | 'listed'> {
  return {
    read: async (names) =>
      (await database.read(ELSEWHERE, [cell, names])).flatMap(([name, key, text, payload = null]): NamedRow[] =>
        name == null || key == null || text == null ? [] : [[name, key, text, payload]],
      ),
    async under(beginning) {
      const rows = await database.read(UNDER, [cell, beginning, beginning + END])
      return rows.flatMap(([key, text]) => (key == null || text == null ? [] : [[key, text] as const]))
    },
    async listed(beginning, limit) {
      const rows = await database.read(LISTED, [cell, beginning, beginning + END, limit])
      return { names: rows.flatMap(([, name]) => name ?? []), count: Number(rows[0]?.[0] ?? 0) }
    },
  }
}

/** Records of other cells. An answer expires soon, because this process does not see later changes of the records. */
export class OtherCellNames implements Elsewhere {
  readonly #options: NamesOptions
  readonly #forms = new NameForms()
  readonly #answers = new Map<string, Answer>()
  /** Names to look up, with the time in ms for which the answer must be kept. */
  #pendingNames = new Map<string, number>()
  #nextFetch: Promise<void> | undefined
  #runningFetch: Promise<void> | undefined

  constructor(options: NamesOptions) {
    this.#options = options
  }

  exists(): boolean {
    return this.#options.hasNeighbours?.() ?? false
  }

  get(name: string): NamedRows {
    const form = this.#forms.of(name)
    const answer = this.#answers.get(form.text)
    // A fresh answer may contain rows; `mayExist` can only rule them out.
    if (answer !== undefined && answer.untilMs >= performance.now()) return answer.rows
    if (this.#options.mayExist?.(form) === false) return NONE
    throw new NotAtHand([{ read: 'name', name }])
  }

  under(beginning: string): Promise<RowPage> {
    return this.#options.under(nameText(beginning))
  }

  listed(beginning: string, limit: number): ReturnType<Elsewhere['listed']> {
    return this.#options.listed(beginning, limit)
  }

  /** Requests that arrive while a statement is running share the next statement. */
  async fetch(names: readonly string[], keptMs: number): Promise<void> {
    for (const name of names) {
      const text = nameText(name)
      this.#pendingNames.set(text, Math.max(keptMs, this.#pendingNames.get(text) ?? 0))
    }
    this.#nextFetch ??= this.#next()
    await this.#nextFetch
  }

  async #next(): Promise<void> {
    await this.#runningFetch?.catch(() => undefined)
    const names = this.#pendingNames
    this.#pendingNames = new Map()
    this.#nextFetch = undefined
    this.#runningFetch = this.#fetchRecords(names)
    await this.#runningFetch
  }

  async #fetchRecords(names: ReadonlyMap<string, number>): Promise<void> {
    const rowsByName = new Map<string, NamedRows[number][]>()
    for (const [name, key, text, payload] of await this.#options.read([...names.keys()])) {
      const rows = rowsByName.get(name)
      if (rows === undefined) rowsByName.set(name, [[key, text, payload]])
      else rows.push([key, text, payload])
    }
    const nowMs = performance.now()
    this.#removeExpired(nowMs)
    for (const [name, keptMs] of names)
      this.#answers.set(name, { rows: rowsByName.get(name) ?? NONE, untilMs: nowMs + keptMs })
  }

  #removeExpired(nowMs: number): void {
    if (this.#answers.size < MAX_ANSWERS) return
    for (const [name, { untilMs }] of this.#answers) if (untilMs < nowMs) this.#answers.delete(name)
  }
}
