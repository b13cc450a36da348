// What the records know to fail on chain is refused before a key of ours is used: it would only cost its fee. Read from
// the effects of the compiled message when it is built, and again before its first signature, because the instrument
// may have been paused since, or another message signed that has not landed.
import { NATIVE_MINTS } from '../../solana/address.ts'
import type { Effect } from '../../solana/table/effect.ts'
import { changingKey, stoppingKey } from '../../engine/index/index-keys.ts'
import type { RecordIndex } from '../../engine/index/record-index.ts'
import { isHolding, ofKind, type RecordState } from '../../engine/records/record.ts'
import { busy } from '../../contract/refusal.ts'
import type { Platform } from '../context/platform.ts'
import { completeMessages } from '../lookup/open-messages.ts'
import { bindsOwner } from '../lookup/governing.ts'
import { ownRecordsAt, stateAt } from '../lookup/whose-records.ts'
import { OutdatedRefusal } from './funds.ts'

export interface FailureInputs {
  readonly directory: RecordIndex
  /** The tenant whose records decide, and whose signed messages count. */
  readonly tenant: string
  readonly cluster: string
  readonly effects: readonly Effect[]
  readonly pointer?: string
}

/** Throws 400 `INSTRUMENT_PAUSED`, `INSTRUMENT_BUSY`, `POSITION_BUSY`. */
export function checkCanLand(platform: Platform, inputs: FailureInputs): void {
  checkNonePaused(inputs)
  checkNonePausing(platform, inputs)
  checkNoneClosing(inputs)
  checkNoneSwitching(platform, inputs)
  checkNoneFreezing(platform, inputs)
  checkNonePaidAndClosed(platform, inputs)
}

/** An instruction of the message may resume the instrument first. Throws 400 `INSTRUMENT_PAUSED`. */
export function checkNonePaused(inputs: FailureInputs): void {
  const resumed = new Set<string>()
  for (const effect of inputs.effects) {
    if (effect.kind === 'resume') resumed.add(effect.mint)
    const mint = movedMint(effect)
    if (mint === null || resumed.has(mint)) continue
    const instrument = instrumentAt(inputs, mint)
    if (instrument?.value !== 'paused') continue
    // It may have been resumed outside of this service.
    throw new OutdatedRefusal(instrument, {
      code: 'INSTRUMENT_PAUSED',
      message: `the instrument ${mint} is paused`,
      pointer: inputs.pointer ?? '/itemData',
    })
  }
}

/** As while it is paused: a pause that is being sent lands first. Throws 400 `INSTRUMENT_BUSY`. */
function checkNonePausing(platform: Platform, inputs: FailureInputs): void {
  const { directory, effects, pointer = '/itemData' } = inputs
  for (const mint of new Set(effects.map(movedMint))) {
    const instrument = mint === null ? undefined : instrumentAt(inputs, mint)
    if (instrument === undefined || directory.first(stoppingKey(instrument.id)) === undefined) continue
    const authority = instrument.context.authorities.pausableAuthority?.address
    const pauses = (effect: Effect): boolean =>
      effect.kind === 'pause' && effect.mint === mint && effect.authority === authority
    const counts = (message: RecordState<'transaction'>): boolean => isBeingSent(platform, message)
    const open = completeMessages(directory, instrument, { keyOf: stoppingKey, counts })
    if (open.some((message) => message.effects?.some(pauses)))
      throw busy('INSTRUMENT_BUSY', `a transaction that pauses the instrument ${mint} is under way`, pointer)
  }
}

/** null: the effect moves no tokens, or names no mint: such a transfer fails for every mint that can be paused. */
function movedMint(effect: Effect): string | null {
  return effect.kind === 'tokens' || effect.kind === 'mint' || effect.kind === 'burn' ? effect.mint : null
}

/**
 * A closing counts once it has all signatures, that of the mint's closing authority among them. Throws 400
 * `INSTRUMENT_BUSY`.
 */
function checkNoneClosing(inputs: FailureInputs): void {
  const { directory, pointer = '/itemData' } = inputs
  for (const mint of new Set(inputs.effects.flatMap(neededMint))) {
    const instrument = instrumentAt(inputs, mint)
    if (instrument === undefined || directory.first(changingKey(instrument.id)) === undefined) continue
    const authority = instrument.context.authorities.closingAuthority?.address
    const closes = (effect: Effect): boolean =>
      effect.kind === 'close' && effect.account === mint && effect.authority === authority
    if (completeMessages(directory, instrument, { keyOf: changingKey }).some(({ effects }) => effects?.some(closes)))
      throw busy('INSTRUMENT_BUSY', `a transaction that closes the instrument ${mint} is under way`, pointer)
  }
}

/** Tokens cannot move while a mint is closed, since it is closed without supply. */
function neededMint(effect: Effect): string[] {
  switch (effect.kind) {
    case 'mint':
    case 'createAssociated':
    case 'initializeAccount':
    case 'freeze':
    case 'thaw':
      return [effect.mint]
    default:
      return []
  }
}

type Switch = Effect & { readonly kind: 'freeze' | 'thaw' }

const isSwitch = (effect: Effect): effect is Switch => effect.kind === 'freeze' || effect.kind === 'thaw'

/**
 * An account is not frozen or thawed while a message that is being sent freezes or thaws it by the same authority:
 * after that message, the second fails. One that is held for Submit, or of another tenant, prevents no freeze: it may
 * never be sent. Throws 400 `POSITION_BUSY`.
 */
function checkNoneSwitching(platform: Platform, inputs: FailureInputs): void {
  const { effects, pointer = '/itemData' } = inputs
  for (const { account, authority } of effects.filter(isSwitch))
    if (sentEffects(platform, inputs, account).some((each) => leavesSwitched(each, account, authority)))
      throw busy('POSITION_BUSY', `a transaction that freezes or unfreezes ${account} is under way`, pointer)
}

/**
 * As of a frozen position, no tokens of a position are moved while a message that is being sent freezes it. Throws 400
 * `POSITION_BUSY`.
 */
function checkNoneFreezing(platform: Platform, inputs: FailureInputs): void {
  const { directory, cluster, effects, pointer = '/itemData' } = inputs
  for (const effect of effects) {
    const mint = movedMint(effect)
    const authority = mint === null ? undefined : instrumentAt(inputs, mint)?.context.authorities.freezeAuthority
    if (authority === undefined || authority === null) continue
    const mayFreeze = (account: string): boolean =>
      directory.atAddress(cluster, account).some(({ head: { id } }) => directory.first(stoppingKey(id)) !== undefined)
    const isFreezing = (account: string): boolean =>
      sentEffects(platform, inputs, account).some((each) => freezes(each, account, authority.address))
    const frozen = movedPositions(effect).find((account) => mayFreeze(account) && isFreezing(account))
    if (frozen !== undefined) throw busy('POSITION_BUSY', `a transaction that freezes ${frozen} is under way`, pointer)
  }
}

function movedPositions(effect: Effect): readonly string[] {
  switch (effect.kind) {
    case 'tokens':
      return [effect.from, effect.to]
    case 'mint':
      return [effect.to]
    case 'burn':
      return [effect.from]
    default:
      return []
  }
}

/** True if the message leaves the account frozen, which was not: one that thaws it first finds it frozen. */
function freezes(effects: readonly Effect[], account: string, authority: string): boolean {
  const switches = effects.filter(isSwitch).filter((each) => each.account === account && each.authority === authority)
  return switches.every(({ kind }) => kind === 'freeze') && switches.length > 0
}

/** True if the message leaves the account in another state. One that thaws it first and freezes it last does not. */
function leavesSwitched(effects: readonly Effect[], account: string, authority: string): boolean {
  const switches = effects.filter(isSwitch).filter((each) => each.account === account && each.authority === authority)
  return switches.length > 0 && switches[0]?.kind === switches.at(-1)?.kind
}

/**
 * A position is not paid while a message that is being sent closes it, nor closed while one pays it: the one that
 * lands last fails. As for freezes, messages that are held for Submit, or of other tenants, prevent nothing. Throws
 * 400 `POSITION_BUSY`.
 */
function checkNonePaidAndClosed(platform: Platform, inputs: FailureInputs): void {
  const { effects, pointer = '/itemData' } = inputs
  const opened = new Set<string>()
  for (const effect of effects) {
    if (effect.kind === 'createAssociated') opened.add(effect.account)
    const paid = paidPosition(effect)
    if (paid !== null && !opened.has(paid) && isBeingClosed(platform, inputs, paid))
      throw busy('POSITION_BUSY', `a transaction that closes ${paid} is under way`, pointer)
    if (effect.kind !== 'close') continue
    const { account } = effect
    if (isBeingPaid(platform, inputs, account))
      throw busy('POSITION_BUSY', `a transaction that pays ${account} is under way`, pointer)
  }
}

/**
 * Payments made by other organizations prevent no closing: they could keep one in a suspended lane of their own for any
 * length of time.
 */
function isBeingPaid(platform: Platform, inputs: FailureInputs, address: string): boolean {
  const { directory, tenant, cluster } = inputs
  const deciding = ownRecordsAt(directory, tenant, cluster, address)
    .map(({ head }) => head)
    .filter((head) => isHolding(head) && bindsOwner(directory, head))
  const counts = ({ context: { fixed } }: RecordState<'transaction'>): boolean =>
    deciding.some((head) => isHolding(head) && head.context.organization === fixed.organization)
  const sent = sentEffects(platform, inputs, address, counts)
  return sent.some((each) => each.some((effect) => paidPosition(effect) === address))
}

/** True only if the message is signed by who can close the position: any other one fails. */
function isBeingClosed(platform: Platform, inputs: FailureInputs, address: string): boolean {
  const { directory, tenant, cluster } = inputs
  const closers = directory.atAddress(cluster, address).flatMap(({ head }) => {
    const position = head.tenant === tenant ? ofKind(head, 'position') : undefined
    if (position === undefined || directory.first(changingKey(head.id)) === undefined) return []
    const { owner, otherAuthorities } = position.context
    return [owner.address, otherAuthorities?.closeAuthority?.address]
  })
  const closes = (effect: Effect): boolean =>
    effect.kind === 'close' && effect.account === address && closers.includes(effect.authority)
  return closers.length > 0 && sentEffects(platform, inputs, address).some((each) => each.some(closes))
}

/** null for wrapped network currency too: it goes with its position, which may be closed with it. */
function paidPosition(effect: Effect): string | null {
  const isPayment = effect.kind === 'tokens' || effect.kind === 'mint'
  return isPayment && !NATIVE_MINTS.has(effect.mint ?? '') ? effect.to : null
}

/** The effects of each message of the tenant that is being sent and concerns a record at the address. */
function sentEffects(
  platform: Platform,
  { directory, tenant, cluster }: FailureInputs,
  address: string,
  isCounted: (message: RecordState<'transaction'>) => boolean = () => true,
): readonly (readonly Effect[])[] {
  const counts = (message: RecordState<'transaction'>): boolean => isBeingSent(platform, message) && isCounted(message)
  return directory
    .atAddress(cluster, address)
    .flatMap(({ head: { id } }) => completeMessages(directory, { id, tenant }, { counts }))
    .map(({ effects }) => effects ?? [])
}

/** A message that is held for Submit may never be sent. */
function isBeingSent({ engine }: Platform, message: RecordState<'transaction'>): boolean {
  return engine.payload(message).held !== true
}

function instrumentAt(
  { directory, tenant, cluster }: FailureInputs,
  mint: string,
): RecordState<'instrument'> | undefined {
  return stateAt(directory, { tenant, organization: null }, cluster, { address: mint, kind: 'instrument' })
}
