// Names of records on one real PostgreSQL with two cells: each commit writes them with its record, even if its answer
// is lost or its owner replaced, and the other cell finds what its tenants may find, and nothing more.
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Postgres } from '../../bench/postgres/server.ts'
import { Engine } from '../../src/engine/engine.ts'
import { addressKey, closedAddressKey, grantKey, organizationKey } from '../../src/engine/index/index-keys.ts'
import type { Entry } from '../../src/engine/records/entry.ts'
import { EVERY_CLUSTER, ofKind } from '../../src/engine/records/record.ts'
import { OwnedByOtherCell } from '../../src/engine/records/unit-of-work.ts'
import { StaleEpoch } from '../../snapshots/errors.ts'
import { NotAtHand } from '../../snapshots/not-at-hand.ts'
import type { PostgresStore } from '../../snapshots/postgres/postgres-store.ts'
import type { Store, StoreOp } from '../../snapshots/store.ts'
import { CLUSTER, newAccount } from '../engine/engine-fixture.ts'
import { hand } from '../snapshots/units.ts'
import { emptyCells } from './empty-cells.ts'
import { until } from './nodes-fixture.ts'
import { addressOf, claimedStore, faultyProxy, ownPostgres, sql } from './postgres.ts'

let postgres: Postgres
beforeAll(async () => {
  postgres = await ownPostgres()
})
afterAll(() => postgres[Symbol.asyncDispose]())
beforeEach(async () => {
  hasNeighbours = true
  await emptyCells(addressOf(postgres), ['red'])
})

const openStores: PostgresStore[] = []
/** The neighbours that the stores know. */
let hasNeighbours = true
async function storeOf(cell: string, address = addressOf(postgres)): Promise<PostgresStore> {
  const onFatal = (): void => undefined
  const store = await claimedStore(address, { cell, hasNeighbours: () => hasNeighbours, boundMs: 1_000, onFatal })
  openStores.push(store)
  return store
}
beforeEach(() => async () => {
  for (const store of openStores.splice(0)) await store.close().catch(() => undefined)
})

function record(tenant: string, id: string): StoreOp {
  const place = { tenant, cluster: CLUSTER, id }
  return { type: 'record', envelope: { kind: 'note', version: 1, revision: 1, ...place, value: 'kept', context: {} } }
}

const name = (tenant: string, id: string, text: string, held = true): StoreOp => ({
  type: 'name',
  tenant,
  cluster: CLUSTER,
  id,
  name: text,
  held,
})

const commit = (store: Store, tenant: string, ops: readonly StoreOp[]): Promise<void> =>
  store.commit([{ tenant, epoch: store.epoch, ops }])

/** Ids of the records that a store finds by a name now, after its cached ones have expired. */
async function idsBy(store: Store, text: string): Promise<string[]> {
  await store.fetch([{ read: 'name', name: text }])
  const found = await hand(store, () => store.names!.of(text))
  return found.map(({ tenant, id }) => `${tenant}/${id}`)
}

const namesInTable = async (): Promise<string[]> =>
  (await sql(addressOf(postgres), 'SELECT key, held FROM holdfast.name ORDER BY key')).map(
    ([key, held]) => `${key} ${held}`,
  )

describe('the names of a store', () => {
  it('are found by the other cell with their records, after they were requested', async () => {
    const [main, red] = [await storeOf('main'), await storeOf('red')]
    await commit(main, 'two & co', [record('two & co', 'a!b'), name('two & co', 'a!b', 'here')])
    await commit(red, 'own', [record('own', 'c'), name('own', 'c', 'here')])
    expect(() => red.names!.of('here')).toThrow(NotAtHand)
    const [note, ...others] = await hand(red, () => red.names!.of('here'))
    expect(note).toMatchObject({ kind: 'note', tenant: 'two & co', cluster: CLUSTER, id: 'a!b', context: {} })
    expect(others).toEqual([])
    expect(await idsBy(main, 'here')).toEqual(['own/c'])
    expect(await idsBy(red, 'elsewhere')).toEqual([])
    await until('what was read is old', () => {
      try {
        red.names!.of('here')
        return false
      } catch {
        return true
      }
    })
  })

  it('follow each commit, also with several commits in one batch', async () => {
    const [main, red] = [await storeOf('main'), await storeOf('red')]
    const committed = [
      commit(main, 'one', [record('one', 'a'), name('one', 'a', 'first')]),
      commit(main, 'one', [name('one', 'a', 'first', false), name('one', 'a', 'second')]),
      commit(main, 'one', [name('one', 'a', 'second', false), name('one', 'a', 'first')]),
    ]
    await Promise.all(committed)
    expect([await idsBy(red, 'first'), await idsBy(red, 'second')]).toEqual([['one/a'], []])
    await commit(main, 'one', [{ type: 'unloaded', tenant: 'one', cluster: CLUSTER, id: 'a' }])
    expect(await idsBy(red, 'first')).toEqual([])
  })

  it('find a record that is cold, as it is now', async () => {
    const [main, red] = [await storeOf('main'), await storeOf('red')]
    const place = { tenant: 'two & co', cluster: CLUSTER, id: 'a!b' }
    const text = 'tx\u0000id\u0000a!b'
    const old = (revision: number): StoreOp => ({
      type: 'old',
      envelope: { kind: 'note', version: 1, revision, ...place, value: 'kept', context: {} },
    })
    await commit(main, place.tenant, [record(place.tenant, place.id), name(place.tenant, place.id, text)])
    await commit(main, place.tenant, [{ type: 'payload', ...place, payload: ['paid'] }])
    expect(await idsBy(red, text)).toEqual(['two & co/a!b'])
    for (const revision of [2, 3]) {
      await commit(main, place.tenant, [{ type: 'unloaded', ...place }, old(revision)])
      await red.fetch([{ read: 'name', name: text }])
      expect(await hand(red, () => red.names!.of(text))).toMatchObject([{ ...place, revision }])
    }
    expect(await hand(red, () => red.names!.of(text))).toMatchObject([{ payload: expect.anything() as unknown }])
  })

  it('never share a row', async () => {
    const [main, red] = [await storeOf('main'), await storeOf('red')]
    const text = fc.string({ unit: 'binary', maxLength: 40 })
    const long = fc.tuple(text, fc.integer({ min: 300, max: 3_000 })).map(([end, length]) => 'é'.repeat(length) + end)
    const some = fc.uniqueArray(fc.oneof(text, long, fc.constantFrom('a\u0000b', 'a!b', 'a%00b', '~', '~~', '\ud800')))
    const holders = new Map<string, string>()
    await fc.assert(
      fc.asyncProperty(some, async (names) => {
        for (const each of names) if (!holders.has(each)) holders.set(each, `n${holders.size}`)
        const ops = names.map((each) => name('one', holders.get(each)!, each))
        await commit(main, 'one', [...names.map((each) => record('one', holders.get(each)!)), ...ops])
        for (const each of names) expect(await idsBy(red, each)).toEqual([`one/${holders.get(each)!}`])
      }),
      { numRuns: 25 },
    )
  })

  it('are written once although the answer was lost, and not at all by a replaced owner', async () => {
    const proxy = await faultyProxy(addressOf(postgres))
    const [main, red] = [await storeOf('main', proxy.address), await storeOf('red')]
    proxy.swallow = true
    const lateCommit = commit(main, 'one', [record('one', 'a'), name('one', 'a', 'here')])
    await until('it is applied', async () => (await idsBy(red, 'here')).length === 1)
    proxy.swallow = false
    proxy.reset()
    await lateCommit
    expect(main.retries().askedAgain).toBeGreaterThan(0)
    await commit(main, 'one', [name('one', 'a', 'here', false), name('one', 'a', 'there')])
    expect([await idsBy(red, 'here'), await idsBy(red, 'there')]).toEqual([[], ['one/a']])
    const next = await storeOf('main')
    await expect(commit(main, 'one', [record('one', 'b'), name('one', 'b', 'there')])).rejects.toThrow(StaleEpoch)
    expect(await idsBy(red, 'there')).toEqual(['one/a'])
    await commit(next, 'one', [name('one', 'a', 'there', false)])
    expect(await idsBy(red, 'there')).toEqual([])
    await proxy[Symbol.asyncDispose]()
  })

  it('leave no rows behind for long', async () => {
    const main = await storeOf('main')
    const ids = Array.from({ length: 1_200 }, (_, at) => `n${at}`)
    await commit(
      main,
      'one',
      ids.flatMap((id) => [record('one', id), name('one', id, id)]),
    )
    await commit(
      main,
      'one',
      ids.slice(1).map((id) => name('one', id, id, false)),
    )
    await commit(main, 'one', [record('one', 'last')])
    await until('they are removed', async () => (await namesInTable()).length === 1)
    expect(await namesInTable()).toEqual(['n0 t'])
  })
})

describe('the names of records', () => {
  let main: Engine
  let red: Engine
  beforeEach(async () => {
    main = await engineOf('main', ['ACME'])
    red = await engineOf('red', ['BANK'])
  })

  async function engineOf(cell: string, tenants: readonly string[]): Promise<Engine> {
    const elsewhere = {
      owns: (tenant: string) => tenants.includes(tenant),
      deliver: () => new Promise<void>(() => undefined),
    }
    return await Engine.open({ store: await storeOf(cell), remoteDelivery: elsewhere })
  }

  const findEntries = (engine: Engine, key: string): Promise<Entry[]> =>
    hand(engine.store, () => engine.directory.find(key)).then((entries) => [...entries])
  const idsAt = async (engine: Engine, key: string): Promise<string[]> =>
    (await findEntries(engine, key)).map(({ head }) => head.id)

  /** Later than a request that has just read. */
  const pause = (): Promise<void> => new Promise((resolve) => void setTimeout(resolve, 60))

  it('find them from another cell as far as they are visible, after its own records', async () => {
    await main.transact((unit) => {
      newAccount(unit, 'alone', '1', 'active', 'ACME')
      unit.create(
        'organization',
        { tenant: 'ACME', cluster: EVERY_CLUSTER, id: 'acme' },
        {
          organization: {
            externalId: 'ACME',
            name: 'Acme',
            parentExternalId: null,
            allowedPrograms: [],
            system: false,
          },
        },
      )
    }).durable
    expect(await idsAt(red, addressKey(CLUSTER, 'alone'))).toEqual(['alone'])
    const entry = await hand(red.store, () => red.directory.anywhere('alone'))
    expect(entry).toBe((await findEntries(red, addressKey(CLUSTER, 'alone')))[0])
    expect(entry?.committed).toEqual(main.directory.byId('alone')?.committed)
    expect((await hand(red.store, () => red.directory.first(organizationKey('ACME'))))?.head.id).toBe('acme')
    // Background work does not find it, and nothing is looked up by other keys.
    expect(red.directory.resident('alone')).toBeUndefined()
    expect([...red.directory.entries(), ...red.directory.holdings()]).toEqual([])
    expect(red.directory.findOwn(addressKey(CLUSTER, 'alone'))).toEqual([])
    const atAddress = await hand(red.store, () => red.directory.atAddress(CLUSTER, 'alone'))
    expect(atAddress.map(({ head }) => head.tenant)).toEqual(['ACME'])
    for (const { head } of main.directory.entries())
      expect(head.kind === 'organization' ? ['acme'] : ['alone']).toContain(head.id)
    expect(() => red.transact((unit) => unit.send<'account'>(entry!, { type: 'command.freeze' }))).toThrow(
      OwnedByOtherCell,
    )
    await red.transact((unit) => newAccount(unit, 'mine', '1', 'active', 'BANK')).durable
    expect(await idsAt(main, addressKey(CLUSTER, 'mine'))).toEqual(['mine'])
  })

  it('are not requested while there is one cell, and are from the creation of another', async () => {
    hasNeighbours = false
    const key = addressKey(CLUSTER, 'alone')
    await main.transact((unit) => newAccount(unit, 'alone', '1', 'active', 'ACME')).durable
    expect(red.directory.find(key)).toEqual([])
    expect(red.directory.atAddress(CLUSTER, 'alone')).toEqual([])
    expect(red.directory.first(organizationKey('ACME'))).toBeUndefined()
    red.directory.need(() => expect.unreachable())
    hasNeighbours = true
    expect(() => red.directory.find(key)).toThrow(NotAtHand)
    expect(await idsAt(red, key)).toEqual(['alone'])
  })

  it('are requested together when a request needs several', async () => {
    const keys = ['a', 'b', 'c'].map((address) => addressKey(CLUSTER, address))
    const missingKeys = (): string[] => {
      try {
        red.directory.need(() => keys)
      } catch (error) {
        return (error as NotAtHand).keys.map((each) => (each as { readonly name: string }).name)
      }
      return []
    }
    expect(missingKeys()).toEqual(keys)
    const keptMs = 60_000
    await red.fetch(
      keys.map((name) => ({ read: 'name', name })),
      keptMs,
    )
    expect(missingKeys()).toEqual([])
  })

  it('follow changed grants, and a closed account', async () => {
    const grant = (orgs: readonly string[] | null): Promise<void> =>
      main.transact((unit) =>
        unit.send<'account'>(main.directory.byId('a')!, {
          type: 'command.update',
          changes: { orgsAllowedToSignWithPrivateKey: orgs },
        }),
      ).durable
    await main.transact((unit) => newAccount(unit, 'a', '0', 'active', 'ACME')).durable
    const key = grantKey(CLUSTER, ofKind(main.directory.byId('a')!.head, 'account')!.context.organization, 'BANK')
    expect(await idsAt(red, key)).toEqual([])
    await grant(['BANK'])
    await pause()
    expect(await idsAt(red, key)).toEqual(['a'])
    await grant(null)
    await pause()
    expect(await idsAt(red, key)).toEqual([])
    await main.transact((unit) => unit.send<'account'>(main.directory.byId('a')!, { type: 'chain.closed' })).durable
    await pause()
    expect(await idsAt(red, addressKey(CLUSTER, 'a'))).toEqual([])
    expect(await idsAt(red, closedAddressKey(CLUSTER, 'a'))).toEqual(['a'])
  })

  it('are added at a claim to records written without them', async () => {
    await main.transact((unit) => newAccount(unit, 'a', '0', 'active', 'ACME')).durable
    await main.store.close()
    await red.store.close()
    // As a release without names leaves it.
    await sql(
      addressOf(postgres),
      `DROP TABLE holdfast.name; ALTER TABLE holdfast.tenant DROP COLUMN names;
       UPDATE holdfast.schema_version SET version = 1`,
    )
    red = await engineOf('red', ['BANK'])
    expect(await idsAt(red, addressKey(CLUSTER, 'a'))).toEqual([])
    main = await engineOf('main', ['ACME'])
    await pause()
    expect(await idsAt(red, addressKey(CLUSTER, 'a'))).toEqual(['a'])
    expect(await main.store.names!.missing()).toEqual([])
    expect(main.store.stats().rows).toBeGreaterThan(0)
    expect((await engineOf('main', ['ACME'])).store.stats().rows).toBe(0)
  })
})
