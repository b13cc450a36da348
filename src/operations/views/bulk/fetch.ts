// Bulk queries over committed records that the caller may see.
import type { Answer } from '../../../engine/query/answer.ts'
import { QueryRefused, type Filter, type Query } from '../../../engine/query/field.ts'
import type { Source } from '../../../engine/query/read-model.ts'
import type { HoldingState, RecordState } from '../../../engine/records/record.ts'
import { administers, isOfRoot } from '../../../contract/roles.ts'
import type { Platform, Context } from '../../context/platform.ts'
import { Refusal } from '../../../contract/refusal.ts'
import { SYSTEM_TENANT } from '../../../contract/tenancy.ts'
import { AWAITS_OUR_SIGNATURE } from './awaiting.ts'
import { EVERYTHING, ownPart, requestPart, sharedPart, TRANSACTION_SOURCE } from './sources.ts'

/** Records with an address that the caller may see (`maySee`), in the cluster of the call. Throws 400. */
export function answerVisible<State extends HoldingState>(
  { platform, call }: Context,
  source: Source<State>,
  query: Query,
): Promise<Answer<State>> {
  // Only the system tenant shares records, and its only organization has them in its own part already.
  return answerQuery(
    platform,
    source,
    call.tenant === SYSTEM_TENANT ? [ownPart(call)] : [ownPart(call), sharedPart(call)],
    { query },
  )
}

/** Records of the caller's organization, in the cluster of the call. Throws 400. */
export function answerOwn<State extends RecordState>(
  { platform, call }: Context,
  source: Source<State>,
  query: Query,
): Promise<Answer<State>> {
  return answerQuery(platform, source, [ownPart(call)], { query })
}

/**
 * Transactions of the caller's organization. Those that other tenants ask it to sign are included only if the query
 * filters by this. Throws 400.
 */
export function answerTransactions(
  { platform, call }: Context,
  query: Query,
): Promise<Answer<RecordState<'transaction'>>> {
  const isAsked = query.filter?.some(({ fieldName }) => fieldName === AWAITS_OUR_SIGNATURE.name) === true
  const parts = isAsked ? [ownPart(call), requestPart(call)] : [ownPart(call)]
  return answerQuery(platform, TRANSACTION_SOURCE, parts, { query })
}

/**
 * Records of the organizations that the caller administers. `organizationField`: the field with the organization of a
 * record. Throws 400.
 */
export function answerAdministered<State extends RecordState>(
  { platform, call: { caller } }: Context,
  { source, organizationField }: { readonly source: Source<State>; readonly organizationField: string },
  query: Query,
): Promise<Answer<State>> {
  if (caller.roles.has('PLATFORM_ADMIN')) return answerQuery(platform, source, EVERYTHING, { query })
  const scope = [equals('tenant', caller.tenant)]
  if (!isOfRoot(caller)) scope.push(equals(organizationField, caller.organization))
  return answerQuery(platform, source, administers(caller, caller) ? EVERYTHING : [], { query, scope })
}

function equals(fieldName: string, valueString: string): Filter {
  return { fieldName, filterValues: [{ filterType: 'EQUALS', valueString }] }
}

/** Prefixes the pointers of query problems with `/itemQuery`. */
async function answerQuery<State extends RecordState>(
  { engine }: Platform,
  source: Source<State>,
  parts: readonly string[],
  { query, scope }: { readonly query: Query; readonly scope?: readonly Filter[] | undefined },
): Promise<Answer<State>> {
  try {
    return await engine.readModel.query(source, parts, query, scope)
  } catch (error) {
    if (!(error instanceof QueryRefused)) throw error
    throw new Refusal(
      400,
      error.problems.map((problem) => ({ ...problem, pointer: `/itemQuery${problem.pointer}`, retryable: false })),
    )
  }
}
