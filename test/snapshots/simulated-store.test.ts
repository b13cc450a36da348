// The same code over a disk that loses unsynced data, and over one that fails and then acknowledges wrongly.

import { describe, expect, it } from 'vitest'
import { openStoreOn } from '../../snapshots/disk-store.ts'
import { OutcomeUnknown } from '../../snapshots/errors.ts'
import { conformance } from './conformance.ts'
import { simulatedDisk } from './simulated-disk.ts'
import { numbered, wholeCommits } from './units.ts'

const fatal = (error: Error): never => {
  throw error
}

conformance('a disk that forgets', () => {
  const disk = simulatedDisk()
  return {
    open: (onFatal) => openStoreOn(disk.attach(), { path: 'memory', onFatal: onFatal ?? fatal }),
    power: { hold: () => disk.hold(), cut: (underwayLands) => disk.crash(underwayLands) },
  }
})

describe('a write that fails', () => {
  it.each([true, false])(
    'is the last one, and nothing after it is acknowledged (the write itself on disk: %s)',
    async (kept) => {
      const disk = simulatedDisk()
      const failures: Error[] = []
      const store = await openStoreOn(disk.attach(), { path: 'memory', onFatal: (error) => failures.push(error) })
      await store.commit(numbered(0))
      disk.failNext(kept)
      disk.hold()
      const inFlight = Promise.allSettled([1, 2].map((n) => store.commit(numbered(n))))
      while (disk.writes.length < 3) await new Promise(setImmediate)
      const queued = Promise.allSettled([3, 4].map((n) => store.commit(numbered(n))))
      disk.release()
      for (const answer of [...(await inFlight), ...(await queued)]) {
        expect(answer).toMatchObject({ status: 'rejected', reason: expect.any(OutcomeUnknown) as unknown })
      }
      const writes = disk.writes.length
      // The disk would accept these by now, and lose them.
      for (const n of [5, 6]) await expect(store.commit(numbered(n))).rejects.toThrow(OutcomeUnknown)
      expect(disk.writes).toHaveLength(writes)
      expect(failures).toHaveLength(1)
      for (const read of [
        () => store.meta('latest'),
        () => store.idempotency('a', 'b', 'c'),
        () => store.transactionOfMessage('a', 'b'),
      ]) {
        expect(read).toThrow(OutcomeUnknown)
      }
      await expect(store.tenants()).rejects.toThrow(OutcomeUnknown)
      await expect(store.events('a', 0, 1)).rejects.toThrow(OutcomeUnknown)
      await store.close()

      disk.crash()
      const reopened = await openStoreOn(disk.attach(), { path: 'memory', onFatal: fatal })
      expect(await wholeCommits(reopened)).toEqual(new Set(kept ? [0, 1, 2] : [0]))
      await reopened.commit(numbered(7))
      expect(await wholeCommits(reopened)).toContain(7)
    },
  )
})
