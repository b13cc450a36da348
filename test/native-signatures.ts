// Signatures of test clients by Node.js: the curve in JavaScript of the Solana library takes a hundred times the CPU
// time, and the tests sign and check tens of thousands of messages.
import { createPrivateKey, createPublicKey, sign, verify } from 'node:crypto'
import { createRequire } from 'node:module'

/** What the library calls, with bytes only. */
interface Curve {
  readonly getPublicKey: (seed: Uint8Array) => Uint8Array
  readonly sign: (message: Uint8Array, seed: Uint8Array) => Uint8Array
  readonly verify: (signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array) => boolean
}

const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex')
const SPKI = Buffer.from('302a300506032b6570032100', 'hex')

const keyOf = (seed: Uint8Array) =>
  createPrivateKey({ key: Buffer.concat([PKCS8, seed]), format: 'der', type: 'pkcs8' })

// Before the library is loaded, which reads these members once.
const library = createRequire(import.meta.url).resolve('@solana/web3.js')
const { ed25519 } = createRequire(library)('@noble/curves/ed25519') as { readonly ed25519: Curve }
const { verify: verifyInScript } = ed25519
Object.assign(ed25519, {
  getPublicKey: (seed) =>
    new Uint8Array(createPublicKey(keyOf(seed)).export({ format: 'der', type: 'spki' }).subarray(SPKI.length)),
  sign: (message, seed) => new Uint8Array(sign(null, message, keyOf(seed))),
  // The library accepts more signatures: it has the last word.
  verify(signature, message, publicKey) {
    const key = createPublicKey({ key: Buffer.concat([SPKI, publicKey]), format: 'der', type: 'spki' })
    return verify(null, message, key, signature) || verifyInScript(signature, message, publicKey)
  },
} satisfies Curve)
