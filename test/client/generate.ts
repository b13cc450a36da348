// Generates the parts of the client about the interface from the document that the service serves: the types, the calls
// that write, the amounts. `npm run client` writes the files; a test fails if they differ from the present routes.
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import openapiTypescript, { astToString } from 'openapi-typescript'
import ts from 'typescript'
import { openApi, type Document } from '../../src/http/pages/openapi.ts'
import { AMOUNT_FORMAT } from '../../src/http/pages/descriptions/describe.ts'
import { routes } from '../../src/http/routes.ts'
import { readArguments } from '../arguments.ts'

const CLIENT = join(import.meta.dirname, '..', '..', 'src', 'client')
const MADE = 'Made by `npm run client` from the OpenAPI document. Not edited by hand.'
const USAGE = `npm run client
  writes the types, calls and amounts of src/client from the interface, and builds dist/client`
const SCALARS = new Set(['number', 'integer', 'string', 'null'])

interface Schema {
  $ref?: string
  type?: string | readonly string[]
  anyOf?: readonly Schema[]
  properties?: Record<string, Schema>
  items?: Schema
  [member: string]: unknown
}

interface Operation {
  readonly parameters?: readonly { readonly $ref?: string }[]
  responses: Record<
    string,
    { content?: Record<string, { readonly schema: Schema; example?: unknown }>; headers?: object }
  >
  requestBody?: { content: Record<string, { example?: object }> }
}

/** Text of each file, by its path. */
export async function generateFiles(): Promise<ReadonlyMap<string, string>> {
  const document = structuredClone(JSON.parse(JSON.stringify(openApi(routes, ['CLUSTER'])))) as Document
  const operations = Object.values(document.paths).flatMap(
    (methods) => Object.values(methods) as unknown as Operation[],
  )
  const amounts = namesOfAmounts(document, operations)
  operations.forEach(withoutRefusals)
  const writes = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, operation]) =>
        (operation as unknown as Operation).parameters?.some(({ $ref }) => $ref?.endsWith('/idempotencyKey')),
      )
      .map(([method]) => `${method.toUpperCase()} ${path}`),
  )
  return new Map([
    [join(CLIENT, 'schema.d.ts'), await types(document)],
    [join(CLIENT, 'facts.ts'), facts(writes, amounts)],
  ])
}

/**
 * Refusals are typed once, by HoldfastError; examples are for readers of the document. Clusters are those of the
 * service that is asked.
 */
function withoutRefusals(operation: Operation): void {
  operation.responses = Object.fromEntries(
    Object.entries(operation.responses).filter(([status]) => Number(status) < 300),
  )
  for (const response of Object.values(operation.responses)) {
    delete response.headers
    for (const content of Object.values(response.content ?? {})) delete content.example
  }
  for (const content of Object.values(operation.requestBody?.content ?? {})) delete content.example
}

async function types(document: Document): Promise<string> {
  const { chainClusterId } = document.components['parameters'] as Record<string, { schema: object }>
  chainClusterId!.schema = { type: 'string' }
  const source = {
    ...document,
    webhooks: undefined,
    components: { ...document.components, responses: undefined, headers: undefined },
  }
  const nodes = await openapiTypescript(JSON.parse(JSON.stringify(source)) as never, {
    // Amounts of requests: the only numbers left that may be strings.
    transform: (schema) => (isAmount(schema as Schema) ? union(typesOf(schema as Schema)) : undefined),
    // A member with a default may be omitted.
    defaultNonNullable: false,
    silent: true,
  })
  return `// ${MADE}\n${astToString(nodes).replace(/^ +/gm, (indent) => ' '.repeat(indent.length / 2))}`
}

function union(types: readonly string[]): ts.TypeNode {
  const { factory, SyntaxKind } = ts
  const words = [SyntaxKind.NumberKeyword, SyntaxKind.StringKeyword, SyntaxKind.BigIntKeyword] as const
  return factory.createUnionTypeNode([
    ...words.map((word) => factory.createKeywordTypeNode(word)),
    ...(types.includes('null') ? [factory.createLiteralTypeNode(factory.createNull())] : []),
  ])
}

function facts(writes: readonly string[], amounts: readonly string[]): string {
  const list = (names: readonly string[]): string =>
    [...names]
      .sort()
      .map((name) => `  '${name}',\n`)
      .join('')
  return [
    `// ${MADE}`,
    '',
    '/** Calls that take an idempotency key. */',
    `export const WRITES: ReadonlySet<string> = new Set([\n${list(writes)}])`,
    '',
    '/** Members of answers that are amounts, wherever they stand. */',
    `export const AMOUNTS: ReadonlySet<string> = new Set([\n${list(amounts)}])`,
    '',
  ].join('\n')
}

/**
 * Turns the amounts of answers into strings, and names them. Throws when a name is an amount here and another number
 * there.
 */
function namesOfAmounts({ components }: Document, operations: readonly Operation[]): string[] {
  const amounts = new Set<string>()
  const others = new Set<string>()
  const visited = new Set<string>()
  const visit = (schema: Schema): void => {
    const name = schema.$ref?.split('/').at(-1)
    if (name !== undefined && !visited.has(name)) visit((visited.add(name), components.schemas[name]) as Schema)
    for (const [member, inner] of Object.entries(schema.properties ?? {})) {
      if (isAmount(inner)) schema.properties![member] = (amounts.add(member), text(inner))
      else if (typesOf(inner).some((type) => type === 'number' || type === 'integer')) others.add(member)
      else visit(inner)
    }
    for (const inner of [...(schema.anyOf ?? []), ...(schema.items === undefined ? [] : [schema.items])]) {
      if (isAmount(inner)) throw new Error('an amount has no name: the client would not know it')
      visit(inner)
    }
  }
  for (const { responses } of operations) {
    for (const { content = {} } of Object.values(responses))
      Object.values(content).forEach(({ schema }) => visit(schema))
  }
  const both = [...amounts].filter((name) => others.has(name))
  if (both.length > 0) throw new Error(`amounts in one answer, other numbers in another: ${both.join(', ')}`)
  return [...amounts]
}

function text(schema: Schema): Schema {
  const { description: about } = schema
  const description =
    typeof about === 'string' ? { description: `${about.replace(AMOUNT_FORMAT, '').trim()} A decimal string.` } : {}
  return { type: typesOf(schema).includes('null') ? ['string', 'null'] : 'string', ...description }
}

function isAmount(schema: Schema): boolean {
  const types = typesOf(schema)
  return (
    types.every((type) => SCALARS.has(type)) &&
    types.includes('string') &&
    (types.includes('number') || types.includes('integer'))
  )
}

function typesOf({ type = [], anyOf = [] }: Schema): string[] {
  return [...(typeof type === 'string' ? [type] : type), ...anyOf.flatMap(typesOf)]
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  readArguments(USAGE, (args) => {
    if (args.length > 0) throw new Error(`unknown argument ${args[0]!}`)
  })
  for (const [path, content] of await generateFiles()) writeFileSync(path, content)
  const build = join(import.meta.dirname, '..', '..', 'src', 'build-client.mjs')
  execFileSync(process.execPath, [build], { stdio: 'inherit' })
}
