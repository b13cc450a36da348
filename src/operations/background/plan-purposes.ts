// What plans are for: one drawer per purpose, so that a plan found after a restart goes on as it began.
// Drawers live in files of their own, which know nothing of plans.
import type { Call, JsonObject } from '../../contract/call.ts'
import type { ChainTransactionConfig } from '../../contract/input.ts'
import { drawNonces, NONCES_PURPOSE } from '../nonces/draw.ts'
import type { Platform } from '../context/platform.ts'
import type { Budget } from '../transactions/budget.ts'
import { drawTableStep } from '../lookup-tables/draw.ts'
import { drawMintUpdate, MINT_UPDATE_PURPOSE } from '../instruments/draw-update.ts'
import type { Draft } from '../transactions/draft.ts'

/** Asks what has to be asked of the cluster, and gives what draws the step's transaction inside the stretch. */
export type DrawStep = (
  platform: Platform,
  call: Call,
  config: ChainTransactionConfig | undefined,
  data: JsonObject,
) => Promise<(budget: Budget) => Draft>

export const PURPOSES: Readonly<Record<string, DrawStep>> = {
  [NONCES_PURPOSE]: drawNonces,
  lookupTable: drawTableStep,
  [MINT_UPDATE_PURPOSE]: drawMintUpdate,
}
