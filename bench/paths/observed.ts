// The counts of one interval: calls of each function of the project, counted by V8, and lookups of the directory.

/** File name of the socket, in a directory that both ends know. */
export const SOCKET = 'observed.sock'

export type Counts = Readonly<Record<string, number>>

export interface Observed {
  /** Calls by function: `<file>:<offset> <name>`. */
  readonly calls: Counts
  /** Lookups by calling functions. */
  readonly lookups: Counts
}

export interface ScriptCoverage {
  readonly url: string
  readonly functions: readonly {
    readonly functionName: string
    readonly ranges: readonly { readonly startOffset: number; readonly count: number }[]
  }[]
}

/** Folders of the product. Its dependencies and the bench are not counted. */
const PRODUCT = /^(machines|snapshots|src)\//
/** A helper that the TypeScript loader adds to every file to preserve function names. */
const OF_LOADER = '__name'

/** @param root the URL of the project, ending with a slash */
export function callsIn(scripts: readonly ScriptCoverage[], root: string): Counts {
  const calls: Record<string, number> = {}
  for (const { url, functions } of scripts) {
    const file = url.startsWith(root) ? url.slice(root.length).replace(/\?.*$/, '') : ''
    if (!PRODUCT.test(file)) continue
    for (const { functionName, ranges } of functions) {
      const { startOffset, count } = ranges[0]!
      if (count === 0 || functionName === OF_LOADER) continue
      const name = `${file}:${String(startOffset)} ${functionName || '(anonymous)'}`
      calls[name] = (calls[name] ?? 0) + count
    }
  }
  return calls
}

/**
 * The calls that each of several equal requests made. This removes timers and other requests, which run occasionally.
 * @param idle counts of intervals of the same length without requests, which are subtracted
 */
export function common(observed: readonly Observed[], idle: readonly Observed[] = []): Observed {
  const of = (read: (each: Observed) => Counts): Counts => commonCounts(observed.map(read), idle.map(read))
  return { calls: of(({ calls }) => calls), lookups: of(({ lookups }) => lookups) }
}

function commonCounts(all: readonly Counts[], idle: readonly Counts[]): Counts {
  const counts: Record<string, number> = {}
  for (const name of Object.keys(all[0] ?? {})) {
    const least = Math.min(...all.map((each) => each[name] ?? 0))
    const remaining = least - Math.max(0, ...idle.map((each) => each[name] ?? 0))
    if (remaining > 0) counts[name] = remaining
  }
  return counts
}

export const fileOf = (name: string): string => name.slice(0, name.indexOf(':'))

export interface Sums {
  readonly files: number
  readonly functions: number
  readonly calls: number
}

export function sumsOf(calls: Counts): Sums {
  const names = Object.keys(calls)
  return {
    files: new Set(names.map(fileOf)).size,
    functions: names.length,
    calls: total(calls),
  }
}

export const total = (counts: Counts): number => Object.values(counts).reduce((sum, each) => sum + each, 0)

/** The sum of several intervals. */
export function together(parts: readonly Observed[]): Observed {
  return { calls: added(parts.map(({ calls }) => calls)), lookups: added(parts.map(({ lookups }) => lookups)) }
}

function added(all: readonly Counts[]): Counts {
  const counts: Record<string, number> = {}
  for (const each of all) for (const [name, count] of Object.entries(each)) counts[name] = (counts[name] ?? 0) + count
  return counts
}

/** The sums of each group, ordered by calls, most first. */
export function grouped(calls: Counts, groupOf: (name: string) => string): (readonly [group: string, sums: Sums])[] {
  const groups = new Map<string, Record<string, number>>()
  for (const [name, count] of Object.entries(calls)) {
    const group = groupOf(name)
    const members = groups.get(group) ?? {}
    members[name] = count
    groups.set(group, members)
  }
  return [...groups]
    .map(([group, members]) => [group, sumsOf(members)] as const)
    .sort(([, one], [, other]) => other.calls - one.calls)
}
