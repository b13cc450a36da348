// An organization with its own nonces, so that a nonce leased by one test is not missing in another; and the nonces as
// the chain shows them.
import {
  Keypair,
  NonceAccount,
  PublicKey,
  SystemProgram,
  Transaction,
  type TransactionInstruction,
} from '@solana/web3.js'
import bs58 from 'bs58'
import { expect } from 'vitest'
import type { Answer, Client } from '../client.ts'
import { eventually, type World } from '../harness.ts'
import type { Account, Ids, Result, TransactionRecord, WithTransaction } from '../models.ts'
import { SOL, type Records } from '../records.ts'

export interface CreatedNonces extends WithTransaction {
  readonly newDurableNonceAccounts: readonly Ids[]
  readonly chainTransactions: readonly Result[]
}

export interface Nonce {
  readonly nonceAccount: Account
  readonly nonceAuthority: {
    readonly onchain: { readonly id: string }
    readonly offchain: { readonly id: string | null }
    readonly managed: boolean
    readonly tenantOrganizationId: string | null
  }
  readonly nonceHash: string | null
  readonly inUse: { readonly transactionOffchainId: string; readonly transactionAt: string } | null
  readonly privateKeyDetails?: { readonly location: readonly string[]; readonly publickKey: string }
}

export interface Page<Item> {
  readonly count: number
  readonly items: readonly Item[]
}

export const DURABLE = { messageLifetimeStrategy: 'DURABLE_NONCE' }
export const NONCES = '/durable-nonce-accounts'
export const PAY = '/positions/transfer-network-currency'

type Parts = Pick<
  NonceFixture,
  | 'world'
  | 'api'
  | 'records'
  | 'organization'
  | 'authority'
  | 'authorityKey'
  | 'feePayer'
  | 'source'
  | 'destination'
  | 'nonces'
>

export const where = (fieldName: string, filterType: string, value: object = {}): object => ({
  fieldName,
  filterValues: [{ filterType, ...value }],
})

export class NonceFixture {
  readonly world: World
  readonly api: Client
  readonly records: Records
  readonly organization: string
  /** Its key is known to the test, as it could be to an outside party. */
  readonly authority: Ids
  readonly authorityKey: Keypair
  readonly feePayer: Ids
  readonly source: Ids
  readonly destination: Ids
  readonly nonces: readonly Ids[]

  private constructor(parts: Parts) {
    this.world = parts.world
    this.api = parts.api
    this.records = parts.records
    this.organization = parts.organization
    this.authority = parts.authority
    this.authorityKey = parts.authorityKey
    this.feePayer = parts.feePayer
    this.source = parts.source
    this.destination = parts.destination
    this.nonces = parts.nonces
  }

  /** @param managed false: only the test has the key of the authority */
  static async open(world: World, organization: string, count: number, managed = true): Promise<NonceFixture> {
    await world.api.ok(201, 'POST', '/admin/organizations', { externalId: organization, name: organization })
    const key = { organizationExternalId: organization, name: 'test', bundle: 'ADMIN' }
    const { apiKey } = await world.api.ok<{ apiKey: string }>(201, 'POST', '/admin/api-keys', key)
    const api = world.api.as(apiKey)
    const records = world.records.with(api)
    const authorityKey = Keypair.generate()
    const secret = { privateKeyDetails: { privateKey: bs58.encode(authorityKey.secretKey) } }
    const [feePayer, authority, source, destination] = await Promise.all([
      records.feePayer(),
      records.account(managed ? secret : { onchainId: authorityKey.publicKey.toBase58() }),
      records.funded({}, 50n * SOL),
      records.funded({}, SOL),
    ])
    const { newDurableNonceAccounts: nonces } = await api.ok<CreatedNonces>(201, 'POST', NONCES, {
      nonceAuthority: authority,
      count,
    })
    const fixture = new NonceFixture({
      world,
      api,
      records,
      organization,
      authority,
      authorityKey,
      feePayer,
      source,
      destination,
      nonces,
    })
    for (const nonce of nonces) await fixture.free(nonce)
    return fixture
  }

  pay(
    config: object = DURABLE,
    members: object = {},
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answer<Result>> {
    const itemData = { source: this.source, destination: this.destination, lamports: 1_000, ...members }
    return this.api.send<Result>('POST', PAY, itemData, { config, headers })
  }

  async paySuccessfully(config: object = DURABLE, members: object = {}): Promise<Result> {
    const { status, body } = await this.pay(config, members)
    expect(status, JSON.stringify(body)).toBe(201)
    return body
  }

  /** Signed under a nonce, and not sent. */
  async signedAndUnsent(returnSerialized = false): Promise<Result & { readonly serializedTransaction?: string }> {
    const prepared = await this.paySuccessfully(DURABLE, { source: { ...this.source, autoSign: false } })
    expect(prepared.status).toBe('PREPARED')
    const signed = await this.sign(prepared, { returnSerialized })
    expect(signed.status).toBe('SIGNED')
    return signed
  }

  sign({ offchainId }: Result, members: object = {}): Promise<Result & { readonly serializedTransaction?: string }> {
    return this.api.ok(200, 'POST', '/transactions/sign', { transaction: { offchainId }, ...members })
  }

  details({ offchainId }: Pick<Result, 'offchainId'>): Promise<TransactionRecord> {
    return this.api.read('/transactions/single', { offchainId })
  }

  /** A query at any of its endpoints. */
  async query<Item = Nonce>(body: object = {}, path = `${NONCES}/bulk`): Promise<Page<Item>> {
    const answer = await fetch(`${this.world.url}/api/v1${path}`, {
      method: 'POST',
      headers: { authorization: this.api.bearer, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const page = (await answer.json()) as Page<Item>
    expect(answer.status, JSON.stringify(page)).toBe(200)
    return page
  }

  async nonce({ onchainId }: Ids): Promise<Nonce> {
    const { items } = await this.query({
      itemQuery: { filter: [where('nonceAccountOnchainId', 'EQUALS', { valueString: onchainId })] },
    })
    return items[0]!
  }

  /** As the chain has it, finalized. */
  async value({ onchainId }: Ids): Promise<string> {
    const info = await this.world.chain.connection.getAccountInfo(new PublicKey(onchainId), 'finalized')
    return NonceAccount.fromAccountData(info!.data).nonce
  }

  /** Waits until it is free, with the value on chain. */
  /** Waits until it is free, and for the block after the one that set its value: only then can it be advanced. */
  async free(ids: Ids): Promise<Nonce> {
    const free = await eventually(async () => {
      const nonce = await this.nonce(ids)
      expect(nonce.inUse).toBeNull()
      expect(nonce.nonceHash).toBe(await this.value(ids))
      return nonce
    })
    const { connection } = this.world.chain
    const slot = await connection.getSlot('processed')
    await eventually(async () => expect(await connection.getSlot('processed')).toBeGreaterThan(slot + 1))
    return free
  }

  reaches(result: Pick<Result, 'offchainId'>, status: string): Promise<TransactionRecord> {
    return eventually(async () => {
      const record = await this.details(result)
      expect(record.status).toBe(status)
      return record
    })
  }

  advance({ onchainId }: Ids): TransactionInstruction {
    return SystemProgram.nonceAdvance({
      noncePubkey: new PublicKey(onchainId),
      authorizedPubkey: this.authorityKey.publicKey,
    })
  }

  /** From the source to the destination. */
  transferOf(lamports: number): TransactionInstruction {
    const [fromPubkey, toPubkey] = [new PublicKey(this.source.onchainId), new PublicKey(this.destination.onchainId)]
    return SystemProgram.transfer({ fromPubkey, toPubkey, lamports })
  }

  /** Advances it without the service, in an ordinary transaction, and waits until that is final. */
  async advanceOutside(ids: Ids): Promise<void> {
    const payer = Keypair.generate()
    await this.world.chain.airdrop(payer.publicKey.toBase58(), SOL)
    const { connection } = this.world.chain
    const before = await this.value(ids)
    const transaction = new Transaction({ feePayer: payer.publicKey, ...(await connection.getLatestBlockhash()) })
    // Not as the first instruction: that would make it a nonce transaction.
    transaction.add(
      SystemProgram.transfer({ fromPubkey: payer.publicKey, toPubkey: payer.publicKey, lamports: 1 }),
      this.advance(ids),
    )
    transaction.sign(payer, this.authorityKey)
    await connection.sendRawTransaction(transaction.serialize())
    await eventually(async () => expect(await this.value(ids)).not.toBe(before))
  }
}
