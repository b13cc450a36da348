// The scene of the submissions: a tenant with many fee payers, nonces for its payments, and one wallet that receives
// all of them. Also the same number of payers whose keys the bench holds, for the client that sends directly to the
// chain.
import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { Connection, LAMPORTS_PER_SOL, PublicKey } from '@solana/web3.js'
import type { ServiceProcess } from '../service/process.ts'
import { inParallel, type Ids, type Rest } from '../service/rest.ts'
import { createTenant } from '../service/tenant.ts'

const MAX_PAYERS = 64
/** Enough for a thousand payments per second: a nonce is free again when the transaction that used it is final. */
const NONCES = 1_000
const NONCES_AT_ONCE = 100
const FUNDS_SOL = 1_000
const AT_ONCE = 16

export interface OwnKey {
  readonly address: string
  /** PKCS8, PEM. */
  readonly privateKey: string
}

export interface Scene {
  readonly apiKey: string
  readonly payers: readonly Ids[]
  readonly destination: Ids
  readonly direct: { readonly payers: readonly OwnKey[]; readonly destination: string }
}

export async function prepare(service: ServiceProcess, chain: Connection): Promise<Scene> {
  const { rest, apiKey } = await createTenant(service, 'BENCH')
  const payers = await inParallel(MAX_PAYERS, AT_ONCE, async (index) => {
    const ids = await wallet(rest, { canPayFees: true, offchainReferences: { code: `PAYER-${index}` } })
    await fund(chain, ids.onchainId)
    await rest.post('/accounts/single/balance', { itemData: { offchainId: ids.offchainId } })
    return ids
  })
  const destination = await wallet(rest, {})
  await fund(chain, destination.onchainId)
  await makeNonces(rest, payers)
  const own = await inParallel(MAX_PAYERS + 1, AT_ONCE, async () => {
    const key = ownKey()
    await fund(chain, key.address)
    return key
  })
  return { apiKey, payers, destination, direct: { payers: own.slice(1), destination: own[0]!.address } }
}

async function makeNonces(rest: Rest, payers: readonly Ids[]): Promise<void> {
  const nonceAuthority = await wallet(rest, { offchainReferences: { code: 'NONCES' } })
  await inParallel(NONCES / NONCES_AT_ONCE, AT_ONCE, async (index) => {
    const feePayer = { offchainId: payers[index % payers.length]!.offchainId }
    await rest.post(
      '/durable-nonce-accounts',
      {
        itemData: { nonceAuthority: { offchainId: nonceAuthority.offchainId }, count: NONCES_AT_ONCE },
        chainTransactionConfig: { feePayer },
      },
      { Prefer: 'wait=60' },
    )
  })
}

async function wallet(rest: Rest, members: object): Promise<Ids> {
  const { newAccount } = await rest.post<{ newAccount: Ids }>('/accounts', { itemData: { managed: true, ...members } })
  return newAccount
}

async function fund(chain: Connection, address: string): Promise<void> {
  const key = new PublicKey(address)
  await chain.requestAirdrop(key, FUNDS_SOL * LAMPORTS_PER_SOL)
  for (let attempt = 0; attempt < 200; attempt += 1) {
    if ((await chain.getBalance(key, 'confirmed')) > 0) return
    await new Promise((resolve) => void setTimeout(resolve, 25))
  }
  throw new Error(`${address} was not funded`)
}

function ownKey(): OwnKey {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const raw = publicKeyBytes(publicKey)
  return {
    address: new PublicKey(raw).toBase58(),
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  }
}

function publicKeyBytes(key: KeyObject): Uint8Array {
  return key.export({ type: 'spki', format: 'der' }).subarray(-32)
}
