/**
 * Token-2022 beyond the instructions of Token: the extensions that an instrument can have. Their
 * instructions begin with a family byte and a member byte.
 */
import type { EffectBody } from './effect.ts'
import type { MintExtension } from '../mint-extensions.ts'
import { exact, openRow } from './row.ts'
import type { TableRow } from './row.ts'
import { readTransferChecked } from './token.ts'
import { Unreadable } from './view.ts'
import type { InstructionView } from './view.ts'

/** Families with a member byte; their rows are numbered 256 * family + member, above all single bytes. */
export const FAMILIES: ReadonlySet<number> = new Set([26, 27, 28, 30, 33, 34, 36, 37, 39, 40, 41, 42, 43, 44, 46])

const DEFAULT_STATES = ['UNINITIALIZED', 'INITIALIZED', 'FROZEN']

function member(family: number, index: number): number {
  return 256 * family + index
}

type Value = (view: InstructionView) => string | null

const address: Value = (view) => view.optionalAddress()
const nothing: Value = () => null

/** An initializer: the authority it sets, then a value. */
function initialize(name: MintExtension, authority: Value, value: Value): TableRow {
  return exact(`INITIALIZE_${name}`, 1, (view) => {
    return {
      kind: 'extension',
      mint: view.account(0),
      name,
      action: 'initialize',
      authority: authority(view),
      value: value(view),
    }
  })
}

/** An update: the mint, then the authority that consents. */
function update(name: MintExtension, value: Value): TableRow {
  return openRow(`UPDATE_${name}`, 2, (view) => {
    return {
      kind: 'extension',
      mint: view.account(0),
      name,
      action: 'update',
      authority: view.account(1),
      value: value(view),
    }
  })
}

function state(view: InstructionView): string {
  const name = DEFAULT_STATES[view.u8()]
  if (name === undefined) throw new Unreadable('the state is not known')
  return name
}

function multiplierAndTime(view: InstructionView): string {
  const multiplier = String(view.f64())
  const effectiveAt = BigInt.asIntN(64, view.u64())
  return effectiveAt <= 0n ? multiplier : `${multiplier}@${effectiveAt}`
}

/** Auto-approval and the auditor's key. */
function confidentialSettings(view: InstructionView): null {
  if (view.u8() > 1) throw new Unreadable('a flag is neither 0 nor 1')
  view.bytes(32)
  return null
}

function confidentialSupply(view: InstructionView): null {
  view.bytes(32 + 36)
  return null
}

function pausing(view: InstructionView, kind: 'pause' | 'resume'): EffectBody {
  return { kind, mint: view.account(0), authority: view.account(1) }
}

function transferCheckedWithFee(view: InstructionView): EffectBody {
  const effect = readTransferChecked(view)
  view.u64()
  return effect
}

export const token2022Rows: readonly (readonly [number, TableRow])[] = [
  [25, initialize('MINT_CLOSE', (view) => view.taggedAddress(), nothing)],
  [35, initialize('PERMANENT_DELEGATE', (view) => view.address(), nothing)],
  [member(26, 1), openRow('TRANSFER_CHECKED_WITH_FEE', 4, transferCheckedWithFee)],
  [member(27, 0), initialize('CONFIDENTIAL_TRANSFER', address, confidentialSettings)],
  [member(28, 0), initialize('DEFAULT_ACCOUNT_STATE', nothing, state)],
  [member(28, 1), update('DEFAULT_ACCOUNT_STATE', state)],
  [member(36, 0), initialize('TRANSFER_HOOK', address, address)],
  [member(36, 1), update('TRANSFER_HOOK', address)],
  [member(39, 0), initialize('METADATA_POINTER', address, address)],
  [member(39, 1), update('METADATA_POINTER', address)],
  [member(42, 0), initialize('CONFIDENTIAL_MINT_BURN', nothing, confidentialSupply)],
  [member(43, 0), initialize('SCALED_UI_AMOUNT', address, (view) => String(view.f64()))],
  [member(43, 1), update('SCALED_UI_AMOUNT', multiplierAndTime)],
  [member(44, 0), initialize('PAUSABLE', address, nothing)],
  [member(44, 1), openRow('PAUSE', 2, (view) => pausing(view, 'pause'))],
  [member(44, 2), openRow('RESUME', 2, (view) => pausing(view, 'resume'))],
]

/**
 * Left out: rent of unknown size, rights over incoming payments, confidential amounts, extensions that the service does
 * not offer.
 */
export const token2022LeftOut: readonly (readonly [number, string])[] = [
  [29, 'REALLOCATE'],
  [31, 'CREATE_NATIVE_MINT'],
  [32, 'INITIALIZE_NON_TRANSFERABLE'],
]

export const leftOutFamilies: ReadonlyMap<number, string> = new Map([
  [26, 'TRANSFER_FEE'],
  [27, 'CONFIDENTIAL_TRANSFER'],
  [30, 'MEMO_TRANSFER'],
  [33, 'INTEREST_BEARING'],
  [34, 'CPI_GUARD'],
  [37, 'CONFIDENTIAL_TRANSFER_FEE'],
  [40, 'GROUP_POINTER'],
  [41, 'GROUP_MEMBER_POINTER'],
  [42, 'CONFIDENTIAL_MINT_BURN'],
  [46, 'PERMISSIONED_BURN'],
])
