// The side of an adapter that faces Holdfast: takes its requests, verifies them, and returns the custodian's answer.
// The protocol is in src/docs/remote-signers.md. Node only, no packages.
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'

const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
const MAX_BODY_BYTES = 64 * 1024
const MAX_SKEW_SECONDS = 300
const TYPES = new Set(['signature.requested', 'key.proof.requested'])

/** The JSON file that the command line names. It holds secrets: only its owner may read it. */
export function readConfig() {
  return JSON.parse(readFileSync(process.argv[2], 'utf8'))
}

export function encodeBase58(bytes) {
  let number = BigInt(`0x0${Buffer.from(bytes).toString('hex')}`)
  let text = ''
  for (; number > 0n; number /= 58n) text = ALPHABET[Number(number % 58n)] + text
  for (const byte of bytes) {
    if (byte !== 0) break
    text = `1${text}`
  }
  return text
}

function decodeBase58(text) {
  let number = 0n
  for (const letter of text) {
    const digit = ALPHABET.indexOf(letter)
    if (digit < 0) return null
    number = number * 58n + BigInt(digit)
  }
  const hex = number.toString(16)
  return hex.length > 64 ? null : Buffer.from(hex.padStart(64, '0'), 'hex')
}

/**
 * Serves the protocol. `keys` names, by public key, what the custodian needs (`key`) and the organizations that may use
 * it (`organizations`). `decide` returns an answer without its id: SIGNED with 64 bytes, PENDING or REFUSED. It may
 * throw; Holdfast then asks again.
 */
export function serve({ secret, keys, port, decide }) {
  const hmacKey = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const server = createServer((request, response) => {
    answer(request, { hmacKey, keys, decide }).then(
      ([status, body]) => send(response, status, body),
      (error) => {
        console.error(`not answered: ${error.message}`)
        send(response, 502, {})
      },
    )
  })
  server.listen(port, '127.0.0.1', () => console.log(`listening on http://127.0.0.1:${server.address().port}`))
}

async function answer(request, { hmacKey, keys, decide }) {
  const body = await bodyOf(request)
  if (request.method !== 'POST' || body === null) return [400, {}]
  if (!isSigned(request.headers, body, hmacKey)) return [401, {}]
  const ask = JSON.parse(body.toString('utf8'))
  if (ask.type === 'check') return [200, {}]
  if (!TYPES.has(ask.type)) return [400, {}]
  const message = Buffer.from(ask.message, 'base64')
  const { id, publicKey, summary } = ask
  const address = decodeBase58(publicKey)
  if (address === null || createHash('sha256').update(message).update(address).digest('hex') !== id) return [400, {}]
  const known = Object.hasOwn(keys, publicKey) ? keys[publicKey] : null
  if (known === null || !known.organizations.includes(ask.tenantOrganizationId))
    return [200, { id, status: 'REFUSED', reason: 'the organization may not use the key' }]
  const decision = await decide({ id, message, key: known.key, summary: summary.join('\n') })
  const signature = decision.status === 'SIGNED' ? { signature: encodeBase58(decision.signature) } : {}
  return [200, { ...decision, id, ...signature }]
}

async function bodyOf(request) {
  const chunks = []
  let size = 0
  for await (const chunk of request) {
    size += chunk.length
    if (size > MAX_BODY_BYTES) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** Standard Webhooks 1.0. */
function isSigned(headers, body, hmacKey) {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures = '' } = headers
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) <= MAX_SKEW_SECONDS)) return false
  const hmac = createHmac('sha256', hmacKey).update(`${id}.${timestamp}.`).update(body).digest('base64')
  const expected = Buffer.from(`v1,${hmac}`)
  return signatures.split(' ').some((each) => {
    const given = Buffer.from(each)
    return given.length === expected.length && timingSafeEqual(given, expected)
  })
}

function send(response, status, body) {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

/** A request to the custodian: status and parsed body. */
export async function call(url, options) {
  const response = await fetch(url, { ...options, redirect: 'error', signal: AbortSignal.timeout(8_000) })
  return { status: response.status, body: await response.json() }
}
