// The sides of a world that manage assets: batches, schedules, two-person control, destinations and statements.
import { Batches, BatchSide } from './batch-side.ts'
import type { SimulatedChain } from './chain.ts'
import type { Clients } from './clients.ts'
import { DestinationSide } from './destination-side.ts'
import { Marks } from './marks.ts'
import { PolicySide } from './policy-side.ts'
import type { Surroundings } from './process.ts'
import { ScheduleSide } from './schedule-side.ts'
import type { Side } from './side.ts'
import { StatementSide } from './statement-side.ts'

/** Destinations before policies: what the ones build, the others then control. */
export function assetSides(around: Surroundings, chain: SimulatedChain, clients: Clients): Side[] {
  const marks = new Marks(around, chain)
  const batches = new Batches(around, clients, marks)
  const policies = new PolicySide(around, clients, { chain, batches, marks })
  const destinations = new DestinationSide(around, clients, { chain, batches, marks, policies })
  const schedules = new ScheduleSide(around, clients, { marks, payees: (house) => destinations.payeeOf(house) })
  const batchSide = new BatchSide(around, clients, { chain, batches })
  return [batchSide, destinations, policies, schedules, new StatementSide(around, chain)]
}
