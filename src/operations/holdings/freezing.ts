// Frozen positions and paused instruments, checked before anything is signed. An operation may thaw an account before
// and freeze it afterwards, in the same transaction: TOKEN_2022 only; the freeze authority signs.
import { freezeTokenAccount, thawTokenAccount } from '../../solana/instructions/token-account.ts'
import type { Instruction } from '../../solana/message.ts'
import type { AuthorityName } from '../../../machines/instrument-record.ts'
import type { RecordState } from '../../engine/records/record.ts'
import { recordAt } from '../lookup/whose-records.ts'
import type { Context, Platform } from '../context/platform.ts'
import { badRequest } from '../../contract/refusal.ts'
import { tokenProgramOf } from '../lookup/instrument.ts'
import { NO_RECORD } from '../lookup/chain-mints.ts'
import type { Party } from '../lookup/party.ts'
import type { ResolvedPosition } from '../lookup/position.ts'
import { recordIndexOf } from '../lookup/request-records.ts'
import { canAddressComeToSign } from '../lookup/signing-requests.ts'
import { reconcile } from '../reconcile/reconcile.ts'

export interface Switches {
  readonly thaw: boolean
  readonly freeze: boolean
}

type Side = 'Source' | 'Destination'
type Flags = { readonly [Flag in `freeze${Side}` | `unfreeze${Side}`]?: boolean | undefined }

/** The thaw and freeze that the flags of a request ask for on one side, and the pointer of the flag for refusals. */
function switchesOf(flags: Flags, side: Side): { readonly wanted: Switches; readonly pointer: string } {
  const wanted = { thaw: flags[`unfreeze${side}`] ?? false, freeze: flags[`freeze${side}`] ?? false }
  return { wanted, pointer: `/itemData/${wanted.thaw ? 'unfreeze' : 'freeze'}${side}` }
}

export interface FreezePlan {
  readonly before: readonly Instruction[]
  readonly after: readonly Instruction[]
  /** null if nothing is thawed or frozen. */
  readonly authority: Party | null
}

/**
 * Omits the thaw of an account that is not frozen, since it would fail on chain. Throws 400 `TOKEN_2022_REQUIRED`, and
 * the refusals of `authorityParty`.
 *
 * @param frozen current state of the account
 */
export function freezeInstructions(
  context: Context,
  instrument: RecordState<'instrument'>,
  account: string,
  {
    frozen,
    wanted,
    named,
    pointer,
  }: { readonly frozen: boolean; readonly wanted: Switches; readonly named: Party | null; readonly pointer: string },
): FreezePlan {
  if (!wanted.thaw && !wanted.freeze) return { before: [], after: [], authority: null }
  if (instrument.context.version !== 'TOKEN_2022') {
    throw badRequest(
      'TOKEN_2022_REQUIRED',
      'freezing and unfreezing within an operation require a TOKEN_2022 instrument',
      pointer,
    )
  }
  const authority = authorityParty(context, instrument, 'freezeAuthority', { named, pointer })
  const request = {
    program: tokenProgramOf(instrument),
    account,
    mint: instrument.context.address,
    authority: authority.address,
  }
  const frozenAfterThaw = frozen && !wanted.thaw
  return {
    before: wanted.thaw && frozen ? [thawTokenAccount(request)] : [],
    after: wanted.freeze && !frozenAfterThaw ? [freezeTokenAccount(request)] : [],
    authority,
  }
}

/** A position and its instrument, as a request names them. */
interface NamedPosition {
  readonly instrument: RecordState<'instrument'>
  readonly position: ResolvedPosition
}

/** One end of a movement of tokens. */
interface MovedEnd extends NamedPosition {
  readonly address: string
  readonly frozen: boolean
}

/**
 * As `freezeInstructions`, by the flags of a request for one end of a movement, which must be thawed when the tokens
 * move. Throws 400 `POSITION_FROZEN` as well.
 *
 * @param pointer of the end
 */
export function endSwitches(
  context: Context,
  { address, instrument, position, frozen }: MovedEnd,
  flags: Flags,
  { side, named, pointer }: { readonly side: Side; readonly named: Party | null; readonly pointer: string },
): FreezePlan {
  const switches = switchesOf(flags, side)
  if (switches.wanted.thaw || switches.wanted.freeze)
    checkAuthorityUsable(context, { instrument, position }, 'freezeAuthority')
  const plan = freezeInstructions(context, instrument, address, { frozen, named, ...switches })
  if (frozen && plan.before.length === 0)
    throw badRequest('POSITION_FROZEN', `the ${side.toLowerCase()} is frozen`, pointer)
  return plan
}

/**
 * Another tenant's record can be named by its id, or as a payee, for what needs no key of that tenant: otherwise the
 * refusal is that of an unknown record. Call it before the state of the position decides anything.
 */
export function checkAuthorityUsable(
  context: Context,
  { instrument, position: { unlessAuthority } }: NamedPosition,
  role: AuthorityName,
): void {
  if (unlessAuthority === undefined || instrument.id !== NO_RECORD) return
  const { call } = context
  const directory = recordIndexOf(context)
  const address = instrument.context.authorities[role]?.address
  const isUsable = (authority: string): boolean =>
    recordAt(directory, call, call.cluster, authority) !== undefined || canAddressComeToSign(directory, call, authority)
  if (address !== undefined && isUsable(address)) return
  const refusal = unlessAuthority()
  if (refusal !== null) throw refusal
}

/**
 * The account of an authority of the instrument: the named one if it matches, otherwise found by address. Throws 400
 * `CLOSED`, `NO_AUTHORITY`, `LOOKUP_MISMATCH`.
 */
export function authorityParty(
  { platform, call }: Context,
  instrument: RecordState<'instrument'>,
  role: AuthorityName,
  { named, pointer }: { readonly named: Party | null; readonly pointer: string },
): Party {
  if (instrument.value === 'closed') throw badRequest('CLOSED', 'the instrument is closed', pointer)
  const reference = instrument.context.authorities[role] ?? null
  if (reference === null) throw badRequest('NO_AUTHORITY', `the instrument has no ${role}`, pointer)
  if (named === null)
    return {
      address: reference.address,
      entry: recordAt(platform.engine.directory, call, call.cluster, reference.address) ?? null,
      autoSign: true,
    }
  if (named.address !== reference.address)
    throw badRequest('LOOKUP_MISMATCH', `the account is not the ${role} of the instrument`, pointer)
  return named
}

/**
 * Transfers, mints and burns of a paused instrument fail on chain; freezing, opening and closing positions do not.
 * Throws 400 `INSTRUMENT_PAUSED`.
 */
export function checkNotPaused({ value, context }: RecordState<'instrument'>, pointer: string): void {
  if (value === 'paused') throw badRequest('INSTRUMENT_PAUSED', `the instrument ${context.address} is paused`, pointer)
}

/** Reconciles a paused instrument before it is refused: it may have been resumed outside of this service. */
export async function refreshPaused(platform: Platform, instrument: RecordState<'instrument'>): Promise<void> {
  if (instrument.value === 'paused') await reconcile(platform, instrument.cluster, [instrument])
}

/** Reconciles a frozen position before it is refused: it may have been thawed outside of this service. */
export async function refreshFrozen(platform: Platform, position: RecordState<'position'> | null): Promise<void> {
  if (position?.value === 'frozen') await reconcile(platform, position.cluster, [position])
}
