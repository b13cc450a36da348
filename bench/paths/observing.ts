// Loaded into the observed service before it starts (`--import`): counts function calls and lookups of the directory.
// It is controlled over a socket: each message ends one interval and begins the next; the answer has the intervals
// since the previous message. The first write also ends an interval: before it the service decides and signs, after it
// the service sends and settles.
import { Session } from 'node:inspector'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { isMainThread } from 'node:worker_threads'
import { Directory } from '../../src/engine/index/directory.ts'
import { GroupCommit } from '../../snapshots/group-commit.ts'
import { callsIn, SOCKET, type Observed } from './observed.ts'

/** Directory of the socket. Absent in every process except the service itself. */
const dir = process.env['BENCH_OBSERVED_DIR']
const ROOT = new URL('../../', import.meta.url).href
const LOOKUPS = [
  'anywhere',
  'atAddress',
  'byId',
  'byPayId',
  'bySignature',
  'each',
  'find',
  'findOwn',
  'first',
  'firstOwn',
  'ownAtAddress',
  'resident',
]

/** A line of a stack trace: the function, and its file in the project. */
const FRAME = /^ +at (?:(?:async|new) )*(.*) \(.*?\/((?:machines|snapshots|src)\/[^:)]+)/
const FRAMES = 3

const session = new Session()
let lookups: Record<string, number> = {}
let depth = 0
/** False until the first message, because the scene is created before. */
let observes = false
/** Intervals that ended since the last message. */
let intervals: Observed[] = []
let awaitsWrite = false

type Method = (this: unknown, ...args: unknown[]) => unknown

/** Counts lookups. A lookup within another one is part of it. */
function countLookups(): void {
  const methods = Directory.prototype as unknown as Record<string, Method>
  for (const name of LOOKUPS) {
    const original = methods[name]!
    methods[name] = function (...args) {
      if (depth === 0 && observes) noteLookup(name)
      depth += 1
      try {
        return Reflect.apply(original, this, args)
      } finally {
        depth -= 1
      }
    }
  }
}

/** Counts a lookup under its calling functions, the nearest first. */
function noteLookup(method: string): void {
  const frames = (new Error('lookup').stack ?? '').split('\n').flatMap((line) => {
    const [, name, file] = FRAME.exec(line) ?? []
    return name === undefined || file === undefined || file.startsWith('src/engine/index/') ? [] : `${name} ${file}`
  })
  const caller = [method, ...frames.slice(0, FRAMES)].join(' < ')
  lookups[caller] = (lookups[caller] ?? 0) + 1
}

function endInterval(): void {
  session.post('Profiler.takePreciseCoverage', (error, { result }) => {
    if (error !== null) throw error
    intervals.push({ calls: callsIn(result, ROOT), lookups })
  })
  lookups = {}
}

function endAtWrite(): void {
  const methods = GroupCommit.prototype as unknown as Record<string, Method>
  const original = methods['add']!
  methods['add'] = function (...args) {
    const result = Reflect.apply(original, this, args)
    if (awaitsWrite) {
      awaitsWrite = false
      endInterval()
    }
    return result
  }
}

function observe(path: string): void {
  countLookups()
  endAtWrite()
  session.connect()
  session.post('Profiler.enable')
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
  const server = createServer((socket) => {
    socket.on('data', () => {
      endInterval()
      socket.write(`${JSON.stringify(intervals)}\n`)
      intervals = []
      awaitsWrite = true
      observes = true
    })
    socket.unref()
  })
  server.listen(path)
  server.unref()
}

if (dir !== undefined && isMainThread && process.argv.includes('serve')) observe(join(dir, SOCKET))
