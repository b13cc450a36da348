/**
 * Token-2022: metadata in the mint. These instructions begin with eight bytes, the first of which is not an instruction
 * number of the program.
 */
import { METADATA_DISCRIMINATORS } from '../instructions/metadata.ts'
import type { EffectBody } from './effect.ts'
import { exact, neutral } from './row.ts'
import type { TableRow } from './row.ts'
import { Unreadable } from './view.ts'
import type { InstructionView } from './view.ts'

const FIELDS = ['name', 'symbol', 'uri'] as const
const FIRST_KEY = 100_000

const emit = Uint8Array.of(250, 166, 180, 250, 13, 12, 184, 70)
const { initialize, updateField, removeKey, updateAuthority } = METADATA_DISCRIMINATORS
const order: readonly Uint8Array[] = [initialize, updateField, removeKey, updateAuthority, emit]
const firstBytes: ReadonlySet<number> = new Set(order.map((bytes) => bytes[0]!))

/** Whether the first byte can begin a metadata instruction; the other seven bytes then decide. */
export function mayBeMetadata(firstByte: number): boolean {
  return firstBytes.has(firstByte)
}

/** The key of the row, after the first byte was read; -1 if there is none. */
export function metadataKey(firstByte: number, view: InstructionView): number {
  const rest = view.remaining >= 7 ? view.bytes(7) : null
  const index = order.findIndex(
    (bytes) => rest !== null && bytes[0] === firstByte && rest.every((byte, i) => byte === bytes[i + 1]),
  )
  return index < 0 ? -1 : FIRST_KEY + index
}

function onInitialize(view: InstructionView): EffectBody {
  const name = view.borshText()
  const symbol = view.borshText()
  const uri = view.borshText()
  return {
    kind: 'metadata',
    mint: view.account(0),
    action: 'initialize',
    authority: view.account(3),
    field: null,
    key: null,
    value: name,
    initial: { symbol, uri, updateAuthority: view.account(1) },
  }
}

function onUpdateField(view: InstructionView): EffectBody {
  const tag = view.u8()
  const key = tag === 3 ? view.borshText() : null
  const field = FIELDS[tag] ?? null
  if (field === null && key === null) throw new Unreadable('the field is not known')
  const value = view.borshText()
  return {
    kind: 'metadata',
    mint: view.account(0),
    action: 'updateField',
    authority: view.account(1),
    field,
    key,
    value,
  }
}

function onRemoveKey(view: InstructionView): EffectBody {
  if (view.u8() > 1) throw new Unreadable('a flag is neither 0 nor 1')
  const key = view.borshText()
  return {
    kind: 'metadata',
    mint: view.account(0),
    action: 'removeKey',
    authority: view.account(1),
    field: null,
    key,
    value: null,
  }
}

function onUpdateAuthority(view: InstructionView): EffectBody {
  const next = view.optionalAddress()
  const { program } = view
  return {
    kind: 'authority',
    program,
    account: view.account(0),
    which: 'METADATA_UPDATE',
    authority: view.account(1),
    next,
  }
}

export const metadataRows: readonly (readonly [number, TableRow])[] = [
  [FIRST_KEY, exact('INITIALIZE_METADATA', 4, onInitialize)],
  [FIRST_KEY + 1, exact('UPDATE_METADATA_FIELD', 2, onUpdateField)],
  [FIRST_KEY + 2, exact('REMOVE_METADATA_KEY', 2, onRemoveKey)],
  [FIRST_KEY + 3, exact('UPDATE_METADATA_AUTHORITY', 2, onUpdateAuthority, 'unless-managed')],
  [FIRST_KEY + 4, neutral('EMIT_METADATA', 1)],
]
