// A database in memory for the simulated chain: what a node keeps is of no concern to the service, and never lost here.
import type { Batch, Database, Range } from '../../src/localnet/surroundings.ts'

export function memoryDatabase(): Database {
  const rows = new Map<string, Buffer>()
  return {
    getSync: (key) => rows.get(key.toString('latin1')),
    async *iterator({ gte, lt, reverse, limit = Infinity }: Range) {
      const [from, to] = [gte.toString('latin1'), lt.toString('latin1')]
      const keys = [...rows.keys()].filter((key) => key >= from && key < to).sort()
      if (reverse === true) keys.reverse()
      for (const key of keys.slice(0, limit))
        yield await Promise.resolve([Buffer.from(key, 'latin1'), rows.get(key)!] as [Buffer, Buffer])
    },
    batch(): Batch {
      const changes: [string, Buffer | null][] = []
      return {
        put: (key, value) => changes.push([key.toString('latin1'), value]),
        del: (key) => changes.push([key.toString('latin1'), null]),
        write() {
          for (const [key, value] of changes) {
            if (value === null) rows.delete(key)
            else rows.set(key, value)
          }
          return Promise.resolve()
        },
      }
    },
    close: () => Promise.resolve(),
  }
}
