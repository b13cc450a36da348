// The order to rotate the master key, and how far it has got: a file of the data directory. It holds the key that follows, sealed under the
// one before, and the other way round, so that a start with either of them can go on, and nothing of it is in the clear.
import { randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { MasterKey } from '../keys/master-key.ts'
import { createKeyFile, readKeyFile } from './key-file.ts'

export interface RotationOrder {
  readonly v: 1
  /** Ids of the two keys. */
  readonly from: string
  readonly to: string
  /** The key that follows, under the one before. */
  readonly next: string
  /** The key before, under the one that follows. */
  readonly previous: string
  /** `done`: nothing is sealed under the key before any more. `refused`: the key before is not the service's. */
  readonly outcome: 'open' | 'done' | 'refused'
  /** Keys that were wrapped anew. */
  readonly rewrapped: number
}

const CONTEXT = Buffer.from(JSON.stringify(['holdfast master key rotation 1']))

export function rotationPath(dataDir: string): string {
  return join(dataDir, 'master.rotation')
}

/** Null when there is none. */
export function readRotation(dataDir: string): RotationOrder | null {
  const text = readKeyFile(rotationPath(dataDir))
  if (text === null) return null
  const order = JSON.parse(text) as { readonly v?: unknown }
  if (order.v !== 1) throw new Error(`${rotationPath(dataDir)} is not an order to rotate the master key`)
  return order as RotationOrder
}

/** False when an order is there already. */
export function orderRotation(dataDir: string, current: Uint8Array, next: Uint8Array): boolean {
  const [from, to] = [new MasterKey(current), new MasterKey(next)]
  const order: RotationOrder = {
    v: 1,
    from: from.id,
    to: to.id,
    next: from.wrap(next, CONTEXT),
    previous: to.wrap(current, CONTEXT),
    outcome: 'open',
    rewrapped: 0,
  }
  const text = JSON.stringify(order)
  return createKeyFile(rotationPath(dataDir), text) === text
}

/** The other key of the order, for whoever has one of them; null when neither is the one given. The caller zeroes it. */
export function otherKey({ from, to, next, previous }: RotationOrder, key: MasterKey): Buffer | null {
  if (key.id === from) return key.unwrap(next, CONTEXT)
  return key.id === to ? key.unwrap(previous, CONTEXT) : null
}

export function noteRotation(dataDir: string, order: RotationOrder): void {
  replaceFile(rotationPath(dataDir), JSON.stringify(order))
}

export function endRotation(dataDir: string): void {
  rmSync(rotationPath(dataDir), { force: true })
}

/** The file says the one or the other at any instant, and what is returned from is on disk. Mode 0600. */
export function replaceFile(path: string, text: string): void {
  const draft = `${path}.${randomBytes(6).toString('hex')}`
  const file = openSync(draft, 'wx', 0o600)
  try {
    writeSync(file, `${text}\n`)
    fsyncSync(file)
    renameSync(draft, path)
  } finally {
    closeSync(file)
    rmSync(draft, { force: true })
  }
  const directory = openSync(dirname(path), 'r')
  fsyncSync(directory)
  closeSync(directory)
}
