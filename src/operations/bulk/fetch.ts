// Bulk queries over what is committed and the caller may see.
import type { Kind } from '../../../machines/kinds.ts'
import { QueryRefused, type Query, type Resource } from '../../engine/query/field.ts'
import { runQuery, type Answer } from '../../engine/query/run.ts'
import { isHolding, type HoldingState, type RecordState } from '../../engine/record.ts'
import type { Call } from '../call.ts'
import type { Platform } from '../platform.ts'
import { Refusal } from '../refusal.ts'
import { maySee } from '../resolve/party.ts'

/** Runs a query; problems of the query point into `itemQuery`. Throws 400. */
export async function answerQuery<Record>(resource: Resource<Record>, records: Iterable<Record>, query: Query): Promise<Answer<Record>> {
  try {
    return await runQuery(resource, records, query)
  } catch (error) {
    if (!(error instanceof QueryRefused)) throw error
    throw new Refusal(
      400,
      error.problems.map((problem) => ({ ...problem, pointer: `/itemQuery${problem.pointer}`, retryable: false })),
    )
  }
}

/** Committed records of a kind, whoever's they are. */
export function* committedOf<K extends Kind>(platform: Platform, kind: K): Generator<RecordState<K>> {
  for (const { committed } of platform.engine.directory.entries()) if (committed?.kind === kind) yield committed as RecordState<K>
}

/** Records with an address that the caller may see, of this cluster. */
export function* visibleHoldings(platform: Platform, call: Call): Generator<HoldingState> {
  for (const { committed } of platform.engine.directory.entries()) {
    if (committed !== undefined && isHolding(committed) && committed.cluster === call.cluster && maySee(call, committed)) yield committed
  }
}
