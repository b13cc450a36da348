// `holdfast_forkAway { slots }`: throws away the newest slots that are not final, as a cluster does that changes its fork.
// It exists on a bank that was opened with faults only.

import type { Bank } from '../../contract.ts'
import { invalidParams } from '../error.ts'
import type { MethodTable } from '../method.ts'
import { configAt, countOf } from '../params.ts'

/** What a bank opened with faults offers. */
export interface ForkFaults {
  forkAway(slots: number): unknown
}

function forkFaultsOf(bank: Bank): ForkFaults | null {
  const faults = 'faults' in bank ? bank.faults : null
  return typeof faults === 'object' && faults !== null && 'forkAway' in faults ? (faults as ForkFaults) : null
}

export function forkMethods(bank: Bank): MethodTable {
  const faults = forkFaultsOf(bank)
  if (faults === null) return {}
  return {
    holdfast_forkAway: async (params) => {
      const slots = countOf(configAt(params, 0)['slots'])
      if (slots === 0) throw invalidParams('Invalid params: slots must be at least 1')
      await faults.forkAway(slots)
      return true
    },
  }
}
