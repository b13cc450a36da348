// Simulates an unsigned message before a key is used, if the records cannot decide the outcome: tokens that go to or
// come from an account without a record, and instruments that call a transfer hook.
import type { Effect } from '../../solana/table/effect.ts'
import type { Directory } from '../../engine/index/directory.ts'
import type { Call } from '../../contract/call.ts'
import { recordAt } from '../lookup/whose-records.ts'
import type { Platform } from '../context/platform.ts'
import { Refusal } from '../../contract/refusal.ts'

/** Thrown inside the unit of work, which is rolled back; the attempt is repeated after the simulation. */
export class NeedsSimulation extends Error {
  override readonly name = 'NeedsSimulation'
  readonly unsigned: Uint8Array

  constructor(message: Uint8Array) {
    super('the message has to be tried first')
    this.unsigned = message
  }
}

/** True if the outcome depends on accounts or programs that no record visible to the tenant describes. */
export function isUndecided(
  directory: Directory,
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

/** Throws 400 `SIMULATION_FAILED`. */
export async function simulate({ clusters }: Platform, cluster: string, unsigned: Uint8Array): Promise<void> {
  const simulated = await clusters.get(cluster)?.simulate(unsigned)
  if (simulated !== undefined && simulated.error !== null) throw wouldFail(simulated.error)
}

/** Retryable: the simulation shows the current state of the cluster only. */
function wouldFail(failure: string): Refusal {
  const message = `simulation failed: ${failure}`
  return new Refusal(400, [{ code: 'SIMULATION_FAILED', message, pointer: '/itemData', retryable: true }])
}
