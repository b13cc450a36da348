// Memory for ledger rows: a few large blocks instead of one allocation per row. Rows of a group are contiguous, so that
// they are one value without copying. Each row is preceded by its length (u32, little endian).

export const LENGTH_BYTES = 4
const SLAB_BYTES = 1 << 18

let slab = Buffer.allocUnsafeSlow(SLAB_BYTES)
let end = 0

/** A permanent copy of `row`. */
export function keepRow(row: Uint8Array): Buffer {
  const size = LENGTH_BYTES + row.length
  if (end + size > slab.length) {
    slab = Buffer.allocUnsafeSlow(Math.max(SLAB_BYTES, size))
    end = 0
  }
  const start = slab.writeUInt32LE(row.length, end)
  slab.set(row, start)
  end = start + row.length
  return slab.subarray(start, end)
}

/** A row that `keepRow` returned, with the length before it. */
export function lengthAndRow(row: Buffer): Buffer {
  return Buffer.from(row.buffer, row.byteOffset - LENGTH_BYTES, LENGTH_BYTES + row.length)
}
