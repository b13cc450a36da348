// Which transactions may have waited in a lane that has been resumed since, unsent and not decided again, when the last
// process ended. The records say so: of the suspension, when it was resumed; of the transaction, when it was signed.
import type { SuspensionContext } from '../../../machines/suspension.ts'
import { Suspensions } from '../../submission/suspensions.ts'
import type { Engine } from '../engine.ts'
import { ofKind, type RecordState } from '../records/record.ts'
import { laneOf } from './submission.ts'

/**
 * How much the clocks of nodes may differ: another node may have dated the resumption. A transaction that was signed
 * right after it is decided again needlessly, which is harmless.
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

  /** True also for a transaction that was sent without a record of it. */
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
