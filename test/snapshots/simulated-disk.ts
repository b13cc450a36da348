// A disk in memory with a volatile cache: a crash loses whatever was not synced. Failing, it is as dishonest as LevelDB
// is: the write that fails may be there after all, and later ones are acknowledged, and gone after the crash.

import type { Disk, DiskOp, Page, Range } from '../../snapshots/disk.ts'

export interface SimulatedDisk {
  /**
   * The disk as one process sees it. After a crash that process is gone: its handle neither changes anything nor
   * answers.
   */
  attach(): Disk
  /** Every batch handed over, in order, with how it was asked to be written. */
  readonly writes: readonly { readonly ops: readonly DiskOp[]; readonly sync: boolean }[]
  /** Fail the next write, whether it lands or not, and lie about all later ones until the crash. */
  failNext(lands: boolean): void
  /** Let writes wait until released, so that a crash finds them under way. */
  hold(): void
  release(): void
  /**
   * Power off and on: only what was synced is left, and of the writes under way, if they land, all or nothing of each.
   */
  crash(underwayLands?: boolean): void
}

export function simulatedDisk(): SimulatedDisk {
  const platter = new Map<string, string>()
  const writes: { readonly ops: readonly DiskOp[]; readonly sync: boolean }[] = []
  const underway = new Set<readonly DiskOp[]>()
  let cache = new Map<string, string>()
  let failing: 'no' | 'landing' | 'losing' | 'lying' = 'no'
  let gate: Promise<void> | undefined
  let open = (): void => undefined
  let power = 0

  async function write(ops: readonly DiskOp[], sync: boolean, poweredAt: number): Promise<void> {
    if (poweredAt !== power) return never()
    writes.push({ ops, sync })
    underway.add(ops)
    await gate
    if (poweredAt !== power) return never()
    underway.delete(ops)
    if (failing === 'landing' || failing === 'losing') {
      if (failing === 'landing') apply(platter, ops)
      failing = 'lying'
      throw new Error('no space left on device')
    }
    apply(cache, ops)
    if (sync && failing === 'no') apply(platter, ops)
  }

  function release(): void {
    gate = undefined
    open()
  }

  return {
    writes,
    attach() {
      const poweredAt = power
      return {
        write: (ops, { sync }) => write(ops, sync, poweredAt),
        get: (key) => cache.get(key),
        pages: (range, limit) => pagesOf(cache, range, limit),
        async lastRow({ gte = '', lt }) {
          const rows = [...cache].filter(([key]) => key >= gte && (lt === undefined || key < lt))
          return Promise.resolve(rows.sort(([a], [b]) => (a < b ? -1 : 1)).at(-1))
        },
        lastKey: ({ gte = '', lt }) =>
          Promise.resolve(
            [...cache.keys()]
              .filter((key) => key >= gte && (lt === undefined || key < lt))
              .sort()
              .at(-1),
          ),
        snapshot() {
          const rows = new Map(cache)
          return {
            get: (key) => rows.get(key),
            pages: (range, limit) => pagesOf(rows, range, limit),
            close: () => Promise.resolve(),
          }
        },
        close: () => Promise.resolve(),
      }
    },
    failNext: (lands) => void (failing = lands ? 'landing' : 'losing'),
    hold: () => void (gate = new Promise((resolve) => (open = resolve))),
    release,
    crash(underwayLands = false) {
      power += 1
      failing = 'no'
      if (underwayLands) for (const ops of underway) apply(platter, ops)
      underway.clear()
      cache = new Map(platter)
      release()
    },
  }
}

const never = (): Promise<never> => new Promise(() => undefined)

function apply(to: Map<string, string>, ops: readonly DiskOp[]): void {
  for (const op of ops) {
    if (op.type === 'put') to.set(op.key, op.value)
    else to.delete(op.key)
  }
}

async function* pagesOf(
  rows: ReadonlyMap<string, string>,
  range: Range,
  limit = Infinity,
): AsyncGenerator<Page, void, undefined> {
  const { gte, lt } = range
  const found: (readonly [string, string])[] = []
  // Most reads ask for a few of many rows: the others are passed over without a copy.
  rows.forEach((value, key) => {
    if ((gte === undefined || key >= gte) && (lt === undefined || key < lt)) found.push([key, value])
  })
  const asked = found.sort(([a], [b]) => (a < b ? -1 : 1)).slice(0, limit)
  for (let at = 0; at < asked.length; at += 2) yield await Promise.resolve(asked.slice(at, at + 2))
}
