// Runs inside the measured service, before it (`--import`): counts the cost of a request other than time. SIGUSR2
// begins, a second SIGUSR2 ends and writes the counts. Until it begins, the service runs unchanged.
import { createHook } from 'node:async_hooks'
import { writeFileSync } from 'node:fs'
import { Session } from 'node:inspector'
import { join } from 'node:path'
import { Directory } from '../../src/engine/index/directory.ts'
import { KeyIndex } from '../../src/engine/index/key-index.ts'
import { TextIndex } from '../../src/engine/index/text-index.ts'
import { UnitOfWork } from '../../src/engine/records/unit-of-work.ts'
import { GroupCommit, type Row } from '../../snapshots/group-commit.ts'

const COUNTS_FILE = 'counts.json'
/** The file for the counts. Absent in every process but the service itself, such as its worker threads. */
const dir = process.env['BENCH_COUNTS_DIR']
const ROOT = new URL('../../', import.meta.url).href
/** Bytes between two samples of allocations. */
const SAMPLE_BYTES = 16_384

export interface Counts {
  readonly totals: Readonly<Record<string, number>>
  /** Bytes allocated, by the place that allocated them. */
  readonly allocated: Readonly<Record<string, number>>
}

interface HeapNode {
  readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number }
  readonly selfSize: number
  readonly children: readonly HeapNode[]
}

const totals: Record<string, number> = {}
const session = new Session()

function count(name: string, times = 1): void {
  totals[name] = (totals[name] ?? 0) + times
}

type Method = (this: unknown, ...given: unknown[]) => unknown

/** Replaces a method by one that records each call first. */
function noted(owner: object, method: string, note: (...given: unknown[]) => void): void {
  const methods = owner as Record<string, Method>
  const original = methods[method]!
  methods[method] = function (...given) {
    note(...given)
    return Reflect.apply(original, this, given)
  }
}

/** Searches of the directory. A search that calls another is counted once, by the name that was called. */
const LOOKUPS = [
  ...['byId', 'resident', 'anywhere', 'bySignature', 'byPayId', 'atAddress', 'ownAtAddress'],
  ...['find', 'findOwn', 'searchOwn', 'first', 'firstOwn', 'each'],
]

function countLookups(): void {
  let isInside = false
  const methods = Directory.prototype as unknown as Record<string, Method>
  for (const name of LOOKUPS) {
    const original = methods[name]!
    methods[name] = function (...given) {
      if (isInside) return Reflect.apply(original, this, given)
      count('directory lookups')
      count(`lookup ${name}`)
      isInside = true
      try {
        return Reflect.apply(original, this, given)
      } finally {
        isInside = false
      }
    }
  }
}

function begin(): void {
  countLookups()
  for (const method of ['get', 'first', 'each']) noted(KeyIndex.prototype, method, () => count('searches of an index'))
  noted(TextIndex.prototype, 'find', () => count('searches of a table of hashes'))
  noted(UnitOfWork.prototype, 'send', (_, event) => {
    count('transitions')
    count(`transition ${(event as { readonly type: string }).type}`)
  })
  noted(UnitOfWork.prototype, 'create', (kind) => count(`records created: ${String(kind)}`))
  const json = JSON as unknown as Record<string, Method>
  for (const method of ['parse', 'stringify']) noted(json, method, () => count(`JSON.${method} calls`))
  noted(GroupCommit.prototype, 'add', (rows) => {
    count('units of work written')
    for (const row of rows as Row[]) countRow(row)
  })
  createHook({ init: () => count('promises') }).enable()
  session.connect()
  session.post('HeapProfiler.enable')
  session.post('HeapProfiler.startSampling', {
    samplingInterval: SAMPLE_BYTES,
    includeObjectsCollectedByMajorGC: true,
    includeObjectsCollectedByMinorGC: true,
  } as never)
}

/** By the letter of its key (`snapshots/keys.ts`). */
function countRow(row: Row): void {
  const prefix = row.key[0]!
  count('rows')
  count(`rows ${prefix}`)
  const methods = row as { text: Row['text']; packed: Row['packed'] }
  for (const method of ['text', 'packed'] as const) {
    const original = row[method]?.bind(row)
    if (original === undefined) continue
    methods[method] = () => {
      const made = original()
      const bytes = row.key.length + Buffer.byteLength(made ?? '')
      count('rows handed to the disk')
      count('bytes of rows', bytes)
      count(`bytes of rows ${prefix}`, bytes)
      return made
    }
  }
}

function end(): void {
  const allocated: Record<string, number> = {}
  session.post('HeapProfiler.stopSampling', (error, found) => {
    if (error !== null) throw error
    const walk = ({ callFrame, selfSize, children }: HeapNode): void => {
      const { functionName, url } = callFrame
      const place = `${functionName || '(anonymous)'}  ${url.replace(ROOT, '')}`
      allocated[place] = (allocated[place] ?? 0) + selfSize
      children.forEach(walk)
    }
    walk(found.profile.head)
    const counts: Counts = { totals, allocated }
    writeFileSync(join(dir!, COUNTS_FILE), JSON.stringify(counts))
  })
}

if (dir !== undefined && process.argv.includes('serve'))
  process.once('SIGUSR2', () => (begin(), process.once('SIGUSR2', end)))
