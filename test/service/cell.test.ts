// A cell makes no decision before it knows the decisions of the others that affect it.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { CLOCK_RESET } from '../../src/engine/settlement/clock-reset.ts'
import { openCell, outboundSharesOf } from '../../src/service/cell.ts'
import { loadSettings } from '../../src/config/settings.ts'
import type { Neighbours } from '../../src/service/neighbours.ts'
import { createLog } from '../../src/telemetry/log.ts'
import { Metrics } from '../../src/telemetry/metrics.ts'
import { systemClock } from '../../src/time/clock.ts'
import { openDatabase } from '../../snapshots/backup/database.ts'
import { metaKey } from '../../snapshots/keys.ts'
import { openStore } from '../../snapshots/level-store.ts'
import { chainOfGenesis } from './chain-of-genesis.ts'

it('does not open before it has read the rights and switches of SYSTEM', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-cell-'))
  const store = await openStore({ path: join(folder, 'store'), lockWaitMs: 0, onFatal: () => undefined })
  const settings = loadSettings({
    HOLDFAST_DATA_DIR: folder,
    HOLDFAST_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
    HOLDFAST_PLAYERS: '',
  })
  let fail = (_error: Error): void => undefined
  const read = new Promise<void>((_resolve, reject) => {
    fail = reject
  })
  const order: string[] = []
  const neighbours: Neighbours = {
    begin: () => {
      order.push('reads')
      return read
    },
    catchUp: () => Promise.resolve(),
    start: () => undefined,
    untilApplied: () => Promise.resolve(),
    untilTaken: () => Promise.resolve(),
    holdersOf: () => Promise.resolve([]),
    tenantOf: () => Promise.resolve(undefined),
    stop: () => Promise.resolve(),
  }
  const opening = openCell({
    ...{ settings, log: createLog({ level: 'silent' }), clock: systemClock, metrics: new Metrics(), name: 'red' },
    tune: (usual) => usual,
    outboundShares: outboundSharesOf(settings),
    openStore: () => Promise.resolve({ store, redo: null, neighbours }),
    opened: () => void order.push('open'),
  })
  opening.catch(() => undefined)
  try {
    await expect.poll(() => order).toEqual(['reads'])
    fail(new Error('the database is away'))
    await expect(opening).rejects.toThrow('the database is away')
    expect(order).toEqual(['reads'])
  } finally {
    await store.close()
    rmSync(folder, { recursive: true, force: true })
  }
})

it('closes everything again, and can be opened later, if a row is damaged that is read after the records', async () => {
  await using chain = await chainOfGenesis('11111111111111111111111111111111')
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-cell-'))
  const path = join(folder, 'store')
  const settings = loadSettings({
    HOLDFAST_DATA_DIR: folder,
    HOLDFAST_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
    HOLDFAST_PLAYERS: '',
    HOLDFAST_CLUSTERS: JSON.stringify({ CHAIN_DEVNET: [chain.url] }),
  })
  const open = () =>
    openCell({
      ...{ settings, log: createLog({ level: 'silent' }), clock: systemClock, metrics: new Metrics() },
      tune: (usual) => usual,
      outboundShares: outboundSharesOf(settings),
      openStore: () =>
        openStore({ path, lockWaitMs: 0, onFatal: () => undefined }).then((store) => ({ ...store, store })),
    })
  const write = async (row: string | null) => {
    const database = await openDatabase(path, { make: false })
    await database.put([[Buffer.from(metaKey(CLOCK_RESET)), row === null ? null : Buffer.from(row)]], { sync: true })
    await database.close()
  }
  try {
    await (await open()).stop()
    await write('{')
    await expect(open()).rejects.toMatchObject({ name: 'CellUnreadable', cause: { name: 'CorruptRow' } })
    await write(null)
    await (await open()).stop()
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
