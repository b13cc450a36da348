// A disk whose values may be packed. Reads return the texts.
import type { Disk, DiskSnapshot, RowPage } from './disk.ts'
import { isPacked, unpackRow } from './packed-row.ts'

export function packedDisk(disk: Disk): Disk {
  return {
    ...disk,
    packs: true,
    get: (key) => textOf(disk.get(key)),
    getMany: async (keys) => (await disk.getMany(keys)).map(textOf),
    walk(within) {
      const walk = disk.walk(within)
      return { take: async (range, most) => textsOf(await walk.take(range, most)), close: () => walk.close() }
    },
    pages: (range, limit) => textPages(disk.pages(range, limit)),
    async lastRow(range) {
      const row = await disk.lastRow(range)
      return row === undefined ? undefined : rowOf(row)
    },
    snapshot: () => snapshotOf(disk.snapshot()),
  }
}

function snapshotOf(snapshot: DiskSnapshot): DiskSnapshot {
  return {
    get(key) {
      const value = snapshot.get(key)
      return value instanceof Promise ? value.then(textOf) : textOf(value)
    },
    pages: (range, limit) => textPages(snapshot.pages(range, limit)),
    close: () => snapshot.close(),
  }
}

async function* textPages(pages: AsyncIterable<RowPage>): AsyncGenerator<RowPage, void, undefined> {
  for await (const page of pages) yield textsOf(page)
}

const textsOf = (page: RowPage): RowPage => (page.some(([, value]) => isPacked(value)) ? page.map(rowOf) : page)
const rowOf = ([key, value]: RowPage[number]): RowPage[number] => [key, unpackRow(value)]
const textOf = (value: string | undefined): string | undefined => (value === undefined ? undefined : unpackRow(value))
