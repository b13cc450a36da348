// A disk in memory with a volatile cache: a crash loses unsynced data. After a failure it behaves like LevelDB: the
// failed write may have landed, and later ones are acknowledged, and lost in the crash.

import type { Disk, DiskOp, DiskWalk, RowPage, Range } from '../../snapshots/disk.ts'
import { packedDisk } from '../../snapshots/packed-disk.ts'
import { SortedRows } from './sorted-rows.ts'

export interface SimulatedDisk {
  /**
   * The disk as one process sees it. After a crash that process is gone: its handle neither changes anything nor
   * answers.
   */
  attach(): Disk
  /** Every batch handed over, in order, with its options. */
  readonly writes: readonly { readonly ops: readonly DiskOp[]; readonly sync: boolean }[]
  /** Fails the next write, whether it lands or not, and acknowledges all later ones wrongly until the crash. */
  failNext(lands: boolean): void
  /** Delays writes until released, so that a crash finds them pending. */
  hold(): void
  release(): void
  /**
   * Power off and on: only what was synced is left, and of the writes under way, if they land, all or nothing of each.
   */
  crash(underwayLands?: boolean): void
}

export function simulatedDisk(): SimulatedDisk {
  const platter = new SortedRows()
  const writes: { readonly ops: readonly DiskOp[]; readonly sync: boolean }[] = []
  const underway = new Set<readonly DiskOp[]>()
  let cache = new SortedRows()
  /** A snapshot reads `cache`: the next write goes to a copy. */
  let isShared = false
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
      if (failing === 'landing') platter.apply(ops)
      failing = 'lying'
      throw new Error('no space left on device')
    }
    if (isShared) cache = cache.copy()
    isShared = false
    cache.apply(ops)
    if (sync && failing === 'no') platter.apply(ops)
  }

  function release(): void {
    gate = undefined
    open()
  }

  return {
    writes,
    attach() {
      const poweredAt = power
      return packedDisk({
        write: (ops, { sync }) => write(ops, sync, poweredAt),
        get: (key) => cache.get(key),
        getMany: (keys) => Promise.resolve(keys.map((key) => cache.get(key))),
        walk: () => walkOver(cache.between({})),
        pages: (range, limit) => pagesOf(cache, range, limit),
        lastRow: (range) => Promise.resolve(cache.last(range)),
        lastKey: (range) => Promise.resolve(cache.last(range)?.[0]),
        snapshot() {
          const rows = cache
          isShared = true
          return {
            get: (key) => rows.get(key),
            pages: (range, limit) => pagesOf(rows, range, limit),
            close: () => Promise.resolve(),
          }
        },
        close: () => Promise.resolve(),
      })
    },
    failNext: (lands) => void (failing = lands ? 'landing' : 'losing'),
    hold: () => void (gate = new Promise((resolve) => (open = resolve))),
    release,
    crash(underwayLands = false) {
      power += 1
      failing = 'no'
      if (underwayLands) for (const ops of underway) platter.apply(ops)
      underway.clear()
      cache = platter.copy()
      isShared = false
      release()
    },
  }
}

const never = (): Promise<never> => new Promise(() => undefined)

async function* pagesOf(rows: SortedRows, range: Range, limit?: number): AsyncGenerator<RowPage, void, undefined> {
  const page = rows.between(range, limit)
  for (let at = 0; at < page.length; at += 2) yield await Promise.resolve(page.slice(at, at + 2))
}

/** Ranges that do not ascend are empty, as on a real disk. */
function walkOver(rows: RowPage): DiskWalk {
  let at = 0
  return {
    take({ gte, lt }, most) {
      while (at < rows.length && rows[at]![0] < gte) at += 1
      const page: RowPage[number][] = []
      for (; at < rows.length && rows[at]![0] < lt && page.length < most; at += 1) page.push(rows[at]!)
      return Promise.resolve(page)
    },
    close: () => Promise.resolve(),
  }
}
