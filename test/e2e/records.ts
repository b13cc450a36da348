// Records for tests, created through the interface, and the check that the books of the service equal the chain.
import { expect } from 'vitest'
import { associated } from './addresses.ts'
import type { Client, Options } from './client.ts'
import type {
  Account,
  Balance,
  Ids,
  Instrument,
  NewAccount,
  NewInstrument,
  NewPosition,
  Position,
  Result,
} from './models.ts'
import type { Onchain, Version } from './onchain.ts'

export const SOL = 1_000_000_000n

export class Records {
  readonly #api: Client
  readonly #chain: Onchain

  constructor(api: Client, chain: Onchain) {
    this.#api = api
    this.#chain = chain
  }

  /** The same chain with another client. */
  with(api: Client): Records {
    return new Records(api, this.#chain)
  }

  async account(itemData: object = {}, options: Options = {}): Promise<Ids> {
    return (await this.#api.ok<NewAccount>(201, 'POST', '/accounts', itemData, options)).newAccount
  }

  /** An account with lamports that the service has observed. */
  async funded(itemData: object = {}, lamports = 10n * SOL): Promise<Ids> {
    const ids = await this.account(itemData)
    await this.#chain.airdrop(ids.onchainId, lamports)
    await this.#api.read<Balance>('/accounts/single/balance', { offchainId: ids.offchainId })
    return ids
  }

  feePayer(itemData: object = {}): Promise<Ids> {
    return this.funded({ canPayFees: true, ...itemData }, 100n * SOL)
  }

  async instrument(
    version: Version,
    authority: object,
    members: { readonly [member: string]: unknown; onchainData?: object } = {},
  ): Promise<Ids> {
    const { onchainData, ...rest } = members
    const body = {
      mintAccount: {},
      version,
      mintAuthority: authority,
      onchainData: { decimals: 6, ...onchainData },
      ...rest,
    }
    const { newFinancialInstrument, chainTransaction } = await this.#api.ok<NewInstrument>(
      201,
      'POST',
      '/financial-instruments',
      body,
    )
    expect(chainTransaction?.success, JSON.stringify(chainTransaction)).toBe(true)
    return { onchainId: newFinancialInstrument.onchainId, offchainId: newFinancialInstrument.offchainId }
  }

  /** The associated position of an owner, with a balance of `lamports` raw units. */
  async position(owner: Ids, instrument: Ids, lamports = 0n): Promise<Ids> {
    const { newPosition } = await this.#api.ok<NewPosition>(201, 'POST', '/positions', {
      owner,
      financialInstrument: instrument,
    })
    if (lamports > 0n) await this.mint(newPosition, lamports)
    return newPosition
  }

  async mint(position: Ids, lamports: bigint): Promise<Result> {
    const body = { destination: { position }, lamports: lamports.toString() }
    const result = await this.#api.ok<Result>(201, 'POST', '/positions/mint', body)
    expect(result.success, JSON.stringify(result)).toBe(true)
    return result
  }

  accountRecord(ids: Ids): Promise<Account> {
    return this.#api.read('/accounts/single', { offchainId: ids.offchainId })
  }

  positionRecord(ids: Ids): Promise<Position> {
    return this.#api.read('/positions/single', { position: { offchainId: ids.offchainId } })
  }

  instrumentRecord(ids: Ids): Promise<Instrument> {
    return this.#api.read('/financial-instruments/single', { offchainId: ids.offchainId })
  }

  /**
   * The books, read before a query could correct them, equal the balances of the chain, and nothing is reserved. The
   * balance query comes last, because it may correct the books.
   */
  async accountsEqualChain(...accounts: readonly Ids[]): Promise<void> {
    for (const ids of accounts) {
      const [record, onchain] = await Promise.all([this.accountRecord(ids), this.#chain.lamports(ids.onchainId)])
      expect(BigInt(record.offchain.lamportsBalance), `lamports of ${ids.onchainId}`).toBe(onchain)
      const balance = await this.#api.read<Balance>('/accounts/single/balance', { offchainId: ids.offchainId })
      expectSettled(balance, onchain)
    }
  }

  /**
   * As above, for tokens and the lamports of their accounts. The owner, mint and address of the record are those on
   * chain.
   */
  async positionsEqualChain(...positions: readonly Ids[]): Promise<void> {
    for (const ids of positions) {
      const [record, token, lamports] = await Promise.all([
        this.positionRecord(ids),
        this.#chain.token(ids.onchainId),
        this.#chain.lamports(ids.onchainId),
      ])
      expect(record.onchain.id).toBe(ids.onchainId)
      expect(record.owner.onchain.id).toBe(token.owner.toBase58())
      expect(record.financialInstrument.onchain.id).toBe(token.mint.toBase58())
      expect(record.state).toBe(token.isFrozen ? 'FROZEN' : 'INITIALIZED')
      expect(BigInt(record.balance.lamports), `tokens of ${ids.onchainId}`).toBe(token.amount)
      expect(BigInt(record.offchain.tokenBalance ?? -1)).toBe(token.amount)
      expect(BigInt(record.reserved.lamports)).toBe(0n)
      expect(BigInt(record.offchain.lamportsBalance), `rent of ${ids.onchainId}`).toBe(lamports)
      const balance = await this.#api.read<Balance>('/positions/single/balance', {
        position: { offchainId: ids.offchainId },
      })
      expectSettled(balance, token.amount)
    }
  }

  /** The record's supply, authorities and decimals are those of the mint on chain. */
  async instrumentEqualsChain(ids: Ids): Promise<void> {
    const [record, mint, info] = await Promise.all([
      this.instrumentRecord(ids),
      this.#chain.mint(ids.onchainId),
      this.#chain.account(ids.onchainId),
    ])
    expect(BigInt(record.supply.lamports), `supply of ${ids.onchainId}`).toBe(mint.supply)
    expect(record.onchainData.decimals).toBe(mint.decimals)
    expect(record.mintAuthority?.onchain.id ?? null).toBe(mint.mintAuthority?.toBase58() ?? null)
    expect(record.freezeAuthority?.onchain.id ?? null).toBe(mint.freezeAuthority?.toBase58() ?? null)
    expect(BigInt(record.mintAccount.offchain.lamportsBalance), `rent of ${ids.onchainId}`).toBe(
      BigInt(info?.lamports ?? 0),
    )
  }

  associated(owner: Ids, instrument: Ids, version: Version): string {
    return associated(owner.onchainId, instrument.onchainId, version)
  }
}

function expectSettled(balance: Balance, onchain: bigint): void {
  expect(BigInt(balance.onchain.lamports)).toBe(onchain)
  expect(BigInt(balance.offchain.lamports)).toBe(onchain)
  expect(BigInt(balance.reserved.lamports)).toBe(0n)
  expect(BigInt(balance.available.lamports)).toBe(onchain)
  expect(balance.outOfBalance).toBe(false)
}
