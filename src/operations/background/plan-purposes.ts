// The purposes of plans. A plan is continued, also after a restart, by the function of its purpose; these functions
// do not depend on plans.
import { drawMintUpdate, MINT_UPDATE_PURPOSE } from '../instruments/draw-update.ts'
import { drawTableStep } from '../lookup-tables/draw.ts'
import { drawNonces, NONCES_PURPOSE } from '../nonces/draw.ts'
import type { PlanSteps } from '../transactions/plans/draw-step.ts'

export const PLAN_STEPS: PlanSteps = {
  [NONCES_PURPOSE]: drawNonces,
  lookupTable: drawTableStep,
  [MINT_UPDATE_PURPOSE]: drawMintUpdate,
}
