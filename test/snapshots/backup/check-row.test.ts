// Every key that a store writes is known to verification, so that no intact store is reported as damaged.
import { describe, expect, it } from 'vitest'
import { checkRow } from '../../../snapshots/backup/check-row.ts'
import { CorruptRow } from '../../../snapshots/errors.ts'
import * as keys from '../../../snapshots/keys.ts'
import type { StoreOp } from '../../../snapshots/store.ts'

const NAMES = { tenant: 'T', cluster: 'C', id: 'a!b', name: 'n', list: 'l', scope: 's', hash: 'h', sender: 'S' }
const NUMBERS = { sequence: 1, atMs: 1, stamp: 1, record: 'r', asset: 'a' }
/** `record` and `old` have contents of their own; a change is read with the row of its record. */
const OP_TYPES = {
  ...{ record: false, change: false, unloaded: false, old: false },
  ...{ alias: true, listed: true, payload: true, secret: true, file: true, idempotency: true, message: true },
  ...{ meta: true, inbox: true, fence: true, event: true, audit: true, outbox: true },
  ...{ movement: true, reversal: true, name: true },
} satisfies Record<StoreOp['type'] | 'fence' | 'meta', boolean>

const rowsOfOps = Object.entries(OP_TYPES)
  .filter(([type, isPlain]) => isPlain && type !== 'fence')
  .map(([type]) => [type, keys.keyOf({ type, ...NAMES, ...NUMBERS } as unknown as StoreOp), '{}'] as const)

describe('the row can be read', () => {
  it.each([
    ...rowsOfOps,
    ['fence', keys.fenceKey('T'), '1'],
    ['layout version', keys.SCHEMA_KEY, '4'],
    ['archive', keys.ARCHIVE_KEY, '{}'],
    ['epoch', keys.EPOCH_KEY, '1'],
    ['changes', keys.CHANGES_KEY, '1'],
    ['move', keys.MOVE_KEY, '{}'],
    ['version of names', keys.NAMES_KEY, '3'],
    ['cell', keys.cellKey('red'), '{}'],
    ['what a cell has applied', keys.appliedKey('red'), '[1,2]'],
    ['batch', keys.redoKey(7), '1\nm!a 1'],
  ] as const)('%s', (_, key, text) => {
    expect(() => checkRow(key, text)).not.toThrow()
  })
})

it.each(['s!heard', 's!heard!red!1', 's!other!red', 'x!n!T', 'q!a', 'm!a!b'])('no store has a row at %s', (key) => {
  expect(() => checkRow(key, '1')).toThrow(CorruptRow)
})
