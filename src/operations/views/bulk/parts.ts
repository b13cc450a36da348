// Names the parts (partitions) of the records of bulk queries.
const SEPARATOR = '\u0000'

export function partOf(...names: readonly string[]): string {
  return names.join(SEPARATOR)
}
