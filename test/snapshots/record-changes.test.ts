// Changes of records in their own rows: over restarts, in copies, and where each record must be one row.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { openCellDirectories } from '../../snapshots/cells/directories.ts'
import { openStoreOn } from '../../snapshots/disk-store.ts'
import type { Disk, RowPage } from '../../snapshots/disk.ts'
import { CorruptRow } from '../../snapshots/errors.ts'
import { CHANGES_KEY, changeKey, isChangeKey, recordKey } from '../../snapshots/keys.ts'
import { openStore } from '../../snapshots/level-store.ts'
import { foldChanges, withChanges } from '../../snapshots/record-changes.ts'
import { recordIn } from '../../snapshots/rows.ts'
import type { Envelope, RecordChange, Store, StoreOp } from '../../snapshots/store.ts'
import { scratch } from './scratch.ts'
import { simulatedDisk } from './simulated-disk.ts'
import { all, CLUSTER, part, record, TENANT } from './units.ts'

const fatal = (error: Error): never => {
  throw error
}
const open = (disk: Disk): Promise<Store> => openStoreOn(disk, { path: 'memory', onFatal: fatal })
const fullRecord = (id: string, revision: number, context: readonly unknown[], isAlone = false): StoreOp => ({
  ...(record(id, { revision, context }) as StoreOp & { type: 'record' }),
  isAlone,
})
const change = (id: string, ...parts: RecordChange): StoreOp => ({
  ...{ type: 'change', tenant: TENANT, cluster: CLUSTER, id },
  change: parts,
})
const summaryOf = (envelopes: readonly Envelope[]): unknown[] =>
  envelopes.map(({ id, revision, value, context }) => [id, revision, value, context])
const keysOf = async (disk: Disk): Promise<string[]> => {
  const keys: string[] = []
  for await (const page of disk.pages({ gte: 'r!', lt: 'r"' })) keys.push(...page.map(([key]) => key))
  return keys
}

// Ids with a common beginning, and with escaped characters: the key of a change follows that of its record alone.
const ID = fc.constantFrom('a', 'a-', 'a!', 'a+', 'a b', 'ab', 'b')
const WRITE = fc.record({
  id: ID,
  what: fc.constantFrom('whole', 'change', 'change', 'unloaded'),
  members: fc.uniqueArray(fc.constantFrom(1, 2, 3), { maxLength: 3 }),
  value: fc.option(fc.constantFrom('frozen', 'closed')),
  restart: fc.boolean(),
})

it('are read with their records, whatever was written, over restarts and folded at any point', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(WRITE, { maxLength: 25 }), fc.nat(6), async (writes, allowed) => {
      const disk = simulatedDisk()
      let store = await open(disk.attach())
      const rows = new Map<string, { revision: number; context: unknown[] }>()
      const model = new Map<string, unknown>()
      let revision = 0
      for (const { id, what, members, value, restart } of writes) {
        revision += 1
        const row = rows.get(id)
        if (what === 'unloaded') {
          await store.commit([part([{ type: 'unloaded', tenant: TENANT, cluster: CLUSTER, id }])])
          rows.delete(id)
          model.delete(id)
        } else if (what === 'whole' || row === undefined) {
          const context = [1, 'x', [id], revision]
          await store.commit([part([fullRecord(id, revision, context)])])
          rows.set(id, { revision, context })
          model.set(id, [id, revision, 'active', context])
        } else {
          const set = new Map<number, unknown>(members.map((at) => [at, at === 2 ? [id, revision] : revision]))
          const parts = [...set].flatMap(([at, member]) => (at === 2 ? [-2, [revision]] : [at, member]))
          await store.commit([part([change(id, revision, row.revision, value, ...parts)])])
          const context = row.context.map((member, at) => set.get(at) ?? member)
          model.set(id, [id, revision, value ?? 'active', context])
        }
        if (restart) {
          await store.close()
          disk.crash()
          store = await open(disk.attach())
        }
      }
      const expected = [...model.values()].sort(byId)
      expect(summaryOf(await all(store)).sort(byId)).toEqual(expected)
      const copy: string[] = []
      const view = store.view()
      for await (const page of view.everything()) copy.push(...page.map(([key]) => key))
      await view.close()
      expect(copy.filter(isChangeKey)).toEqual([])
      await store.close()

      const attached = disk.attach()
      let remaining = allowed
      const write: Disk['write'] = (...call) =>
        remaining-- > 0 ? attached.write(...call) : Promise.reject(new Error('cut short'))
      await foldChanges({ ...attached, write }).catch(() => undefined)
      disk.crash()
      const after = disk.attach()
      await foldChanges(after)
      expect((await keysOf(after)).filter(isChangeKey)).toEqual([])
      expect(after.get(CHANGES_KEY)).toBeUndefined()
      const reopened = await open(after)
      expect(summaryOf(await all(reopened)).sort(byId)).toEqual(expected)
      await reopened.close()
    }),
    { numRuns: 150 },
  )
})

const byId = (one: unknown, other: unknown): number => (String(one) < String(other) ? -1 : 1)

it('need no row to be removed before there is any', async () => {
  const disk = simulatedDisk()
  const store = await open(disk.attach())
  await store.commit([part([fullRecord('a', 1, [1])])])
  await store.commit([part([change('a', 2, 1, null, 0, 2)])])
  await store.commit([part([fullRecord('b', 1, [1])])])
  await store.commit([part([fullRecord('c', 1, [1], true)])])
  const dels = disk.writes.map(({ ops }) => ops.filter(({ type }) => type === 'del').map(({ key }) => key))
  expect(dels.flat()).toEqual([changeKey(recordKey(TENANT, CLUSTER, 'b'))])
  await store.close()
})

it.each([
  ['of an earlier row', ['r!t!c!a', '["k",1,2,"on",[1]]'], ['r!t!c!a!+', '[3,1,null,0,2]']],
  ['of another record', ['r!t!c!a', '["k",1,2,"on",[1]]'], ['r!t!c!b!+', '[3,2,null,0,2]']],
  ['without a record', undefined, ['r!t!c!a!+', '[3,2,null,0,2]']],
  ['that are none', ['r!t!c!a', '["k",1,2,"on",[1]]'], ['r!t!c!a!+', '[3,2]']],
  ['of a record with names', ['r!t!c!a', '["k",1,2,"on",{}]'], ['r!t!c!a!+', '[3,2,null,0,2]']],
] as const)('%s are damage', async (_, row, changedRow) => {
  const disk = simulatedDisk()
  await (await open(disk.attach())).close()
  const attached = disk.attach()
  for (const [key, value] of row === undefined ? [changedRow] : [row, changedRow])
    await attached.write([{ type: 'put', key, value }], { sync: true })
  const store = await open(disk.attach())
  await expect(all(store, 't')).rejects.toThrow(CorruptRow)
  await store.close()
})

it('are the last of several, as when later batches are applied to a copy', async () => {
  const pages: RowPage[] = [[['r!t!c!a', '["k",1,1,"on",[1,2],[2,1,"off",0,5]]']], [['r!t!c!a!+', '[3,1,null,1,7]']]]
  const envelopes: RowPage[number][] = []
  for await (const page of withChanges(ReadableStream.from(pages))) envelopes.push(...page)
  const disk = simulatedDisk()
  const store = await open(disk.attach())
  await disk.attach().write(
    envelopes.map(([key, value]) => ({ type: 'put', key, value })),
    { sync: true },
  )
  expect(summaryOf(await all(store, 't'))).toEqual([['a', 3, 'on', [1, 7]]])
  await store.close()
})

it('are one row with their records where there are several cells', async () => {
  const store = scratch()
  const first = await openStore({ path: store, onFatal: fatal })
  await first.commit([part([fullRecord('a', 1, [1, 2], true), change('a', 2, 1, 'frozen', 1, 5)])])
  await first.close()
  const directories = await openCellDirectories({ store, cells: scratch() }, 'alone')
  const { disk } = directories.main
  const key = recordKey(TENANT, CLUSTER, 'a')
  expect(await keysOf(disk)).toEqual([key])
  expect(recordIn({ tenant: TENANT, cluster: CLUSTER, id: 'a' }, disk.get(key)!)).toMatchObject({
    ...{ revision: 2, value: 'frozen', context: [1, 5] },
  })
  await directories.close()
})
