// Every member of every body, invalid in every way, is refused by name. The cases come from the published schemas, so
// that a new endpoint or member is covered without a change here.
import { describe, expect, it } from 'vitest'
import { BATCH_OPERATIONS } from '../../../machines/batch.ts'
import { validate } from '../../../src/http/endpoint.ts'
import { exampleOf } from '../../../src/http/pages/examples.ts'
import { openApi } from '../../../src/http/pages/openapi.ts'
import { routes } from '../../../src/http/routes.ts'
import { Refusal, type Problem } from '../../../src/contract/refusal.ts'
import { sample, listSpoiled, type Components, type Schema } from '../samples.ts'

const document = openApi(routes, ['CHAIN_DEVNET'])
const components = document.components.schemas as Components

/** Refusals by rules between members, for a body that has all of them, and of the field that a filter names. */
const BETWEEN_MEMBERS = new Set(['MUTUALLY_EXCLUSIVE', 'INVALID_VALUE', 'REQUIRED', 'DATA_TYPE_MISMATCH'])

function bodySchema(path: string, method: string): Schema {
  const operation = document.paths[path]![method.toLowerCase()] as {
    requestBody: { content: Record<string, { schema: Schema }> }
  }
  return operation.requestBody.content['application/json']!.schema
}

describe.each(routes)('$method $path', (route) => {
  const schema = bodySchema(route.path, route.method)

  function problems(body: unknown): readonly Problem[] {
    try {
      validate(route.schema, Buffer.from(JSON.stringify(body)))
      return []
    } catch (error) {
      if (error instanceof Refusal && error.status === 400) return error.problems
      throw error
    }
  }

  it('accepts a valid value of any member', () => {
    const actual = problems(sample(schema, components)).filter(({ code }) => !BETWEEN_MEMBERS.has(code))
    expect(actual).toEqual([])
  })

  it('reports each error with its pointer', () => {
    const cases = listSpoiled(schema, components)
    expect(cases.length).toBeGreaterThan(5)
    const missedCases = cases.filter(
      ({ pointer, codes, body }) =>
        !problems(body).some((problem) => problem.pointer === pointer && codes.includes(problem.code)),
    )
    expect(
      missedCases.map(({ what, pointer, body }) => ({ what, pointer, problems: problems(body).slice(0, 5) })),
    ).toEqual([])
  })
})

it.each(['/api/v1/batches', '/api/v1/schedules'])('names the operations of %s when it refuses another', (path) => {
  const route = routes.find((each) => each.path === path)!
  const body = Buffer.from(JSON.stringify({ itemData: { operation: 'NO_SUCH_OPERATION' } }))
  const message = `must be one of ${BATCH_OPERATIONS.join(', ')}`
  const problem = expect.objectContaining({ code: 'INVALID_VALUE', pointer: '/itemData/operation', message }) as Problem
  expect(() => validate(route.schema, body)).toThrow(
    expect.objectContaining({ problems: expect.arrayContaining([problem]) as Problem[] }) as Error,
  )
})

it('takes references that name something', () => {
  const readCodes = (path: string, itemData: object): readonly (string | undefined)[] => {
    const route = routes.find((each) => each.path === `/api/v1${path}` && each.method === 'POST')!
    try {
      validate(route.schema, Buffer.from(JSON.stringify({ itemData })))
      return []
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      return error.problems.flatMap(({ code, pointer }) => [code, pointer])
    }
  }
  for (const offchainReferences of [{}, { code: null }]) {
    const lookup = { offchainReferences }
    const at = '/itemData/offchainReferences'
    expect(readCodes('/accounts/single', lookup)).toEqual(['REQUIRED', at])
    expect(readCodes('/accounts/single/private-key', lookup)).toEqual(['REQUIRED', at])
    expect(readCodes('/positions/single', { position: lookup })).toEqual([
      'REQUIRED',
      '/itemData/position/offchainReferences',
    ])
    const legs = [lookup, { offchainReferences: { code: 'A' } }].map((source) => ({
      source,
      destination: { owner: { offchainReferences: { code: 'B' } } },
      amount: 1,
    }))
    expect(readCodes('/positions/trade', { legs })).toEqual(['REQUIRED', '/itemData/legs/0/source/offchainReferences'])
    expect(readCodes('/accounts/single', { ...lookup, onchainId: '11111111111111111111111111111111' })).toEqual([])
  }
})

it('accepts the examples of its own document', () => {
  for (const route of routes) {
    const example = exampleOf(route)
    if (example !== undefined) expect(() => validate(route.schema, Buffer.from(JSON.stringify(example)))).not.toThrow()
  }
})
