// A cell makes no decision before it knows the decisions of the others that affect it.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openCell, outboundSharesOf } from '../../src/service/cell.ts'
import { loadSettings } from '../../src/config/settings.ts'
import type { Neighbours } from '../../src/service/neighbours.ts'
import { createLog } from '../../src/telemetry/log.ts'
import { Metrics } from '../../src/telemetry/metrics.ts'
import { systemClock } from '../../src/time/clock.ts'
import { openStore } from '../../snapshots/level-store.ts'

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
