// The process in which machines and their baselines are measured.
import { answerParent } from '../measure/child.ts'
import type { Spun } from '../measure/spin.ts'
import { Measured } from './measured.ts'
import { SIDES, type SideName } from './sides.ts'

export interface MachinesQuestion {
  readonly side: SideName
  readonly windowMs: number
}

const sides = new Map<SideName, Measured>()

answerParent(({ side, windowMs }: MachinesQuestion): Promise<Spun> => {
  const measured = sides.get(side) ?? new Measured(SIDES[side]())
  sides.set(side, measured)
  return Promise.resolve(measured.round(windowMs))
})
