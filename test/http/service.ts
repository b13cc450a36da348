// The real server with an API that returns its input, so that tests can inspect what the operations receive.
import { Readable } from 'node:stream'
import { onTestFinished } from 'vitest'
import { SERVER_CAPS } from '../../src/config/server-caps.ts'
import type { Call, Caller, JsonObject } from '../../src/contract/call.ts'
import { forbidden } from '../../src/contract/refusal.ts'
import type { StreamedAnswer } from '../../src/contract/streamed.ts'
import type { NodeGateway } from '../../src/http/node-gateway.ts'
import type { Api, HttpSettings, RequestLog } from '../../src/http/ports.ts'
import { ROLES } from '../../src/contract/roles.ts'
import { routes } from '../../src/http/routes.ts'
import { createServer, type RestServer } from '../../src/http/server.ts'
import type { Site } from '../../src/site/files.ts'
import { Metrics } from '../../src/telemetry/metrics.ts'

export const KEY = 'full'

const FULL: Caller = {
  keyId: 'full00000000',
  organization: 'ACME',
  tenant: 'ACME',
  system: false,
  roles: new Set(ROLES),
  clusters: null,
}
const CALLERS: Readonly<Record<string, Caller>> = {
  [KEY]: FULL,
  reader: { ...FULL, keyId: 'reader000000', roles: new Set(['ACCOUNTS_READ']) },
  other: { ...FULL, keyId: 'other0000000', organization: 'OTHER', tenant: 'OTHER' },
  elsewhere: { ...FULL, keyId: 'elsewhere000', clusters: new Set(['CHAIN_MAINNET']) },
}

export const SETTINGS: HttpSettings = {
  host: '127.0.0.1',
  port: 0,
  clusters: ['CHAIN_DEVNET', 'CHAIN_MAINNET'],
  rateLimit: { perSecond: 1_000_000, burst: 1_000_000 },
  tenantShare: 10,
  responseWaitMs: 10_000,
  tls: null,
  trustedProxy: [],
}

/** The content of an answer of this API. */
export interface Echo {
  readonly input: Record<string, unknown> & { itemData: Record<string, unknown> }
  readonly call: Omit<Call, 'caller'>
}

/** Until the end of the test. */
export function limitHeldBodies(bytes: number): void {
  const { heldBodyBytes } = SERVER_CAPS
  Object.assign(SERVER_CAPS, { heldBodyBytes: bytes })
  onTestFinished(() => void Object.assign(SERVER_CAPS, { heldBodyBytes }))
}

function echo({ caller: _caller, ...call }: Call, input: unknown): JsonObject {
  return { input, call } as unknown as JsonObject
}

/** Endpoints whose answers are streamed. */
const STREAMED = new Set(routes.filter(({ kind }) => kind === 'stream').map(({ method, path }) => `${method} ${path}`))

function streamAnswer(answer: JsonObject): StreamedAnswer {
  return {
    type: 'application/json; charset=utf-8',
    fileName: null,
    pieces: Readable.from([JSON.stringify(answer)]) as AsyncIterable<string>,
  }
}

export function echoApi(changes: Partial<Api> = {}): Api {
  return {
    authenticate: (bearer) => CALLERS[bearer] ?? 'invalid',
    callFor(caller, { overrideOrganization }) {
      if (overrideOrganization === undefined) return caller
      if (overrideOrganization !== 'CHILD')
        throw forbidden('OVERRIDE_NOT_ALLOWED', 'not your organization', '/tenancyConfig')
      return { organization: 'CHILD', tenant: caller.tenant }
    },
    perform: (call, _write, input) =>
      Promise.resolve({ body: echo(call, input), replayed: false, dryRun: call.dryRun }),
    read: (call, _read, input) =>
      (STREAMED.has(call.endpoint) ? streamAnswer(echo(call, input)) : echo(call, input)) as never,
    refused: () => Promise.resolve(),
    events: { lastSequence: () => 0, subscribe: () => () => undefined },
    readiness: () => ({ ready: true, checks: { store: 'ok' } }),
    accepting: true,
    ...changes,
  }
}

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly body: unknown
  readonly text: string
}

export interface Problems {
  readonly type: string
  readonly status: number
  readonly requestId: string
  readonly detail: string
  readonly errors: readonly {
    readonly code: string
    readonly message: string
    readonly pointer?: string
    readonly retryable: boolean
  }[]
}

export interface RunningService extends AsyncDisposable {
  readonly url: string
  readonly server: RestServer
  readonly lines: { readonly fields: object; readonly message: string }[]
  /** `body`: text is sent unchanged, anything else as JSON. */
  request(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Answer>
}

function asSent(body: unknown): string | Uint8Array<ArrayBuffer> {
  return typeof body === 'string' || body instanceof Uint8Array
    ? (body as string | Uint8Array<ArrayBuffer>)
    : JSON.stringify(body)
}

export async function startEcho(
  changes: {
    api?: Partial<Api>
    settings?: Partial<HttpSettings>
    served?: Site
    gateway?: NodeGateway
    debug?: RequestLog['debug']
    stalledMs?: number
  } = {},
): Promise<RunningService> {
  const lines: RunningService['lines'] = []
  const keep = (fields: object, message: string): void => void lines.push({ fields, message })
  const { served, gateway, debug = () => undefined, stalledMs } = changes
  const log: RequestLog = { debug, error: keep }
  const server = createServer({
    api: echoApi(changes.api),
    settings: { ...SETTINGS, ...changes.settings },
    log,
    metrics: new Metrics(),
    ...(served === undefined ? {} : { served }),
    ...(gateway === undefined ? {} : { nodeGateway: gateway }),
    ...(stalledMs === undefined ? {} : { stalledMs }),
  })
  const url = await server.listen()

  async function request(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const response = await fetch(url + path, {
      method,
      headers: {
        authorization: `Bearer ${KEY}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: asSent(body) }),
    })
    const text = await response.text()
    const json = response.headers.get('content-type')?.includes('json') ?? false
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: json && text !== '' ? (JSON.parse(text) as unknown) : undefined,
    }
  }

  return {
    url,
    server,
    lines,
    request,
    post: (path, body, headers) => request('POST', path, body, headers),
    [Symbol.asyncDispose]: () => server.stop(1_000),
  }
}
