// The handler of every route. The contract fixes the order of checks: authentication, admission, role, cluster; then
// the body, the organization acted for, and the operation. Everything independent of a request is prepared once.
import { reportingAll } from '../contract/values/rule.ts'
import { spelledAsIn } from '../contract/values/aliases.ts'
import type { z } from 'zod'
import type { Call, JsonObject } from '../contract/call.ts'
import type { RequestAdmission } from './admission.ts'
import { requireRole, type Authenticator } from './authenticate.ts'
import { digestOf } from '../contract/canonical.ts'
import { acceptorOf, UNDECIDED } from './body/acceptor.ts'
import { unwrapPointers, wrapBare } from './body/bare.ts'
import { JsonBytes, JsonText } from '../contract/json-bytes.ts'
import type { HeldBytes } from './body/held-bytes.ts'
import { withoutNulls } from './body/nulls.ts'
import { parseBody, type ParsedBody } from './body/parse.ts'
import { problemsOf } from './body/problems.ts'
import { checkBodyHeaders, readBody } from './body/read.ts'
import type { Clusters } from './clusters.ts'
import { answer, answerFile, JSON_TYPE, type Exchange, type ApiFor } from './exchange.ts'
import { answerPieces } from './pieces.ts'
import type { RequestResult } from './ports.ts'
import { foldedKey, preferencesOf, type Preferences } from './preferences.ts'
import { frontRefusal } from './problem.ts'
import { refusesDryRun, type Route } from './route.ts'
import { credentialsInvalid, Refusal } from '../contract/refusal.ts'
import { ServedByOtherCell } from '../contract/served-by-other-cell.ts'
import { noteRead } from './forwarded.ts'

export interface EndpointDependencies {
  readonly apiFor: ApiFor
  readonly authenticator: Authenticator
  readonly clusters: Clusters
  readonly admission: RequestAdmission
  /** Of all endpoints together, and of the bodies that a gateway reads before. */
  readonly held: HeldBytes
  readonly responseWaitMs: number
  /** True while requests are rejected: the service is stopping or cannot work. */
  readonly closed: (exchange: Exchange) => boolean
}

/** The members of a body that the front end itself reads. */
interface Envelope {
  readonly itemData?: { idempotencyId?: string | undefined; readonly externalReference?: string | undefined }
  readonly tenancyConfig?: { readonly overrideOrganizationExternalId?: string | undefined }
}

/** @param extra members that the path adds to the body, e.g. the detail level */
export function endpoint(
  route: Route,
  deps: EndpointDependencies,
  extra: JsonObject = {},
): (exchange: Exchange) => Promise<void> {
  const name = `${route.method} ${route.path}`
  const hasExtra = Object.keys(extra).length > 0

  return async function handle(exchange) {
    const { headers } = exchange.req
    exchange.state.endpoint = name
    checkBodyHeaders(headers, route.maxBodyBytes)
    if (deps.closed(exchange)) throw frontRefusal(503, 'UNAVAILABLE', 'the service is stopping or cannot write')
    const known = deps.authenticator.caller(exchange)
    const caller = known instanceof Promise ? await known : known
    exchange.state.caller = caller
    deps.admission.admit(exchange, caller)
    requireRole(caller, route.roles)
    const cluster = deps.clusters.of(exchange.state.query, caller)
    const preferences = preferencesOf(headers, deps.responseWaitMs)
    checkDryRun(route, preferences)
    const bytes = await readBody(exchange.req, route.maxBodyBytes, deps.held.meter(exchange.res, caller.tenant))
    const isRevoked = (): boolean => deps.authenticator.isRevoked(exchange)
    if (isRevoked()) throw credentialsInvalid()
    const parsed = parseBody(bytes)
    const wrapped = route.alsoBare === true ? wrapBare(parsed) : undefined
    try {
      const body = validateParsed(route.schema, wrapped ?? parsed)
      exchange.state.body = body
      const api = deps.apiFor(exchange)
      const { organization, tenant } = api.callFor(caller, {
        cluster,
        overrideOrganization: body.tenancyConfig?.overrideOrganizationExternalId,
      })
      const externalReference = route.kind === 'write' ? body.itemData?.externalReference : undefined
      const call: Call = {
        caller,
        organization,
        tenant,
        ...servedFor(exchange, tenant),
        cluster,
        requestId: exchange.state.requestId,
        endpoint: name,
        idempotency: route.kind === 'write' ? idempotencyOf(preferences, body) : null,
        waitMs: preferences.waitMs,
        dryRun: preferences.dryRun,
        ...(externalReference === undefined ? {} : { externalReference }),
        charge: (requests) => deps.admission.charge(exchange, caller, requests),
        isRevoked,
      }
      const input = (hasExtra ? { ...body, ...extra } : body) as never
      if (route.kind === 'stream') await answerPieces(exchange, await api.read(call, route.operation, input))
      else if (route.kind === 'read') answerRead(exchange, await api.read(call, route.operation, input))
      else answerWrite(exchange, route, preferences, await api.perform(call, route.operation, input))
    } catch (error) {
      if (error instanceof ServedByOtherCell) noteRead(exchange.req, bytes)
      const refusal = asSpelled(error, () => (wrapped === undefined ? parseBody(bytes) : wrapBare(parseBody(bytes))))
      throw asListed(route, wrapped === undefined ? refusal : unwrapPointers(refusal))
    }
  }
}

/** Throws 400 `DRY_RUN_WITHOUT_TRANSACTION`. */
function checkDryRun(route: Route, { dryRun }: Preferences): void {
  if (!dryRun || !refusesDryRun(route)) return
  throw frontRefusal(400, 'DRY_RUN_WITHOUT_TRANSACTION', 'a dry run requires an endpoint that creates transactions')
}

function answerRead(exchange: Exchange, found: unknown): void {
  if (found instanceof JsonBytes) answerFile(exchange, JSON_TYPE, found.bytes, () => found.release())
  else answer(exchange, 200, JSON_TYPE, found instanceof JsonText ? found.text : JSON.stringify(found))
}

function answerWrite(exchange: Exchange, route: Route, { applied }: Preferences, result: RequestResult): void {
  if (applied !== undefined) exchange.res.setHeader('Preference-Applied', applied)
  if (result.replayed) exchange.res.setHeader('Idempotency-Replayed', 'true')
  answer(exchange, statusOf(route, result), JSON_TYPE, JSON.stringify(result.body))
}

function servedFor({ state }: Exchange, tenant: string): Pick<Call, 'servedFor'> {
  return state.servedFor === undefined || state.servedFor === tenant ? {} : { servedFor: state.servedFor }
}

function statusOf({ status }: Route, { dryRun, pending }: RequestResult): number {
  if (pending === true) return 202
  return dryRun ? 200 : status
}

/** Throws a Refusal (400) with all problems of the body. */
export function validate(schema: z.ZodType, bytes: Buffer): Envelope {
  return validateParsed(schema, parseBody(bytes))
}

function validateParsed(schema: z.ZodType, { value, problems, hasNull }: ParsedBody): Envelope {
  // Few bodies contain null: skip the walk for the others.
  if (hasNull) withoutNulls(schema, value)
  const accepted = problems.length === 0 ? acceptorOf(schema)(value) : UNDECIDED
  if (accepted !== UNDECIDED) return accepted as Envelope
  const result = schema.safeParse(value)
  if (result.success && problems.length === 0) return result.data as Envelope
  const { error } = reportingAll(() => schema.safeParse(value, { reportInput: true }))
  throw new Refusal(400, problemsOf(error?.issues ?? [], problems))
}

/** Removes the key from the body: it identifies the request and is not part of its content. */
function idempotencyOf(preferences: Preferences, body: Envelope): Call['idempotency'] {
  const inBody = body.itemData?.idempotencyId
  const sentKey = preferences.idempotencyKey ?? inBody
  if (sentKey === undefined) return null
  const key = foldedKey(sentKey)
  if (inBody !== undefined) {
    if (key !== inBody) {
      throw frontRefusal(
        400,
        'IDEMPOTENCY_KEY_CONFLICT',
        'must equal the header Idempotency-Key',
        '/itemData/idempotencyId',
      )
    }
    body.itemData!.idempotencyId = undefined
  }
  return { key, ...(key === sentKey ? {} : { sentKey }), digest: digestOf(body) }
}

/** @param sent the body as it arrived: validation changes what it has read */
function asSpelled(error: unknown, sent: () => ParsedBody | undefined): unknown {
  if (!(error instanceof Refusal) || error.problems.every(({ pointer = '' }) => pointer === '')) return error
  const body = sent()?.value
  const problems = error.problems.map((problem) =>
    problem.pointer === undefined ? problem : { ...problem, pointer: spelledAsIn(body, problem.pointer) },
  )
  return new Refusal(error.status, problems, error.retryAfterSeconds)
}

/** 404 and 409 only where the contract lists them; elsewhere the same problem is a 400. */
function asListed(route: Route, error: unknown): unknown {
  if (!(error instanceof Refusal)) return error
  const listed409 = route.kind === 'write' && route.conflict === true
  const unlisted = (error.status === 404 && route.notFound !== true) || (error.status === 409 && !listed409)
  return unlisted ? new Refusal(400, error.problems, error.retryAfterSeconds) : error
}
