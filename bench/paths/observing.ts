// Runs inside the observed service, before it (`--import`): counts the functions that run, and the lookups of the
// directory. Controlled over a socket: each message ends one interval and begins the next; the answer is what ran in
// the intervals since the last message. The first write of an interval ends it too: the functions before it decide and
// sign, those after it send and settle.
import { Session } from 'node:inspector'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { isMainThread } from 'node:worker_threads'
import { Directory } from '../../src/engine/index/directory.ts'
import { GroupCommit } from '../../snapshots/group-commit.ts'
import { callsIn, SOCKET, type Observed } from './observed.ts'

/** The path of the socket. Absent in every process but the service itself. */
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

/** A line of a stack: the function, and its file in the project. */
const FRAME = /^ +at (?:(?:async|new) )*(.*) \(.*?\/((?:machines|snapshots|src)\/[^:)]+)/
const FRAMES = 3

const session = new Session()
let lookups: Record<string, number> = {}
let depth = 0
/** False until the first message: the scene is created before. */
let observes = false
/** Intervals that ended since the last message. */
let stretches: Observed[] = []
let awaitsWrite = false

type Method = (this: unknown, ...given: unknown[]) => unknown

/** A lookup that another one makes is part of it. */
function countLookups(): void {
  const methods = Directory.prototype as unknown as Record<string, Method>
  for (const name of LOOKUPS) {
    const original = methods[name]!
    methods[name] = function (...given) {
      if (depth === 0 && observes) noteLookup(name)
      depth += 1
      try {
        return Reflect.apply(original, this, given)
      } finally {
        depth -= 1
      }
    }
  }
}

/** By the functions nearest to the directory, the nearest first. */
function noteLookup(method: string): void {
  const frames = (new Error('asks').stack ?? '').split('\n').flatMap((line) => {
    const [, name, file] = FRAME.exec(line) ?? []
    return name === undefined || file === undefined || file.startsWith('src/engine/index/') ? [] : `${name} ${file}`
  })
  const asker = [method, ...frames.slice(0, FRAMES)].join(' < ')
  lookups[asker] = (lookups[asker] ?? 0) + 1
}

function endStretch(): void {
  session.post('Profiler.takePreciseCoverage', (error, { result }) => {
    if (error !== null) throw error
    stretches.push({ calls: callsIn(result, ROOT), lookups })
  })
  lookups = {}
}

function endAtWrite(): void {
  const methods = GroupCommit.prototype as unknown as Record<string, Method>
  const original = methods['add']!
  methods['add'] = function (...given) {
    const result = Reflect.apply(original, this, given)
    if (awaitsWrite) {
      awaitsWrite = false
      endStretch()
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
      endStretch()
      socket.write(`${JSON.stringify(stretches)}\n`)
      stretches = []
      awaitsWrite = true
      observes = true
    })
    socket.unref()
  })
  server.listen(path)
  server.unref()
}

if (dir !== undefined && isMainThread && process.argv.includes('serve')) observe(join(dir, SOCKET))
