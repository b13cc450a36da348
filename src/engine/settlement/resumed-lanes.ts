// Finds the transactions that may have been waiting unsent in a suspended lane, and whose review after the resumption
// of the lane may not have finished before the last process ended. These were signed before the lane was resumed; the
// records of the suspension and of the transaction have both times.
import type { SuspensionContext } from '../../../machines/suspension.ts'
import { Suspensions } from '../../submission/suspensions.ts'
import type { Engine } from '../engine.ts'
import { ofKind, type RecordState } from '../records/record.ts'
import { laneOf } from './submission.ts'

/**
 * Maximum difference between the clocks of nodes, because another node may have dated the resumption. A transaction
 * that was signed shortly after the resumption is therefore reviewed without need, which is harmless.
 */
const CLOCKS_DIFFER_MS = 30_000

interface Resumption {
  readonly cluster: string
  readonly lanes: Suspensions
  readonly untilMs: number
}

export class ResumedLanes {
  readonly #resumptions: readonly Resumption[]

  constructor({ directory }: Pick<Engine, 'directory'>) {
    this.#resumptions = [...directory.known('suspension')].flatMap(({ head }) => {
      const suspension = ofKind(head, 'suspension')
      return suspension?.value === 'resumed' ? [resumptionOf(suspension.cluster, suspension.context)] : []
    })
  }

  /** True if the transaction may still be unsent. Also true for one that was sent if the send was not recorded. */
  mayHoldUnsent({ value, tenant, cluster, context }: RecordState<'transaction'>): boolean {
    if (value !== 'signed' || this.#resumptions.length === 0) return false
    const { fixed, history } = context
    const signedMs = Date.parse(history.at(-1)?.at ?? fixed.preparedAt)
    const place = { tenant, organization: fixed.organization, lane: laneOf(fixed) }
    return this.#resumptions
      .filter((resumption) => resumption.cluster === cluster && signedMs <= resumption.untilMs)
      .some(({ lanes }) => lanes.holds(place))
  }
}

function resumptionOf(cluster: string, { scope, at }: SuspensionContext): Resumption {
  const lanes = new Suspensions()
  lanes.add(scope)
  return { cluster, lanes, untilMs: Date.parse(at) + CLOCKS_DIFFER_MS }
}
