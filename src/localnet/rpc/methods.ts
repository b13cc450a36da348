// All methods of the HTTP server, by name.

import type { Bank } from '../contract.ts'
import { FaultSwitches } from './faults.ts'
import { laggingBank } from './lagging.ts'
import type { Method, MethodTable } from './method.ts'
import { accountMethods } from './methods/accounts.ts'
import { blockMethods } from './methods/blocks.ts'
import { blockhashMethods } from './methods/blockhashes.ts'
import { clusterMethods } from './methods/cluster.ts'
import { epochMethods } from './methods/epochs.ts'
import { forkMethods } from './methods/fork.ts'
import { historyMethods } from './methods/history.ts'
import { submitMethods } from './methods/submit.ts'
import { supplyMethods } from './methods/supply.ts'
import { tokenMethods } from './methods/tokens.ts'

export interface MethodOptions {
  /** The address of this server, `host:port`, known once it listens. */
  readonly rpcAddress: () => string
  /** Called with the bytes of every transaction before it is executed. */
  readonly received: (bytes: Uint8Array) => void
  /** Whether the fault switches exist. */
  readonly faults: boolean
}

/** Method by name. A Map, so that no name reaches an inherited property. */
export function createMethods(bank: Bank, options: MethodOptions): ReadonlyMap<string, Method> {
  if (!options.faults) return new Map(Object.entries(standardMethods(bank, options)))
  const switches = new FaultSwitches()
  const methods = new Map<string, Method>()
  for (const [name, method] of Object.entries(standardMethods(laggingBank(bank, switches.behind), options))) {
    methods.set(name, switches.wrap(name, method))
  }
  methods.set('holdfast_setFaults', switches.set)
  for (const [name, method] of Object.entries(forkMethods(bank))) methods.set(name, method)
  return methods
}

function standardMethods(bank: Bank, options: MethodOptions): MethodTable {
  return {
    ...clusterMethods(bank, options.rpcAddress),
    ...epochMethods(bank),
    ...blockhashMethods(bank),
    ...accountMethods(bank),
    ...tokenMethods(bank),
    ...supplyMethods(bank),
    ...historyMethods(bank),
    ...blockMethods(bank),
    ...submitMethods(bank, options.received),
  }
}
