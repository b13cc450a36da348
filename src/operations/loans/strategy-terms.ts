// Converts the terms of a request to those of a strategy record: resolves instruments and data sources, and converts
// amounts to raw units.
import type { RecordState } from '../../engine/records/record.ts'
import type { CollateralTerms } from '../../../machines/lending/loan-books.ts'
import type { StrategyChanges } from '../../../machines/lending/strategy.ts'
import type { Context } from '../context/platform.ts'
import { badRequest } from '../../contract/refusal.ts'
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
  return {
    ...(onchainDataSource === undefined
      ? {}
      : { source: sourceFor(context, onchainDataSource, principal, '/itemData/onchainDataSource') }),
    ...(collateral === undefined
      ? {}
      : {
          collateral: collateral.map((each, index) => collateralTerms(context, each, `/itemData/collateral/${index}`)),
        }),
    ...(duration === undefined ? {} : { duration: { code: duration.code, unit: duration.unit } }),
    ...(borrowers === undefined
      ? {}
      : { borrowers: borrowers === null ? null : resolveBorrowers(context, borrowers, principal) }),
    ...(exemptFromDebitLimits === undefined ? {} : { exemptFromDebitLimits }),
    ...(originationsEnabled === undefined ? {} : { originationsEnabled }),
    ...(originationCap === undefined
      ? {}
      : {
          originationCap:
            originationCap === null
              ? null
              : rawCap(context.platform, principal, originationCap, '/itemData/originationCap'),
        }),
    ...(liquidityBuffer === undefined ? {} : { liquidityBuffer }),
  }
}

function collateralTerms(context: Context, input: CollateralInput, pointer: string): CollateralTerms {
  const instrument = resolveInstrument(context, input.financialInstrument, `${pointer}/financialInstrument`)
  const { apy, loanToValueRatio, liquidationRatio, maxPriceAgeSeconds } = input
  if (loanToValueRatio > liquidationRatio)
    throw badRequest(
      'STRATEGY_TERMS_INVALID',
      'loanToValueRatio must be at most liquidationRatio',
      `${pointer}/loanToValueRatio`,
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
