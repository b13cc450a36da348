// The fields and filter types of the bulk queries, read from the OpenAPI document (/openapi.json). Nothing is listed
// here, so nothing can be missing.
import { beside } from './api.ts'
import { at, isObject, listAt } from './value.ts'

export interface QueryField {
  readonly name: string
  /** TEXT, NUMBER, BOOLEAN, TIMESTAMP and the like. */
  readonly type: string
  readonly nullable: boolean
}

export interface QuerySchema {
  readonly fields: readonly QueryField[]
  readonly filterTypes: readonly string[]
}

let document: Promise<unknown> | undefined

/** @param path bulk endpoint without `/api/v1`, at any level of detail */
export async function querySchema(path: string): Promise<QuerySchema> {
  const whole = await documentOf()
  const level = /\/(?:detailed|compact|identifiers)$/
  const operation = at(whole, 'paths') as Readonly<Record<string, { post?: unknown }>>
  const { post } = operation[`/api/v1${path.replace(level, '/{detail-level}')}`] ?? {}
  const schema = follow(
    whole,
    (at(post, 'requestBody.content') as Readonly<Record<string, { schema?: unknown }>>)['application/json']?.schema,
  )
  const query = follow(whole, property(whole, schema, 'itemQuery'))
  const entry = follow(whole, at(follow(whole, property(whole, query, 'filter')), 'items'))
  const named = follow(whole, property(whole, entry, 'fieldName'))
  const value = follow(whole, at(follow(whole, property(whole, entry, 'filterValues')), 'items'))
  const filterType = follow(whole, property(whole, value, 'filterType'))
  return {
    fields: listAt(named, 'x-fields')
      .filter(isObject)
      .map(({ name, type, nullable }) => ({ name: String(name), type: String(type), nullable: nullable === true })),
    filterTypes: listAt(filterType, 'enum').map(String),
  }
}

/**
 * Filter types that fit a field (completion of the interface: order for numbers and times, pieces for texts, null where
 * it can be).
 */
export function filterTypesFor({ type, nullable }: QueryField, filterTypes: readonly string[]): string[] {
  const ordered = type === 'NUMBER' || type === 'TIMESTAMP'
  return filterTypes.filter((name) => {
    if (name.endsWith('_NULL')) return nullable
    if (name === 'EQUALS' || name === 'NOT_EQUALS') return true
    if (/RANGE|THAN/.test(name)) return ordered
    return !ordered && type !== 'BOOLEAN'
  })
}

/** The service's document, fetched once. */
export async function documentOf(): Promise<unknown> {
  document ??= beside('/openapi.json').then(async (response) => (await response.json()) as unknown)
  return await document.catch((error: unknown) => {
    document = undefined
    throw error
  })
}

export function property(whole: unknown, schema: unknown, name: string): unknown {
  const found = at(schema, `properties.${name}`)
  return (
    found ??
    listAt(schema, 'allOf')
      .map((part) => property(whole, follow(whole, part), name))
      .find((part) => part !== undefined)
  )
}

export function follow(whole: unknown, schema: unknown): unknown {
  const reference = at(schema, '$ref')
  return typeof reference === 'string' ? follow(whole, at(whole, reference.slice(2).replaceAll('/', '.'))) : schema
}
