// The process in which jobs are interpreted, and the equivalent function written by hand.
import { answerParent } from '../measure/child.ts'
import type { Spun } from '../measure/spin.ts'
import { INTERPRETERS, MeasuredJobs } from './measured.ts'

export interface JobsQuestion {
  readonly side: keyof typeof INTERPRETERS
  readonly windowMs: number
}

const sides = new Map<string, MeasuredJobs>()

answerParent(async ({ side, windowMs }: JobsQuestion): Promise<Spun> => {
  const measured = sides.get(side) ?? new MeasuredJobs(INTERPRETERS[side])
  sides.set(side, measured)
  return await measured.round(windowMs)
})
