// Names the parts (partitions) in which the records of bulk queries are kept.
const SEPARATOR = '\u0000'

export function partOf(...names: readonly string[]): string {
  return names.join(SEPARATOR)
}
