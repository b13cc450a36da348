// The store of a cell with its own directory meets the requirements for every store.
import type { Store } from '../../../snapshots/store.ts'
import { conformance } from '../conformance.ts'
import { cellPaths, cellProcess, withCells, type CellProcess } from './stores.ts'

function storage(own: string, other: string) {
  const paths = cellPaths()
  let process: CellProcess | undefined
  const startProcess = async (): Promise<CellProcess> => {
    if (process === undefined) {
      await withCells(paths, ['red'])
      process = await cellProcess(paths)
      if (own !== 'main') await process.open('main')
    }
    return process
  }
  return {
    async open(onFatal?: (error: Error) => void): Promise<Store> {
      return await (await startProcess()).open(own, onFatal)
    },
    async beside(): Promise<Store> {
      return await (await startProcess()).open(other)
    },
  }
}

conformance('directories of cells, the first', () => storage('main', 'red'))
conformance('directories of cells, another', () => storage('red', 'main'))
