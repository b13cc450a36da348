// Every body and every answer of the document has an example that matches its schema. The tests are derived from the
// table of endpoints: a new endpoint is covered without a change here, and a failure names what to write.
import { describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { validate } from '../../../src/http/endpoint.ts'
import { ERROR_CODES } from '../../../src/contract/error-codes.ts'
import { eventPage } from '../../../src/contract/schemas/event.ts'
import { identity } from '../../../src/contract/schemas/identity-answer.ts'
import { openApi } from '../../../src/http/pages/openapi.ts'
import { routes } from '../../../src/http/routes.ts'
import { dryRun } from '../../../src/contract/schemas/answers.ts'
import { problem } from '../../../src/contract/schemas/problem.ts'
import { Refusal } from '../../../src/contract/refusal.ts'

interface Media {
  readonly example?: unknown
}

interface Holder {
  readonly content?: Readonly<Record<string, Media>>
}

interface Operation {
  readonly requestBody?: Holder
  readonly responses: Readonly<Record<string, Holder>>
}

const document = openApi(routes, ['CHAIN_DEVNET'])
const operationAt = (method: string, path: string): Operation =>
  document.paths[path]![method.toLowerCase()] as unknown as Operation
const exampleIn = (holder: Holder | undefined, type = 'application/json'): unknown => holder?.content?.[type]?.example
const refs = JSON.stringify(document)

/** The deviation of an example from its schema; undefined if there is none. */
function misfit(schema: z.ZodType, example: unknown): string | undefined {
  const parsed = schema.safeParse(example)
  if (!parsed.success) return parsed.error.message
  // A member that the schema does not have would be dropped.
  return JSON.stringify(parsed.data) === JSON.stringify(example)
    ? undefined
    : `${JSON.stringify(example)} has members that the answer has not`
}

describe.each(routes)('$method $path', (route) => {
  const { method, path } = route
  const { requestBody, responses } = operationAt(method, path)
  const write = `add an example of its body as '${method} ${path}' to EXAMPLES in src/http/pages/examples.ts`

  it('has a valid example of its body', () => {
    const example = exampleIn(requestBody)
    expect(example, write).toBeTypeOf('object')
    const validateExample = (): unknown => validate(route.schema, Buffer.from(JSON.stringify(example)))
    const problems = refusalOf(validateExample)
    expect(problems, `${write}: the one made from its schema is refused`).toBeUndefined()
  })

  it('has an example of each of its answers, which matches the schema', () => {
    const value = `name the value of a member in VALUES of src/http/pages/made-examples.ts`
    expect(misfit(route.answer, exampleIn(responses[route.status])), value).toBeUndefined()
    const dry = responses[200]
    if (route.status === 201 && dry !== undefined)
      expect(misfit(route.dryRunAnswer ?? dryRun, exampleIn(dry)), value).toBeUndefined()
  })
})

function refusalOf(check: () => unknown): unknown {
  try {
    check()
    return undefined
  } catch (error) {
    return error instanceof Refusal ? error.problems : error
  }
}

describe('the other examples', () => {
  it('cover pages of events, the identity, and each error with the type of its code', () => {
    expect(misfit(eventPage, exampleIn(operationAt('GET', '/api/v1/events').responses[200]))).toBeUndefined()
    expect(misfit(identity, exampleIn(operationAt('GET', '/api/v1/whoami').responses[200]))).toBeUndefined()
    const errors = document.components['responses'] as Record<string, Holder>
    for (const [name, answer] of Object.entries(errors)) {
      const example = exampleIn(answer, 'application/problem+json') as {
        status: number
        errors: { code: string }[]
        type: string
      }
      expect(misfit(problem, example), name).toBeUndefined()
      expect(`E${example.status}`).toBe(name)
      expect(Object.keys(ERROR_CODES)).toContain(example.errors[0]!.code)
    }
  })

  it('are in one document of limited size', () => {
    for (const [path, methods] of Object.entries(document.paths)) {
      for (const [method, about] of Object.entries(methods as unknown as Record<string, Operation>)) {
        for (const [status, answer] of Object.entries(about.responses)) {
          const media = answer.content?.['application/json']
          if (media !== undefined) expect(media.example, `${method} ${path} ${status}`).toBeDefined()
        }
      }
    }
    expect(refs.length).toBeLessThan(1_500_000)
  })
})
