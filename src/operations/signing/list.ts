// POST /transactions/bulk: as POST /transactions/single, shows the compute units of what has just landed.
import { fetchTransactions } from '../views/fetch-bulk.ts'
import { isUnmeasured, measure } from '../transactions/measure.ts'
import { clusterOf } from '../transactions/transact.ts'
import { ofKind, type RecordState } from '../../engine/records/record.ts'

/** Transactions of one page whose facts are read from the cluster: one JSON-RPC batch. */
const MAX_MEASURED = 25
/** What landed longer ago was measured in the background, or could not be. */
const JUST_LANDED_MS = 10_000
/** A list does not wait longer for a cluster that is slow. The members then stay null. */
const MAX_WAIT_MS = 1_000

export const listTransactions: typeof fetchTransactions = async (context, input) => {
  const page = await fetchTransactions(context, input)
  if ((input.detailLevel ?? 'detailed') !== 'detailed') return page
  const { engine, clock } = context.platform
  const since = clock.now() - JUST_LANDED_MS
  const unmeasured = page.items
    .map(({ offchainId }) => offchainId)
    .filter((id) => lacksFacts(engine.directory.resident(id)?.committed, since))
    .slice(0, MAX_MEASURED)
  if (unmeasured.length === 0) return page
  const cluster = clusterOf(context)
  await Promise.race([
    Promise.allSettled(unmeasured.map((id) => measure(engine, cluster, id))),
    Promise.all(unmeasured.map((id) => engine.waiters.wait(id, (state) => !lacksFacts(state, since), MAX_WAIT_MS))),
  ])
  return await fetchTransactions(context, input)
}

function lacksFacts(state: RecordState | undefined, since: number): boolean {
  const transaction = ofKind(state, 'transaction')
  if (transaction === undefined || !isUnmeasured(transaction)) return false
  return Date.parse(transaction.context.history.at(-1)?.at ?? '') > since
}
