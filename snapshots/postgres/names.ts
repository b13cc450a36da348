// The table of names: what the owner of a tenant writes with its records, and what other cells find by it. A name and
// its record are read in one statement, so they are of one moment.
import type { NamedRows, NameTable, Page } from '../disk.ts'
import { nameText } from '../keys.ts'
import { NotAtHand } from '../not-at-hand.ts'
import type { Database } from './database.ts'

/**
 * A record that has ended may be cold, and has the row `o` then. The names of transactions begin with `tx`: their
 * payloads are rows of their own. A null key finds none.
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
/** After every character of a name. */
const END = '\u007f'
/** Answers that are too old are forgotten when there are so many. */
const MOST_ANSWERS = 10_000
const NONE: NamedRows = []

interface Answer {
  readonly rows: NamedRows
  readonly untilMs: number
}

/** Of a record that has a name: the name, the key and text of the row, and the payload of a transaction. */
export type NamedRow = readonly [name: string, ...NamedRows[number]]

export interface NamesOptions {
  /** The records of other cells that have one of the names, in the order of their keys for each name. */
  readonly read: (names: readonly string[]) => Promise<readonly NamedRow[]>
  /** Those that have a name which begins so, in key order. */
  readonly under: (beginning: string) => Promise<Page>
  /** The first names that begin so, in order, and their number. */
  readonly listed: Elsewhere['listed']
  /** False: certainly no record of another cell has the name at this moment. Default: a question has to show it. */
  readonly mayExist?: (name: string) => boolean
  /** Default: there is no other cell. */
  readonly hasNeighbours?: (() => boolean) | undefined
}

type Elsewhere = NameTable['elsewhere']

/** @param cell whose own records are left out */
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

/** Records of other cells. An answer is used for a moment only: this process does not see them change. */
export class NamesElsewhere implements Elsewhere {
  readonly #options: NamesOptions
  readonly #nowMs: () => number
  readonly #answers = new Map<string, Answer>()
  /** Names to ask for, with how long the answer is to be kept. */
  #wanted = new Map<string, number>()
  #coming: Promise<void> | undefined
  #underway: Promise<void> | undefined

  constructor(options: NamesOptions, nowMs = () => performance.now()) {
    this.#options = options
    this.#nowMs = nowMs
  }

  exists(): boolean {
    return this.#options.hasNeighbours?.() ?? false
  }

  get(name: string): NamedRows {
    const text = nameText(name)
    const answer = this.#answers.get(text)
    // What was asked for a moment ago is more than what can be known without a question.
    if (answer !== undefined && answer.untilMs >= this.#nowMs()) return answer.rows
    if (this.#options.mayExist?.(text) === false) return NONE
    throw new NotAtHand([{ read: 'name', name }])
  }

  under(beginning: string): Promise<Page> {
    return this.#options.under(nameText(beginning))
  }

  listed(beginning: string, limit: number): ReturnType<Elsewhere['listed']> {
    return this.#options.listed(beginning, limit)
  }

  /** Everything asked for while a statement is under way is asked by the next one. */
  async fetch(names: readonly string[], keptMs: number): Promise<void> {
    for (const name of names) {
      const text = nameText(name)
      this.#wanted.set(text, Math.max(keptMs, this.#wanted.get(text) ?? 0))
    }
    this.#coming ??= this.#next()
    await this.#coming
  }

  async #next(): Promise<void> {
    await this.#underway?.catch(() => undefined)
    const wanted = this.#wanted
    this.#wanted = new Map()
    this.#coming = undefined
    this.#underway = this.#ask(wanted)
    await this.#underway
  }

  async #ask(wanted: ReadonlyMap<string, number>): Promise<void> {
    const found = new Map<string, NamedRows[number][]>()
    for (const [name, key, text, payload] of await this.#options.read([...wanted.keys()])) {
      const rows = found.get(name)
      if (rows === undefined) found.set(name, [[key, text, payload]])
      else rows.push([key, text, payload])
    }
    const nowMs = this.#nowMs()
    this.#forget(nowMs)
    for (const [name, keptMs] of wanted)
      this.#answers.set(name, { rows: found.get(name) ?? NONE, untilMs: nowMs + keptMs })
  }

  #forget(nowMs: number): void {
    if (this.#answers.size < MOST_ANSWERS) return
    for (const [name, { untilMs }] of this.#answers) if (untilMs < nowMs) this.#answers.delete(name)
  }
}
