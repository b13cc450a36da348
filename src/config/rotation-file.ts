// The rotation order of the master key and its progress: a file of the data directory. It contains the new key sealed
// under the previous one, and the previous key sealed under the new one, so that a start with either key can continue;
// neither is stored unencrypted.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { MasterKey } from '../keys/master-key.ts'
import { createKeyFile, readKeyFile, replaceFile } from './key-file.ts'

export interface RotationOrder {
  readonly v: 1
  /** Ids of the two keys. */
  readonly from: string
  readonly to: string
  /** The new key, sealed under the previous one. */
  readonly next: string
  /** The previous key, sealed under the new one. */
  readonly previous: string
  /** `done`: nothing is sealed under the previous key any more. `refused`: the previous key is not the service's. */
  readonly outcome: 'open' | 'done' | 'refused'
  /** Number of rewrapped keys. */
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

/** Returns false if an order already exists. */
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

/** Returns the other key of the order; null when `key` is neither of the two. The caller zeroes it. */
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
