// Custodians: for any answers, in any order, a signature is used at most once and never for another message.
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { generateKeyPairSync, sign } from 'node:crypto'
import bs58 from 'bs58'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { remoteSigners } from '../../src/config/remote-signers.ts'
import { isSignedCallback } from '../../src/keys/custodians/callback.ts'
import { Custodians } from '../../src/keys/custodians/custodians.ts'
import { answerIn, askId, proofMessage } from '../../src/keys/custodians/protocol.ts'
import { Secret } from '../../src/config/secret.ts'
import { verifySignature } from '../../src/keys/keypair.ts'
import type { SignerAnswer, SigningSubject } from '../../src/keys/signer.ts'
import { signWebhook } from '../../src/keys/webhook-secret.ts'
import {
  CODE,
  Custodian,
  fails,
  hangsUp,
  mistakes,
  overflows,
  pending,
  redirects,
  refuses,
  SECRET,
  signs,
  signsAnother,
  type Behaviour,
} from './custodian.ts'
import { signatureIn } from './signed-answer.ts'

let custodian: Custodian
let custodians: Custodians
let address: string

const OWNER = { organization: 'ACME', cluster: 'CHAIN_DEVNET' }
const MESSAGE = Buffer.from('a message')
const subject: SigningSubject = {
  organization: 'ACME',
  requestedBy: 'ACME',
  cluster: 'CHAIN_DEVNET',
  account: { onchainId: 'a', offchainId: 'b' },
  transaction: { offchainId: 'c' },
  summary: ['Transfer'],
  lastValidBlockHeight: 7,
}

beforeAll(async () => {
  custodian = await Custodian.start()
  custodians = new Custodians(remoteSigners(custodian.setting), 'tag')
  address = custodian.newKey()
})
afterAll(() => custodian.stop())
beforeEach(() => custodian.forget())

const ask = (message: Uint8Array = MESSAGE): Promise<SignerAnswer> =>
  custodians.signer({ address, name: CODE }).sign(message, 'key', subject)

const BEHAVIOURS: readonly (readonly [string, Behaviour])[] = [
  ['signs', signs],
  ['signs another', signsAnother],
  ['mistakes', mistakes],
  ['pending', pending()],
  ['refuses', refuses],
  ['fails', fails(500)],
  ['hangs up', hangsUp],
  ['redirects', redirects],
  ['overflows', overflows],
]

describe('a request to a custodian', () => {
  it('never yields a valid signature unless the custodian signed this message, in any order of answers', async () => {
    const orders = fc.array(fc.constantFrom(...BEHAVIOURS), { minLength: 1, maxLength: 6 })
    await fc.assert(
      fc.asyncProperty(orders, fc.uint8Array({ minLength: 1, maxLength: 64 }), async (order, message) => {
        custodian.forget()
        custodian.script = order.map(([, behaviour]) => behaviour)
        for (const [name] of order) {
          const signature = await signatureIn(ask(message)).catch(() => null)
          const isValid = signature !== null && verifySignature(message, signature, address)
          expect([name, isValid]).toEqual([name, name === 'signs'])
        }
        expect(new Set(custodian.questions.map(({ id }) => id))).toEqual(new Set([askId(message, address)]))
        expect(custodian.elsewhere).toEqual([])
      }),
      { numRuns: 30 },
    )
  })

  it('is a single request while it is open, however often it is repeated', async () => {
    const [first, second] = await Promise.all([signatureIn(ask()), signatureIn(ask())])
    expect(Buffer.from(first)).toEqual(Buffer.from(second))
    expect(custodian.questions).toHaveLength(1)
  })

  it('returns the answer of the custodian, or reports that it was not reached', async () => {
    custodian.script = [pending(2), refuses]
    expect(await ask()).toEqual({ kind: 'pending', retryMs: 2_000 })
    expect(await ask()).toEqual({ kind: 'refused', reason: 'not today', neverSigned: true })
    const gone = new Custodians(
      remoteSigners(`{"${CODE}":{"url":"http://127.0.0.1:${await closedPort()}","secret":"${SECRET}"}}`),
      'tag',
    )
    const asked = gone.signer({ address, name: CODE }).sign(MESSAGE, 'key', subject)
    expect((await asked).kind).toBe('unreached')
    const none = new Custodians([], 'tag').signer({ address, name: CODE }).sign(MESSAGE, 'key', subject)
    await expect(none).rejects.toThrow('HOLDFAST_SIGNERS has no signer ACME_CUSTODY')
  })

  it('queues behind the other requests of its custodian', async () => {
    let open = 0
    let most = 0
    custodian.usual = (response, asked) => {
      most = Math.max(most, (open += 1))
      setTimeout(() => {
        open -= 1
        signs(response, asked, custodian)
      }, 50)
    }
    await Promise.all(Array.from({ length: 60 }, (_, index) => ask(Buffer.from([index]))))
    expect(most).toBeGreaterThan(1)
    expect(most).toBeLessThanOrEqual(16)
    expect(custodian.questions).toHaveLength(60)
  })
})

/** A port of this machine without a listener. */
async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

describe('a new key', () => {
  it('is named by the request or the custodian, and requires a proof', async () => {
    const request = { signer: CODE, publicKey: address, owner: OWNER }
    expect(await custodians.make(request)).toEqual({ v: 1, kept: 'remote', address, name: CODE })
    const key = await custodians.make({ ...request, publicKey: null })
    expect(key.address).not.toBe(address)
    custodian.proof = refuses
    await expect(custodians.make(request)).rejects.toMatchObject({ code: 'REMOTE_KEY_REFUSED' })
    await expect(custodians.make({ ...request, signer: 'B' })).rejects.toMatchObject({ code: 'REMOTE_SIGNER_UNKNOWN' })
  })

  it('is proven for one organization, cluster and service, by a message that is no transaction', () => {
    const proofs = [
      proofMessage(address, OWNER, 'tag'),
      proofMessage(address, { ...OWNER, organization: 'OTHER' }, 'tag'),
      proofMessage(address, { ...OWNER, cluster: 'CHAIN_MAINNET' }, 'tag'),
      proofMessage(address, OWNER, 'other'),
    ]
    expect(new Set(proofs.map((proof) => Buffer.from(proof).toString('hex'))).size).toBe(4)
    for (const proof of proofs) expect(proof[0]).toBe(0xff)
  })
})

describe('an answer of a custodian', () => {
  it('counts only for the request that it names, and any other content is handled without an exception', () => {
    expect(answerIn({ id: 'a', status: 'SIGNED', signature: 's' }, 'a')).toEqual({ status: 'SIGNED', signature: 's' })
    expect(answerIn({ id: 'b', status: 'SIGNED', signature: 's' }, 'a')).toBeNull()
    expect(answerIn({ id: 'a', status: 'REFUSED', reason: 'x\u0000y' }, 'a')).toEqual({
      status: 'REFUSED',
      reason: 'x y',
    })
    fc.assert(
      fc.property(fc.anything(), (value) => {
        expect(answerIn(value, 'a')).toBeNull()
      }),
    )
  })

  it('in a callback is signed by its custodian, including its body and a recent time', () => {
    const secret = new Secret(SECRET)
    const signed = (id: string, at: number, body: string, by = SECRET) => ({
      id,
      timestamp: String(at),
      signature: signWebhook(by, `${id}.${at}.${body}`),
    })
    const other = `whsec_${Buffer.alloc(32, 6).toString('base64')}`
    expect(isSignedCallback(secret, signed('i', 1_000, '{}'), '{}', 1_000)).toBe(true)
    expect(isSignedCallback(secret, signed('i', 1_000, '{}'), '{} ', 1_000)).toBe(false)
    expect(isSignedCallback(secret, signed('i', 1_000, '{}'), '{}', 1_301)).toBe(false)
    expect(isSignedCallback(secret, signed('i', 1_000, '{}', other), '{}', 1_000)).toBe(false)
    expect(isSignedCallback(secret, { ...signed('i', 1_000, '{}'), id: 'j' }, '{}', 1_000)).toBe(false)
    expect(isSignedCallback(secret, { ...signed('i', 1_000, '{}'), signature: undefined }, '{}', 1_000)).toBe(false)
  })
})

it('with a signature of another key is invalid', async () => {
  const { privateKey } = generateKeyPairSync('ed25519')
  custodian.script = [
    (response, { id, message }) => {
      const signature = bs58.encode(sign(null, Buffer.from(message, 'base64'), privateKey))
      response.writeHead(200).end(JSON.stringify({ id, status: 'SIGNED', signature }))
    },
  ]
  expect(verifySignature(MESSAGE, await signatureIn(ask()), address)).toBe(false)
})
