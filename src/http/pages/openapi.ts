// Generates the OpenAPI 3.1 document from the table of routes and the schemas that validate requests.
import { z } from 'zod'
import { DETAIL_LEVELS } from '../router.ts'
import { hasDryRun, type Route } from '../route.ts'
import * as answers from '../../contract/schemas/answers.ts'
import { problem } from '../../contract/schemas/problem.ts'
import { EVENTS_PATH, STREAM_PATH } from '../events.ts'
import { LOGO_PATH } from '../files.ts'
import { SIGNER_ANSWERS_PATH } from '../signer-answers.ts'
import { WHOAMI_PATH } from '../whoami.ts'
import { describeProperties, type ApiDescription } from './descriptions/describe.ts'
import { addExamples } from './all-examples.ts'
import { exampleOf } from './examples.ts'
import { deliveryDocument, eventsDocument, STREAM } from './openapi-events.ts'
import { LOGO } from './openapi-files.ts'
import { rightsDocument } from './openapi-rights.ts'
import { signerAnswersDocument } from './openapi-signers.ts'
import { whoamiDocument } from './openapi-whoami.ts'
import {
  COMMON_HEADERS,
  DRY_RUN,
  ERRORS,
  PARAMETERS,
  REFERRED_HEADERS,
  WRITE_HEADERS,
  WRITE_PARAMETERS,
} from './openapi-common.ts'
import { COVERED_REQUESTS } from '../../operations/pending-changes/operations.ts'
import { heldBack } from '../../contract/schemas/pending-change.ts'

export type Json = Record<string, unknown>

export interface Document extends Json {
  readonly openapi: string
  readonly paths: Readonly<Record<string, Readonly<Record<string, Json>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Json>> } & Json
}

export function openApi(routes: readonly Route[], clusters: readonly string[]): Document {
  const schemas: Record<string, Json> = {}
  const toSchema = (schema: z.ZodType, io: 'input' | 'output'): Json => jsonSchema(schema, io, schemas)
  const paths: Record<string, Record<string, Json>> = {}
  for (const route of routes) {
    const methods = (paths[route.path] ??= {})
    methods[route.method.toLowerCase()] = operation(route, toSchema)
  }
  paths[LOGO_PATH] = { get: LOGO }
  paths[EVENTS_PATH] = { get: eventsDocument(toSchema) as Json }
  paths[STREAM_PATH] = { get: STREAM }
  paths[WHOAMI_PATH] = { get: whoamiDocument(toSchema) as Json }
  paths[SIGNER_ANSWERS_PATH] = { post: signerAnswersDocument(toSchema) as Json }
  toSchema(problem, 'output')
  toSchema(answers.dryRun, 'output')
  const document: Document = {
    openapi: '3.1.0',
    jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
    info: {
      title: 'Holdfast',
      version: 'v1',
      description:
        'Accounts, financial instruments, positions and transactions on Solana. Unknown members of a body are refused.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    security: [{ bearer: [] }],
    tags: [...new Set([...routes.map(({ tag }) => tag), 'Events'])].map((name) => ({ name })),
    paths,
    webhooks: { event: { post: deliveryDocument(toSchema) } },
    components: {
      schemas,
      parameters: PARAMETERS(clusters),
      headers: COMMON_HEADERS,
      responses: structuredClone(ERRORS),
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'An API key: hf_<id>_<secret and checksum>.' },
      },
    },
  }
  describeProperties(document as unknown as ApiDescription)
  addExamples(document)
  return document
}

type ToSchema = (schema: z.ZodType, io: 'input' | 'output') => Json

function operation(route: Route, toSchema: ToSchema): Json {
  const example = exampleOf(route)
  const write = route.kind === 'write'
  const mayBeDry = write && hasDryRun(route)
  const orDryRun = z.union([route.answer, route.dryRunAnswer ?? answers.dryRun])
  return {
    operationId: operationId(route),
    summary: route.summary,
    ...rightsDocument(route.roles, write ? route.transaction : 'never'),
    tags: [route.tag],
    parameters: parametersOf(route),
    requestBody: {
      required: true,
      content: {
        'application/json': { schema: toSchema(route.schema, 'input'), ...(example === undefined ? {} : { example }) },
      },
    },
    responses: {
      [route.status]: {
        description: route.status === 201 ? 'Success; `status` states whether the transaction is final' : 'Done',
        headers: write ? WRITE_HEADERS : REFERRED_HEADERS,
        content: {
          'application/json': {
            schema: toSchema(mayBeDry && route.status === 200 ? orDryRun : route.answer, 'output'),
          },
          ...(route.kind === 'stream'
            ? Object.fromEntries(route.alsoAs.map((type) => [type, { schema: { type: 'string' } }]))
            : {}),
        },
      },
      ...(mayBeDry && route.status === 201 ? { 200: structuredClone(dryRunOf(route, toSchema)) } : {}),
      ...(COVERED_REQUESTS[`${route.method} ${route.path}`] === undefined ? {} : { 202: heldBackOf(toSchema) }),
      ...Object.fromEntries(statusesOf(route).map((status) => [status, { $ref: `#/components/responses/E${status}` }])),
    },
  }
}

function heldBackOf(toSchema: ToSchema): Json {
  const description = 'Approval policies cover the request: it waits for approvals as a pending change'
  return {
    description,
    headers: WRITE_HEADERS,
    content: { 'application/json': { schema: toSchema(heldBack, 'output') } },
  }
}

function dryRunOf({ dryRunAnswer }: Route, toSchema: ToSchema): object {
  if (dryRunAnswer === undefined) return DRY_RUN
  return { ...DRY_RUN, content: { 'application/json': { schema: toSchema(dryRunAnswer, 'output') } } }
}

function parametersOf(route: Route): Json[] {
  const names = ['chainClusterId', 'xRequestId', ...(route.kind === 'write' ? WRITE_PARAMETERS(hasDryRun(route)) : [])]
  const common = names.map((name) => ({ $ref: `#/components/parameters/${name}` }))
  if (!route.path.includes('{detail-level}')) return common
  return [
    ...common,
    { name: 'detail-level', in: 'path', required: true, schema: { type: 'string', enum: DETAIL_LEVELS } },
  ]
}

/** Error statuses of an endpoint: those of the contract, and those of the middleware. */
function statusesOf(route: Route): number[] {
  const notFound = route.notFound === true ? [404] : []
  const conflict = route.kind === 'write' && route.conflict === true ? [409] : []
  const unknown = route.kind === 'write' ? [504] : []
  return [400, 401, 403, ...notFound, ...conflict, 413, 415, 429, 500, 503, ...unknown]
}

function operationId({ method, path }: Route): string {
  const words = path
    .replace('/api/v1/', '')
    .split(/[^a-zA-Z]+/)
    .filter(Boolean)
  return [method.toLowerCase(), ...words.map((word) => word.charAt(0).toUpperCase() + word.slice(1))].join('')
}

/** Converts a schema and moves its named parts to the document's components. */
function jsonSchema(schema: z.ZodType, io: 'input' | 'output', components: Record<string, Json>): Json {
  const {
    $defs = {},
    $schema: _dialect,
    ...rest
  } = z.toJSONSchema(schema, { io, unrepresentable: 'any', override: anyOfInstead })
  for (const [name, definition] of Object.entries($defs)) {
    const { id: _name, ...described } = relocated(definition)
    components[name] = described
  }
  return hoisted(relocated(rest), components)
}

/** One word for a choice, whatever tells its variants apart. */
function anyOfInstead({ jsonSchema }: { readonly jsonSchema: Json }): void {
  if (jsonSchema['oneOf'] === undefined) return
  jsonSchema['anyOf'] = jsonSchema['oneOf']
  Reflect.deleteProperty(jsonSchema, 'oneOf')
}

/** Replaces a named schema by a reference to its component. */
function hoisted(schema: Json, components: Record<string, Json>): Json {
  const { id, ...described } = schema
  if (typeof id !== 'string') return schema
  components[id] = described
  return { $ref: `#/components/schemas/${id}` }
}

function relocated(schema: Json): Json {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/')) as Json
}
