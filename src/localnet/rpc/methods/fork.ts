// `holdfast_forkAway { slots }`: removes the newest non-final slots, like a cluster that abandons a fork.
// `holdfast_advance { slots }`: opens slots at once, so that tests control when slot-based deadlines expire.
// Available only on a bank opened with faults.

import type { Bank } from '../../contract.ts'
import { invalidParams } from '../error.ts'
import type { MethodTable } from '../method.ts'
import { configAt, countOf, type Params } from '../params.ts'

export function forkMethods({ faults }: Bank): MethodTable {
  if (faults === null) return {}
  return {
    holdfast_forkAway: async (params) => {
      await faults.forkAway(slotsIn(params))
      return true
    },
    holdfast_advance: async (params) => {
      await faults.advance(slotsIn(params))
      return true
    },
  }
}

function slotsIn(params: Params): number {
  const slots = countOf(configAt(params, 0)['slots'])
  if (slots === 0) throw invalidParams('Invalid params: slots must be at least 1')
  return slots
}
