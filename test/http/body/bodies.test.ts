// Every member of every body, spoiled in every way, is refused by name. The cases come from the published schemas, so
// that a new endpoint or member is covered without a word here.
import { describe, expect, it } from 'vitest'
import { validate } from '../../../src/http/endpoint.ts'
import { exampleOf } from '../../../src/http/pages/examples.ts'
import { openApi } from '../../../src/http/pages/openapi.ts'
import { routes } from '../../../src/http/routes.ts'
import { Refusal, type Problem } from '../../../src/contract/refusal.ts'
import { sample, spoiled, type Components, type Schema } from '../samples.ts'

const document = openApi(routes, ['CHAIN_DEVNET'])
const components = document.components.schemas as Components

/** What rules between members say of a body that has them all. */
const BETWEEN_MEMBERS = new Set(['MUTUALLY_EXCLUSIVE', 'INVALID_VALUE', 'REQUIRED'])

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
    const found = problems(sample(schema, components)).filter(({ code }) => !BETWEEN_MEMBERS.has(code))
    expect(found).toEqual([])
  })

  it('reports each error with its pointer', () => {
    const cases = spoiled(schema, components)
    expect(cases.length).toBeGreaterThan(5)
    const missed = cases.filter(
      ({ pointer, codes, body }) =>
        !problems(body).some((problem) => problem.pointer === pointer && codes.includes(problem.code)),
    )
    expect(missed.map(({ what, pointer, body }) => ({ what, pointer, problems: problems(body).slice(0, 5) }))).toEqual(
      [],
    )
  })
})

it('accepts the examples of its own document', () => {
  for (const route of routes) {
    const example = exampleOf(route)
    if (example !== undefined) expect(() => validate(route.schema, Buffer.from(JSON.stringify(example)))).not.toThrow()
  }
})
