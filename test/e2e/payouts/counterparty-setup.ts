// Counterparties and destination policies for tests.
import { randomUUID } from 'node:crypto'
import { Keypair } from '@solana/web3.js'
import { expect } from 'vitest'
import type { Answer, Client } from '../client.ts'
import type { World } from '../harness.ts'
import { PAY, type Held } from '../limits/limit-fixture.ts'
import type { Ids, Problems } from '../models.ts'
import { SOL } from '../records.ts'
import { keyOf, newParty, type Party } from '../../trust/fixtures/parties.ts'

export const COUNTERPARTIES = '/counterparties'
export const REFUSED = 'DESTINATION_NOT_ALLOWED'
/** More than any payment of these tests. */
export const UNLIMITED = { networkCurrencyDebitLimits: [], tokenDebitLimits: [] }

export interface Counterparty {
  readonly offchainId: string
  readonly externalReference: string | null
  readonly name: string
  readonly status: string
  readonly addresses: readonly {
    readonly onchainId: string
    readonly label: string | null
    readonly listedAt: string
  }[]
  readonly note: string | null
}

export const newAddress = (): string => Keypair.generate().publicKey.toBase58()

export class Counterparties {
  readonly world: World
  readonly party: Party
  readonly api: Client
  /** May approve payments under review, and has no other right. */
  readonly approver: Party
  readonly feePayer: Ids
  readonly wallet: Ids

  private constructor(world: World, party: Party, approver: Party, accounts: { feePayer: Ids; wallet: Ids }) {
    this.world = world
    this.party = party
    this.api = party.api
    this.approver = approver
    this.feePayer = accounts.feePayer
    this.wallet = accounts.wallet
  }

  /** A new organization, with a wallet that has no debit limits. */
  static async open(world: World, parent?: string): Promise<Counterparties> {
    const party = await newParty(world, `ORG-${randomUUID()}`, parent)
    const approver = await keyOf(world, party.externalId, { roles: ['DEBIT_LIMIT_APPROVE', 'TRANSACTIONS_READ'] })
    const feePayer = await party.records.feePayer(UNLIMITED)
    const wallet = await party.records.funded(UNLIMITED, 100n * SOL)
    return new Counterparties(world, party, approver, { feePayer, wallet })
  }

  async rules(members: object): Promise<void> {
    await this.api.ok(200, 'PATCH', '/admin/organizations', { externalId: this.party.externalId, ...members })
  }

  async reviewedByApprover(): Promise<void> {
    await this.rules({ reviewApproval: { approvers: [this.approver.keyId] } })
  }

  async list(status: string, ...addresses: readonly string[]): Promise<string> {
    const body = { name: `${status} ${randomUUID()}`, status, addresses: addresses.map((onchainId) => ({ onchainId })) }
    const { newCounterparty } = await this.api.ok<{ newCounterparty: { offchainId: string } }>(
      201,
      'POST',
      COUNTERPARTIES,
      body,
    )
    return newCounterparty.offchainId
  }

  async change(offchainId: string, members: object): Promise<void> {
    await this.api.ok(200, 'PATCH', COUNTERPARTIES, { counterparty: { offchainId }, ...members })
  }

  /** A payment of the wallet to an address. */
  pay(address: string, members: object = {}): Promise<Answer<Held & Problems>> {
    return this.api.send<Held & Problems>('POST', PAY, {
      source: this.wallet,
      destination: { onchainId: address, offPlatform: true },
      lamports: String(SOL / 10n),
      ...members,
    })
  }

  async pays(address: string): Promise<void> {
    const { status, body } = await this.pay(address)
    expect({ status, success: body.success }, JSON.stringify(body)).toEqual({ status: 201, success: true })
  }

  async doesNotPay(address: string): Promise<void> {
    const before = await this.world.chain.lamports(address)
    await this.refuses('POST', PAY, {
      source: this.wallet,
      destination: { onchainId: address, offPlatform: true },
      lamports: String(SOL / 10n),
    })
    expect(await this.world.chain.lamports(address)).toBe(before)
  }

  async refuses(method: 'POST' | 'PATCH', path: string, itemData: object): Promise<string> {
    return (await this.api.refuses(403, REFUSED, method, path, itemData)).message
  }

  approve({ offchainId }: { readonly offchainId: string }): Promise<Answer<Held & Problems>> {
    return this.approver.api.send<Held & Problems>('POST', '/transactions/approve', { offchainId })
  }
}
