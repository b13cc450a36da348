// The adapters in src/deploy/signers as programs, between the client of the service for custodians and stand-ins of the
// public APIs of Turnkey and Fireblocks, which follow their public documentation and check the requests.
import { once as event } from 'node:events'
import { spawn, type ChildProcess } from 'node:child_process'
import { createHash, createPublicKey, generateKeyPairSync, sign, verify, type KeyObject } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import bs58 from 'bs58'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { remoteSigners } from '../../src/config/remote-signers.ts'
import { Custodians } from '../../src/keys/custodians/custodians.ts'
import { verifySignature } from '../../src/keys/keypair.ts'
import type { SignerAnswer, SigningSubject } from '../../src/keys/signer.ts'

const SECRET = `whsec_${Buffer.alloc(32, 3).toString('base64')}`
const OWNER = { organization: 'ACME', cluster: 'CHAIN_DEVNET' }
const FOLDER = join(import.meta.dirname, '../../src/deploy/signers')

type Body = Record<string, unknown>
type Api = (request: IncomingMessage, text: string, key: KeyObject) => { status: number; body: Body }

/** A custodian: one Ed25519 key, and its answers to requests. */
interface StandIn {
  readonly server: Server
  readonly url: string
  readonly key: KeyObject
  readonly address: string
}

const scratch = mkdtempSync(join(tmpdir(), 'holdfast-signers-'))
const servers: Server[] = []
const programs: ChildProcess[] = []
afterAll(() => {
  for (const server of servers) server.close()
  for (const program of programs) program.kill('SIGKILL')
  rmSync(scratch, { recursive: true, force: true })
})

async function standIn(api: Api): Promise<StandIn> {
  const { privateKey: key } = generateKeyPairSync('ed25519')
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { status, body } = api(request, Buffer.concat(chunks).toString('utf8'), key)
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    })
  })
  server.listen(0, '127.0.0.1')
  await event(server, 'listening')
  servers.push(server)
  const address = bs58.encode(Buffer.from(key.export({ format: 'jwk' }).x!, 'base64url'))
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, key, address }
}

/** Starts the adapter; resolves with its address. */
async function adapter(name: string, config: object): Promise<string> {
  const file = join(scratch, `${name}.json`)
  writeFileSync(file, JSON.stringify({ secret: SECRET, port: 0, ...config }), { mode: 0o600 })
  const program = spawn(process.execPath, [join(FOLDER, `${name}.mjs`), file], { stdio: ['ignore', 'pipe', 'inherit'] })
  programs.push(program)
  const [line] = (await event(program.stdout, 'data')) as [Buffer]
  return /http:\S+/.exec(line.toString())![0]
}

const subject = (organization = 'ACME'): SigningSubject => ({
  organization,
  requestedBy: organization,
  cluster: 'CHAIN_DEVNET',
  account: { onchainId: 'a', offchainId: 'b' },
  transaction: { offchainId: 'c' },
  summary: ['Transfer 1 SOL'],
  lastValidBlockHeight: 7,
})
const custodiansAt = (url: string, secret = SECRET): Custodians =>
  new Custodians(remoteSigners(JSON.stringify({ CUSTODY: { url, secret } })), 'tag')

/** The required behavior of every adapter. */
async function keepsProtocol(url: string, { address }: StandIn, next: (status: string) => void): Promise<void> {
  const custodians = custodiansAt(url)
  const ask = (message: string, organization?: string): Promise<SignerAnswer> =>
    custodians.signer({ address, name: 'CUSTODY' }).sign(Buffer.from(message), 'key', subject(organization))
  const untilSigned = async (message: string): Promise<Uint8Array> => {
    for (;;) {
      const answer = await ask(message)
      if (answer.kind === 'signed') return answer.signature
      expect(answer.kind).toBe('pending')
    }
  }
  next('done')
  const first = await untilSigned('one')
  expect(verifySignature(Buffer.from('one'), first, address)).toBe(true)
  expect(await ask('one')).toEqual({ kind: 'signed', signature: first })
  next('waits')
  for (let poll = 0; poll < 3; poll += 1) expect((await ask('two')).kind).toBe('pending')
  next('done')
  expect(verifySignature(Buffer.from('two'), await untilSigned('two'), address)).toBe(true)
  next('rejected')
  await ask('three').catch(() => undefined)
  expect(await ask('three')).toMatchObject({ kind: 'refused', neverSigned: true })
  next('failed')
  await ask('four').catch(() => undefined)
  await expect(ask('four')).rejects.toThrow('the signer answered 502')
  next('done')
  expect((await ask('five', 'OTHER')).kind).toBe('refused')
  const stranger = custodiansAt(url, `whsec_${Buffer.alloc(32, 4).toString('base64')}`)
  const pendingSignature = stranger.signer({ address, name: 'CUSTODY' }).sign(Buffer.from('six'), 'key', subject())
  await expect(pendingSignature).rejects.toThrow('the signer answered 401')
  const request = { signer: 'CUSTODY', publicKey: address, owner: OWNER }
  const makeKey = async (): Promise<unknown> => await custodians.make(request).catch(() => custodians.make(request))
  expect(await makeKey()).toMatchObject({ kept: 'remote', address })
}

describe('the adapter for Turnkey', () => {
  const activities = new Map<string, { payload: string; stays: string }>()
  let turnkey: StandIn
  let now = 'done'
  const STATUS: Record<string, string> = {
    done: 'ACTIVITY_STATUS_COMPLETED',
    waits: 'ACTIVITY_STATUS_CONSENSUS_NEEDED',
    rejected: 'ACTIVITY_STATUS_REJECTED',
    failed: 'ACTIVITY_STATUS_FAILED',
  }
  const { privateKey: stamping } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x, y, d } = stamping.export({ format: 'jwk' }) as { x: string; y: string; d: string }
  const compressed = (): string => {
    const last = Buffer.from(y, 'base64url').at(-1)!
    return `${last % 2 === 0 ? '02' : '03'}${Buffer.from(x, 'base64url').toString('hex')}`
  }

  beforeAll(async () => {
    turnkey = await standIn(({ url, headers }, text, key) => {
      const stamp = JSON.parse(Buffer.from(String(headers['x-stamp']), 'base64url').toString()) as Record<
        string,
        string
      >
      expect([stamp['scheme'], stamp['publicKey']]).toEqual(['SIGNATURE_SCHEME_TK_API_P256', compressed()])
      const isStamped = verify(
        'sha256',
        Buffer.from(text),
        createPublicKey(stamping),
        Buffer.from(stamp['signature']!, 'hex'),
      )
      if (!isStamped) return { status: 401, body: {} }
      const body = JSON.parse(text) as Body & { activityId?: string; parameters?: Record<string, string> }
      expect(body['organizationId']).toBe('turnkey-org')
      let id = body.activityId
      if (url === '/public/v1/submit/sign_raw_payload') {
        expect(body).toMatchObject({
          type: 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2',
          timestampMs: expect.stringMatching(/^\d{13}$/) as string,
          parameters: {
            signWith: 'key-1',
            encoding: 'PAYLOAD_ENCODING_HEXADECIMAL',
            hashFunction: 'HASH_FUNCTION_NOT_APPLICABLE',
          },
        })
        id = `activity-${activities.size}`
        activities.set(id, { payload: body.parameters!['payload']!, stays: '' })
      } else expect(url).toBe('/public/v1/query/get_activity')
      const signature = sign(null, Buffer.from(activities.get(id!)!.payload, 'hex'), key).toString('hex')
      const signed = { r: signature.slice(0, 64), s: signature.slice(64), v: '00' }
      const result = now === 'done' ? { signRawPayloadResult: signed } : {}
      return { status: 200, body: { activity: { id, status: STATUS[now], result } } }
    })
  })

  it('follows the protocol, and submits each request once', async () => {
    const journal = join(scratch, 'activities.jsonl')
    // As after an interrupted write.
    writeFileSync(journal, '["cut","sho')
    const config = {
      api: turnkey.url,
      organization: 'turnkey-org',
      apiPrivateKey: Buffer.from(d, 'base64url').toString('hex'),
      journal,
      keys: { [turnkey.address]: { key: 'key-1', organizations: ['ACME'] } },
    }
    const url = await adapter('turnkey', config)
    await keepsProtocol(url, turnkey, (status) => (now = status))
    const payloads = [...activities.values()].map(({ payload }) => payload)
    expect(new Set(payloads).size).toBe(payloads.length)
    const again = custodiansAt(await adapter('turnkey', config)).signer({ address: turnkey.address, name: 'CUSTODY' })
    expect((await again.sign(Buffer.from('one'), 'key', subject())).kind).toBe('signed')
    expect(activities.size).toBe(payloads.length)
  })
})

describe('the adapter for Fireblocks', () => {
  const { privateKey: apiSecret, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const transactions = new Map<string, string>()
  const nonces = new Set<string>()
  let fireblocks: StandIn
  let now = 'done'
  const STATUS: Record<string, string> = {
    done: 'COMPLETED',
    waits: 'PENDING_AUTHORIZATION',
    rejected: 'REJECTED',
    failed: 'FAILED',
  }

  /** As documented: RS256, path, hash of the body, an unused nonce, less than 30 seconds. */
  function isAuthentic({ url, headers }: IncomingMessage, text: string): boolean {
    const [head, payload, signature] = String(headers.authorization).replace('Bearer ', '').split('.') as [
      string,
      string,
      string,
    ]
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<string, string> & {
      iat: number
      exp: number
    }
    const isFresh = !nonces.has(claims['nonce']!) && claims.exp - claims.iat < 30 && claims.exp * 1_000 > Date.now()
    nonces.add(claims['nonce']!)
    const isAbout = claims['uri'] === url && claims['bodyHash'] === createHash('sha256').update(text).digest('hex')
    const isOurs = claims['sub'] === 'api-key' && headers['x-api-key'] === 'api-key'
    const isSigned = verify('sha256', Buffer.from(`${head}.${payload}`), publicKey, Buffer.from(signature, 'base64url'))
    return isFresh && isAbout && isOurs && isSigned
  }

  beforeAll(async () => {
    fireblocks = await standIn((request, text, key) => {
      if (!isAuthentic(request, text)) return { status: 401, body: {} }
      const { url = '', method } = request
      if (method === 'POST') {
        expect(url).toBe('/v1/transactions')
        const body = JSON.parse(text) as {
          externalTxId: string
          extraParameters: { rawMessageData: { messages: { content: string }[] } }
        }
        expect(body).toMatchObject({
          operation: 'RAW',
          assetId: 'SOL',
          source: { type: 'VAULT_ACCOUNT', id: '0' },
          extraParameters: { rawMessageData: { algorithm: 'MPC_EDDSA_ED25519' } },
        })
        if (transactions.has(body.externalTxId)) return { status: 400, body: {} }
        transactions.set(body.externalTxId, body.extraParameters.rawMessageData.messages[0]!.content)
        return { status: 200, body: { id: 'tx', status: 'SUBMITTED' } }
      }
      const id = url.replace('/v1/transactions/external_tx_id/', '')
      const content = transactions.get(id)
      if (content === undefined) return { status: 404, body: {} }
      const fullSig = sign(null, Buffer.from(content, 'hex'), key).toString('hex')
      const signedMessages = now === 'done' ? [{ content, algorithm: 'MPC_EDDSA_ED25519', signature: { fullSig } }] : []
      return { status: 200, body: { id: 'tx', status: STATUS[now], signedMessages } }
    })
  })

  it('follows the protocol, and creates one transaction for each request', async () => {
    const url = await adapter('fireblocks', {
      api: fireblocks.url,
      apiKey: 'api-key',
      apiSecret: apiSecret.export({ type: 'pkcs8', format: 'pem' }),
      keys: { [fireblocks.address]: { key: { vaultAccountId: '0', assetId: 'SOL' }, organizations: ['ACME'] } },
    })
    await keepsProtocol(url, fireblocks, (status) => (now = status))
    expect(new Set(transactions.values()).size).toBe(transactions.size)
  })
})
