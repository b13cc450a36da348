// Redo rows: while an archive follows the ledger, every batch has one additional row with all its changes, under `w`
// and the sequence (6 bytes). Its value: time (f64), then for each row a letter (P put, D delete), the length of the
// key (u32), the key, and for a put the length of the value and the value. The ledger itself records whether it is
// archived (`marchive`), so no process that opens and writes it can miss it.
import { numberKey } from './commit.ts'
import type { Batch, Database } from './surroundings.ts'

const LETTER = 'w'.charCodeAt(0)
const LINE_KEY = Buffer.from('marchive')
const ALL = { gte: Buffer.from([LETTER]), lt: Buffer.from([LETTER + 1]) }
/** Maximum number of archived rows that one batch removes. */
const REMOVED_AT_ONCE = 1_000
/** Approximate bytes of one response. */
const ANSWER_BYTES = 8 * 1024 * 1024

export interface Redo {
  /** The batches after a sequence; a long list comes in several calls. Archived rows are removed by later batches. */
  changes(after: number): AsyncIterable<[Buffer, Buffer]>
}

export interface RedoOptions {
  readonly now: () => number
  /** The archive of the ledger from now on; empty: none; absent: the one recorded in the ledger. */
  readonly line?: string | undefined
}

export async function withRedo(database: Database, { now, line }: RedoOptions): Promise<Database & Redo> {
  const stored = database.getSync(LINE_KEY)?.toString() ?? ''
  const present = line ?? stored
  if (present !== stored) await turn(database, present)
  if (present === '') return { ...bound(database), changes: nothing }
  let last = await edge(database, true)
  let oldest = (await edge(database, false)) || 1
  let archived = 0
  return {
    ...bound(database),
    batch() {
      const batch = database.batch()
      const parts: Buffer[] = [time(now())]
      return {
        put(key, value) {
          parts.push(Buffer.from('P'), ...withLength(key), ...withLength(value))
          return batch.put(key, value)
        },
        del(key) {
          parts.push(Buffer.from('D'), ...withLength(key))
          return batch.del(key)
        },
        write(options) {
          last += 1
          batch.put(numberKey(LETTER, last), Buffer.concat(parts))
          for (let left = REMOVED_AT_ONCE; left > 0 && oldest <= archived; left -= 1, oldest += 1)
            batch.del(numberKey(LETTER, oldest))
          return batch.write(options)
        },
      } satisfies Batch
    },
    async *changes(after) {
      archived = Math.max(archived, Math.min(after, last))
      let bytes = 0
      for await (const row of database.iterator({ ...ALL, gte: numberKey(LETTER, after + 1) })) {
        yield row
        bytes += row[1].length
        if (bytes > ANSWER_BYTES) return
      }
    },
  }
}

// eslint-disable-next-line @typescript-eslint/require-await
async function* nothing(): AsyncGenerator<[Buffer, Buffer], void, undefined> {
  yield* []
}

function bound(database: Database): Database {
  return {
    getSync: (key) => database.getSync(key),
    iterator: (range) => database.iterator(range),
    batch: () => database.batch(),
    close: () => database.close(),
  }
}

/** Switches to another archive, or to none: the rows for the previous one are removed. */
async function turn(database: Database, line: string): Promise<void> {
  const batch = database.batch()
  for await (const [key] of database.iterator(ALL)) batch.del(key)
  if (line === '') batch.del(LINE_KEY)
  else batch.put(LINE_KEY, Buffer.from(line))
  await batch.write({ sync: true })
}

async function edge(database: Database, reverse: boolean): Promise<number> {
  for await (const [key] of database.iterator({ ...ALL, reverse, limit: 1 })) return key.readUIntBE(1, 6)
  return 0
}

function time(nowMs: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeDoubleBE(nowMs)
  return bytes
}

function withLength(bytes: Buffer): [Buffer, Buffer] {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(bytes.length)
  return [length, bytes]
}
