// Requests to the service. Each is sent once and never repeated here. Amounts arrive as decimal strings and stay
// strings.
import { parseAnswer, writeBody } from '../client/amounts.ts'
import { current, end, type Identity } from './session.ts'

export interface Problem {
  readonly code: string
  readonly message: string
  readonly pointer?: string
  readonly retryable: boolean
}

/** The service refused, or did not answer (status 0). */
export class RequestRefused extends Error {
  readonly status: number
  readonly problems: readonly Problem[]
  readonly requestId: string | null

  constructor(status: number, problems: readonly Problem[], requestId: string | null) {
    super(
      problems.map(({ code, message }) => `${code}: ${message}`).join('; ') ||
        (status === 0 ? 'the service does not answer' : `status ${status}`),
    )
    this.status = status
    this.problems = problems
    this.requestId = requestId
  }
}

export type Answer = Readonly<Record<string, unknown>>

export interface Page {
  readonly count: number
  readonly items: readonly Answer[]
}

/** One entry of `filter` and of `sort`, as the bulk queries take them. */
export interface Filter {
  readonly fieldName: string
  readonly operator?: 'AND' | 'OR'
  readonly filterValues: readonly Readonly<Record<string, unknown>>[]
}

export interface Query {
  readonly filter?: readonly Filter[]
  readonly sort?: readonly { readonly fieldName: string; readonly sortDirection: 'ASC' | 'DESC' }[]
  readonly skip?: number
  readonly limit?: number
}

interface Ask {
  readonly signal?: AbortSignal
  readonly idempotencyKey?: string
  /** Default: the organization of the session. */
  readonly apiKey?: string
  readonly isDryRun?: boolean
}

const API = '/api/v1'

/** The identity of an API key, as the service returns it. */
export async function whoIs(apiKey: string): Promise<Identity> {
  return (await ask('GET', '/whoami', undefined, { apiKey })) as unknown as Identity
}

/** @param path without `/api/v1` */
export async function read(path: string, itemData: object, signal?: AbortSignal): Promise<Answer> {
  return await ask('POST', path, { itemData, ...tenancy() }, signal === undefined ? {} : { signal })
}

/**
 * One page of a bulk query.
 *
 * @param organization default: that of the session
 */
export async function bulk(path: string, itemQuery: Query, signal?: AbortSignal, organization?: string): Promise<Page> {
  return (await ask(
    'POST',
    path,
    { itemQuery, ...tenancy(organization) },
    signal === undefined ? {} : { signal },
  )) as unknown as Page
}

/** The number of records, without the records. */
export async function count(
  path: string,
  filter: readonly Filter[] = [],
  signal?: AbortSignal,
  organization?: string,
): Promise<number> {
  return (await bulk(path, { filter, limit: 0 }, signal, organization)).count
}

/** A request that changes something, as it is sent. */
export interface Change {
  readonly method: 'POST' | 'PATCH'
  /** With `/api/v1` and the cluster. */
  readonly url: string
  /** JSON. */
  readonly body: string
  readonly idempotencyKey: string
}

/**
 * @param path without `/api/v1`
 * @param feePayer record of the account that pays for the transaction; null: the service chooses
 */
export function changeOf(
  method: Change['method'],
  path: string,
  itemData: object,
  { idempotencyKey, feePayer }: { readonly idempotencyKey: string; readonly feePayer: string | null },
): Change {
  const body = { itemData, ...paidBy(feePayer), ...tenancy() }
  return { method, url: urlOf(method, path), body: writeBody(body), idempotencyKey }
}

export async function change({ method, url, body, idempotencyKey }: Change): Promise<Answer> {
  return await answerOf(await send(method, url, body, { idempotencyKey }))
}

/** A dry run of a request: changes nothing. */
export async function dryRun(
  method: 'POST' | 'PATCH',
  path: string,
  itemData: object,
  feePayer: string | null,
): Promise<Answer> {
  const answer = await ask(method, path, { itemData, ...paidBy(feePayer), ...tenancy() }, { isDryRun: true })
  return answer['dryRun'] as Answer
}

export async function fetchEvents(after: number, limit: number, signal?: AbortSignal): Promise<Answer> {
  return await ask(
    'GET',
    `/events?${eventQuery({ after: String(after), limit: String(limit) })}`,
    undefined,
    signal === undefined ? {} : { signal },
  )
}

/** Sequence of the newest event; 0 if there is none. */
export async function newestEvent(signal: AbortSignal): Promise<number> {
  return (await fetchEvents(0, 0, signal))['lastSequence'] as number
}

/** The answer of `GET /events/stream`, whose body continues for as long as it is read. */
export async function openEventStream(signal: AbortSignal, after: number): Promise<Response> {
  const query = eventQuery({ after: String(after) })
  const response = await send('GET', `${API}/events/stream?${query}`, undefined, { signal })
  if (!response.ok) throw await refusalOf(response)
  return response
}

/** Paths outside the interface: health, metrics, the OpenAPI document. */
export async function beside(path: string, signal?: AbortSignal): Promise<Response> {
  return await fetch(path, { headers: headers({}), signal: signal ?? null, redirect: 'error' })
}

/** Not `crypto.randomUUID`, which browsers do not offer to pages without TLS. */
export function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

function eventQuery(parameters: Readonly<Record<string, string>>): string {
  const organization = current()?.scope.organization ?? null
  return new URLSearchParams({
    ...parameters,
    ...(organization === null ? {} : { overrideOrganizationExternalId: organization }),
    ...clusterQuery(),
  }).toString()
}

function tenancy(organization = current()?.scope.organization ?? null): object {
  return organization === null ? {} : { tenancyConfig: { overrideOrganizationExternalId: organization } }
}

function clusterQuery(): Readonly<Record<string, string>> {
  const cluster = current()?.scope.cluster ?? null
  return cluster === null ? {} : { chainClusterId: cluster }
}

function paidBy(feePayer: string | null): object {
  return feePayer === null ? {} : { chainTransactionConfig: { feePayer: { offchainId: feePayer } } }
}

function urlOf(method: string, path: string): string {
  const query = method === 'GET' ? '' : new URLSearchParams(clusterQuery()).toString()
  return `${API}${path}${query === '' ? '' : `?${query}`}`
}

async function ask(method: string, path: string, body: unknown, options: Ask): Promise<Answer> {
  const text = body === undefined ? undefined : writeBody(body)
  return await answerOf(await send(method, urlOf(method, path), text, options))
}

async function answerOf(response: Response): Promise<Answer> {
  if (!response.ok) throw await refusalOf(response)
  return parseAnswer(await response.text()) as Answer
}

async function send(
  method: string,
  url: string,
  body: string | undefined,
  { signal, ...options }: Ask,
): Promise<Response> {
  const asked = current()?.apiKey
  const response = await fetch(url, {
    method,
    headers: { ...headers(options), ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    body: body ?? null,
    signal: signal ?? null,
    redirect: 'error',
    credentials: 'omit',
  }).catch((error: unknown) => {
    if (signal?.aborted === true) throw error
    throw new RequestRefused(0, [], null)
  })
  // The key was disabled, or has expired, since it was accepted.
  if (response.status === 401 && options.apiKey === undefined && current()?.apiKey === asked)
    end('The service no longer accepts this key.')
  return response
}

function headers({ idempotencyKey, apiKey = current()?.apiKey, isDryRun = false }: Ask): Record<string, string> {
  return {
    ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
    ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
    ...(isDryRun ? { 'holdfast-dry-run': 'true' } : {}),
  }
}

async function refusalOf(response: Response): Promise<RequestRefused> {
  const requestId = response.headers.get('x-request-id')
  try {
    const { errors } = parseAnswer(await response.text()) as { errors?: readonly Problem[] }
    return new RequestRefused(response.status, Array.isArray(errors) ? errors : [], requestId)
  } catch {
    return new RequestRefused(response.status, [], requestId)
  }
}
