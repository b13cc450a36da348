// Bulk queries over committed records that the caller may see.
import { atHand, onEach } from '../../../../snapshots/at-hand.ts'
import type { QueryAnswer } from '../../../engine/query/answer.ts'
import { listBeginning, type ListedKind } from '../../../engine/index/other-cell-keys.ts'
import { compileQuery, DEFAULT_LIMIT, type CompiledQuery } from '../../../engine/query/compile.ts'
import { QueryRefused, type Filter, type Query, type Resource } from '../../../engine/query/field.ts'
import type { QueryOptions, Source } from '../../../engine/query/read-model.ts'
import type { HoldingState, RecordState } from '../../../engine/records/record.ts'
import { administers, isOfRoot } from '../../../contract/roles.ts'
import type { Platform, Context } from '../../context/platform.ts'
import { Refusal } from '../../../contract/refusal.ts'
import { SYSTEM_TENANT } from '../../../contract/tenancy.ts'
import { AWAITS_OUR_SIGNATURE } from './awaiting.ts'
import { forReader, readsOrganizations } from './outside.ts'
import { readersOrganizations } from '../read-models/outside.ts'
import { requestsOfOtherCells } from '../../lookup/requests-of-other-cells.ts'
import { EVERYTHING, ownPart, requestPart, requestsForPart, sharedPart, TRANSACTION_SOURCE } from './sources.ts'

/** A limit above every count. */
export const ALL = 2 ** 31 - 1

/** Records with an address that the caller may see (`maySee`), in the cluster of the call. Throws 400. */
export async function answerVisible<State extends HoldingState>(
  { platform, call }: Context,
  source: Source<State>,
  query: Query,
): Promise<QueryAnswer<State>> {
  const own = ownPart(call)
  // Only the system tenant shares records, and its only organization has them in its own part already.
  if (call.tenant === SYSTEM_TENANT) return await answerQuery(platform, source, [own], { query })
  const shared = sharedPart(call)
  if (!readsOrganizations(query)) return await answerQuery(platform, source, [own, shared], { query })
  const { items } = await answerQuery(platform, source, [shared], { query: { limit: ALL } })
  const beside = items.map((state) => forReader(readersOrganizations(platform, call, state.context), state))
  return await answerQuery(platform, source, [own], { query, beside })
}

/** Records of the caller's organization, in the cluster of the call. Throws 400. */
export function answerOwn<State extends RecordState>(
  { platform, call }: Context,
  source: Source<State>,
  query: Query,
  scope: readonly Filter[] = [],
): Promise<QueryAnswer<State>> {
  return answerQuery(platform, source, [ownPart(call)], { query, scope })
}

/**
 * Transactions of the caller's organization. Transactions of other tenants that need its signature are included only if
 * the query filters by this field. Throws 400.
 */
export function answerTransactions(context: Context, query: Query): Promise<QueryAnswer<RecordState<'transaction'>>> {
  const { platform, call } = context
  const includesRequests = query.filter?.some(({ fieldName }) => fieldName === AWAITS_OUR_SIGNATURE.name) === true
  if (!includesRequests) return answerQuery(platform, TRANSACTION_SOURCE, [ownPart(call)], { query })
  const beside = requestsForPart(call, requestsOfOtherCells(context))
  return answerQuery(platform, TRANSACTION_SOURCE, [ownPart(call), requestPart(call)], { query, beside })
}

/** A list for administrators. */
export interface AdministeredList<State extends RecordState> {
  readonly source: Source<State>
  readonly kind: ListedKind & State['kind']
  /** The field with the organization of a record. */
  readonly organizationField: string
  /** The field by which other cells find the records; its values are unique. */
  readonly named: {
    readonly fieldName: string
    readonly nameOf: (value: string) => string
    /** The record with this field only. */
    readonly outlineOf: (value: string) => State
    /** True if the order of the values is that of their index names, and no value is too long for a name. */
    readonly isOrdered: boolean
  }
  /** For a field whose value follows from other records too. */
  readonly derived?: {
    readonly fieldName: string
    /** The records with the present value of the field. */
    readonly asShown: (platform: Platform, states: readonly State[]) => readonly State[]
  }
}

/** Records of the organizations that the caller administers, of every cell. Throws 400. */
export async function answerAdministered<State extends RecordState>(
  { platform, call: { caller } }: Context,
  list: AdministeredList<State>,
  query: Query,
): Promise<QueryAnswer<State>> {
  const { organizationField } = list
  if (caller.roles.has('PLATFORM_ADMIN')) {
    const answer = await answerByNames(platform, list, query)
    if (answer !== undefined) return answer
    const beside = (await platform.engine.directory.elsewhereUnder(listBeginning(list.kind))) as readonly State[]
    return await answerDerived(platform, list, EVERYTHING, { query, beside })
  }
  const scope = [equals('tenant', caller.tenant)]
  if (!isOfRoot(caller)) scope.push(equals(organizationField, caller.organization))
  return await answerDerived(platform, list, administers(caller, caller) ? EVERYTHING : [], { query, scope })
}

/** If the query reads the derived field, it is evaluated over all records with the value that is shown. */
async function answerDerived<State extends RecordState>(
  platform: Platform,
  { source, derived }: AdministeredList<State>,
  parts: readonly string[],
  { query, ...records }: QueryOptions<State> & { readonly query: Query },
): Promise<QueryAnswer<State>> {
  const isRead = [...(query.filter ?? []), ...(query.sort ?? [])].some((each) => each.fieldName === derived?.fieldName)
  if (derived === undefined || !isRead) return await answerQuery(platform, source, parts, { query, ...records })
  const { items } = await answerQuery(platform, source, parts, { query: { limit: ALL }, ...records })
  return await answerQuery(platform, source, [], { query, beside: derived.asShown(platform, items) })
}

/**
 * Answers a query that filters and sorts by the name only: from other cells it reads the names, and then the records of
 * the page. undefined: the query reads other fields.
 */
async function answerByNames<State extends RecordState>(
  platform: Platform,
  { source, kind, named }: AdministeredList<State>,
  query: Query,
): Promise<QueryAnswer<State> | undefined> {
  const { directory } = platform.engine
  const { filter = [], sort = [], skip = 0, limit = DEFAULT_LIMIT } = query
  if (directory.isAlone || [...filter, ...sort].some(({ fieldName }) => fieldName !== named.fieldName)) return undefined
  const isAscending = named.isOrdered && filter.length === 0 && sort.every((each) => each.sortDirection === 'ASC')
  const followed = [...directory.known(kind)].filter(({ place }) => place === 'followed').length
  const maxNames = isAscending ? Math.min(skip + limit + followed, ALL) : ALL
  const elsewhere = await directory.namesElsewhere(named.nameOf(''), maxNames)
  if (!named.isOrdered && (await directory.namesElsewhere(listBeginning(kind), 0)).count !== elsewhere.count)
    return undefined
  const names = elsewhere.names.filter((name) => directory.firstOwn(name) === undefined)
  const outlines = new Map(names.map((name) => [named.outlineOf(name.slice(named.nameOf('').length)), name] as const))
  const answer = await answerQuery(platform, source, EVERYTHING, { query, beside: [...outlines.keys()] })
  const pageNames = answer.items.flatMap((item) => outlines.get(item) ?? [])
  await platform.engine.fetch(pageNames.map((name) => ({ read: 'name', name })))
  const records = await atHand(platform.engine, () => onEach(pageNames, (name) => directory.first(name)?.committed))
  const byName = new Map(pageNames.map((name, index) => [name, records[index] as State | undefined]))
  const items = answer.items.flatMap((item) => {
    const name = outlines.get(item)
    return name === undefined ? [item] : (byName.get(name) ?? [])
  })
  return { count: isAscending ? answer.count - names.length + elsewhere.count - followed : answer.count, items }
}

export function equals(fieldName: string, valueString: string): Filter {
  return { fieldName, filterValues: [{ filterType: 'EQUALS', valueString }] }
}

/** Throws 400 with the problems of the query. */
export function compiledQuery<Row>(resource: Resource<Row>, query: Query): CompiledQuery<Row> {
  try {
    return compileQuery(resource, query)
  } catch (error) {
    throw asRefusal(error)
  }
}

/** Prefixes the pointers of query problems with `/itemQuery`. */
async function answerQuery<State extends RecordState>(
  { engine }: Platform,
  source: Source<State>,
  parts: readonly string[],
  { query, ...options }: QueryOptions<State> & { readonly query: Query },
): Promise<QueryAnswer<State>> {
  try {
    return await engine.readModel.query(source, parts, query, options)
  } catch (error) {
    throw asRefusal(error)
  }
}

function asRefusal(error: unknown): unknown {
  if (!(error instanceof QueryRefused)) return error
  return new Refusal(
    400,
    error.problems.map((problem) => ({ ...problem, pointer: `/itemQuery${problem.pointer}`, retryable: false })),
  )
}
