// Keeps secrets out of the log in two steps: members with secret names lose their values before a line is written, and
// anything that looks like a key is removed from the complete line.

const SHOWN = '[redacted]'
const MAX_DEPTH = 8

/**
 * Compared without case, hyphens and underscores. A private key looks like a signature and can be recognized only by
 * its name.
 */
const SECRET_NAMES = new Set([
  'authorization',
  'proxyauthorization',
  'cookie',
  'setcookie',
  'privatekey',
  'secretkey',
  'privatekeyjwe',
  'apikey',
  'secret',
  'secrets',
  'seed',
  'password',
  'passphrase',
  'masterkey',
  'bootstrapkey',
  'playerkeys',
  'datakey',
  'dek',
  'signingsecret',
  'mnemonic',
])

const API_KEY = /hf_([0-9A-Za-z]{12})_[0-9A-Za-z]{40,}/g
const WEBHOOK_SECRET = /wh(sec|sk)_[0-9A-Za-z+/=]{8,}/g
const BEARER = /\b(bearer\s+)[\w.~+/=-]{8,}/gi
const URL_PASSWORD = /(:\/\/)[^\s/@"\\]+@/g
const URL_PARAMETER = /([?&][\w-]*(?:key|token|secret|password)[\w-]*=)[^&\s"\\]+/gi

function isSecretName(name: string): boolean {
  return SECRET_NAMES.has(name.replace(/[-_]/g, '').toLowerCase())
}

/** The line, or any text, without anything that looks like a key. JSON stays valid. */
export function redactText(text: string): string {
  return text
    .replace(API_KEY, `hf_$1_${SHOWN}`)
    .replace(WEBHOOK_SECRET, `wh$1_${SHOWN}`)
    .replace(BEARER, `$1${SHOWN}`)
    .replace(URL_PASSWORD, `$1${SHOWN}@`)
    .replace(URL_PARAMETER, `$1${SHOWN}`)
}

/**
 * A copy for the log: members with secret names redacted at any depth, bytes replaced by their length, bigints as
 * decimal text.
 */
export function redactFields(value: unknown, depth = 0): unknown {
  if (typeof value === 'bigint') return value.toString()
  if (typeof value !== 'object' || value === null) return value
  if (value instanceof Error) return describeError(value)
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`
  if (depth >= MAX_DEPTH) return '[deeper]'
  if (Array.isArray(value)) return value.map((item) => redactFields(item, depth + 1))
  if ('toJSON' in value && typeof value.toJSON === 'function') return (value.toJSON as () => unknown)()
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, isSecretName(name) ? SHOWN : redactFields(member, depth + 1)]),
  )
}

/** Only the standard members of an error: additional ones (headers, bodies) are left out. */
function describeError(error: Error, depth = 0): object {
  const { cause } = error
  const code =
    'code' in error && (typeof error.code === 'string' || typeof error.code === 'number') ? error.code : undefined
  return {
    type: error.name,
    message: error.message,
    ...(code === undefined ? {} : { code }),
    stack: error.stack,
    ...(cause instanceof Error && depth < 4 ? { cause: describeError(cause, depth + 1) } : {}),
  }
}
