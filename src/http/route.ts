// Types and constructors of the rows in routes.ts. The output of a row's schema must match the input of its operation.
import type { z } from 'zod'
import type { Role } from '../contract/roles.ts'
import type { JsonOf } from '../contract/json-bytes.ts'
import type { ModelOf } from '../contract/values/validated.ts'
import type { Outcome } from '../contract/call.ts'
import type { MembersOf } from '../contract/schemas/members.ts'
import type { StreamedAnswer } from '../contract/streamed.ts'
import type { Read, Write } from '../operations/context/platform.ts'

/** Any one of them is sufficient. */
export type Roles = readonly [Role, ...Role[]]

interface Common<Schema extends z.ZodType, Shown extends z.ZodType> {
  /** Relative to the group's path. `{detail-level}` stands for `detailed`, `compact` and `identifiers`. */
  readonly path: `/${string}` | ''
  readonly schema: Schema
  /** Only if different from the group's. */
  readonly roles?: Roles
  readonly summary: string
  /** True where the contract lists 404; elsewhere a missing resource is a 400. */
  readonly notFound?: boolean
  /** True where the contract gives the body without `itemData`: it is accepted in both forms. */
  readonly alsoBare?: boolean
  /** Maximum size of the body, if it is larger than for other endpoints. */
  readonly maxBodyBytes?: number
  /** Schema of the response to a dry run, if it does not report a transaction. */
  readonly dryRunAnswer?: z.ZodType
  /** Schema of the response. */
  readonly answer: Shown
}

interface ReadRow<Schema extends z.ZodType, Input, Shown extends z.ZodType> extends Common<Schema, Shown> {
  readonly operation: Read<Input, ModelOf<Shown> | JsonOf<ModelOf<Shown>>>
  /** True if a request changes records or the audit log, so that it has no dry run. */
  readonly hasEffects?: boolean
}

/** A read whose answer is written piece by piece, in one of several media types. */
interface StreamRow<Schema extends z.ZodType, Input> extends Common<Schema, z.ZodType> {
  readonly operation: Read<Input, StreamedAnswer>
  /** Media types besides JSON. */
  readonly alsoAs: readonly string[]
}

interface WriteRow<Schema extends z.ZodType, Input, Shown extends z.ZodType> extends Common<Schema, Shown> {
  readonly method: 'POST' | 'PATCH'
  readonly operation: WriteFor<Input, Shown>
  readonly status: 200 | 201
  /** Whether the endpoint makes a transaction on chain. */
  readonly transaction: 'always' | 'if requested' | 'never'
  /** True where the contract lists 409; elsewhere a duplicate is a 400. */
  readonly conflict?: boolean
}

/** A write whose members are those of its answer. */
type WriteFor<Input, Shown extends z.ZodType> = (
  ...of: Parameters<Write<Input>>
) => Promise<Outcome & { readonly members: MembersOf<Shown> }>

interface Group {
  readonly tag: string
  readonly path: `/api/v1/${string}`
  /** Default roles of reads and writes. */
  readonly reads: Roles
  readonly writes: Roles
  /** Default of its rows, except of the bulk queries, most of which have no `itemData`. */
  readonly alsoBare?: boolean
}

/** A row whose schema and operation have been type-checked against each other. */
type Row =
  | ({ readonly kind: 'read'; readonly method: 'POST'; readonly status: 200 } & ReadRow<z.ZodType, never, z.ZodType>)
  | ({ readonly kind: 'stream'; readonly method: 'POST'; readonly status: 200 } & StreamRow<z.ZodType, never>)
  | ({ readonly kind: 'write' } & WriteRow<z.ZodType, never, z.ZodType>)

/** A row with the defaults of its group. `path` is the complete path. */
export type Route = Row & { readonly tag: string; readonly roles: Roles }

/** Reads take their lookup in the body, like all endpoints of the table. */
export function read<Schema extends z.ZodType, Shown extends z.ZodType>(
  row: ReadRow<Schema, z.output<Schema>, Shown>,
): Row {
  return { ...row, kind: 'read', method: 'POST', status: 200 }
}

export function stream<Schema extends z.ZodType>(row: StreamRow<Schema, z.output<Schema>>): Row {
  return { ...row, kind: 'stream', method: 'POST', status: 200 }
}

export function write<Schema extends z.ZodType, Shown extends z.ZodType>(
  row: WriteRow<Schema, z.output<Schema>, Shown>,
): Row {
  return { ...row, kind: 'write' }
}

export function group({ tag, path, reads, writes, alsoBare = false }: Group, rows: readonly Row[]): Route[] {
  return rows.map((row): Route => {
    const whole = `${path}${row.path}` as const
    const roles = row.roles ?? (row.kind === 'write' ? writes : reads)
    const bare = row.alsoBare ?? (alsoBare && !row.path.endsWith('/bulk'))
    return { ...row, path: whole, tag, roles, alsoBare: bare }
  })
}

/** True for writes that make transactions, and for those with their own form of a dry run. */
export function hasDryRun(route: Extract<Route, { readonly kind: 'write' }>): boolean {
  return route.transaction !== 'never' || route.dryRunAnswer !== undefined
}

/** True for requests that change something and cannot show it first. Other reads change nothing and may be dry runs. */
export function refusesDryRun(route: Route): boolean {
  return route.kind === 'write' ? !hasDryRun(route) : route.kind === 'read' && route.hasEffects === true
}
