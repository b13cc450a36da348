// Records that were written while there was one cell are found from other cells, by the names that they get when a
// second cell is created.
import { expect, it } from 'vitest'
import { addCell, openCellDirectories } from '../../../snapshots/cells/directories.ts'
import { areNamed, nameRecords } from '../../../snapshots/cells/naming.ts'
import { openStore } from '../../../snapshots/level-store.ts'
import type { StoreOp } from '../../../snapshots/store.ts'
import { Engine } from '../../../src/engine/engine.ts'
import { requestIdKey } from '../../../src/engine/index/other-cell-keys.ts'
import { idKey } from '../../../src/engine/index/index-keys.ts'
import { namesOfEnvelope } from '../../../src/engine/index/envelope-names.ts'
import { toEnvelope } from '../../../src/engine/records/codec.ts'
import { payloadOp } from '../../../src/engine/records/payload-row.ts'
import type { RecordState } from '../../../src/engine/records/record.ts'
import { newAccount } from '../../engine/engine-fixture.ts'
import { fixed } from '../../machines/records.ts'
import { cellPaths, cellProcess } from './stores.ts'

const REQUEST = {
  ...{ kind: 'transaction', tenant: 'ACME', cluster: 'CHAIN_DEVNET', id: 't1', revision: 1, value: 'prepared' },
  context: {
    ...{ signature: null, approval: null, ourSignature: false, finalAt: null, error: null },
    fixed: { ...fixed, waitsFor: [{ tenant: 'BANK', organization: 'BANK', addresses: ['b'] }] },
  },
} as unknown as RecordState<'transaction'>

/** Another tenant has signed it, and it has ended and is cold. */
const ENDED = {
  ...REQUEST,
  ...{ id: 't2', revision: 7, value: 'finalized' },
  context: { ...REQUEST.context, countersigners: [{ tenant: 'BANK', id: 'c', addresses: ['b'] }] },
} as unknown as RecordState<'transaction'>

it('indexes the names of the records of one cell, with the payloads of transactions', async () => {
  const paths = cellPaths()
  const store = await openStore({
    path: paths.store,
    onFatal: (error) => {
      throw error
    },
  })
  const engine = await Engine.open({ store })
  await engine.transact((unit) => newAccount(unit, 'wallet')).durable
  await engine.stop()
  const ops: StoreOp[] = [
    { type: 'record', envelope: toEnvelope(REQUEST) },
    payloadOp(REQUEST, { fixed: REQUEST.context.fixed, signedBytes: null }),
    { type: 'old', envelope: toEnvelope(ENDED) },
    payloadOp(ENDED, { fixed: ENDED.context.fixed, signedBytes: null }),
  ]
  await store.commit([{ tenant: 'ACME', epoch: store.epoch, ops }])
  await store.close()

  const directories = await openCellDirectories(paths, 'alone')
  await nameRecords(directories, namesOfEnvelope)
  await addCell(directories, paths, 'red')
  await directories.close()
  const process = await cellProcess(paths)
  expect(areNamed(process.directories)).toBe(true)
  const red = await process.open('red')
  const names = [requestIdKey('t1'), idKey('wallet'), requestIdKey('t2')]
  await red.fetch(names.map((name) => ({ read: 'name', name })))
  const [request] = red.names!.of(names[0]!)
  expect([request?.id, JSON.stringify(request?.payload)]).toEqual(['t1', expect.stringContaining('BANK')])
  expect(red.names!.of(names[1]!).map(({ id, tenant }) => [id, tenant])).toEqual([['wallet', 'ACME']])
  const [endedRecord] = red.names!.of(names[2]!)
  expect([endedRecord?.id, endedRecord?.revision, endedRecord?.tenant]).toEqual(['t2', 7, 'ACME'])
  expect(JSON.stringify(endedRecord?.payload)).toContain('BANK')
  expect((await red.names!.under('tx\u0000')).map(({ id }) => id)).toContain('t1')
  await process.close()
})
