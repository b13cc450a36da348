// Vault's transit engine and AWS KMS as servers that follow their APIs, as far as they are used here: keys are created
// there and stay, equal requests get equal signatures, and all requests are recorded. Both can be out of order, and can
// be stopped in the middle of an answer.
import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import bs58 from 'bs58'

export const TOKEN = 'hvs.a-token'

interface Said {
  readonly status: number
  readonly body: object
  readonly isCompressed?: boolean
}

export interface Asked {
  /** The operation: `make`, `read`, `sign`, `list`. */
  readonly what: string
  readonly name: string
  readonly body: Record<string, unknown>
  /** Of a signature request. */
  readonly message: string | null
}

export interface ContractServer {
  readonly url: string
  readonly keys: Map<string, KeyObject>
  readonly asked: Asked[]
  /** The answer to every request, when set. */
  trouble: Said | null
  /** Called when an answer is ready, and again when it is sent: the operation has been done by then. */
  around: ((asked: Asked, sent: boolean) => void) | null
  /** Base58. */
  addressOf(name: string): string
  close(): void
}

const newKey = (): KeyObject => generateKeyPairSync('ed25519').privateKey
const publicKeyOf = (key: KeyObject): Buffer => Buffer.from(key.export({ format: 'jwk' }).x!, 'base64url')
const spkiOf = (key: KeyObject): Buffer =>
  Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), publicKeyOf(key)])
const signed = (key: KeyObject, message: string): string =>
  sign(null, Buffer.from(message, 'base64'), key).toString('base64')

type Understand = (request: IncomingMessage, body: Record<string, unknown>) => Asked
type Answer = (asked: Asked, keys: Map<string, KeyObject>, request: IncomingMessage) => Said

async function openServer(understand: Understand, answer: Answer): Promise<ContractServer> {
  const keys = new Map<string, KeyObject>()
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const asked = understand(request, JSON.parse(Buffer.concat(chunks).toString() || '{}') as Record<string, unknown>)
      contract.asked.push(asked)
      const reply = contract.trouble ?? answer(asked, keys, request)
      contract.around?.(asked, false)
      const { status, body, isCompressed = false } = reply
      const text = JSON.stringify(body)
      const encoding = isCompressed ? { 'content-encoding': 'gzip' } : {}
      response.writeHead(status, { 'content-type': 'application/json', ...encoding })
      response.end(isCompressed ? gzipSync(text) : text, () => contract.around?.(asked, true))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const contract: ContractServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    keys,
    asked: [],
    trouble: null,
    around: null,
    addressOf: (name) => bs58.encode(publicKeyOf(keys.get(name)!)),
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
  return contract
}

export function startVault(): Promise<ContractServer> {
  const understand: Understand = ({ method, url = '' }, body) => {
    const [, action, name = ''] = /^\/v1\/transit\/(keys|sign)\/?([\w-]*)(?:\?list=true)?$/.exec(url) ?? []
    const what = action === 'sign' ? 'sign' : name === '' ? 'list' : method === 'POST' ? 'make' : 'read'
    return { what, name, body, message: what === 'sign' ? String(body['input']) : null }
  }
  return openServer(understand, ({ what, name, message }, keys, { headers }) => {
    if (headers['x-vault-token'] !== TOKEN) return { status: 403, body: { errors: ['permission denied'] } }
    if (what === 'list')
      return keys.size === 0
        ? { status: 404, body: { errors: [] } }
        : { status: 200, body: { data: { keys: [...keys.keys()] } } }
    if (what === 'make') keys.set(name, newKey())
    const key = keys.get(name)
    if (key === undefined) return { status: 400, body: { errors: ['signing key not found'] } }
    if (message !== null)
      return { status: 200, body: { data: { signature: `vault:v1:${signed(key, message)}`, key_version: 1 } } }
    return {
      status: 200,
      body: { data: { type: 'ed25519', keys: { 1: { public_key: publicKeyOf(key).toString('base64') } } } },
    }
  })
}

const TARGETS: Readonly<Record<string, string>> = {
  CreateKey: 'make',
  GetPublicKey: 'read',
  Sign: 'sign',
  ListKeys: 'list',
  DescribeKey: 'describe',
}

export function startKms(): Promise<ContractServer> {
  const descriptions = new Map<string, unknown>()
  const understand: Understand = ({ headers }, body) => {
    const what = TARGETS[String(headers['x-amz-target']).replace('TrentService.', '')] ?? ''
    return { what, name: String(body['KeyId']), body, message: what === 'sign' ? String(body['Message']) : null }
  }
  return openServer(understand, ({ what, name, body, message }, keys) => {
    if (what === 'make') {
      const keyName = `key-${keys.size}`
      keys.set(keyName, newKey())
      descriptions.set(keyName, body['Description'])
      return { status: 200, body: { KeyMetadata: { KeyId: keyName } } }
    }
    // One to a page: a client must request further pages.
    if (what === 'list') {
      const names = [...keys.keys()]
      const at = Number(body['Marker'] ?? 0)
      const more = at + 1 < names.length
      return {
        status: 200,
        body: {
          Keys: names.slice(at, at + 1).map((KeyId) => ({ KeyId })),
          Truncated: more,
          ...(more ? { NextMarker: String(at + 1) } : {}),
        },
      }
    }
    const key = keys.get(name)
    if (key === undefined) return { status: 400, body: { __type: 'NotFoundException', message: 'no such key' } }
    if (what === 'describe')
      return {
        status: 200,
        body: {
          KeyMetadata: { KeyId: name, Description: descriptions.get(name), CreationDate: Date.now() / 1_000 - 3_600 },
        },
      }
    if (message !== null) return { status: 200, body: { KeyId: name, Signature: signed(key, message) } }
    return { status: 200, body: { KeyId: name, PublicKey: spkiOf(key).toString('base64') } }
  })
}
