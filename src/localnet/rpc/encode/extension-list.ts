// The type-length-value list of Token-2022 after the base state (of mints and accounts). A truncated list ends without
// an error: on chain the rest of the space is zero.

export interface Extension {
  readonly type: number
  readonly value: Uint8Array
}

const LIST_OFFSET = 166
const HEADER_LENGTH = 4

/** The extensions in `data`, in order; none for plain accounts and mints. */
export function extensionsOf(data: Uint8Array): Extension[] {
  const extensions: Extension[] = []
  let at = LIST_OFFSET
  while (at + HEADER_LENGTH <= data.length) {
    const type = data[at]! | (data[at + 1]! << 8)
    const length = data[at + 2]! | (data[at + 3]! << 8)
    const end = at + HEADER_LENGTH + length
    if (type === 0 || end > data.length) break
    extensions.push({ type, value: data.subarray(at + HEADER_LENGTH, end) })
    at = end
  }
  return extensions
}
