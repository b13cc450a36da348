// An acceptor accepts exactly what its schema accepts, by member; it leaves everything else to the schema.
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { acceptorOf, UNDECIDED } from '../../../src/http/body/acceptor.ts'
import { exampleOf } from '../../../src/http/pages/examples.ts'
import { openApi } from '../../../src/http/pages/openapi.ts'
import { routes } from '../../../src/http/routes.ts'
import { sample, listSpoiled, type Components, type Schema } from '../samples.ts'

const document = openApi(routes, ['CHAIN_DEVNET'])
const components = document.components.schemas as Components

function schemaOf(path: string, method: string): Schema {
  const operation = document.paths[path]![method.toLowerCase()] as {
    requestBody: { content: Record<string, { schema: Schema }> }
  }
  return operation.requestBody.content['application/json']!.schema
}

/** As a body is received. */
function copyJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value)) as unknown
}

function agrees(schema: z.ZodType, body: unknown): 'accepted' | 'left to the schema' {
  const value = copyJson(body)
  const acceptance = acceptorOf(schema)(value)
  // The schema validates the same value afterwards.
  expect(isDeepStrictEqual(value, copyJson(body))).toBe(true)
  if (acceptance === UNDECIDED) return 'left to the schema'
  const { success, data } = schema.safeParse(copyJson(body))
  expect(success).toBe(true)
  expect(isDeepStrictEqual(acceptance, data)).toBe(true)
  expect(JSON.stringify(acceptance)).toBe(JSON.stringify(data))
  return 'accepted'
}

describe.each(routes)('$method $path', ({ method, path, schema }) => {
  const bodySchema = schemaOf(path, method)

  it('accepts its example without the schema', () => {
    const example = exampleOf({ method, path })
    if (example !== undefined) expect(agrees(schema, example)).toBe('accepted')
  })

  it('accepts no invalid body', () => {
    for (const { body } of listSpoiled(bodySchema, components)) agrees(schema, body)
  })

  it('agrees with the schema about bodies with missing or additional members', () => {
    const example = copyJson(sample(bodySchema, components))
    const places = placesIn(example)
    const change = fc.record({
      place: fc.constantFrom(...places),
      value: fc.constantFrom(undefined, null, {}, [], [[]], '', 'A1', 1, -1.5, true, { type: 'WALLET' }),
      name: fc.constantFrom('', 'extra', 'toString', '__proto__'),
    })
    fc.assert(
      fc.property(fc.array(change, { maxLength: 12 }), (changes) => {
        const body = copyJson(example)
        for (const { place, value, name } of changes) put(body, place, name, value)
        agrees(schema, body)
      }),
      { numRuns: 40 },
    )
  })
})

describe('schemas of every kind', () => {
  const inner = z.strictObject({ a: z.string().optional() })
  it.each([
    ['a default', z.strictObject({ a: z.string().default('x') }), {}],
    ['an optional default', z.strictObject({ a: z.string().default('x').optional() }), {}],
    ['a loose object', z.looseObject({ a: z.string() }), { a: '', b: 1 }],
    ['an object that drops members', z.object({ a: z.string() }), { a: '', b: 1 }],
    ['a format', z.strictObject({ a: z.iso.datetime() }), { a: 'tomorrow' }],
    ['a coerced text', z.strictObject({ a: z.coerce.string() }), { a: 1 }],
    [
      'an optional member with a check',
      z.strictObject({
        a: z
          .string()
          .optional()
          .check(z.refine((text) => text !== 'x')),
      }),
      { a: 'x' },
    ],
    ['a check of a list', z.array(inner).min(2), [{}]],
    ['entries of a list', z.array(inner), [{}, { a: 1 }]],
    ['a check that rewrites', z.strictObject({ a: z.string().check(z.toLowerCase()) }), { a: 'ABC' }],
    ['a transformation', inner.transform(({ a }) => ({ b: a })), { a: 'x' }],
    ['a choice', z.union([inner, z.string()]), 'x'],
  ])('%s', (_sort, schema, body) => void agrees(schema, body))
})

const OPEN = { enumerable: true, configurable: true, writable: true }

type Place = readonly [parent: readonly (string | number)[], member: string | number]

function placesIn(value: unknown, path: readonly (string | number)[] = []): Place[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, member]) => [
    [path, name] as const,
    ...placesIn(member, [...path, name]),
  ])
}

/** Removes a member, replaces its value, or adds a member beside it. */
function put(body: unknown, [path, member]: Place, name: string, replacement: unknown): void {
  const value = replacement === undefined ? undefined : copyJson(replacement)
  let parent = body as Record<string | number, unknown> | null | undefined
  for (const step of path) parent = parent?.[step] as typeof parent
  if (typeof parent !== 'object' || parent === null) return
  if (name !== '' && !Array.isArray(parent)) Object.defineProperty(parent, name, { value, ...OPEN })
  else if (value === undefined && !Array.isArray(parent)) Reflect.deleteProperty(parent, member)
  else parent[member] = value
}
