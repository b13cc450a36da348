// What the records cannot decide is tried on the cluster before a key is used (simulation of the unsigned message): tokens that go to an
// account nobody has onboarded, and instruments that call a program of their own on a transfer.
import type { Effect } from '../../solana/table/effect.ts'
import type { Directory } from '../../engine/index/directory.ts'
import type { Call } from '../../contract/call.ts'
import { recordAt } from '../lookup/whose-records.ts'
import type { ClusterAccess } from '../context/platform.ts'
import { Refusal } from '../../contract/refusal.ts'

/** Thrown inside the stretch, which is taken back; the same is done again once the message was tried. */
export class NeedsRehearsal extends Error {
  override readonly name = 'NeedsRehearsal'
  readonly unsigned: Uint8Array

  constructor(message: Uint8Array) {
    super('the message has to be tried first')
    this.unsigned = message
  }
}

/** Something of the message is up to accounts or programs that no record of the tenant, nor a shared one, describes. */
export function isUndecided(directory: Directory, { tenant, cluster }: Pick<Call, 'tenant' | 'cluster'>, effects: readonly Effect[]): boolean {
  const isUnknown = (address: string): boolean => recordAt(directory, { tenant, organization: null }, cluster, address) === undefined
  return effects.some((effect) => {
    if (effect.kind === 'tokens') return effect.further.length > 0 || isUnknown(effect.to) || isUnknown(effect.from)
    return effect.kind === 'mint' && isUnknown(effect.to)
  })
}

/**
 * Runs `attempt`, and once more when it asks for its message to be tried and the cluster says that it would do.
 * Throws 400 `SIMULATION_FAILED`.
 */
export async function rehearsed<T>(cluster: ClusterAccess, attempt: (isRehearsed: boolean) => Promise<T>): Promise<T> {
  try {
    return await attempt(!cluster.rehearses)
  } catch (error) {
    if (!(error instanceof NeedsRehearsal)) throw error
    const { error: failure } = await cluster.simulate(error.unsigned)
    if (failure !== null) throw wouldFail(failure)
    return await attempt(true)
  }
}

/** What was tried is the state of now: the same may go well later. */
function wouldFail(failure: string): Refusal {
  const message = `the transaction would fail: ${failure}`
  return new Refusal(400, [{ code: 'SIMULATION_FAILED', message, pointer: '/itemData', retryable: true }])
}
