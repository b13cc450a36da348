// Bulk queries over committed records that the caller may see.
import type { Answer } from '../../../engine/query/answer.ts'
import { listBeginning, type ListedKind } from '../../../engine/index/elsewhere-keys.ts'
import { QueryRefused, type Filter, type Query } from '../../../engine/query/field.ts'
import type { QueryOptions, Source } from '../../../engine/query/read-model.ts'
import type { HoldingState, RecordState } from '../../../engine/records/record.ts'
import { administers, isOfRoot } from '../../../contract/roles.ts'
import type { Platform, Context } from '../../context/platform.ts'
import { Refusal } from '../../../contract/refusal.ts'
import { SYSTEM_TENANT } from '../../../contract/tenancy.ts'
import { AWAITS_OUR_SIGNATURE } from './awaiting.ts'
import { requestsElsewhere } from '../../lookup/requests-elsewhere.ts'
import { EVERYTHING, ownPart, requestPart, requestsHeld, sharedPart, TRANSACTION_SOURCE } from './sources.ts'

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
export function answerTransactions(context: Context, query: Query): Promise<Answer<RecordState<'transaction'>>> {
  const { platform, call } = context
  const isAsked = query.filter?.some(({ fieldName }) => fieldName === AWAITS_OUR_SIGNATURE.name) === true
  if (!isAsked) return answerQuery(platform, TRANSACTION_SOURCE, [ownPart(call)], { query })
  const beside = requestsHeld(call, requestsElsewhere(context))
  return answerQuery(platform, TRANSACTION_SOURCE, [ownPart(call), requestPart(call)], { query, beside })
}

/** What an administrator lists. */
export interface AdministeredList<State extends RecordState> {
  readonly source: Source<State>
  readonly kind: ListedKind & State['kind']
  /** The field with the organization of a record. */
  readonly organizationField: string
}

/** Records of the organizations that the caller administers, of every cell. Throws 400. */
export async function answerAdministered<State extends RecordState>(
  { platform, call: { caller } }: Context,
  { source, kind, organizationField }: AdministeredList<State>,
  query: Query,
): Promise<Answer<State>> {
  if (caller.roles.has('PLATFORM_ADMIN')) {
    const beside = (await platform.engine.directory.elsewhereUnder(listBeginning(kind))) as readonly State[]
    return await answerQuery(platform, source, EVERYTHING, { query, beside })
  }
  const scope = [equals('tenant', caller.tenant)]
  if (!isOfRoot(caller)) scope.push(equals(organizationField, caller.organization))
  return await answerQuery(platform, source, administers(caller, caller) ? EVERYTHING : [], { query, scope })
}

function equals(fieldName: string, valueString: string): Filter {
  return { fieldName, filterValues: [{ filterType: 'EQUALS', valueString }] }
}

/** Prefixes the pointers of query problems with `/itemQuery`. */
async function answerQuery<State extends RecordState>(
  { engine }: Platform,
  source: Source<State>,
  parts: readonly string[],
  { query, ...options }: QueryOptions<State> & { readonly query: Query },
): Promise<Answer<State>> {
  try {
    return await engine.readModel.query(source, parts, query, options)
  } catch (error) {
    if (!(error instanceof QueryRefused)) throw error
    throw new Refusal(
      400,
      error.problems.map((problem) => ({ ...problem, pointer: `/itemQuery${problem.pointer}`, retryable: false })),
    )
  }
}
