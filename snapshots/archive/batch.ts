// Text form of a written batch: its time (Unix milliseconds), then one line per row: the key, a space and the value, or
// only the key for a deletion. Keys contain no spaces; values are JSON and contain no line feeds.
import type { DiskOp } from '../disk.ts'
import { CorruptRow } from '../errors.ts'
import { redoKey } from '../keys.ts'
import { unpackRow } from '../packed-row.ts'

export interface Batch {
  /** Number of the batch since the archive began, without gaps. */
  readonly sequence: number
  /** Taken before the write: no caller was acknowledged earlier. */
  readonly atMs: number
  readonly ops: readonly DiskOp[]
}

export function batchText(atMs: number, ops: readonly DiskOp[]): string {
  const lines = [String(atMs)]
  for (const op of ops) lines.push(op.type === 'del' ? op.key : `${op.key} ${unpackRow(op.value)}`)
  return lines.join('\n')
}

/** Throws CorruptRow. */
export function batchOf(sequence: number, text: string): Batch {
  const [time = '', ...lines] = text.split('\n')
  if (!/^\d{1,16}$/.test(time) || lines.includes(''))
    throw new CorruptRow(redoKey(sequence), new TypeError('not a batch'))
  return { sequence, atMs: Number(time), ops: lines.map(opOf) }
}

function opOf(line: string): DiskOp {
  const end = line.indexOf(' ')
  return end < 0 ? { type: 'del', key: line } : { type: 'put', key: line.slice(0, end), value: line.slice(end + 1) }
}
