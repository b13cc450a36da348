// The counts of V8 in one interval: how often each function of the project ran, and the lookups of the directory.

/** File of the socket, in the directory that both processes know. */
export const SOCKET = 'observed.sock'

export type Counts = Readonly<Record<string, number>>

export interface Observed {
  /** By function: `<file>:<offset> <name>`. */
  readonly calls: Counts
  /** By the functions that asked. */
  readonly lookups: Counts
}

export interface ScriptCoverage {
  readonly url: string
  readonly functions: readonly {
    readonly functionName: string
    readonly ranges: readonly { readonly startOffset: number; readonly count: number }[]
  }[]
}

/** Folders of the product: neither its dependencies nor the bench are counted. */
const PRODUCT = /^(machines|snapshots|src)\//
/** The loader of TypeScript adds it to every file, to keep the names of functions. */
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
 * What every one of several equal requests did: timers and other requests, which run now and then, drop out.
 * @param idle what runs in as long a time without any request; each of its functions is left out as often as it ran
 */
export function common(observed: readonly Observed[], idle: readonly Observed[] = []): Observed {
  const of = (read: (each: Observed) => Counts): Counts => commonCounts(observed.map(read), idle.map(read))
  return { calls: of(({ calls }) => calls), lookups: of(({ lookups }) => lookups) }
}

function commonCounts(all: readonly Counts[], idle: readonly Counts[]): Counts {
  const counts: Record<string, number> = {}
  for (const name of Object.keys(all[0] ?? {})) {
    const least = Math.min(...all.map((each) => each[name] ?? 0))
    const left = least - Math.max(0, ...idle.map((each) => each[name] ?? 0))
    if (left > 0) counts[name] = left
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

/** The sum of consecutive intervals. */
export function together(parts: readonly Observed[]): Observed {
  return { calls: added(parts.map(({ calls }) => calls)), lookups: added(parts.map(({ lookups }) => lookups)) }
}

function added(all: readonly Counts[]): Counts {
  const counts: Record<string, number> = {}
  for (const each of all) for (const [name, count] of Object.entries(each)) counts[name] = (counts[name] ?? 0) + count
  return counts
}

/** The sums of each group, most calls first. */
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
