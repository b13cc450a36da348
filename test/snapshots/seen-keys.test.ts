// An existing key is never denied; nearly every other key is known to be absent without a read.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { openStoreOn } from '../../snapshots/disk-store.ts'
import { MessageTaken } from '../../snapshots/errors.ts'
import { openLevelDisk } from '../../snapshots/level-disk.ts'
import { SeenKeys } from '../../snapshots/seen-keys.ts'
import { scratch } from './scratch.ts'
import { CLUSTER, part, TENANT } from './units.ts'

const fatal = (error: Error): never => {
  throw error
}

describe('seen keys', () => {
  it('never deny an added key, for any number of keys', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.string({ unit: 'binary' }), { minLength: 1 }),
        fc.integer({ min: 0, max: 150_000 }),
        (keys, others) => {
          const keySet = new SeenKeys()
          for (const key of keys.slice(1)) keySet.add(key)
          keySet.complete()
          for (let number = 0; number < others; number += 1) keySet.add(`other ${number}`)
          keySet.add(keys[0]!)
          for (const key of keys) expect(keySet.mayHave(key)).toBe(true)
        },
      ),
      { numRuns: 20 },
    )
  })

  it('deny nothing before they are complete, and afterwards 99 of 100 keys that were never added', () => {
    const keySet = new SeenKeys()
    const absent = Array.from({ length: 20_000 }, (_, number) => `absent ${number}`)
    for (let number = 0; number < 200_000; number += 1) keySet.add(`h!CHAIN_DEVNET!${number}`)
    expect(absent.every((key) => keySet.mayHave(key))).toBe(true)
    keySet.complete()
    expect(absent.filter((key) => keySet.mayHave(key)).length).toBeLessThan(200)
  })
})

describe('a reopened store', () => {
  const idempotency = (scope: string) =>
    ({ type: 'idempotency', tenant: TENANT, cluster: CLUSTER, scope, row: { digest: scope } }) as const
  const message = (hash: string, transactionId: string) =>
    ({ type: 'message', tenant: TENANT, cluster: CLUSTER, hash, transactionId }) as const

  it('finds every name at every moment, and soon skips new ones', async () => {
    const path = scratch()
    const names = Array.from({ length: 3_000 }, (_, number) => `name ${number}`)
    const before = await openStoreOn(await openLevelDisk(path), { path, onFatal: fatal })
    await before.commit([part(names.flatMap((name) => [idempotency(name), message(name, `of ${name}`)]))])
    await before.close()

    const disk = await openLevelDisk(path)
    let looks = 0
    const store = await openStoreOn(
      {
        ...disk,
        get: (key) => {
          looks += 1
          return disk.get(key)
        },
      },
      { path, onFatal: fatal },
    )
    const lookUp = (name: string) => [
      store.idempotency(TENANT, CLUSTER, name),
      store.transactionOfMessage(CLUSTER, name),
    ]
    const looksFor = (name: string): number => {
      const had = looks
      expect(lookUp(name)).toEqual([undefined, undefined])
      return looks - had
    }
    expect(looksFor('first')).toBe(2)
    for (let turn = 0, at = 0; looksFor(`new ${turn}`) > 0; turn += 1, at = (at + 101) % names.length) {
      const name = names[at]!
      expect(lookUp(name)).toEqual([{ digest: name }, `of ${name}`])
      await store.commit([part([idempotency(`later ${turn}`), message(`later ${turn}`, `of ${turn}`)])])
      expect(lookUp(`later ${turn}`)).toEqual([{ digest: `later ${turn}` }, `of ${turn}`])
      expect(turn).toBeLessThan(10_000)
    }
    for (const name of names) expect(lookUp(name)).toEqual([{ digest: name }, `of ${name}`])
    await expect(store.commit([part([message(names[7]!, 'another')])])).rejects.toThrow(MessageTaken)
    let more = 0
    for (let number = 0; number < 1_000; number += 1) more += looksFor(`never ${number}`)
    expect(more).toBeLessThan(40)
    await store.close()
  })

  it('can be closed while it is reading its names', async () => {
    const path = scratch()
    const before = await openStoreOn(await openLevelDisk(path), { path, onFatal: fatal })
    await before.commit([part(Array.from({ length: 5_000 }, (_, number) => idempotency(`name ${number}`)))])
    await before.close()
    const store = await openStoreOn(await openLevelDisk(path), { path, onFatal: fatal })
    expect(store.idempotency(TENANT, CLUSTER, 'name 4999')).toEqual({ digest: 'name 4999' })
    await store.close()
    const reopened = await openStoreOn(await openLevelDisk(path), { path, onFatal: fatal })
    expect(reopened.idempotency(TENANT, CLUSTER, 'name 0')).toEqual({ digest: 'name 0' })
    await reopened.close()
  })
})
