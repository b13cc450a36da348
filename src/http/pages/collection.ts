// Generates a Postman collection (v2.1) from the OpenAPI document: one folder per tag, variables `url` and `apiKey`. A
// run of the whole collection ends and does no harm: the stream, which never ends, is left out, and requests that
// switch something off, give up a record or show a key are in the last folder, without a body.
import { STREAM_PATH } from '../events.ts'
import type { Document, Json } from './openapi.ts'

export const DANGEROUS_FOLDER = 'Dangerous: write a body before you send one of these'

/** By the end of the path: stops signing or sending, ends a record, voids a key, or shows one. */
const STOPS =
  /\/(?:freeze|unfreeze|suspend|resume|disable|rotate|attest|inactivate|close|liquidate|cancel|reject|authorities|private-key)$/
/** Goes on by itself once it is created. */
const CONTINUES = ['POST /api/v1/webhooks', 'POST /api/v1/schedules']
/** Switches one position, and the next request switches it back. */
const HARMLESS = /\/positions\/(?:un)?freeze$/

export function isDangerous(method: string, path: string): boolean {
  return (STOPS.test(path) && !HARMLESS.test(path)) || CONTINUES.includes(`${method.toUpperCase()} ${path}`)
}

/** Of no record. */
const ID = '6f0f0a4e-6c2c-4c53-9c0e-0d7f2f2f1a11'
const SCHEMA = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json'

interface Parameter {
  readonly $ref?: string
  readonly name: string
  readonly in: string
  readonly description?: string
  readonly required?: boolean
  readonly schema: Json
}

interface Operation {
  readonly summary: string
  readonly description: string
  readonly tags: readonly string[]
  readonly parameters: readonly Parameter[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly example?: unknown }>> }
}

interface Entry {
  readonly key: string
  readonly value: string
  readonly description?: string
  readonly disabled?: boolean
}

export function collection(document: Document): Json {
  const { info, tags } = document as unknown as { info: Json; tags: readonly { name: string }[] }
  const operations = Object.entries(document.paths)
    .filter(([path]) => path !== STREAM_PATH)
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({
        path,
        method,
        operation: operation as unknown as Operation,
      })),
    )
  const items = (chosen: typeof operations): Json[] =>
    chosen.map(({ path, method, operation }) => ({
      name: operation.summary,
      request: request(document, path, method, operation),
      response: [],
    }))
  const folders = tags.map(({ name }) => ({
    name,
    item: items(
      operations.filter(({ path, method, operation }) => operation.tags.includes(name) && !isDangerous(method, path)),
    ),
  }))
  return {
    info: {
      name: info['title'],
      description: `${String(info['description'])} The event stream is not in the collection: a run would not end.`,
      schema: SCHEMA,
    },
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{apiKey}}', type: 'string' }] },
    variable: [
      { key: 'url', value: 'http://127.0.0.1:8080', type: 'string' },
      { key: 'apiKey', value: '', type: 'string' },
    ],
    item: [
      ...folders.filter(({ item }) => item.length > 0),
      { name: DANGEROUS_FOLDER, item: items(operations.filter(({ path, method }) => isDangerous(method, path))) },
    ],
  }
}

/** Optional parameters are included but disabled. */
function request(
  document: Document,
  path: string,
  method: string,
  { parameters, description, requestBody }: Operation,
): Json {
  const all = parameters.map((parameter) => parameterOf(document, parameter))
  const among = (where: string): Entry[] => all.filter((parameter) => parameter.in === where).map(entry)
  const [query, variable] = [among('query'), among('path').map(({ disabled: _always, ...kept }) => kept)]
  const segments = path
    .slice(1)
    .split('/')
    .map((segment) => segment.replace(/^\{(.+)\}$/, ':$1'))
  const content = requestBody?.content['application/json']
  return {
    method: method.toUpperCase(),
    description,
    header: [
      ...(content === undefined ? [] : [{ key: 'Content-Type', value: 'application/json' }]),
      ...among('header'),
    ],
    url: {
      raw: `{{url}}/${segments.join('/')}`,
      host: ['{{url}}'],
      path: segments,
      ...(query.length > 0 ? { query } : {}),
      ...(variable.length > 0 ? { variable } : {}),
    },
    ...(content === undefined
      ? {}
      : {
          body: {
            mode: 'raw',
            raw: isDangerous(method, path) ? '' : JSON.stringify(content.example, null, 2),
            options: { raw: { language: 'json' } },
          },
        }),
  }
}

function parameterOf(document: Document, parameter: Parameter): Parameter {
  if (parameter.$ref === undefined) return parameter
  return (document.components['parameters'] as Record<string, Parameter>)[nameIn(parameter.$ref)]!
}

function entry({ name, schema, description, required }: Parameter): Entry {
  const values = schema['enum'] as readonly string[] | undefined
  const value =
    (schema['default'] as string | number | undefined) ??
    values?.[0] ??
    (schema['format'] === 'uuid' && required === true ? ID : '')
  return {
    key: name,
    value: String(value),
    disabled: required !== true,
    ...(description === undefined ? {} : { description }),
  }
}

function nameIn(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1)
}
