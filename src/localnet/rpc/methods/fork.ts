// `holdfast_forkAway { slots }`: removes the newest non-final slots, like a cluster that abandons a fork. Available
// only on a bank opened with faults.

import type { Bank } from '../../contract.ts'
import { invalidParams } from '../error.ts'
import type { MethodTable } from '../method.ts'
import { configAt, countOf } from '../params.ts'

export function forkMethods({ faults }: Bank): MethodTable {
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
