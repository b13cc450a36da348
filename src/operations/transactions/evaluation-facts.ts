// Facts a transaction was decided on that cannot be derived later; stored for its explanation.
import type { EvaluationFacts } from '../../engine/records/codec.ts'
import type { Platform } from '../context/platform.ts'
import type { Budget } from './budget.ts'
import type { Composed } from './compose.ts'
import type { Draft } from './draft.ts'
import { ADVANCE_UNITS, type Lifetime } from './lifetime.ts'

export function evaluationFacts(
  platform: Platform,
  draft: Draft,
  { unitLimit, simulated }: Budget,
  { composed, lifetime }: { readonly composed: Composed; readonly lifetime: Lifetime },
): EvaluationFacts {
  const ownLimit = draft.computeUnits + (lifetime.nonce === null ? 0 : ADVANCE_UNITS)
  const raised = Math.max(0, composed.unitLimit - (unitLimit ?? ownLimit))
  return {
    maxFee: platform.limits.maxFeeLamports.toString(),
    ...(unitLimit === null ? {} : { limit: { units: unitLimit, by: simulated === true ? 'SIMULATION' : 'REQUEST' } }),
    ...(raised === 0 ? {} : { raised }),
    ...(draft.covered === false ? { uncovered: true } : {}),
  }
}
