// Where the service's main thread spent the measured windows, from the CPU profile that V8 wrote at its end.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

interface ProfileNode {
  readonly id: number
  readonly callFrame: { readonly functionName: string; readonly url: string }
  readonly children?: readonly number[]
}

interface Profile {
  readonly nodes: readonly ProfileNode[]
  /** Microseconds of CLOCK_MONOTONIC. */
  readonly startTime: number
  readonly samples: readonly number[]
  readonly timeDeltas: readonly number[]
}

const ROWS = 45
const ROOT = new URL('../../', import.meta.url).href
const IDLE = new Set(['(idle)', '(root)'])

/**
 * Lines to print: microseconds per request by function, itself and with everything it called, and by file.
 * @param windows from and to, microseconds of CLOCK_MONOTONIC
 */
export function profileSummary(dir: string, windows: readonly (readonly [number, number])[], requests: number): string[] {
  const file = readdirSync(dir).find((name) => name.endsWith('.cpuprofile'))
  if (file === undefined) throw new Error(`no profile in ${dir}`)
  const profile = JSON.parse(readFileSync(join(dir, file), 'utf8')) as Profile
  const nodes = new Map(profile.nodes.map((node) => [node.id, node]))
  const stacks = stacksOf(profile)
  const self = new Map<string, number>()
  const inclusive = new Map<string, number>()
  const files = new Map<string, number>()

  let at = profile.startTime
  profile.samples.forEach((id, index) => {
    const us = profile.timeDeltas[index]!
    at += us
    const node = nodes.get(id)!
    if (IDLE.has(node.callFrame.functionName) || !windows.some(([from, to]) => at >= from && at <= to)) return
    add(self, nameOf(node), us)
    add(files, placeOf(node), us)
    for (const name of stacks.get(id)!) add(inclusive, name, us)
  })
  const shown = (title: string, times: ReadonlyMap<string, number>) => ['', `  ${title}, us per request`, ...top(times, requests)]
  return [
    '', `  profile: ${join(dir, file)}`,
    ...shown('by function, itself', self), ...shown('by function, with what it called', inclusive), ...shown('by file, itself', files),
  ]
}

/** Names on the stack of each node, each once. */
function stacksOf({ nodes }: Profile): Map<number, ReadonlySet<string>> {
  const parents = new Map<number, ProfileNode>()
  for (const node of nodes) for (const child of node.children ?? []) parents.set(child, node)
  const stacks = new Map<number, ReadonlySet<string>>()
  for (const node of nodes) {
    const names = new Set<string>()
    for (let frame: ProfileNode | undefined = node; frame !== undefined; frame = parents.get(frame.id)) names.add(nameOf(frame))
    stacks.set(node.id, names)
  }
  return stacks
}

function nameOf(node: ProfileNode): string {
  return `${node.callFrame.functionName || '(anonymous)'}  ${placeOf(node)}`
}

function placeOf({ callFrame: { url } }: ProfileNode): string {
  const path = url.startsWith(ROOT) ? url.slice(ROOT.length) : url
  return path === '' ? '(native)' : path.replace(/^node_modules\//, '').replace(/\?.*$/, '')
}

function add(times: Map<string, number>, name: string, us: number): void {
  times.set(name, (times.get(name) ?? 0) + us)
}

function top(times: ReadonlyMap<string, number>, requests: number): string[] {
  const sorted = [...times].sort(([, one], [, other]) => other - one).slice(0, ROWS)
  return sorted.map(([name, us]) => `  ${(us / requests).toFixed(1).padStart(8)}  ${name}`)
}
