// The interval of a statement. It covers only final movements, so that an issued statement never changes, and it must
// not begin before the first recorded movement.
import type { HoldingState } from '../../engine/records/record.ts'
import { badRequest, Refusal } from '../../contract/refusal.ts'
import { RpcError, TransportError } from '../../rpc/rpc-error.ts'
import type { Context } from '../context/platform.ts'
import type { StatementInput } from '../../contract/schemas/statement.ts'

export interface Period {
  readonly fromMs: number
  /** Exclusive. The requested end, or an earlier one if that is not final yet. */
  readonly toMs: number
}

/** Throws 400 `INVALID_PERIOD`, `STATEMENT_NOT_FINAL`, `STATEMENT_TOO_EARLY`. */
export async function periodOf(
  context: Context,
  input: StatementInput,
  holdings: readonly HoldingState[],
): Promise<Period> {
  const { platform, call } = context
  const { movements } = platform.engine
  const { fromMs, requestedMs } = requestedPeriod(context, input)
  if (holdings.some((state) => !movements.isKnown(state, fromMs))) {
    const since = new Date(movements.knownSinceMs).toISOString()
    throw badRequest(
      'STATEMENT_TOO_EARLY',
      `the movements of older records are known from ${since} on`,
      '/itemData/from',
    )
  }
  if (movements.finalUntilMs(call.cluster) < requestedMs) await learnFinal(context, holdings)
  // Later than now if the clock was set back, since movements keep their dates.
  const finalMs = movements.finalUntilMs(call.cluster)
  if (fromMs > finalMs) {
    const message = 'no movement since `from` is final yet'
    throw new Refusal(400, [{ code: 'STATEMENT_NOT_FINAL', message, pointer: '/itemData/from', retryable: true }], 1)
  }
  await movements.caughtUp()
  return { fromMs, toMs: input.to === undefined ? finalMs : Math.min(requestedMs, finalMs) }
}

export interface RequestedPeriod {
  readonly fromMs: number
  /** Now, if no end is requested. */
  readonly requestedMs: number
}

/** Throws 400 `INVALID_PERIOD`. */
export function requestedPeriod({ platform }: Context, { from, to }: StatementInput): RequestedPeriod {
  const fromMs = Date.parse(from)
  const requestedMs = to === undefined ? platform.clock.now() : Date.parse(to)
  if (fromMs < requestedMs) return { fromMs, requestedMs }
  throw badRequest('INVALID_PERIOD', '`from` must be before `to`, and before now', '/itemData/from')
}

/** Reads the newest final slot. If the cluster does not answer, the last known one remains in effect. */
async function learnFinal(
  { platform: { engine, clusters }, call: { cluster } }: Context,
  [first]: readonly HoldingState[],
): Promise<void> {
  const access = clusters.get(cluster)
  if (access === undefined || first === undefined) return
  try {
    const { slot } = await access.finalizedAccounts([first.context.address])
    engine.movements.learnFinal(cluster, slot)
  } catch (error) {
    if (!(error instanceof RpcError || error instanceof TransportError)) throw error
  }
}
