// Simulates an unsigned message before a key is used, if the records cannot decide the outcome: tokens that go to or
// come from an account without a record, and instruments that call a transfer hook.
import type { Effect } from '../../solana/table/effect.ts'
import type { Directory } from '../../engine/index/directory.ts'
import type { Call } from '../../contract/call.ts'
import { recordAt } from '../lookup/whose-records.ts'
import type { ClusterAccess } from '../context/platform.ts'
import { Refusal } from '../../contract/refusal.ts'

/** Thrown inside the unit of work, which is rolled back; the attempt is repeated after the simulation. */
export class NeedsRehearsal extends Error {
  override readonly name = 'NeedsRehearsal'
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

/**
 * Runs `attempt`, and once more if it asks for a simulation and the simulation succeeds.
 * Throws 400 `SIMULATION_FAILED`.
 */
export async function rehearsed<T>(cluster: ClusterAccess, attempt: (isRehearsed: boolean) => Promise<T>): Promise<T> {
  try {
    return await attempt(!cluster.simulates)
  } catch (error) {
    if (!(error instanceof NeedsRehearsal)) throw error
    const { error: failure } = await cluster.simulate(error.unsigned)
    if (failure !== null) throw wouldFail(failure)
    return await attempt(true)
  }
}

/** Retryable: the simulation shows the current state of the cluster only. */
function wouldFail(failure: string): Refusal {
  const message = `simulation failed: ${failure}`
  return new Refusal(400, [{ code: 'SIMULATION_FAILED', message, pointer: '/itemData', retryable: true }])
}
