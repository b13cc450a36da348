// What the records know to fail on chain is refused before a key of ours is used: it would only cost its fee. Read from
// the effects of the compiled message when it is built, and again before its first signature, because the instrument
// may have been paused since, or another message signed that has not landed.
import type { RecordEvent } from '../../../machines/transactions/transaction-record.ts'
import type { Effect } from '../../solana/table/effect.ts'
import { changingKey } from '../../engine/index/index-keys.ts'
import type { RecordIndex } from '../../engine/index/record-index.ts'
import type { RecordState } from '../../engine/records/record.ts'
import { busy } from '../../contract/refusal.ts'
import { eventsByMessage } from '../lookup/own-messages.ts'
import { stateAt } from '../lookup/whose-records.ts'
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
export function checkCanLand(inputs: FailureInputs): void {
  checkNonePaused(inputs)
  checkNoneClosing(inputs)
  checkNoneSwitching(inputs)
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

/** null: the effect moves no tokens, or names no mint: such a transfer fails for every mint that can be paused. */
function movedMint(effect: Effect): string | null {
  return effect.kind === 'tokens' || effect.kind === 'mint' || effect.kind === 'burn' ? effect.mint : null
}

/** A closing that is only prepared does not count. Throws 400 `INSTRUMENT_BUSY`. */
function checkNoneClosing(inputs: FailureInputs): void {
  const { directory, pointer = '/itemData' } = inputs
  for (const mint of new Set(inputs.effects.flatMap(neededMint))) {
    const instrument = instrumentAt(inputs, mint)
    if (instrument === undefined || directory.first(changingKey(instrument.id)) === undefined) continue
    if (eventsByMessage(directory, instrument, changingKey).flat().some(isClosing))
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

function isClosing({ type }: RecordEvent): boolean {
  return type === 'chain.closed'
}

/**
 * An account is not frozen or thawed while a signed message freezes or thaws it: after that message, the second fails.
 * Messages of other tenants do not count: they need a signature of the freeze authority that they may never have.
 * Throws 400 `POSITION_BUSY`.
 */
function checkNoneSwitching({ directory, tenant, cluster, effects, pointer = '/itemData' }: FailureInputs): void {
  for (const effect of effects) {
    if (effect.kind !== 'freeze' && effect.kind !== 'thaw') continue
    const records = directory.atAddress(cluster, effect.account)
    if (records.some(({ head: { id } }) => eventsByMessage(directory, { id, tenant }).some(isSwitched)))
      throw busy('POSITION_BUSY', `a transaction that freezes or unfreezes ${effect.account} is under way`, pointer)
  }
}

/** True if a message leaves the account in another state. One that thaws it first and freezes it last does not. */
function isSwitched(events: readonly RecordEvent[]): boolean {
  const switches = events.filter(({ type }) => type === 'chain.frozen' || type === 'chain.thawed')
  return switches.length > 0 && switches[0]?.type === switches.at(-1)?.type
}

function instrumentAt(
  { directory, tenant, cluster }: FailureInputs,
  mint: string,
): RecordState<'instrument'> | undefined {
  return stateAt(directory, { tenant, organization: null }, cluster, { address: mint, kind: 'instrument' })
}
