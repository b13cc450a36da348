// The genesis of a chain: its seed (from which genesis hash and blockhashes derive), the faucet's key and its lamports.
// Stored in the chain's own ledger, so a data directory always contains the same chain.

import { createHash, createPrivateKey, createPublicKey, sign, type KeyObject } from 'node:crypto'
import { encodeBase58 } from './base58.ts'

/** 500,000,000 SOL. */
export const FAUCET_LAMPORTS = 500_000_000n * 1_000_000_000n

export interface Genesis {
  /** Hex, 32 bytes each. */
  readonly seed: string
  readonly faucetSeed: string
  /** Unix milliseconds. */
  readonly bornMs: number
}

export function newGenesis(bornMs: number, randomBytes: (count: number) => Buffer): Genesis {
  return { seed: randomBytes(32).toString('hex'), faucetSeed: randomBytes(32).toString('hex'), bornMs }
}

export function parseGenesis(bytes: Buffer): Genesis {
  return JSON.parse(bytes.toString()) as Genesis
}

const deriveSeed = (genesis: Genesis, label: string): string =>
  encodeBase58(createHash('sha256').update(label).update(genesis.seed, 'hex').digest())

export const genesisHashOf = (genesis: Genesis): string => deriveSeed(genesis, 'genesis')
export const identityOf = (genesis: Genesis): string => deriveSeed(genesis, 'identity')

const PKCS8_ED25519 = Buffer.from('302e020100300506032b657004220420', 'hex')

export interface Signer {
  /** 32 bytes. */
  readonly publicKey: Buffer
  sign(message: Uint8Array): Buffer
}

/** Ed25519 signer of a 32-byte seed. */
export function signerOf(seed: Uint8Array): Signer {
  const key: KeyObject = createPrivateKey({ key: Buffer.concat([PKCS8_ED25519, seed]), format: 'der', type: 'pkcs8' })
  const publicKey = createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-32)
  return { publicKey, sign: (message) => sign(null, message, key) }
}
