// The sides of a world: all of them, or those that a run is about.
import { AttackerSide } from './attacker-side.ts'
import { Batches, BatchSide } from './batch-side.ts'
import type { SimulatedChain } from '../chain.ts'
import type { Clients } from '../clients.ts'
import { ClosingSide } from './closing-side.ts'
import { DestinationSide } from './destination-side.ts'
import { HookSide } from './hook-side.ts'
import { LendingSide } from './lending-side.ts'
import { LimitsSide } from './limits-side.ts'
import { Marks } from '../marks.ts'
import { PolicySide } from './policy-side.ts'
import type { Surroundings } from '../process.ts'
import { ProvidedSide } from './provided-side.ts'
import { ScheduleSide } from './schedule-side.ts'
import type { Side } from './side.ts'
import { StatementSide } from './statement-side.ts'
import { SwitchSide } from './switch-side.ts'
import { TableSide } from './table-side.ts'
import type { SideName } from '../world-options.ts'

type Make = (around: Surroundings, chain: SimulatedChain, clients: Clients) => readonly Side[]

/** In the order in which they are built and audited. */
const SIDES: Readonly<Record<Exclude<SideName, 'payments'>, Make>> = {
  loans: (...given) => [new LendingSide(...given)],
  limits: (...given) => [new LimitsSide(...given)],
  tables: (...given) => [new TableSide(...given)],
  switches: (...given) => [new SwitchSide(...given)],
  closings: (...given) => [new ClosingSide(...given)],
  attacker: (...given) => [new AttackerSide(...given)],
  provided: (...given) => [new ProvidedSide(...given)],
  assets: assetSides,
  statements: (around, chain) => [new StatementSide(around, chain)],
  hooks: (around) => [new HookSide(around)],
}

/** @param names absent: all */
export function sidesOf(names: readonly SideName[] | undefined, ...given: Parameters<Make>): readonly Side[] {
  return Object.entries(SIDES).flatMap(([name, make]) =>
    names?.includes(name as SideName) === false ? [] : make(...given),
  )
}

/** Destinations before policies: what the ones build, the others then control. */
function assetSides(around: Surroundings, chain: SimulatedChain, clients: Clients): Side[] {
  const marks = new Marks(around, chain)
  const batches = new Batches(around, clients, marks)
  const policies = new PolicySide(around, clients, { chain, batches, marks })
  const destinations = new DestinationSide(around, clients, { chain, batches, marks, policies })
  const schedules = new ScheduleSide(around, clients, { marks, payees: (house) => destinations.payeeOf(house) })
  const batchSide = new BatchSide(around, clients, { chain, batches })
  return [batchSide, destinations, policies, schedules]
}
