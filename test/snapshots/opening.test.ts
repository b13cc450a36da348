// Opening a store: what is opened, what is left unchanged, and what is reported.

import { closeSync, fstatSync, openSync, readdirSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openStoreOn } from '../../snapshots/disk-store.ts'
import { CorruptRow, StoreLocked, UnknownSchema } from '../../snapshots/errors.ts'
import { SCHEMA_KEY } from '../../snapshots/keys.ts'
import { openLevelDisk } from '../../snapshots/level-disk.ts'
import { openStore } from '../../snapshots/level-store.ts'
import { settleSchema } from '../../snapshots/schema.ts'
import type { MigrationStep } from '../../snapshots/schema.ts'
import { startWriter } from './child.ts'
import { scratch } from './scratch.ts'
import { simulatedDisk } from './simulated-disk.ts'
import { all, CLUSTER, numbered, OTHER, part, record, TENANT, wholeCommits, within } from './units.ts'

/** More than the filter and index of the small tables of this test. */
const INDEX_BYTES = 8_192

const onFatal = (error: Error): never => {
  throw error
}

async function put(path: string, key: string, value: string): Promise<void> {
  const disk = await openLevelDisk(path)
  await disk.write([{ type: 'put', key, value }], { sync: true })
  await disk.close()
}

describe('the lock', () => {
  it('names the directory of another handle, and opens once that is closed', async () => {
    const path = scratch()
    const first = await openStore({ path, onFatal })
    const refusedOpening = openStore({ path, onFatal })
    await expect(refusedOpening).rejects.toThrow(StoreLocked)
    await expect(refusedOpening).rejects.toThrow(path)
    const waitingOpening = openStore({ path, onFatal, lockWaitMs: 30_000 })
    await first.commit(numbered(0))
    await first.close()
    const second = await waitingOpening
    expect(await wholeCommits(second)).toEqual(new Set([0]))
    await second.close()
  })

  it('waits for a process that is exiting', async () => {
    const path = scratch()
    const writer = startWriter('forever', path)
    await writer.said(1)
    await expect(openStore({ path, onFatal })).rejects.toThrow(StoreLocked)
    const waitingOpening = openStore({ path, onFatal, lockWaitMs: 30_000 })
    await writer.kill()
    const store = await waitingOpening
    expect(within(writer.acknowledged, await wholeCommits(store))).toBe(true)
    await store.close()
  })
})

describe('the schema version', () => {
  it.each(['6', '0', 'one', '1.5', ''])('is known, or nothing is opened or changed (%j)', async (version) => {
    const path = scratch()
    await (await openStore({ path, onFatal })).close()
    await put(path, SCHEMA_KEY, version)
    await expect(openStore({ path, onFatal })).rejects.toThrow(UnknownSchema)
    await expect(openStore({ path, onFatal })).rejects.toThrow(path)
    const disk = await openLevelDisk(path)
    expect(disk.get(SCHEMA_KEY)).toBe(version)
    await disk.close()
  })

  it.each(['1', '2', '3', '4'])(
    'of an earlier release is upgraded, and older software does not change the store',
    async (version) => {
      const path = scratch()
      await (await openStore({ path, onFatal })).close()
      await put(path, SCHEMA_KEY, version)
      await (await openStore({ path, onFatal })).close()
      const disk = await openLevelDisk(path)
      expect(disk.get(SCHEMA_KEY)).toBe('5')
      await disk.close()
    },
  )

  it.each(['a', '\u0000', '~~', '\uffff'])('is missing from a foreign database (%j)', async (key) => {
    const path = scratch()
    await put(path, key, 'of something else')
    await expect(openStore({ path, onFatal })).rejects.toThrow(UnknownSchema)
  })

  it('is upgraded in steps, also after an interrupted step', async () => {
    const disk = simulatedDisk()
    const steps: MigrationStep[] = [
      (key, value) => (key.startsWith('r!') && !value.endsWith('?') ? [{ type: 'put', key, value: `${value}?` }] : []),
      (key, value) =>
        key.startsWith('r!')
          ? [
              { type: 'del', key },
              { type: 'put', key: key.replace('r!', 'x!'), value },
            ]
          : [],
    ]
    const before = disk.attach()
    await settleSchema(before, 'memory', [])
    await before.write(
      ['a', 'b', 'c', 'd', 'e'].map((id) => ({ type: 'put', key: `r!${id}`, value: id })),
      { sync: true },
    )
    // Each attempt completes one write more than the last.
    for (let allowed = 0; allowed < 30; allowed += 1) {
      const attached = disk.attach()
      let remaining = allowed
      const write: typeof attached.write = (...call) =>
        remaining-- > 0 ? attached.write(...call) : Promise.reject(new Error('cut short'))
      await settleSchema({ ...attached, write }, 'memory', steps).catch(() => undefined)
      disk.crash()
    }
    const after = disk.attach()
    const rows: (readonly [string, string])[] = []
    for await (const page of after.pages({})) rows.push(...page)
    expect(rows).toEqual([[SCHEMA_KEY, '3'], ...['a', 'b', 'c', 'd', 'e'].map((id) => [`x!${id}`, `${id}?`])])
    await expect(settleSchema(after, 'memory', [])).rejects.toThrow(UnknownSchema)
  })
})

describe('unreadable data', () => {
  it('throws, and is never absent', async () => {
    const path = scratch()
    const store = await openStore({ path, onFatal })
    await store.commit([part([record('a'), { type: 'event', tenant: TENANT, sequence: 1, row: 1 }])])
    await store.close()
    for (const key of [`r!${TENANT}!${CLUSTER}!b`, `p!${TENANT}!${CLUSTER}!b`, `e!${TENANT}!0000000000000002`])
      await put(path, key, '["half')
    const reopened = await openStore({ path, onFatal })
    await expect(all(reopened)).rejects.toThrow(CorruptRow)
    await expect(reopened.events(TENANT, 0, 9)).rejects.toThrow(CorruptRow)
    expect(() => reopened.payload(TENANT, CLUSTER, 'b')).toThrow(CorruptRow)
    await reopened.close()
    await put(path, `r!${TENANT}!${CLUSTER}!b`, '["account",1]')
    const third = await openStore({ path, onFatal })
    await expect(all(third)).rejects.toThrow(CorruptRow)
    await third.close()
  })

  it('throws if the disk has lost it, from loads, logs and single reads', async () => {
    const path = scratch()
    const first = await openStore({ path, onFatal })
    for (let n = 0; n < 4; n += 1) await first.commit(numbered(n, 50_000))
    await first.close()
    // Opening moves the log into a table. The table stays open, so its rows are overwritten in place; its index, at the
    // end, is not changed.
    const store = await openStore({ path, onFatal })
    for (const name of readdirSync(path).filter((file) => file.endsWith('.ldb'))) {
      const table = openSync(join(path, name), 'r+')
      writeSync(table, Buffer.alloc(fstatSync(table).size - INDEX_BYTES, 0xff), 0)
      closeSync(table)
    }
    await expect(all(store)).rejects.toThrow(/corrupt/i)
    await expect(store.events(TENANT, -1, 9)).rejects.toThrow(/corrupt/i)
    expect(() => store.payload(TENANT, CLUSTER, 'transaction-1')).toThrow(/corrupt/i)
    expect(() => store.idempotency(OTHER, CLUSTER, 'scope-1')).toThrow(/corrupt/i)
    await store.close()
  })

  it('fails a commit whose message cannot be looked up, before anything is written', async () => {
    const disk = simulatedDisk()
    const attached = disk.attach()
    const get: typeof attached.get = (key) => {
      if (key.startsWith('h!')) throw new Error('input/output error')
      return attached.get(key)
    }
    // Nor can the existing messages be determined.
    const pages: typeof attached.pages = (range, limit) => {
      if (range.gte?.startsWith('h!') === true) throw new Error('input/output error')
      return attached.pages(range, limit)
    }
    const store = await openStoreOn({ ...attached, get, pages }, { path: 'memory', onFatal })
    const writes = disk.writes.length
    await expect(store.commit(numbered(0))).rejects.toThrow('input/output error')
    expect(() => store.transactionOfMessage(CLUSTER, 'hash-0')).toThrow('input/output error')
    expect(disk.writes).toHaveLength(writes)
    await store.close()
  })
})
