// Generates a Postman collection (v2.1) from the OpenAPI document: one folder per tag, variables `url` and `apiKey`.
import type { Document, Json } from './openapi.ts'

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
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Json; readonly example?: unknown }>> }
}

interface Entry {
  readonly key: string
  readonly value: string
  readonly description?: string
  readonly disabled?: boolean
}

export function collection(document: Document): Json {
  const { info, tags } = document as unknown as { info: Json; tags: readonly { name: string }[] }
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation: operation as unknown as Operation })),
  )
  return {
    info: { name: info['title'], description: info['description'], schema: SCHEMA },
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{apiKey}}', type: 'string' }] },
    variable: [
      { key: 'url', value: 'http://127.0.0.1:8080', type: 'string' },
      { key: 'apiKey', value: '', type: 'string' },
    ],
    item: tags.map(({ name }) => ({
      name,
      item: operations
        .filter(({ operation }) => operation.tags.includes(name))
        .map(({ path, method, operation }) => ({
          name: operation.summary,
          request: request(document, path, method, operation),
          response: [],
        })),
    })),
  }
}

/** Optional parameters are included but disabled. */
function request(document: Document, path: string, method: string, { parameters, description, requestBody }: Operation): Json {
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
    header: [...(content === undefined ? [] : [{ key: 'Content-Type', value: 'application/json' }]), ...among('header')],
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
            raw: JSON.stringify(content.example ?? skeleton(document, content.schema), null, 2),
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
  const value = (schema['default'] as string | number | undefined) ?? values?.[0] ?? ''
  return { key: name, value: String(value), disabled: required !== true, ...(description === undefined ? {} : { description }) }
}

/** A body with the required members, to be filled in. */
function skeleton(document: Document, schema: Json): unknown {
  if (typeof schema['$ref'] === 'string') return skeleton(document, document.components.schemas[nameIn(schema['$ref'])]!)
  if (Array.isArray(schema['anyOf'])) return skeleton(document, schema['anyOf'][0] as Json)
  if (Array.isArray(schema['enum'])) return schema['enum'][0]
  const [type] = [schema['type']].flat()
  if (type === 'array') return []
  if (type === 'boolean') return false
  if (type === 'number' || type === 'integer') return schema['minimum'] ?? 1
  if (type !== 'object') return ''
  const properties = schema['properties'] as Record<string, Json>
  const required = (schema['required'] ?? []) as readonly string[]
  return Object.fromEntries(required.map((name) => [name, skeleton(document, properties[name]!)]))
}

function nameIn(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1)
}
