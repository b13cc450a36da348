// Shared by tests of debit limits: wallets with limits, destinations of every class, keys of persons, and transactions
// made elsewhere.
import { randomUUID } from 'node:crypto'
import {
  Keypair,
  PublicKey,
  TransactionMessage,
  VersionedTransaction,
  type TransactionInstruction,
} from '@solana/web3.js'
import bs58 from 'bs58'
import { expect } from 'vitest'
import type { Client, Options } from '../client.ts'
import type { World } from '../harness.ts'
import type { Ids, Problem, Problems, Result } from '../models.ts'
import { SOL } from '../records.ts'

export const PAY = '/positions/transfer-network-currency'

export interface LimitEntry {
  readonly account: Ids
  readonly destination: string
  readonly operationType: string
  readonly verdict: string
  readonly debit: number
  readonly used: number
  readonly maxAllowedDebit: { readonly limitAmount: number }
}

export interface Held extends Result {
  readonly approval?: {
    readonly entries: readonly LimitEntry[]
    readonly policies: readonly {
      readonly approvalPolicy: { readonly offchainId: string }
      readonly operations: readonly string[]
    }[]
    readonly required: number
    readonly given: number
    readonly expiresAt: string
  }
}

export interface Person {
  readonly keyId: string
  readonly apiKey: string
  readonly api: Client
}

export const perTransaction = (limitAmount: number | string, more: object = {}): object => ({
  limitType: 'PER_TRANSACTION',
  limitAmount,
  ...more,
})
export const within = (limitAmount: number | string, code: string, unit = 1, more: object = {}): object => ({
  limitType: 'DURATION',
  limitAmount,
  duration: { code, unit },
  ...more,
})
export const to = (destination: string, maxAllowedDebit: object): object => ({ destination, maxAllowedDebit })
export const stranger = (): object => ({ onchainId: Keypair.generate().publicKey.toBase58(), offPlatform: true })

export class LimitFixture {
  readonly world: World

  constructor(world: World) {
    this.world = world
  }

  wallet(networkCurrencyDebitLimits?: readonly object[] | null, lamports = 100n * SOL): Promise<Ids> {
    return this.world.records.funded(
      networkCurrencyDebitLimits === undefined ? {} : { networkCurrencyDebitLimits },
      lamports,
    )
  }

  /** Recorded as unmanaged: the key belongs to another party. */
  recordOutside(): Promise<Ids> {
    return this.world.records.account({ managed: false, onchainId: Keypair.generate().publicKey.toBase58() })
  }

  importWallet(): Promise<Ids> {
    return this.world.records.account({
      managed: true,
      privateKeyDetails: { privateKey: bs58.encode(Keypair.generate().secretKey) },
    })
  }

  async pay(
    source: object,
    destination: object,
    lamports: bigint | string,
    options: Options = {},
    api = this.world.api,
  ): Promise<Held> {
    return await api.ok<Held>(201, 'POST', PAY, { source, destination, lamports: lamports.toString() }, options)
  }

  async pays(source: object, destination: object, lamports: bigint | string): Promise<void> {
    const result = await this.pay(source, destination, lamports)
    expect(result.success, JSON.stringify(result)).toBe(true)
  }

  refuses(
    path: string,
    itemData: object,
    options: Options = {},
    api = this.world.api,
  ): Promise<Problem & { entries?: readonly LimitEntry[] }> {
    return api.refuses(
      400,
      'DEBIT_LIMIT_EXCEEDED',
      path === '/positions/close' ? 'PATCH' : 'POST',
      path,
      itemData,
      options,
    )
  }

  doesNotPay(source: object, destination: object, lamports: bigint | string) {
    return this.refuses(PAY, { source, destination, lamports: lamports.toString() })
  }

  async organization(): Promise<string> {
    const externalId = `ORG-${randomUUID()}`
    await this.world.api.ok(201, 'POST', '/admin/organizations', { externalId, name: externalId })
    return externalId
  }

  async person(organizationExternalId: string, roles: readonly string[] | 'ADMIN' | 'OPERATOR'): Promise<Person> {
    const rights = typeof roles === 'string' ? { bundle: roles } : { roles }
    const body = { organizationExternalId, name: 'somebody', ...rights }
    const { keyId, apiKey } = await this.world.api.ok<{ keyId: string; apiKey: string }>(
      201,
      'POST',
      '/admin/api-keys',
      body,
    )
    return { keyId, apiKey, api: this.world.api.as(apiKey) }
  }

  /** Base64 of a transaction made elsewhere, signed only by `signers`. */
  async foreign(
    feePayer: string,
    instructions: readonly TransactionInstruction[],
    signers: readonly Keypair[] = [],
  ): Promise<string> {
    const { blockhash } = await this.world.chain.connection.getLatestBlockhash('confirmed')
    const message = new TransactionMessage({
      payerKey: new PublicKey(feePayer),
      recentBlockhash: blockhash,
      instructions: [...instructions],
    })
    const transaction = new VersionedTransaction(message.compileToV0Message())
    if (signers.length > 0) transaction.sign([...signers])
    return Buffer.from(transaction.serialize()).toString('base64')
  }

  async answer(
    path: string,
    itemData: object,
    api = this.world.api,
  ): Promise<{ status: number; body: Held & Problems }> {
    return await api.send<Held & Problems>('POST', path, itemData)
  }
}
