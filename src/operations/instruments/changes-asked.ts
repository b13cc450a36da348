// The on-chain changes of an update: the members that differ from the current configuration, in an executable order.
import { multiplierRatio } from '../../../machines/scale.ts'
import type { RecordState } from '../../engine/records/record.ts'
import type { AccountLookup } from '../../contract/values/lookup.ts'
import type { InstrumentChangesInput } from '../../contract/schemas/instrument.ts'
import type { Context } from '../context/platform.ts'
import { badRequest, refuseAll } from '../../contract/refusal.ts'
import { eachTogether, together } from '../../contract/together.ts'
import { resolveParty } from '../lookup/account.ts'
import { ROTATIONS, type MintChange, type AuthorityRotation } from './mint-change.ts'
import { checkPausing } from '../holdings/pausing.ts'

const NEXT = {
  CLOSE_MINT: 'newClosingAuthority',
  PAUSE: 'newPausableAuthority',
  SCALED_UI_AMOUNT: 'newScaledUiAmountAuthority',
  TRANSFER_HOOK_PROGRAM_ID: 'newTransferHookAuthority',
} as const satisfies Record<AuthorityRotation, keyof InstrumentChangesInput>

const EXTENSION_OF = {
  defaultPositionState: 'DEFAULT_ACCOUNT_STATE',
  paused: 'PAUSABLE',
  scaledUiAmountMultiplier: 'SCALED_UI_AMOUNT',
  transferHookProgram: 'TRANSFER_HOOK',
  newClosingAuthority: 'MINT_CLOSE',
  newPausableAuthority: 'PAUSABLE',
  newScaledUiAmountAuthority: 'SCALED_UI_AMOUNT',
  newTransferHookAuthority: 'TRANSFER_HOOK',
} as const satisfies Partial<Record<keyof InstrumentChangesInput, string>>

type Instrument = RecordState<'instrument'>

interface Asked {
  readonly state: Instrument
  readonly input: InstrumentChangesInput
  /** The mint has no metadata, and can be given some. */
  readonly takesMetadata: boolean
}

/**
 * Metadata removals come before additions, so that space is free first; authorities come last, since all other
 * changes are signed by the current ones.
 *
 * Throws 400 `TOKEN_2022_REQUIRED`, `EXTENSION_MISSING`, `ALREADY_PAUSED`, `NOT_PAUSED`, `INVALID_VALUE`.
 */
export function resolveMintChanges({ platform, call }: Context, { state, input, takesMetadata }: Asked): MintChange[] {
  together(
    () => checkExtensions(state, input),
    () => resolveNextAuthorities({ platform, call }, input),
  )
  const { context } = state
  const changes: MintChange[] = state.context.version === 'SPL' ? [] : metadataChanges(state, input, takesMetadata)
  const { defaultPositionState, paused, scaledUiAmountMultiplier, transferHookProgram } = input
  if (defaultPositionState !== undefined && defaultPositionState !== context.defaultPositionState)
    changes.push({ kind: 'defaultState', state: defaultPositionState })
  if (
    scaledUiAmountMultiplier !== undefined &&
    Number(scaledUiAmountMultiplier) !== Number(context.scaledUiAmountMultiplier)
  ) {
    if (multiplierRatio(scaledUiAmountMultiplier) === null)
      throw badRequest(
        'INVALID_VALUE',
        'the multiplier must be a positive double',
        '/itemData/scaledUiAmountMultiplier',
      )
    changes.push({ kind: 'multiplier', multiplier: scaledUiAmountMultiplier })
  }
  if (transferHookProgram !== undefined) {
    const program = addressOf({ platform, call }, transferHookProgram, '/itemData/transferHookProgram')
    if (program !== addressIn(state, 'transferHookProgram')) changes.push({ kind: 'hook', program })
  }
  if (paused !== undefined) {
    checkPausing(state, paused, '/itemData/paused')
    changes.push({ kind: 'pause', paused })
  }
  return [...changes, ...rotations({ platform, call }, state, input)]
}

function checkExtensions({ context }: Instrument, input: InstrumentChangesInput): void {
  const entries = Object.entries(EXTENSION_OF) as [keyof typeof EXTENSION_OF, string][]
  const missing = entries.filter(
    ([member, extension]) => input[member] !== undefined && !context.extensions.includes(extension),
  )
  refuseAll(
    missing.map(([member, extension]) => ({
      ...(context.version === 'SPL'
        ? { code: 'TOKEN_2022_REQUIRED', message: `${member} requires a TOKEN_2022 instrument` }
        : { code: 'EXTENSION_MISSING', message: `the instrument was created without the extension ${extension}` }),
      pointer: `/itemData/${member}`,
    })),
  )
}

function metadataChanges(
  { context }: Instrument,
  { onchainData }: InstrumentChangesInput,
  takesMetadata: boolean,
): MintChange[] {
  if (onchainData === undefined) return []
  if (!context.extensions.includes('TOKEN_METADATA') && !takesMetadata) {
    throw badRequest('EXTENSION_MISSING', 'the instrument was created without metadata', '/itemData/onchainData')
  }
  const now = takesMetadata ? null : context.onchainData
  const fields = (['name', 'symbol', 'uri'] as const).flatMap((field): MintChange[] => {
    const value = onchainData[field]
    return value === undefined || value === (now?.[field] ?? '') ? [] : [{ kind: 'field', field, value }]
  })
  const pairs = keyChanges(now?.simpleCustomMetadata ?? {}, onchainData.simpleCustomMetadata)
  const changes = [...pairs.filter(isRemoval), ...fields, ...pairs.filter((change) => !isRemoval(change))]
  return takesMetadata && changes.length > 0 ? [newMetadata(context), ...changes] : changes
}

/** Belongs to the update authority of the record, which needs no metadata to be known. Throws 400 `NO_AUTHORITY`. */
function newMetadata({ authorities }: Instrument['context']): MintChange {
  const updateAuthority = (authorities.updateAuthority ?? authorities.mintAuthority)?.address
  if (updateAuthority === undefined)
    throw badRequest('NO_AUTHORITY', 'metadata needs the mint authority, which was given up', '/itemData/onchainData')
  return { kind: 'metadata', updateAuthority }
}

/** Keys that are not named keep their value; null as a value removes a key, null for the member removes all keys. */
function keyChanges(
  now: Readonly<Record<string, string>>,
  given: Readonly<Record<string, string | null>> | null | undefined,
): (MintChange & { readonly kind: 'key' })[] {
  const wanted = given === null ? Object.fromEntries(Object.keys(now).map((key) => [key, null])) : (given ?? {})
  return Object.entries(wanted)
    .filter(([key, value]) => value !== (Object.hasOwn(now, key) ? now[key] : null))
    .map(([key, value]) => ({ kind: 'key', key, value }))
}

function isRemoval(change: MintChange): boolean {
  return change.kind === 'key' && change.value === null
}

/** Throws 400 `ACCOUNT_NOT_FOUND` for all unknown accounts that an authority is to be given to. */
export function resolveNextAuthorities(context: Context, input: InstrumentChangesInput): void {
  eachTogether([...Object.values(NEXT), 'transferHookProgram'] as const, (member) =>
    addressOf(context, input[member] ?? null, `/itemData/${member}`),
  )
}

function rotations(context: Context, state: Instrument, input: InstrumentChangesInput): MintChange[] {
  return (Object.entries(NEXT) as [AuthorityRotation, (typeof NEXT)[AuthorityRotation]][]).flatMap(
    ([which, member]): MintChange[] => {
      const lookup = input[member]
      if (lookup === undefined) return []
      const next = addressOf(context, lookup, `/itemData/${member}`)
      return next === addressIn(state, ROTATIONS[which]) ? [] : [{ kind: 'authority', which, next }]
    },
  )
}

function addressIn({ context }: Instrument, name: keyof Instrument['context']['authorities']): string | null {
  return context.authorities[name]?.address ?? null
}

function addressOf(context: Context, lookup: AccountLookup | null, pointer: string): string | null {
  return lookup === null ? null : resolveParty(context, lookup, pointer).address
}
