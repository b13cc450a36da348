// An array of texts in PostgreSQL's binary format, as `array_send` writes it. The text format would escape each
// element, and the server would parse it again: more work than to insert the row, for both.

/** Dimensions, flags, element type, length of the dimension, lower bound. */
const HEADER_INTS = 5
const INT_BYTES = 4
const TEXT_OID = 25
const NULL_LENGTH = -1

/** A value for a parameter that the statement declares as `text[]`. */
export function textArray(elements: readonly (string | null)[]): Buffer {
  let size = INT_BYTES * (HEADER_INTS + elements.length)
  for (const element of elements) size += element === null ? 0 : Buffer.byteLength(element)
  const bytes = Buffer.allocUnsafe(size)
  let at = 0
  for (const int of [1, 1, TEXT_OID, elements.length, 1]) at = bytes.writeInt32BE(int, at)
  for (const element of elements) {
    const length = element === null ? NULL_LENGTH : bytes.write(element, at + INT_BYTES)
    bytes.writeInt32BE(length, at)
    at += INT_BYTES + Math.max(length, 0)
  }
  return bytes
}
