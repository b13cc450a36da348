// Adapter for Fireblocks: node fireblocks.mjs CONFIG.json, with {"secret": "whsec_...", "apiKey": "...", "apiSecret":
// "<PEM>", "port": 9002, "keys": {"<public key>": {"key": {"vaultAccountId": "0", "assetId": "SOL"}, "organizations":
// ["ACME"]}}}.
//
// From Fireblocks' public documentation (developers.fireblocks.com: JWT structure, create transaction, raw signing,
// find a transaction by external id): a request carries X-API-Key and a JWT (RS256, less than 30 seconds) over the path
// and the SHA-256 of the body; a transaction with operation RAW signs hex messages; `externalTxId` is unique, so the id
// of the request makes it idempotent and nothing is stored here. Raw signing has to be enabled and allowed by a policy.
import { createHash, randomUUID, sign } from 'node:crypto'
import { call, readConfig, serve } from './adapter.mjs'

const { api = 'https://api.fireblocks.io', apiKey, apiSecret, secret, keys, port } = readConfig()

const JWT_SECONDS = 25
const MAX_NOTE_CHARACTERS = 1_000
const ENDED = new Set(['REJECTED', 'BLOCKED', 'CANCELLED'])
const UNUSABLE = new Set(['FAILED', 'TIMEOUT'])

const encoded = (value) => Buffer.from(JSON.stringify(value)).toString('base64url')

async function fireblocks(method, uri, body = '') {
  const iat = Math.floor(Date.now() / 1000)
  const bodyHash = createHash('sha256').update(body).digest('hex')
  const claims = { uri, nonce: randomUUID(), iat, exp: iat + JWT_SECONDS, sub: apiKey, bodyHash }
  const signed = `${encoded({ alg: 'RS256', typ: 'JWT' })}.${encoded(claims)}`
  const token = `${signed}.${sign('sha256', Buffer.from(signed), apiSecret).toString('base64url')}`
  const headers = {
    'content-type': 'application/json',
    'X-API-Key': apiKey,
    Authorization: `Bearer ${token}`,
  }
  return await call(`${api}${uri}`, { method, headers, ...(body === '' ? {} : { body }) })
}

async function found(id) {
  const { status, body } = await fireblocks('GET', `/v1/transactions/external_tx_id/${id}`)
  if (status === 404) return null
  if (status !== 200) throw new Error(`Fireblocks answers ${status}`)
  return body
}

async function create({ id, message, key: { vaultAccountId, assetId }, summary }) {
  const transaction = {
    operation: 'RAW',
    assetId,
    source: { type: 'VAULT_ACCOUNT', id: vaultAccountId },
    note: summary.slice(0, MAX_NOTE_CHARACTERS),
    externalTxId: id,
    extraParameters: {
      rawMessageData: { algorithm: 'MPC_EDDSA_ED25519', messages: [{ content: message.toString('hex') }] },
    },
  }
  const { status } = await fireblocks('POST', '/v1/transactions', JSON.stringify(transaction))
  if (status >= 300) throw new Error(`Fireblocks answers ${status}`)
}

async function decide(ask) {
  const transaction = await found(ask.id)
  if (transaction === null) {
    await create(ask)
    return { status: 'PENDING', retryAfterSeconds: 1 }
  }
  const { status, signedMessages = [] } = transaction
  if (status === 'COMPLETED') {
    const content = ask.message.toString('hex')
    const signed = signedMessages.find((each) => each.content === content)
    if (signed === undefined) throw new Error('the transaction has no signature of the message')
    return { status: 'SIGNED', signature: Buffer.from(signed.signature.fullSig, 'hex') }
  }
  if (ENDED.has(status)) return { status: 'REFUSED', reason: `${status} in Fireblocks` }
  // A failure does not say whether the key was used.
  if (UNUSABLE.has(status)) throw new Error(`the transaction is ${status}`)
  return { status: 'PENDING' }
}

serve({ secret, keys, port, decide })
