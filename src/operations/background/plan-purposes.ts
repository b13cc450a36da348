// The purposes of plans. A plan is continued, also after a restart, by the function of its purpose; these functions
// do not depend on plans.
import { buildMintUpdateDraft, MINT_UPDATE_PURPOSE } from '../instruments/update-draft.ts'
import { buildTableStepDraft } from '../lookup-tables/step-draft.ts'
import { buildNoncesDraft, NONCES_PURPOSE } from '../nonces/step-draft.ts'
import type { PlanSteps } from '../transactions/plans/build-step.ts'

export const PLAN_STEPS: PlanSteps = {
  [NONCES_PURPOSE]: buildNoncesDraft,
  lookupTable: buildTableStepDraft,
  [MINT_UPDATE_PURPOSE]: buildMintUpdateDraft,
}
