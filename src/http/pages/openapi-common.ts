// Parameters, headers and errors common to all endpoints of the OpenAPI document.

const text = { type: 'string' }

function parameter(name: string, where: 'header' | 'query', description: string, schema: object): object {
  return { name, in: where, required: false, description, schema }
}

export function PARAMETERS(clusters: readonly string[]): Record<string, object> {
  return {
    chainClusterId: parameter('chainClusterId', 'query', 'The cluster; the default cluster if absent.', {
      ...text,
      enum: clusters,
      default: clusters[0],
    }),
    xRequestId: parameter('x-request-id', 'header', 'A UUID, returned in the response; generated if absent.', {
      ...text,
      format: 'uuid',
    }),
    idempotencyKey: parameter(
      'Idempotency-Key',
      'header',
      'A request with the same key and body is executed once; later ones return its result.',
      { ...text, minLength: 1, maxLength: 255 },
    ),
    prefer: parameter(
      'Prefer',
      'header',
      'respond-async: respond once the transaction is signed and durable. wait=N: wait N seconds at most.',
      text,
    ),
    dryRun: parameter(
      'Holdfast-Dry-Run',
      'header',
      'true: respond with 200 and the expected result, and change nothing. 200 does not mean that the request would' +
        ' be accepted: the result has the verdict of each debit limit in `limits`.',
      { ...text, enum: ['true', 'false'] },
    ),
  }
}

/** Names of the parameters of a write endpoint. */
export function WRITE_PARAMETERS(hasDryRun: boolean): string[] {
  return !hasDryRun ? ['idempotencyKey'] : ['idempotencyKey', 'prefer', 'dryRun']
}

export const COMMON_HEADERS: Record<string, object> = {
  'X-Request-Id': {
    description: 'The id of the request, generated if it had none.',
    schema: { type: 'string', format: 'uuid' },
  },
  'RateLimit-Policy': { description: "The key's quota: requests (q) in a window of seconds (w).", schema: text },
  RateLimit: { description: 'Remaining requests (r), and seconds until the quota is full again (t).', schema: text },
}

export const REFERRED_HEADERS: Record<string, object> = Object.fromEntries(
  Object.keys(COMMON_HEADERS).map((name) => [name, { $ref: `#/components/headers/${name}` }]),
)

export const WRITE_HEADERS: Record<string, object> = {
  ...REFERRED_HEADERS,
  'Idempotency-Replayed': {
    description: 'true: this is the result of an earlier request with the same key.',
    schema: text,
  },
  'Preference-Applied': { description: 'The preferences of `Prefer` that were applied.', schema: text },
}

const STATUSES: Readonly<Record<number, string>> = {
  400: 'The request is refused; nothing was signed, sent or stored',
  401: 'No API key, or one that is not valid',
  403: 'The API key lacks the right',
  404: 'No such record',
  409: 'The record exists already',
  413: 'The body exceeds 1 MiB',
  415: 'The body is not application/json',
  429: 'Too many requests, or too much work queued; see Retry-After',
  500: 'The service failed',
  503: 'The service is stopping or not ready, or no node owns the data; see Retry-After',
  504: 'The owner of the data did not answer; repeat the request with the same Idempotency-Key',
}

export const ERRORS: Record<string, object> = Object.fromEntries(
  Object.entries(STATUSES).map(([status, description]) => [
    `E${status}`,
    {
      description,
      headers:
        Number(status) === 429 || Number(status) === 503
          ? { ...REFERRED_HEADERS, 'Retry-After': { description: 'Seconds.', schema: { type: 'integer' } } }
          : { 'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' } },
      content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
    },
  ]),
)

/** Response to a dry run, for endpoints that otherwise respond with 201. */
export const DRY_RUN = {
  description: 'The expected result: fee, size, accounts, signers, the verdicts of limits and the simulation',
  headers: REFERRED_HEADERS,
  content: { 'application/json': { schema: { $ref: '#/components/schemas/DryRun' } } },
}
