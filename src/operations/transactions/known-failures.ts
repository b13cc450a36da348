// What the records know to fail on chain is refused before a key of ours is used: it would only cost its fee. Read from
// the effects of the compiled message when it is built, and again before its first signature, because the instrument
// may have been paused since.
import type { Effect } from '../../solana/table/effect.ts'
import type { RecordIndex } from '../../engine/index/record-index.ts'
import type { RecordState } from '../../engine/records/record.ts'
import { stateAt } from '../lookup/whose-records.ts'
import { OutdatedRefusal } from './funds.ts'

export interface FailureInputs {
  readonly directory: RecordIndex
  /** The tenant whose records decide. */
  readonly tenant: string
  readonly cluster: string
  readonly effects: readonly Effect[]
  readonly pointer?: string
}

/** Throws 400 `INSTRUMENT_PAUSED`. */
export function checkCanLand(inputs: FailureInputs): void {
  checkNonePaused(inputs)
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

function instrumentAt(
  { directory, tenant, cluster }: FailureInputs,
  mint: string,
): RecordState<'instrument'> | undefined {
  return stateAt(directory, { tenant, organization: null }, cluster, { address: mint, kind: 'instrument' })
}
