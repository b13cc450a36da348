// Adds a description to every property of the OpenAPI document. A description in the schema itself has precedence; the
// tables describe all other properties. A key of a table is the end of a property's path, `property`,
// `member.property` or `Schema.member.property` (for a body without a name: the operation id); the longest key applies.
import { ACCOUNTS } from './accounts.ts'
import { ADMINISTRATION } from './administration.ts'
import { APPROVALS } from './approvals.ts'
import { BATCHES } from './batches.ts'
import { COMMON } from './common.ts'
import { COUNTERPARTIES } from './counterparties.ts'
import { DISTRIBUTIONS } from './distributions.ts'
import { HOLDERS } from './holders.ts'
import { INSTRUMENTS } from './instruments.ts'
import { LOANS } from './loans.ts'
import { MARKET_DATA } from './market-data.ts'
import { PAYMENT_REQUEST_TEXTS } from './payment-requests.ts'
import { POSITIONS } from './positions.ts'
import { SCHEDULES } from './schedules.ts'
import { STATEMENTS } from './statements.ts'
import { TRANSACTIONS } from './transactions.ts'

type Json = Record<string, unknown>

interface Body {
  readonly content?: Readonly<Record<string, { readonly schema: Json }>>
}

interface Operation {
  readonly operationId?: string
  readonly requestBody?: Body
  readonly responses: Readonly<Record<string, Body>>
}

type Methods = Readonly<Record<string, Readonly<Record<string, Operation>>>>

/** The parts of the document that have schemas with properties. */
export interface ApiDescription {
  readonly paths: Methods
  readonly webhooks: Methods
  readonly components: { readonly schemas: Readonly<Record<string, Json>> }
}

export type Descriptions = Readonly<Record<string, string>>

export const TABLES: readonly Descriptions[] = [
  COMMON,
  ACCOUNTS,
  POSITIONS,
  BATCHES,
  SCHEDULES,
  PAYMENT_REQUEST_TEXTS,
  APPROVALS,
  COUNTERPARTIES,
  INSTRUMENTS,
  LOANS,
  STATEMENTS,
  TRANSACTIONS,
  MARKET_DATA,
  ADMINISTRATION,
  HOLDERS,
  DISTRIBUTIONS,
]

const TABLE: ReadonlyMap<string, string> = new Map(TABLES.flatMap((table) => Object.entries(table)))

/** The end of the description of every amount in a response. */
export const AMOUNT_FORMAT = 'A JSON number of at most 15 significant digits, else a decimal string.'

/** Called with each property, its path, and the key of the table that describes it, if any. */
export type PropertyVisitor = (property: Json, path: readonly string[], key: string | undefined) => void

/** Describes the properties of every schema of the document. */
export function describeProperties(document: ApiDescription): void {
  visitProperties(document, (property, _path, key) => {
    const own = property['description']
    const given = key === undefined ? undefined : TABLE.get(key)
    if (given === undefined) return
    if (isAmount(property)) property['description'] = `${given} ${typeof own === 'string' ? own : AMOUNT_FORMAT}`
    else property['description'] ??= given
  })
}

/** Visits the properties of all components and bodies, at any depth. */
export function visitProperties({ paths, webhooks, components }: ApiDescription, visit: PropertyVisitor): void {
  for (const [name, schema] of Object.entries(components.schemas)) visitSchema(schema, [name], visit)
  for (const methods of [...Object.values(paths), ...Object.values(webhooks)]) {
    for (const operation of Object.values(methods)) visitBodies(operation, visit)
  }
}

function visitBodies({ operationId, requestBody, responses }: Operation, visit: PropertyVisitor): void {
  for (const { content = {} } of [requestBody ?? {}, ...Object.values(responses)]) {
    for (const { schema } of Object.values(content)) visitSchema(schema, [operationId ?? ''], visit)
  }
}

function visitSchema(schema: Json, path: readonly string[], visit: PropertyVisitor): void {
  for (const [name, property] of Object.entries((schema['properties'] ?? {}) as Readonly<Record<string, Json>>)) {
    const whole = [...path, name]
    visit(property, whole, keyOf(whole))
    visitSchema(property, whole, visit)
  }
  for (const part of partsOf(schema)) visitSchema(part, path, visit)
}

function partsOf({ anyOf = [], items, additionalProperties }: Json): Json[] {
  const parts = [...(anyOf as Json[]), items, additionalProperties]
  return parts.filter((part): part is Json => typeof part === 'object' && part !== null)
}

/** The longest key of the tables that the path ends with. */
function keyOf(path: readonly string[]): string | undefined {
  return path.map((_, index) => path.slice(index).join('.')).find((key) => TABLE.has(key))
}

function isAmount(schema: Json): boolean {
  const types = typesOf(schema)
  return types.includes('string') && (types.includes('number') || types.includes('integer'))
}

function typesOf({ type = [], anyOf = [] }: Json): unknown[] {
  return [type, ...(anyOf as Json[]).map(typesOf)].flat()
}
