// A batch of the embedded chain, in the format of its process: time (f64, Unix milliseconds), then per row a letter (P
// put, D delete), the length of the key (u32), the key, and for puts the length of the value and the value. The first 6
// bytes of a frame are its sequence.
import { BackupRefused, type Frame } from '../backup/format.ts'
import type { BackupRow } from '../backup/rows.ts'

/**
 * `CHAIN_REDO`: first byte of the chain's batch rows. `CHAIN_ARCHIVE_KEY`: the row that names the archive following it.
 */
export const CHAIN_REDO = 'w'.charCodeAt(0)
export const CHAIN_ARCHIVE_KEY = 'marchive'
const SEQUENCE_BYTES = 6
const PUT = 'P'.charCodeAt(0)

export interface ChainBatch {
  readonly sequence: number
  readonly atMs: number
  readonly rows: readonly (readonly [key: Buffer, value: Buffer | null])[]
}

/** The key of a batch row contains the sequence after the letter. */
export const chainSequence = (key: Buffer): number => key.readUIntBE(1, SEQUENCE_BYTES)

export const chainFrame = ([key, value]: BackupRow): Frame => ({
  kind: 'chainBatch',
  body: Buffer.concat([key.subarray(1), value]),
})

/** Throws BackupRefused. */
export function chainBatchOf({ body }: Frame): ChainBatch {
  try {
    const rows: [Buffer, Buffer | null][] = []
    let at = SEQUENCE_BYTES + 8
    const part = (): Buffer => {
      const start = at + 4
      at = start + body.readUInt32BE(at)
      if (at > body.length) throw new RangeError('cut')
      return body.subarray(start, at)
    }
    while (at < body.length) {
      const isPut = body[at] === PUT
      at += 1
      rows.push([part(), isPut ? part() : null])
    }
    return { sequence: body.readUIntBE(0, SEQUENCE_BYTES), atMs: body.readDoubleBE(SEQUENCE_BYTES), rows }
  } catch {
    throw new BackupRefused('the archive holds a batch of the included chain that cannot be read')
  }
}
