// How the parts that bulk resources are kept in are named.
const SEPARATOR = '\u0000'

export function partOf(...names: readonly string[]): string {
  return names.join(SEPARATOR)
}
