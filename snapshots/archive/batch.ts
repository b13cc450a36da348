// A written batch as one text: its time (Unix milliseconds), then a line for each row: the key, a blank and the value, or the key alone where the
// row was deleted. Keys have no blanks and values no line feeds: they are JSON.
import type { DiskOp } from '../disk.ts'
import { CorruptRow } from '../errors.ts'
import { redoKey } from '../keys.ts'

export interface Batch {
  /** Counts the batches since the archive was begun, without gaps. */
  readonly sequence: number
  /** Taken before it was written: whoever was answered for it, was answered later. */
  readonly atMs: number
  readonly ops: readonly DiskOp[]
}

export function batchText(atMs: number, ops: readonly DiskOp[]): string {
  const lines = [String(atMs)]
  for (const op of ops) lines.push(op.type === 'del' ? op.key : `${op.key} ${op.value}`)
  return lines.join('\n')
}

/** Throws CorruptRow. */
export function batchOf(sequence: number, text: string): Batch {
  const [time = '', ...lines] = text.split('\n')
  if (!/^\d{1,16}$/.test(time) || lines.includes('')) throw new CorruptRow(redoKey(sequence), new TypeError('not a batch'))
  return { sequence, atMs: Number(time), ops: lines.map(opOf) }
}

function opOf(line: string): DiskOp {
  const end = line.indexOf(' ')
  return end < 0 ? { type: 'del', key: line } : { type: 'put', key: line.slice(0, end), value: line.slice(end + 1) }
}
