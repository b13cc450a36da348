// Encodes database rows as frame bodies: number of rows, then per row the length of the key (u32), the key, the length
// of the value (u32), the value.
import { BackupRefused } from './format.ts'

export type BackupRow = readonly [key: Buffer, value: Buffer]

const BODY_BYTES = 1024 * 1024
const LENGTH_BYTES = 4

const lengthOf = (value: number): Buffer => {
  const bytes = Buffer.alloc(LENGTH_BYTES)
  bytes.writeUInt32BE(value)
  return bytes
}

/** A body is complete at 1 MiB; a row is never split. */
export async function* packRows(rows: AsyncIterable<BackupRow>): AsyncGenerator<Buffer, void, undefined> {
  let parts: Buffer[] = []
  let bytes = 0
  let count = 0
  const packed = (): Buffer => Buffer.concat([lengthOf(count), ...parts])
  for await (const [key, value] of rows) {
    parts.push(lengthOf(key.length), key, lengthOf(value.length), value)
    bytes += 2 * LENGTH_BYTES + key.length + value.length
    count += 1
    if (bytes < BODY_BYTES) continue
    yield packed()
    parts = []
    bytes = 0
    count = 0
  }
  if (count > 0) yield packed()
}

/** Number of rows in a body. */
export const countOf = (body: Buffer): number => (body.length < LENGTH_BYTES ? 0 : body.readUInt32BE())

/** Throws BackupRefused if the body does not contain valid rows. */
export function unpackRows(body: Buffer): BackupRow[] {
  const rows: BackupRow[] = []
  let at = LENGTH_BYTES
  const part = (): Buffer => {
    const start = at + LENGTH_BYTES
    at = start + (start <= body.length ? body.readUInt32BE(at) : Infinity)
    if (at > body.length) throw new BackupRefused('the backup holds rows that cannot be read')
    return body.subarray(start, at)
  }
  while (at < body.length) rows.push([part(), part()])
  if (rows.length !== countOf(body)) throw new BackupRefused('the backup holds rows that cannot be read')
  return rows
}

/** Decodes rows as the embedded chain streams them. */
export async function* rowsFrom(bytes: AsyncIterable<Buffer>): AsyncGenerator<BackupRow, void, undefined> {
  let buffered: Buffer = Buffer.alloc(0)
  for await (const chunk of bytes) {
    buffered = buffered.length === 0 ? chunk : Buffer.concat([buffered, chunk])
    let at = 0
    for (let row = rowAt(buffered, at); row !== null; row = rowAt(buffered, at)) {
      yield [row.key, row.value]
      at = row.end
    }
    buffered = buffered.subarray(at)
  }
  if (buffered.length > 0) throw new Error('the included chain sent half a row')
}

function rowAt(
  bytes: Buffer,
  start: number,
): { readonly key: Buffer; readonly value: Buffer; readonly end: number } | null {
  const key = partAt(bytes, start)
  const value = key === null ? null : partAt(bytes, key.end)
  return key === null || value === null ? null : { key: key.part, value: value.part, end: value.end }
}

function partAt(bytes: Buffer, start: number): { readonly part: Buffer; readonly end: number } | null {
  if (start + 4 > bytes.length) return null
  const end = start + 4 + bytes.readUInt32BE(start)
  return end > bytes.length ? null : { part: bytes.subarray(start + 4, end), end }
}
