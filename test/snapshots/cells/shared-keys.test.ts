// The knowledge of threads about the keys of other cells: a durable row is never denied, and nearly every missing key
// is known to be absent without a read.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CellDirectories } from '../../../snapshots/cells/directories.ts'
import { SharedKeys } from '../../../snapshots/cells/shared-keys.ts'
import { NotAtHand } from '../../../snapshots/not-at-hand.ts'
import type { Store, StoreOp } from '../../../snapshots/store.ts'
import { CLUSTER, envelope } from '../units.ts'
import { cellPaths, cellProcess, withCells } from './stores.ts'

const noRows = { pages: () => none() }
async function* none() {
  // No row.
}

const message = (hash: string): string => `h!${CLUSTER}!${hash}`

describe('the keys of a cell', () => {
  it('are never denied in another thread, however many there are', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(fc.stringMatching(/^[a-z0-9]+$/), { minLength: 1 }), async (hashes) => {
        const own = new SharedKeys()
        const elsewhere = new SharedKeys(own.memory)
        await own.learn(noRows, () => false)
        for (const hash of hashes.slice(1)) own.note(message(hash))
        for (let number = 0; number < 150_000; number += 1) own.note(message(`other ${number}`))
        own.note(message(hashes[0]!))
        for (const hash of hashes) expect(elsewhere.mayHave(message(hash))).toBe(true)
        const absent = Array.from({ length: 10_000 }, (_, number) => message(`absent ${number}`))
        expect(absent.filter((key) => elsewhere.mayHave(key)).length).toBeLessThan(100)
      }),
      { numRuns: 5 },
    )
  })

  it('are denied by no thread before all of them are known', async () => {
    const own = new SharedKeys()
    expect(own.mayHave(message('a'))).toBe(true)
    let calls = 0
    const rows = { pages: () => onePage([message('b'), '']) }
    await own.learn(rows, () => (calls += 1) > 0)
    expect(own.mayHave(message('a'))).toBe(true)
    await own.learn(rows, () => false)
    expect([own.mayHave(message('a')), own.mayHave(message('b'))]).toEqual([false, true])
    expect(own.mayHave('p!ACME!CHAIN!a')).toBe(true)
  })
})

async function* onePage(row: readonly [string, string]) {
  yield await Promise.resolve([row])
}

describe('two cells', () => {
  const part = (store: Store, tenant: string, ops: readonly StoreOp[]) => [{ tenant, epoch: store.epoch, ops }]
  const rowsOf = (tenant: string, id: string): StoreOp[] => [
    { type: 'record', envelope: envelope(id, { tenant }) },
    { type: 'name', tenant, cluster: CLUSTER, id, name: `name ${id}`, held: true },
    { type: 'message', tenant, cluster: CLUSTER, hash: `hash ${id}`, transactionId: id },
  ]
  const isKnownAbsent = (store: Store, name: string): boolean => {
    try {
      return store.names!.of(name).length === 0
    } catch (error) {
      expect(error).toBeInstanceOf(NotAtHand)
      return false
    }
  }

  it('find what the other has written at every moment, and soon skip names that do not exist', async () => {
    const paths = cellPaths()
    await withCells(paths, ['red'])
    const before = await cellProcess(paths)
    const redCell = await before.open('red')
    const ids = Array.from({ length: 3_000 }, (_, number) => `early${number}`)
    await redCell.commit(
      part(
        redCell,
        'BETA',
        ids.flatMap((id) => rowsOf('BETA', id)),
      ),
    )
    await before.close()

    const process = await cellProcess(paths)
    const [main, red] = [await process.open('main'), await process.open('red')]
    const expectFound = async (id: string) => {
      expect(main.transactionOfMessage(CLUSTER, `hash ${id}`)).toBe(id)
      expect(isKnownAbsent(main, `name ${id}`)).toBe(false)
      await main.fetch([{ read: 'name', name: `name ${id}` }])
      expect(main.names!.of(`name ${id}`).map((each) => each.id)).toEqual([id])
    }
    expect(isKnownAbsent(main, 'name never')).toBe(false)
    for (let turn = 0; !isKnownAbsent(main, `name never ${turn}`); turn += 1) {
      await expectFound(ids[turn % ids.length]!)
      await red.commit(part(red, 'BETA', rowsOf('BETA', `later${turn}`)))
      await expectFound(`later${turn}`)
      expect(turn).toBeLessThan(10_000)
    }
    await red.commit(part(red, 'BETA', rowsOf('BETA', 'last')))
    for (const id of ['last', ids[0]!, ids[2_999]!]) await expectFound(id)
    const unknownNames = Array.from({ length: 1_000 }, (_, number) => `name absent ${number}`)
    expect(unknownNames.filter((name) => isKnownAbsent(main, name)).length).toBeGreaterThan(960)
    await process.close()
  })

  it('know the keys of a row before it can be read', async () => {
    const paths = cellPaths()
    await withCells(paths, ['red'])
    const process = await cellProcess(paths)
    const known: boolean[] = []
    const red = await process.open('red', undefined, ({ all }) => {
      const watched = all.map((each) => {
        const write: typeof each.disk.write = async (ops, options) => {
          known.push(...ops.filter(({ key }) => key.startsWith('h!')).map(({ key }) => each.keys.mayHave(key)))
          await each.disk.write(ops, options)
        }
        return { ...each, disk: { ...each.disk, write } }
      })
      return new CellDirectories(watched)
    })
    const isLearned = (): boolean => !process.directories.of('red')!.keys.mayHave(message('never'))
    await expect.poll(isLearned, { timeout: 60_000 }).toBe(true)
    await red.commit(part(red, 'BETA', rowsOf('BETA', 'one')))
    expect(known).toEqual([true])
    await process.close()
  })
})
