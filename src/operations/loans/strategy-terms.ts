// Converts the terms of a request to those of a strategy record: resolves instruments and data sources, and converts
// amounts to raw units.
import type { RecordState } from '../../engine/records/record.ts'
import type { CollateralTerms } from '../../../machines/lending/loan-books.ts'
import type { StrategyChanges } from '../../../machines/lending/strategy.ts'
import type { Context } from '../context/platform.ts'
import { badRequest } from '../../contract/refusal.ts'
import { eachTogether, together } from '../../contract/together.ts'
import { resolveInstrument } from '../lookup/instrument.ts'
import { rawCap, resolveBorrowers } from './borrowers.ts'
import { sourceFor } from '../views/loan-feeds.ts'
import type { CollateralInput, StrategyTermsInput } from '../../contract/schemas/loan.ts'

/** Absent members stay absent; null clears. Throws 400 for invalid terms. */
export function resolveTerms(
  context: Context,
  input: StrategyTermsInput,
  principal: RecordState<'instrument'>,
): StrategyChanges {
  const {
    collateral,
    duration,
    borrowers,
    exemptFromDebitLimits,
    originationsEnabled,
    originationCap,
    liquidityBuffer,
    onchainDataSource,
  } = input
  const [source, collateralNow, borrowersNow, cap] = together(
    () =>
      onchainDataSource === undefined
        ? undefined
        : sourceFor(context, onchainDataSource, principal, '/itemData/onchainDataSource'),
    () => (collateral === undefined ? undefined : collateralOf(context, collateral)),
    () => (borrowers == null ? borrowers : resolveBorrowers(context, borrowers, principal)),
    () =>
      originationCap == null
        ? originationCap
        : rawCap(context.platform, principal, originationCap, '/itemData/originationCap'),
  )
  return {
    ...(source === undefined ? {} : { source }),
    ...(collateralNow === undefined ? {} : { collateral: collateralNow }),
    ...(duration === undefined ? {} : { duration: { code: duration.code, unit: duration.unit } }),
    ...(borrowersNow === undefined ? {} : { borrowers: borrowersNow }),
    ...(exemptFromDebitLimits === undefined ? {} : { exemptFromDebitLimits }),
    ...(originationsEnabled === undefined ? {} : { originationsEnabled }),
    ...(cap === undefined ? {} : { originationCap: cap }),
    ...(liquidityBuffer === undefined ? {} : { liquidityBuffer }),
  }
}

/** Throws 400 `INSTRUMENT_NOT_FOUND`, `STRATEGY_TERMS_INVALID`, and the refusals of the data sources. */
export function collateralOf(context: Context, collateral: readonly CollateralInput[]): CollateralTerms[] {
  return eachTogether(collateral, (each, index) => collateralTerms(context, each, `/itemData/collateral/${index}`))
}

function collateralTerms(context: Context, input: CollateralInput, pointer: string): CollateralTerms {
  const { apy, loanToValueRatio, liquidationRatio, maxPriceAgeSeconds } = input
  const [instrument] = together(
    () => resolveInstrument(context, input.financialInstrument, `${pointer}/financialInstrument`),
    () => {
      if (loanToValueRatio <= liquidationRatio) return
      const message = 'loanToValueRatio must be at most liquidationRatio'
      throw badRequest('STRATEGY_TERMS_INVALID', message, `${pointer}/loanToValueRatio`)
    },
  )
  return {
    instrument: { address: instrument.context.address, id: instrument.id },
    apy,
    loanToValueRatio,
    liquidationRatio,
    maxPriceAgeSeconds,
    source: sourceFor(context, input.onchainDataSource, instrument, `${pointer}/onchainDataSource`),
  }
}
