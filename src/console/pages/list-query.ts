// Filters, order and page of a list, kept in the address of the page, so that it can be revisited, shared and reloaded.
import type { Filter, Query } from '../api.ts'
import { withQuery, type Route } from '../route.ts'

export const PAGE_SIZES = [25, 50, 100, 250] as const
const USUAL_SIZE = 50
const MAX_CONDITIONS = 50

export interface Condition {
  readonly field: string
  readonly filterType: string
  /** As typed: for a range the lower bound, for a list its values separated by commas. */
  readonly value: string
  /** Upper bound of a range. */
  readonly to: string
}

export interface ListQuery {
  readonly conditions: readonly Condition[]
  readonly sort: { readonly field: string; readonly descending: boolean } | null
  readonly page: number
  readonly size: number
}

export function listQueryOf({ query }: Route): ListQuery {
  const [field = '', direction = ''] = (query.get('sort') ?? '').split('.')
  const size = Number(query.get('size'))
  return {
    conditions: conditionsOf(query.get('where')),
    sort: field === '' ? null : { field, descending: direction === 'desc' },
    page: Math.max(1, Math.floor(Number(query.get('page'))) || 1),
    size: PAGE_SIZES.find((each) => each === size) ?? USUAL_SIZE,
  }
}

export function addressOf(route: Route, { conditions, sort, page, size }: ListQuery): string {
  return withQuery(route, {
    where:
      conditions.length === 0
        ? null
        : JSON.stringify(conditions.map(({ field, filterType, value, to }) => [field, filterType, value, to])),
    sort: sort === null ? null : `${sort.field}.${sort.descending ? 'desc' : 'asc'}`,
    page: page === 1 ? null : String(page),
    size: size === USUAL_SIZE ? null : String(size),
  })
}

/** @param typeOf type of a field by the OpenAPI document */
export function bulkQueryOf({ conditions, sort, page, size }: ListQuery, typeOf: (field: string) => string): Query {
  return {
    ...(conditions.length === 0
      ? {}
      : { filter: conditions.map((condition) => filterOf(condition, typeOf(condition.field))) }),
    ...(sort === null ? {} : { sort: [{ fieldName: sort.field, sortDirection: sort.descending ? 'DESC' : 'ASC' }] }),
    skip: (page - 1) * size,
    limit: size,
  }
}

/** A number is sent as typed and never converted. */
function filterOf({ field, filterType, value, to }: Condition, type: string): Filter {
  const kind = type === 'NUMBER' ? 'Number' : 'String'
  const operand = filterType.endsWith('_NULL')
    ? {}
    : filterType === 'IN'
      ? {
          valuesString: value
            .split(',')
            .map((each) => each.trim())
            .filter((each) => each !== ''),
        }
      : filterType === 'IN_RANGE'
        ? { ...(value === '' ? {} : { [`valueFrom${kind}`]: value }), ...(to === '' ? {} : { [`valueTo${kind}`]: to }) }
        : type === 'BOOLEAN'
          ? { valueBoolean: value === 'true' }
          : { [`value${kind}`]: value }
  return { fieldName: field, filterValues: [{ filterType, ...operand }] }
}

function conditionsOf(where: string | null): Condition[] {
  if (where === null) return []
  try {
    const rows = JSON.parse(where) as unknown
    if (!Array.isArray(rows)) return []
    return rows.slice(0, MAX_CONDITIONS).flatMap((row): Condition[] => {
      const [field, filterType, value, to] = Array.isArray(row) ? (row as unknown[]).map(String) : []
      return field === undefined || filterType === undefined
        ? []
        : [{ field, filterType, value: value ?? '', to: to ?? '' }]
    })
  } catch {
    return []
  }
}
