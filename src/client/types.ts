// The types of the calls, by path, inferred from the OpenAPI document. Paths are written without `/api/v1`.
import type { components, paths } from './schema.d.ts'

export type Method = 'get' | 'post' | 'patch'
export type Event = components['schemas']['Event']
export type Transaction = components['schemas']['ChainTransactionResult']

type OperationAt<Path extends string, M extends Method> = `/api/v1${Path}` extends keyof paths
  ? paths[`/api/v1${Path}`][M]
  : never

/** Paths that have the method. The event stream has a call of its own. */
export type PathOf<M extends Method> = {
  [Path in keyof paths]: undefined extends paths[Path][M]
    ? never
    : Path extends `/api/v1${infer Short}`
      ? Exclude<Short, '/events/stream'>
      : never
}[keyof paths]

export type BodyOf<Path extends string, M extends Method> =
  NonNullable<OperationAt<Path, M>> extends { requestBody: { content: { 'application/json': infer Body } } }
    ? Body
    : never

/** What a call that is no dry run answers with; bytes where that is a file. */
export type AnswerOf<Path extends string, M extends Method> =
  NonNullable<OperationAt<Path, M>> extends { responses: infer Responses }
    ? Responses extends { 201: infer Done }
      ? ContentOf<Done>
      : Responses extends { 200: infer Done }
        ? ContentOf<Done>
        : never
    : never

type ContentOf<Done> = Done extends { content: { 'application/json': infer Answer } } ? Answer : Uint8Array

type ParametersOf<Path extends string, M extends Method> =
  NonNullable<OperationAt<Path, M>> extends { parameters: infer Parameters } ? Parameters : never

type Member<Name extends string, Holder, Source extends string> = Holder extends { [_ in Source]: infer Value }
  ? [Value] extends [never]
    ? { [_ in Name]?: never }
    : { [_ in Name]: Value }
  : Holder extends { [_ in Source]?: infer Value }
    ? { [_ in Name]?: Exclude<Value, undefined> }
    : { [_ in Name]?: never }

export interface CallOptions {
  /** Default: that of the client. */
  readonly clusterId?: string
  /** Of a call that writes; made when absent. Give one that was kept before the call to repeat it after a restart. */
  readonly idempotencyKey?: string
  /** How long to wait for the commitment: `respond-async` not at all, `wait=20` that many seconds. */
  readonly prefer?: 'respond-async' | `wait=${number}`
  readonly signal?: AbortSignal
}

type Options<Path extends string, M extends Method> = CallOptions &
  Member<'path', ParametersOf<Path, M>, 'path'> &
  Member<'query', ParametersOf<Path, M>, 'query'>

/** Optional if no member is required. */
export type OptionsOf<Path extends string, M extends Method> =
  object extends Options<Path, M> ? [options?: Options<Path, M>] : [options: Options<Path, M>]
