// Reads from a consistent snapshot of the durable rows, while writes continue.

import type { DiskSnapshot } from './disk.ts'
import * as keys from './keys.ts'
import { withChanges } from './record-changes.ts'
import { decode, decodeOld } from './rows.ts'
import type { ListedRow, StoreView } from './store.ts'

/** @param assertUsable throws once the store is unusable */
export function openView(snapshot: DiskSnapshot, assertUsable: () => void): StoreView {
  return {
    async old(id) {
      assertUsable()
      const key = keys.oldKey(id)
      const text = await snapshot.get(key)
      return text === undefined ? undefined : decodeOld(key, id, text)
    },
    async meta(name) {
      assertUsable()
      const key = keys.metaKey(name)
      const text = await snapshot.get(key)
      return text === undefined ? undefined : decode(key, text)
    },
    async metas(prefix) {
      assertUsable()
      const values = new Map<string, unknown>()
      for await (const page of snapshot.pages(keys.metasFrom(prefix)))
        for (const [key, text] of page) values.set(keys.lastPart(key), decode(key, text))
      assertUsable()
      return values
    },
    async *listed(list, fromMs, toMs) {
      assertUsable()
      for await (const page of snapshot.pages(keys.listedBetween(list, fromMs, toMs))) {
        yield page.map(([key, text]) => listedRow(key, text))
        assertUsable()
      }
    },
    async *everything() {
      assertUsable()
      for await (const page of withChanges(snapshot.pages({}))) {
        yield page
        assertUsable()
      }
    },
    close: () => snapshot.close(),
  }
}

function listedRow(key: string, text: string): ListedRow {
  return { ...keys.listedPlace(key), read: () => decode(key, text) }
}
