// Adapter for Turnkey: node turnkey.mjs CONFIG.json, with {"secret": "whsec_...", "organization": "<Turnkey
// organization>", "apiPrivateKey": "<hex>", "journal": "<file>", "port": 9001, "keys": {"<public key>": {"key":
// "<address or key id>", "organizations": ["ACME"]}}}.
//
// From Turnkey's public documentation (docs.turnkey.com: stamps, sign raw payload, get activity): a request is
// authenticated by X-Stamp, the base64url of JSON with the compressed P-256 public key, the DER signature of the body
// and the scheme; raw payloads of Ed25519 keys are signed without a hash function; an activity that needs the consent
// of others is polled; the signature is r followed by s.
import { createECDH, createPrivateKey, sign } from 'node:crypto'
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs'
import { call, readConfig, serve } from './adapter.mjs'

const { api = 'https://api.turnkey.com', organization, apiPrivateKey, journal, secret, keys, port } = readConfig()

const ecdh = createECDH('prime256v1')
ecdh.setPrivateKey(Buffer.from(apiPrivateKey, 'hex'))
const stampKey = ecdh.getPublicKey('hex', 'compressed')
const point = ecdh.getPublicKey()
const stampSecret = createPrivateKey({
  format: 'jwk',
  key: {
    kty: 'EC',
    crv: 'P-256',
    x: point.subarray(1, 33).toString('base64url'),
    y: point.subarray(33).toString('base64url'),
    d: Buffer.from(apiPrivateKey, 'hex').toString('base64url'),
  },
})

/** Activities by the id of the request, kept over restarts: a request is submitted once and then polled. */
const activities = new Map(
  (existsSync(journal) ? readFileSync(journal, 'utf8') : '').split('\n').flatMap((line) => entryIn(line)),
)

/** None in a line that an interrupted write cut short. */
function entryIn(line) {
  try {
    const entry = JSON.parse(line)
    return Array.isArray(entry) && entry.length === 2 ? [entry] : []
  } catch {
    return []
  }
}

function remember(id, activityId) {
  activities.set(id, activityId)
  const file = openSync(journal, 'a', 0o600)
  // On a line of its own, also after a line that was cut short.
  writeSync(file, `\n${JSON.stringify([id, activityId])}\n`)
  fsyncSync(file)
  closeSync(file)
}

async function turnkey(path, parameters) {
  const body = JSON.stringify({ organizationId: organization, ...parameters })
  const stamp = {
    publicKey: stampKey,
    signature: sign('sha256', Buffer.from(body), stampSecret).toString('hex'),
    scheme: 'SIGNATURE_SCHEME_TK_API_P256',
  }
  const headers = {
    'content-type': 'application/json',
    'X-Stamp': Buffer.from(JSON.stringify(stamp)).toString('base64url'),
  }
  const answer = await call(`${api}/public/v1/${path}`, { method: 'POST', headers, body })
  if (answer.status !== 200) throw new Error(`Turnkey answers ${answer.status}`)
  return answer.body.activity
}

async function decide({ id, message, key }) {
  const known = activities.get(id)
  const activity =
    known === undefined
      ? await turnkey('submit/sign_raw_payload', {
          type: 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2',
          timestampMs: String(Date.now()),
          parameters: {
            signWith: key,
            payload: message.toString('hex'),
            encoding: 'PAYLOAD_ENCODING_HEXADECIMAL',
            hashFunction: 'HASH_FUNCTION_NOT_APPLICABLE',
          },
        })
      : await turnkey('query/get_activity', { activityId: known })
  if (known === undefined) remember(id, activity.id)
  switch (activity.status) {
    case 'ACTIVITY_STATUS_COMPLETED': {
      const { r, s } = activity.result.signRawPayloadResult
      return { status: 'SIGNED', signature: Buffer.from(`${r}${s}`, 'hex') }
    }
    case 'ACTIVITY_STATUS_REJECTED':
      return { status: 'REFUSED', reason: 'rejected in Turnkey' }
    case 'ACTIVITY_STATUS_CREATED':
    case 'ACTIVITY_STATUS_PENDING':
    case 'ACTIVITY_STATUS_CONSENSUS_NEEDED':
      return { status: 'PENDING' }
    // A failed activity does not say whether the key was used.
    default:
      throw new Error(`the activity is ${activity.status}`)
  }
}

serve({ secret, keys, port, decide })
