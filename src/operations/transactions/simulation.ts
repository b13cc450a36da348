// Simulates an unsigned message before a key is used, if the records cannot decide the outcome: tokens that go to or
// come from an account without a record, and instruments that call a transfer hook.
import type { Effect } from '../../solana/table/effect.ts'
import type { RecordIndex } from '../../engine/index/record-index.ts'
import type { Call } from '../../contract/call.ts'
import { recordAt } from '../lookup/whose-records.ts'
import { Needs } from '../context/needs.ts'
import type { Platform } from '../context/platform.ts'
import { Refusal } from '../../contract/refusal.ts'

/** The simulation of an unsigned message, before it is signed. Rejects with 400 `SIMULATION_FAILED`. */
export function simulationOf(cluster: string, unsigned: Uint8Array): Needs {
  return new Needs({
    what: 'a simulation of the message',
    gather: (platform) => simulate(platform, cluster, unsigned),
    simulation: 'done',
  })
}

/** True if the outcome depends on accounts or programs that no record visible to the tenant describes. */
export function isUndecided(
  directory: RecordIndex,
  { tenant, cluster }: Pick<Call, 'tenant' | 'cluster'>,
  effects: readonly Effect[],
): boolean {
  const isUnknown = (address: string): boolean =>
    recordAt(directory, { tenant, organization: null }, cluster, address) === undefined
  return effects.some((effect) => {
    if (effect.kind === 'tokens') return effect.further.length > 0 || isUnknown(effect.to) || isUnknown(effect.from)
    return effect.kind === 'mint' && isUnknown(effect.to)
  })
}

async function simulate({ clusters }: Platform, cluster: string, unsigned: Uint8Array): Promise<void> {
  const simulated = await clusters.get(cluster)?.simulate(unsigned)
  if (simulated !== undefined && simulated.error !== null) throw wouldFail(simulated.error)
}

/** Retryable: the simulation shows the current state of the cluster only. */
function wouldFail(failure: string): Refusal {
  const message = `simulation failed: ${failure}`
  return new Refusal(400, [{ code: 'SIMULATION_FAILED', message, pointer: '/itemData', retryable: true }])
}
