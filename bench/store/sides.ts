// Three ways to make units of work durable: the store, with group commit; the bare database with one batch for all
// clients; and the bare database with one batch per unit. All write the same bytes.
import { Level } from 'level'
import { keyOf } from '../../snapshots/keys.ts'
import { openStore } from '../../snapshots/level-store.ts'
import { packedText } from '../../snapshots/rows.ts'
import type { StoreOp } from '../../snapshots/store.ts'
import { TENANT } from './unit.ts'

export interface StoreSide {
  /** Resolves when the unit survives a power failure. */
  commit(ops: readonly StoreOp[]): Promise<void>
  close(): Promise<void>
}

async function ours(path: string): Promise<StoreSide> {
  const failed: Error[] = []
  const store = await openStore({ path, onFatal: (error) => failed.push(error) })
  return { commit: (ops) => store.commit([{ tenant: TENANT, epoch: 1, ops }]), close: () => store.close() }
}

async function openLevel(path: string): Promise<Level> {
  const level = new Level<string, string>(path, { writeBufferSize: 16 * 1024 * 1024, cacheSize: 64 * 1024 * 1024 })
  await level.open()
  return level
}

const puts = (ops: readonly StoreOp[]) =>
  ops.map((op) => ({ type: 'put' as const, key: keyOf(op), value: packedText(op)! }))

/** Writes batches of this many units, one batch at a time. */
function grouped(units: number) {
  return async (path: string): Promise<StoreSide> => {
    const level = await openLevel(path)
    let waiting: {
      readonly ops: readonly StoreOp[]
      readonly done: () => void
      readonly failed: (error: unknown) => void
    }[] = []
    const write = (): void => {
      const batch = waiting
      waiting = []
      level
        .batch(
          batch.flatMap(({ ops }) => puts(ops)),
          { sync: true },
        )
        .then(
          () => batch.forEach(({ done }) => done()),
          (error: unknown) => batch.forEach(({ failed }) => failed(error)),
        )
    }
    return {
      commit: (ops) =>
        new Promise((done, failed) => {
          waiting.push({ ops, done, failed })
          if (waiting.length === units) write()
        }),
      close: () => level.close(),
    }
  }
}

async function single(path: string): Promise<StoreSide> {
  const level = await openLevel(path)
  return { commit: (ops) => level.batch(puts(ops), { sync: true }), close: () => level.close() }
}

export const STORE_SIDES = { store: () => ours, grouped, single: () => single } as const
export type StoreSideName = keyof typeof STORE_SIDES
