// Durable nonces over HTTP: made, leased, released by the chain alone, voided by an advance; the chain read on its own connection.
import { Keypair, NonceAccount, NONCE_ACCOUNT_LENGTH, PublicKey, SystemProgram, Transaction, VersionedTransaction } from '@solana/web3.js'
import bs58 from 'bs58'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventually, startWorld, type World } from './harness.ts'
import type { Account, DryRun, Ids, Result, TransactionRecord, WithTransaction } from './models.ts'
import { SOL } from './records.ts'

interface Created extends WithTransaction {
  readonly newDurableNonceAccounts: readonly Ids[]
  readonly chainTransactions: readonly Result[]
}

interface Nonce {
  readonly nonceAccount: Account
  readonly nonceAuthority: { readonly onchain: { readonly id: string }; readonly offchain: { readonly id: string | null }; readonly managed: boolean }
  readonly nonceHash: string | null
  readonly inUse: { readonly transactionOffchainId: string; readonly transactionAt: string } | null
  readonly privateKeyDetails?: { readonly location: readonly string[]; readonly publickKey: string }
}

interface Page {
  readonly count: number
  readonly items: readonly Nonce[]
}

const DURABLE = { messageLifetimeStrategy: 'DURABLE_NONCE' }
const PAY = '/positions/transfer-network-currency'
const NONCES = '/durable-nonce-accounts'

let world: World
let feePayer: Ids
let authority: Ids
let source: Ids
let destination: Ids

beforeAll(async () => {
  world = await startWorld()
  feePayer = await world.records.feePayer()
  ;[authority, source, destination] = await Promise.all([
    world.records.account(),
    world.records.funded({}, 50n * SOL),
    world.records.funded({}, SOL),
  ])
})
afterAll(() => world.stop())

const query = async (itemQuery: object = {}, path = '/bulk', more: object = {}): Promise<Page> => {
  const { status, body } = await raw(`${NONCES}${path}`, { itemQuery, ...more })
  expect(status, JSON.stringify(body)).toBe(200)
  return body as Page
}

/** A body that is no `itemData`. */
async function raw(path: string, body: object): Promise<{ status: number; body: unknown }> {
  const answer = await fetch(`${world.url}/api/v1${path}`, {
    method: 'POST',
    headers: { authorization: world.api.bearer, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return { status: answer.status, body: await answer.json() }
}

const is = (fieldName: string, filterType: string, value: object) => ({ fieldName, filterValues: [{ filterType, ...value }] })
const nonceAt = async ({ onchainId }: Ids): Promise<Nonce> => {
  const { items } = await query({ filter: [is('nonceAccountOnchainId', 'EQUALS', { valueString: onchainId })] })
  return items[0]!
}
/** As the chain has it, finalized. */
async function valueOf(address: string): Promise<string> {
  const info = await world.chain.connection.getAccountInfo(new PublicKey(address), 'finalized')
  return NonceAccount.fromAccountData(info!.data).nonce
}
const details = (offchainId: string): Promise<TransactionRecord> => world.api.read('/transactions/single', { offchainId })
const make = (itemData: object, config: object = {}): Promise<Created> => world.api.ok(201, 'POST', NONCES, itemData, { config })
const pay = (config: object = DURABLE, members: object = { lamports: 1_000 }, api = world.api) =>
  api.send<Result>('POST', PAY, { source, destination, ...members }, { config })

const free = (ids: Ids): Promise<Nonce> =>
  eventually(async () => {
    const nonce = await nonceAt(ids)
    expect(nonce.inUse).toBeNull()
    expect(nonce.nonceHash).toBe(await valueOf(ids.onchainId))
    return nonce
  })

describe('nonce accounts', () => {
  it('are made a dozen at once, in as few transactions as they fit, with the value the chain gave them', async () => {
    const { newDurableNonceAccounts: made, chainTransactions, chainTransaction } = await make({ nonceAuthority: authority, count: 12 })
    expect(made).toHaveLength(12)
    // Four fit: each brings a signature, an address and two instructions.
    expect(chainTransactions.map(({ success }) => success)).toEqual([true, true, true])
    expect(chainTransaction).toEqual(chainTransactions.at(-1))
    const rent = await world.chain.rent(NONCE_ACCOUNT_LENGTH)
    for (const ids of made) {
      const info = (await world.chain.account(ids.onchainId))!
      const onchain = NonceAccount.fromAccountData(info.data)
      expect([info.owner.equals(SystemProgram.programId), BigInt(info.lamports)]).toEqual([true, rent])
      expect(onchain.authorizedPubkey.toBase58()).toBe(authority.onchainId)
      const record = await free(ids)
      expect(record).toMatchObject({ nonceHash: onchain.nonce, nonceAccount: { offchain: { id: ids.offchainId, type: 'NONCE' }, managed: true } })
      expect(record.nonceAuthority).toMatchObject({ onchain: { id: authority.onchainId }, offchain: { id: authority.offchainId }, managed: true })
    }
    await world.records.accountsEqualChain(feePayer, ...made)
  })
})
