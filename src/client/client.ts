// The client of the interface: typed calls by path, amounts as decimal strings, an idempotency key for every call that
// writes, retries of what is safe to repeat, waiting for transactions, and following events. The OpenAPI document is
// its only knowledge of the service.
import { randomUUID } from 'node:crypto'
import createClient from 'openapi-fetch'
import { parseAnswer, writeBody } from './amounts.ts'
import { HoldfastUnanswered } from './errors.ts'
import { follow, type FollowOptions } from './events.ts'
import { WRITES } from './facts.ts'
import { Addresses, NO_ADDRESS, persist, RETRIES, tryTimeoutOf, type Fetch, type RetryPolicy } from './retries.ts'
import type { AnswerOf, BodyOf, CallOptions, Event, Method, OptionsOf, PathOf, Transaction } from './types.ts'
import { waitFor, type Commitment, type TransactionIds } from './wait.ts'

export { HoldfastError, HoldfastUnanswered, TransactionEnded, TransactionPending, type Problem } from './errors.ts'
export type {
  AnswerOf,
  BodyOf,
  CallOptions,
  Commitment,
  Event,
  FollowOptions,
  PathOf,
  RetryPolicy,
  Transaction,
  TransactionIds,
}

export interface HoldfastOptions {
  /** Of the service, without `/api/v1`; several for a service of several nodes, each of which answers every call. */
  readonly url: string | readonly string[]
  readonly apiKey: string
  /** Default: that of the service. */
  readonly clusterId?: string
  readonly fetch?: Fetch
  readonly retries?: Partial<RetryPolicy>
}

/**
 * Every call throws HoldfastError when the service refuses, HoldfastUnanswered when it does not answer, and the reason
 * of the signal when aborted. An aborted call that writes and may have had its effect throws HoldfastUnanswered,
 * with the idempotency key, and the reason as its `cause`.
 */
export interface Holdfast {
  get<Path extends PathOf<'get'>>(path: Path, ...options: OptionsOf<Path, 'get'>): Promise<AnswerOf<Path, 'get'>>
  post<Path extends PathOf<'post'>>(
    path: Path,
    body: BodyOf<Path, 'post'>,
    ...options: OptionsOf<Path, 'post'>
  ): Promise<AnswerOf<Path, 'post'>>
  patch<Path extends PathOf<'patch'>>(
    path: Path,
    body: BodyOf<Path, 'patch'>,
    ...options: OptionsOf<Path, 'patch'>
  ): Promise<AnswerOf<Path, 'patch'>>
  /** A dry run of the call: fee, size, accounts, signers, limits and the simulation. Nothing is changed. */
  dryRun<M extends 'post' | 'patch', Path extends PathOf<M>>(
    method: M,
    path: Path,
    body: BodyOf<Path, M>,
    options?: CallOptions,
  ): Promise<{ dryRun: Record<string, unknown> }>
  /**
   * Polls until the transaction has reached the commitment. Throws TransactionEnded if it never will,
   * TransactionPending after the timeout.
   */
  waitFor(
    transaction: TransactionIds,
    commitment?: Commitment,
    timeoutMs?: number,
    options?: CallOptions,
  ): Promise<Transaction>
  /**
   * Every event after a sequence, else from now on, each once and in order, over breaks of the connection. Ends when
   * the signal is aborted.
   */
  events(options?: FollowOptions): AsyncGenerator<Event, void, void>
}

interface Loose extends CallOptions {
  readonly path?: Record<string, unknown>
  readonly query?: Record<string, unknown>
  readonly dryRun?: boolean
}

type Call = (method: Method, path: string, body: unknown, options?: Loose) => Promise<unknown>

export function holdfast({
  url,
  apiKey,
  clusterId,
  fetch = globalThis.fetch,
  retries = {},
}: HoldfastOptions): Holdfast {
  const policy = { ...RETRIES, ...retries }
  const addresses = new Addresses(url)
  const policyFor = ({ headers }: Request): RetryPolicy =>
    addresses.areSeveral && retries.tryTimeoutMs === undefined
      ? { ...policy, tryTimeoutMs: tryTimeoutOf(headers.get('prefer')) }
      : policy
  const headers = { authorization: `Bearer ${apiKey}` }
  const inner = createClient<Record<string, Record<Method, object>>>({
    baseUrl: NO_ADDRESS,
    headers,
    bodySerializer: writeBody,
  })

  const call: Call = async (method, path, body, options = {}) => {
    const full = `/api/v1${path}`
    const verb = method.toUpperCase() as Uppercase<Method>
    const cluster = options.clusterId ?? clusterId
    const writes = WRITES.has(`${verb} ${full}`)
    const named = writes ? namedIn(body) : undefined
    const key = writes ? (named ?? options.idempotencyKey ?? randomUUID()) : null
    const init = {
      ...(body === undefined ? {} : { body }),
      parseAs: 'stream',
      signal: options.signal ?? null,
      headers: headersOf(named === undefined ? key : null, options),
      params: {
        path: options.path ?? {},
        query: { ...(cluster === undefined ? {} : { chainClusterId: cluster }), ...options.query },
      },
      fetch: (request: Request) => persist({ fetch, addresses, policy: policyFor(request), key }, request),
    }
    const { response } = await inner[verb](full as never, init as never)
    return contentOf(response, key)
  }

  return {
    get: ((path: string, options?: Loose) => call('get', path, undefined, options)) as Holdfast['get'],
    post: ((path: string, body: unknown, options?: Loose) => call('post', path, body, options)) as Holdfast['post'],
    patch: ((path: string, body: unknown, options?: Loose) => call('patch', path, body, options)) as Holdfast['patch'],
    dryRun: ((method: Method, path: string, body: unknown, options?: Loose) =>
      call(method, path, body, { ...options, dryRun: true })) as Holdfast['dryRun'],
    waitFor: (ids, commitment, timeoutMs, options) => {
      const ask = (): Promise<Transaction> =>
        call('post', '/transactions/status', { itemData: named(ids) }, options) as Promise<Transaction>
      return waitFor(ask, commitment, timeoutMs, options?.signal)
    },
    events: (options) => {
      const fromEvents = (path: string, query: Record<string, unknown>): Promise<unknown> =>
        call('get', path, undefined, { query, ...(options?.signal === undefined ? {} : { signal: options.signal }) })
      return follow({ addresses, headers, clusterId, fetch, policy, page: fromEvents }, options)
    },
  }
}

/** A record of a transaction names it, and has more members than its name. */
function named(ids: TransactionIds): TransactionIds {
  return 'offchainId' in ids ? { offchainId: ids.offchainId } : { onchainId: ids.onchainId }
}

function headersOf(idempotencyKey: string | null, { prefer, dryRun }: Loose): Record<string, string> {
  return {
    ...(idempotencyKey === null ? {} : { 'idempotency-key': idempotencyKey }),
    ...(prefer === undefined ? {} : { prefer }),
    ...(dryRun === true ? { 'holdfast-dry-run': 'true' } : {}),
  }
}

/**
 * `idempotencyId` of the body, which is the key then; the service refuses another one in the header. To the service
 * null is an absent member.
 */
function namedIn(body: unknown): string | undefined {
  return (body as { itemData?: { idempotencyId?: string | null } }).itemData?.idempotencyId ?? undefined
}

/** Throws HoldfastUnanswered if the service did not write the answer. */
async function contentOf(response: Response, key: string | null): Promise<unknown> {
  const type = response.headers.get('content-type') ?? ''
  if (type.includes('json')) {
    const text = await response.text()
    try {
      return parseAnswer(text)
    } catch (cause) {
      throw new HoldfastUnanswered(key, cause)
    }
  }
  // A call that writes is answered in JSON.
  if (key !== null) throw new HoldfastUnanswered(key, new TypeError(`the answer is ${type || 'of no type'}`))
  return type.startsWith('text/csv') ? response.text() : new Uint8Array(await response.arrayBuffer())
}
