// Gives every body and every answer of the OpenAPI document an example: the written one, else one made from its schema.
import { madeExample } from './made-examples.ts'
import type { Document, Json } from './openapi.ts'

interface Media {
  readonly schema: Json
  example?: unknown
}

interface Holder {
  readonly content?: Readonly<Record<string, Media>>
}

interface Field {
  readonly name: string
  readonly type: string
  readonly nullable: boolean
}

const JSON_TYPES = ['application/json', 'application/problem+json']
const PAGE_SIZE = 20
const TIME = '2026-03-01T00:00:00Z'

export function addExamples(document: Document): void {
  for (const methods of Object.values(document.paths)) {
    for (const operation of Object.values(methods)) {
      exemplify(document, operation['requestBody'] as Holder | undefined)
      for (const answer of Object.values(operation['responses'] as Record<string, Holder>)) exemplify(document, answer)
    }
  }
  for (const [name, answer] of Object.entries(document.components['responses'] as Record<string, Holder>)) {
    exemplify(document, answer, problemOf(Number(name.slice(1)), String((answer as Json)['description'])))
  }
}

function exemplify(document: Document, holder: Holder | undefined, given?: unknown): void {
  for (const type of JSON_TYPES) {
    const media = holder?.content?.[type]
    if (media === undefined) continue
    media.example ??= given ?? queryExample(media.schema) ?? madeExample(media.schema, document.components.schemas)
  }
}

/** Codes of the problem shown for a status in the document. */
const CODES: Readonly<Record<number, string>> = {
  400: 'NOT_POSITIVE',
  401: 'CREDENTIALS_INVALID',
  403: 'ROLE_REQUIRED',
  404: 'ACCOUNT_NOT_FOUND',
  409: 'ALREADY_EXISTS',
  413: 'BODY_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  429: 'RATE_LIMITED',
  500: 'INTERNAL',
  503: 'UNAVAILABLE',
  504: 'OUTCOME_UNKNOWN',
}

function problemOf(status: number, description: string): object {
  const code = CODES[status] ?? 'INTERNAL'
  const message = status === 400 ? 'must be greater than 0' : description
  const pointer = status === 400 ? '/itemData/amount' : undefined
  const retryable = status === 429 || status === 503
  return {
    type: `/docs/errors#${code}`,
    title: description,
    status,
    detail: pointer === undefined ? message : `${pointer}: ${message}`,
    requestId: '6f0f0a4e-6c2c-4c53-9c0e-0d7f2f2f1a11',
    errors: [{ code, message, ...(pointer === undefined ? {} : { pointer }), retryable }],
  }
}

/** A bulk query that any service answers: its value does not depend on the records. Undefined for any other body. */
function queryExample(schema: Json): object | undefined {
  const { itemQuery } = (schema['properties'] ?? {}) as Record<string, Json>
  const { filter } = (itemQuery?.['properties'] ?? {}) as Record<string, Json>
  const { fieldName } = ((filter?.['items'] as Json | undefined)?.['properties'] ?? {}) as Record<string, Json>
  const fields = fieldName?.['x-fields'] as readonly Field[] | undefined
  if (fields === undefined) return undefined
  const filtered = ['TIMESTAMP', 'BOOLEAN', 'NUMBER']
    .map((type) => fields.find((field) => field.type === type))
    .find(Boolean)
  const sorted = fields.find(({ type }) => type === 'TIMESTAMP') ?? fields[0]!
  return {
    itemQuery: {
      limit: PAGE_SIZE,
      ...(filtered === undefined
        ? {}
        : { filter: [{ fieldName: filtered.name, filterValues: [conditionOn(filtered)] }] }),
      sort: [{ fieldName: sorted.name, sortDirection: 'DESC' }],
    },
  }
}

function conditionOn({ type }: Field): object {
  if (type === 'BOOLEAN') return { filterType: 'EQUALS', valueBoolean: true }
  if (type === 'NUMBER') return { filterType: 'GREATER_THAN_OR_EQUAL', valueNumber: 1 }
  return { filterType: 'GREATER_THAN_OR_EQUAL', valueString: TIME }
}
