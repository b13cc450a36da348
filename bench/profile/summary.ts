// The time of the main thread of the service in the measured windows, from the CPU profile that V8 wrote at its end.
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
/** The thread of the module loader has its own profile, with another number in this place. */
const MAIN_THREAD = /\.0\.\d+\.cpuprofile$/
const ROOT = new URL('../../', import.meta.url).href
const IDLE = new Set(['(idle)', '(root)'])
/** The first match counts; a frame without a match is listed by its folder. */
const SUBSYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/^\(garbage collector\)/, 'garbage'],
  [/ \(native\)$| node:/, 'node itself'],
  [/ machines\/| src\/engine\/.*(live-actor|transition-table)/, 'state machines'],
  [/ src\/keys\/| src\/operations\/.*signing\//, 'keys and signing'],
  [/ src\/engine\/.*(codec|packing)\.| snapshots\//, 'rows and store'],
  [/ src\/engine\/.*compact\./, 'compaction'],
  [/ src\/engine\/.*(directory|index-keys|key-index|listing)\./, 'directory'],
  [/ src\/engine\/.*debit-windows\.| src\/operations\/.*limits\//, 'limits'],
  [/ src\/engine\/.*journal/, 'events and audit'],
  [/ src\/engine\//, 'commit and settlement'],
  [/ src\/(chain|solana|rpc|submission)\//, 'messages, submission and RPC'],
  [/ src\/operations\//, 'operations'],
  [/ src\/(http|contract)\//, 'HTTP'],
]

/**
 * Lines to print: microseconds per request by function, itself and with everything it called, and by file.
 * @param windows from and to, microseconds of CLOCK_MONOTONIC
 */
export function profileSummary(
  dir: string,
  windows: readonly (readonly [number, number])[],
  requests: number,
): string[] {
  const file = readdirSync(dir).find((name) => MAIN_THREAD.test(name))
  if (file === undefined) throw new Error(`no profile in ${dir}`)
  const profile = JSON.parse(readFileSync(join(dir, file), 'utf8')) as Profile
  const nodes = new Map(profile.nodes.map((node) => [node.id, node]))
  const parents = new Map(profile.nodes.flatMap((node) => (node.children ?? []).map((child) => [child, node] as const)))
  const stacks = new Map(profile.nodes.map((node) => [node.id, stackOf(node, parents)]))
  const self = new Map<string, number>()
  const inclusive = new Map<string, number>()
  const files = new Map<string, number>()
  const subsystems = new Map<string, number>()

  let at = profile.startTime
  profile.samples.forEach((id, index) => {
    const us = profile.timeDeltas[index]!
    at += us
    const node = nodes.get(id)!
    if (IDLE.has(node.callFrame.functionName) || !windows.some(([from, to]) => at >= from && at <= to)) return
    add(self, nameOf(node), us)
    const stack = stacks.get(id)!
    const own = stack.find(isOurs) ?? node
    add(files, placeOf(own), us)
    add(subsystems, subsystemOf(own), us)
    add(subsystems, 'all', us)
    for (const name of new Set(stack.map(nameOf))) add(inclusive, name, us)
  })
  const shown = (title: string, times: ReadonlyMap<string, number>) => [
    '',
    `  ${title}, us per request`,
    ...top(times, requests),
  ]
  return [
    '',
    `  profile: ${join(dir, file)}`,
    ...shown('by subsystem', subsystems),
    ...shown('by function, itself', self),
    ...shown('by function, with what it called', inclusive),
    ...shown('by file, with the libraries it called', files),
  ]
}

/** The frame itself first, its callers after it. */
function stackOf(node: ProfileNode, parents: ReadonlyMap<number, ProfileNode>): ProfileNode[] {
  const stack: ProfileNode[] = []
  for (let frame: ProfileNode | undefined = node; frame !== undefined; frame = parents.get(frame.id)) stack.push(frame)
  return stack
}

function isOurs({ callFrame: { url } }: ProfileNode): boolean {
  return url.startsWith(ROOT) && !url.includes('/node_modules/')
}

function nameOf(node: ProfileNode): string {
  return `${node.callFrame.functionName || '(anonymous)'}  ${placeOf(node)}`
}

function subsystemOf(node: ProfileNode): string {
  const name = nameOf(node)
  return SUBSYSTEMS.find(([pattern]) => pattern.test(name))?.[1] ?? placeOf(node).replace(/\/[^/]*$/, '')
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
