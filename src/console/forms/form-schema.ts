// What the OpenAPI document says about a member of a request: type, choices and description.
import { at, listAt, textAt } from '../value.ts'
import { documentOf, follow, property } from '../schema.ts'

export type MemberType = 'text' | 'flag' | 'integer' | 'choice' | 'choices' | 'list'

export interface Member {
  readonly type: MemberType
  readonly choices: readonly string[]
  readonly description: string
}

export interface RequestSchema {
  readonly hasDryRun: boolean
  member(path: string): Member
}

/** @param path endpoint without `/api/v1` */
export async function requestSchema(method: 'POST' | 'PATCH', path: string): Promise<RequestSchema> {
  const whole = await documentOf()
  const operations = at(whole, 'paths') as Readonly<Record<string, unknown>>
  const operation = at(operations[`/api/v1${path}`], method.toLowerCase())
  const content = at(operation, 'requestBody.content') as Readonly<Record<string, unknown>> | undefined
  const body = at(content?.['application/json'], 'schema')
  const itemData = property(whole, follow(whole, body), 'itemData')
  return {
    hasDryRun: listAt(operation, 'parameters').some((each) => textAt(each, '$ref')?.endsWith('/dryRun') === true),
    member: (way) => memberOf(whole, walk(whole, itemData, way.split('.'))),
  }
}

function walk(whole: unknown, schema: unknown, way: readonly string[]): unknown {
  return way.reduce<unknown>((here, name) => {
    const inner = unwrapped(whole, here)
    return /^\d+$/.test(name) ? at(inner, 'items') : property(whole, inner, name)
  }, schema)
}

/** Without null; of an amount, the alternative that is text. */
function unwrapped(whole: unknown, schema: unknown): unknown {
  const followed = follow(whole, schema)
  const parts = [...listAt(followed, 'anyOf'), ...listAt(followed, 'oneOf')].map((part) => follow(whole, part))
  const real = parts.filter((part) => at(part, 'type') !== 'null')
  if (real.length === 0) return followed
  return unwrapped(whole, real.find((part) => at(part, 'type') === 'string') ?? real[0])
}

function memberOf(whole: unknown, schema: unknown): Member {
  const inner = unwrapped(whole, schema)
  const description =
    textAt(schema, 'description') ?? textAt(follow(whole, schema), 'description') ?? textAt(inner, 'description') ?? ''
  const own = listAt(inner, 'enum').map(String)
  if (own.length > 0) return { type: 'choice', choices: own, description }
  const type = at(inner, 'type')
  if (type === 'boolean') return { type: 'flag', choices: [], description }
  if (type === 'integer') return { type: 'integer', choices: [], description }
  if (type !== 'array') return { type: 'text', choices: [], description }
  const choices = listAt(unwrapped(whole, at(inner, 'items')), 'enum').map(String)
  return { type: choices.length > 0 ? 'choices' : 'list', choices, description }
}

/** The operations of a request whose body depends on its operation. */
export async function operationsOf(path: string): Promise<readonly string[]> {
  const whole = await documentOf()
  const operations = at(whole, 'paths') as Readonly<Record<string, unknown>>
  const content = at(operations[`/api/v1${path}`], 'post.requestBody.content') as
    Readonly<Record<string, unknown>> | undefined
  const itemData = follow(
    whole,
    property(whole, follow(whole, at(content?.['application/json'], 'schema')), 'itemData'),
  )
  return [...listAt(itemData, 'oneOf'), ...listAt(itemData, 'anyOf')]
    .map((part) => unwrapped(whole, property(whole, follow(whole, part), 'operation')))
    .flatMap((operation) => [...listAt(operation, 'enum'), at(operation, 'const')])
    .filter((each) => typeof each === 'string')
}
