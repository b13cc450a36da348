// The directory of a cell beside directories of others who may write it, and the data that must not be in two of them.
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { addCell, openCellDirectories } from '../../../snapshots/cells/directories.ts'
import { StaleEpoch } from '../../../snapshots/errors.ts'
import type { Store, StoreOp } from '../../../snapshots/store.ts'
import { envelope, write } from '../units.ts'
import { cellPaths, cellProcess, withCells } from './stores.ts'

const CLUSTER = 'CHAIN_TEST'
const part = (store: Store, tenant: string, ...ops: StoreOp[]) => [{ tenant, epoch: store.epoch, ops }]
const recordOf = (tenant: string, id: string): StoreOp => ({ type: 'record', envelope: envelope(id, { tenant }) })

async function twoCells() {
  const paths = cellPaths()
  await withCells(paths, ['red'])
  const process = await cellProcess(paths)
  const errors: Error[] = []
  const noteError = (error: Error): void => void errors.push(error)
  return {
    paths,
    process,
    errors,
    main: await process.open('main', noteError),
    red: await process.open('red', noteError),
  }
}

describe('a cell in a directory', () => {
  it('is written by its last owner only, under a higher epoch after each start', async () => {
    const { paths, process, main, errors } = await twoCells()
    await write(main, part(main, 'ACME', recordOf('ACME', 'a')))
    const next = await process.open('main')
    expect(next.epoch).toBeGreaterThan(main.epoch)
    await expect(main.commit(part(main, 'ACME', recordOf('ACME', 'b')))).rejects.toThrow(StaleEpoch)
    expect(errors).toEqual([expect.any(StaleEpoch)])
    const { epoch } = next
    await process.close()
    const nextProcess = await cellProcess(paths)
    const last = await nextProcess.open('main')
    expect(last.epoch).toBeGreaterThan(epoch)
    const ids = []
    for await (const page of last.load('ACME')) ids.push(...page.map(({ id }) => id))
    expect(ids).toEqual(['a'])
    await nextProcess.close()
  })

  it('accepts neither a tenant of another cell, nor a message of a transaction there', async () => {
    for (const op of [
      recordOf('ACME', 'b'),
      { type: 'message', tenant: 'BETA', cluster: CLUSTER, hash: 'h', transactionId: 'other' } as const,
    ]) {
      const { process, main, red } = await twoCells()
      const message = { type: 'message', tenant: 'ACME', cluster: CLUSTER, hash: 'h', transactionId: 'one' } as const
      await write(main, part(main, 'ACME', recordOf('ACME', 'a'), message))
      const tenant = op.type === 'record' ? 'ACME' : 'BETA'
      await expect(red.commit(part(red, tenant, op))).rejects.toThrow()
      expect(process.directories.of('red')!.disk.get(`f!${tenant}`)).toBeUndefined()
      await process.close()
    }
  })

  it('finds ended records, aliases and lists of all cells, and only its own logs', async () => {
    const { process, main, red } = await twoCells()
    const endedRows = (tenant: string, id: string): StoreOp[] => [
      { type: 'old', envelope: envelope(id, { tenant }) },
      { type: 'alias', tenant, cluster: CLUSTER, name: `name of ${id}`, id },
      { type: 'listed', tenant, list: 'ended', atMs: id === 'a' ? 1 : 2, id, row: {} },
      { type: 'outbox', tenant, sequence: 1, row: { to: 'X' } },
    ]
    await write(main, part(main, 'ACME', ...endedRows('ACME', 'a')))
    await write(red, part(red, 'BETA', ...endedRows('BETA', 'b')))
    for (const store of [main, red]) {
      expect([store.old('a')?.tenant, store.old('b')?.tenant]).toEqual(['ACME', 'BETA'])
      expect((await store.oldMany(['b', 'none', 'a'])).map((each) => each?.tenant)).toEqual(['BETA', undefined, 'ACME'])
      expect([store.alias(CLUSTER, 'name of a'), store.alias(CLUSTER, 'name of b')]).toEqual(['a', 'b'])
      const view = store.view()
      const items = []
      for await (const page of view.listed('ended', null, null)) items.push(...page.map(({ id }) => id))
      expect(items).toEqual(['b', 'a'])
      await view.close()
    }
    expect(await main.tenants()).toEqual(['ACME'])
    expect([(await main.outbox('ACME')).length, (await main.outbox('BETA')).length]).toEqual([1, 0])
    await process.close()
  })
})

describe('directories of cells', () => {
  it('must all exist, and be known', async () => {
    const paths = cellPaths()
    await withCells(paths, ['red'])
    rmSync(join(paths.cells, 'red'), { recursive: true })
    await expect(openCellDirectories(paths, 'alone')).rejects.toMatchObject({ name: 'CellsDiffer', exitCode: 65 })
  })

  it('are not used if their creation did not complete, and refused if they contain tenants', async () => {
    const paths = cellPaths()
    await withCells(paths, ['red'])
    const process = await cellProcess(paths)
    const red = await process.open('red')
    await write(red, part(red, 'ACME', recordOf('ACME', 'a')))
    await process.close()
    const half = cellPaths()
    await withCells(half, [])
    const directories = await openCellDirectories(half, 'alone')
    mkdirSync(join(half.cells, 'blue'), { recursive: true })
    await addCell(directories, half, 'green')
    await directories.close()
    const openedDirectories = await openCellDirectories(half, 'alone')
    expect(openedDirectories.all.map(({ cell }) => cell)).toEqual(['main', 'green'])
    await openedDirectories.close()
    // The first directory belongs to another store.
    await expect(openCellDirectories({ ...half, cells: paths.cells }, 'alone')).rejects.toThrow('has tenants of it')
  })
})
