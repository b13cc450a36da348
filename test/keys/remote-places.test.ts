// Vault's transit engine and AWS KMS, each against a server that keeps its contract: what is asked of them, what they answer, and that no
// answer is taken for more than it says.
import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Secret } from '../../src/config/secret.ts'
import { openAwsKms } from '../../src/keys/aws-kms.ts'
import { verifySignature } from '../../src/keys/keypair.ts'
import { SigningRefused } from '../../src/keys/signer.ts'
import { VaultTransit } from '../../src/keys/vault-transit.ts'

const TOKEN = 'hvs.a-token'
const message = Buffer.from('a message that is to be signed')
const servers: Server[] = []
const vaultKeys = new Map<string, KeyObject>()
const kmsKeys = new Map<string, KeyObject>()
let vaultUrl = ''
let kmsUrl = ''
/** What both servers answer instead, when set. */
let trouble: { status: number; body: object } | null = null
const asked: { path: string; body: Record<string, unknown> }[] = []

const newKey = (): KeyObject => generateKeyPairSync('ed25519').privateKey
const spkiOf = (key: KeyObject): Buffer => {
  const jwk = key.export({ format: 'jwk' })
  return Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), Buffer.from(jwk.x!, 'base64url')])
}

async function served(
  answer: (request: IncomingMessage, body: Record<string, unknown>) => { status: number; body: object },
): Promise<string> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(chunks).toString() || '{}') as Record<string, unknown>
      asked.push({ path: request.url ?? '', body })
      const said = trouble ?? answer(request, body)
      response.writeHead(said.status, { 'content-type': 'application/json' }).end(JSON.stringify(said.body))
    })
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

beforeAll(async () => {
  vaultUrl = await served(({ method, url = '', headers }, body) => {
    if (headers['x-vault-token'] !== TOKEN) return { status: 403, body: { errors: ['permission denied'] } }
    const [, action, name = ''] = /^\/v1\/transit\/(keys|sign)\/([\w-]+)$/.exec(url) ?? []
    if (action === 'keys' && method === 'POST') vaultKeys.set(name, newKey())
    const key = vaultKeys.get(name)
    if (key === undefined) return { status: 400, body: { errors: ['signing key not found'] } }
    const publicKey = spkiOf(key).subarray(12).toString('base64')
    if (action === 'keys') return { status: 200, body: { data: { type: 'ed25519', keys: { 1: { public_key: publicKey } } } } }
    const signature = sign(null, Buffer.from(String(body['input']), 'base64'), key).toString('base64')
    return { status: 200, body: { data: { signature: `vault:v1:${signature}`, key_version: 1 } } }
  })
  kmsUrl = await served(({ headers }, body) => {
    const target = String(headers['x-amz-target'])
    const name = String(body['KeyId'])
    if (target === 'TrentService.CreateKey') {
      const made = `key-${kmsKeys.size}`
      kmsKeys.set(made, newKey())
      return { status: 200, body: { KeyMetadata: { KeyId: made } } }
    }
    const key = kmsKeys.get(name)
    if (key === undefined) return { status: 400, body: { __type: 'NotFoundException', message: 'no such key' } }
    if (target === 'TrentService.GetPublicKey') return { status: 200, body: { KeyId: name, PublicKey: spkiOf(key).toString('base64') } }
    const signature = sign(null, Buffer.from(String(body['Message']), 'base64'), key).toString('base64')
    return { status: 200, body: { KeyId: name, Signature: signature } }
  })
  process.env['AWS_ACCESS_KEY_ID'] = 'id'
  process.env['AWS_SECRET_ACCESS_KEY'] = 'secret'
})
afterAll(() => {
  for (const server of servers) server.close()
})

const vault = (token = TOKEN) => new VaultTransit({ url: vaultUrl, token: new Secret(token), mount: 'transit' })
const kms = () => openAwsKms({ region: 'eu-central-1', endpoint: kmsUrl })
const places = [['vault', () => Promise.resolve(vault()), vaultKeys] as const, ['aws-kms', kms, kmsKeys] as const]

test.each(places)('%s makes a key that stays there, and signs the same for the same question', async (kept, open) => {
  asked.length = 0
  const place = await open()
  const key = await place.make()
  expect(key).toMatchObject({ v: 1, kept })
  const [one, two] = [await place.signer(key).sign(message, 'q'), await (await open()).signer(key).sign(message, 'q')]
  expect(verifySignature(message, one, key.address)).toBe(true)
  expect(Buffer.from(two).equals(Buffer.from(one))).toBe(true)
  const made = asked[0]!.body
  if (kept === 'vault') expect(made).toEqual({ type: 'ed25519', exportable: false, allow_plaintext_backup: false })
  else {
    expect(made).toMatchObject({ KeySpec: 'ECC_NIST_EDWARDS25519', KeyUsage: 'SIGN_VERIFY' })
    expect(asked.at(-1)!.body).toMatchObject({ MessageType: 'RAW', SigningAlgorithm: 'ED25519_SHA_512' })
  }
})

test.each(places)('%s out of order is asked again later; what it has not is refused for good', async (_kept, open, keys) => {
  const place = await open()
  const key = await place.make()
  trouble = { status: 503, body: { __type: 'InternalException' } }
  const failure = await place
    .signer(key)
    .sign(message, 'q')
    .catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(Error)
  expect(failure).not.toBeInstanceOf(SigningRefused)
  await expect(place.make()).rejects.toMatchObject({ code: 'KEY_STORE_UNAVAILABLE' })
  trouble = null
  keys.delete(key.name)
  await expect(place.signer(key).sign(message, 'q')).rejects.toThrow(SigningRefused)
})

test('a token that is not taken is in no message, and nothing is refused for good', async () => {
  const key = await vault().make()
  const failure: unknown = await vault('hvs.wrong')
    .signer(key)
    .sign(message, 'q')
    .catch((error: unknown) => error)
  expect(String(failure)).toContain('403')
  expect(String(failure)).not.toContain('hvs.wrong')
  expect(failure).not.toBeInstanceOf(SigningRefused)
})
