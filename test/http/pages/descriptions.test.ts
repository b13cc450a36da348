// Every property of every schema in the OpenAPI document has a description.
import { expect, it } from 'vitest'
import { TABLES, visitProperties, type ApiDescription } from '../../../src/http/pages/descriptions/describe.ts'
import { openApi } from '../../../src/http/pages/openapi.ts'
import { routes } from '../../../src/http/routes.ts'

type Json = Record<string, unknown>

/** Members whose value is data, not a schema. */
const DATA = new Set(['example', 'examples', 'default', 'enum', 'x-fields'])

const document = openApi(routes, ['CHAIN_DEVNET'])

/** The path and schema of each property at any depth of a JSON value. */
function propertiesOf(value: unknown, path = ''): [string, Json][] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, member]): [string, Json][] => {
    if (DATA.has(name)) return []
    if (name !== 'properties' || Array.isArray(value)) return propertiesOf(member, `${path}/${name}`)
    return Object.entries(member as Record<string, Json>).flatMap(([property, schema]): [string, Json][] => {
      const at = `${path}/${property}`
      return [[at, schema], ...propertiesOf(schema, at)]
    })
  })
}

it('cover every property', () => {
  const properties = propertiesOf(document)
  expect(properties.length).toBeGreaterThan(1_700)
  const undescribed = properties.filter(
    ([, { description }]) => typeof description !== 'string' || description.trim() === '',
  )
  expect(undescribed.map(([path]) => path)).toEqual([])
})

it('are unique, and each describes a property', () => {
  const keys = TABLES.flatMap((table) => Object.keys(table))
  expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([])
  const texts = new Map(TABLES.flatMap((table) => Object.entries(table)))
  const usedKeys = new Set<string>()
  visitProperties(document as unknown as ApiDescription, ({ description }, _path, key) => {
    if (key !== undefined && String(description).startsWith(texts.get(key)!)) usedKeys.add(key)
  })
  expect(keys.filter((key) => !usedKeys.has(key))).toEqual([])
})

it('give the unit or the format of each amount', () => {
  const amounts = propertiesOf(document).filter(([, schema]) => isAmount(schema))
  expect(amounts.length).toBeGreaterThan(50)
  const vague = amounts.filter(
    ([, { description }]) =>
      !/decimal string|display units|lamports|raw integer units|unlimited/i.test(String(description)),
  )
  expect(vague.map(([path]) => path)).toEqual([])
})

function isAmount({ type = [], anyOf = [] }: Json): boolean {
  const types = [
    type,
    ...(anyOf as Json[]).flatMap((each) => [
      each['type'],
      ...((each['anyOf'] ?? []) as Json[]).map((one) => one['type']),
    ]),
  ].flat()
  return types.includes('string') && (types.includes('number') || types.includes('integer'))
}
