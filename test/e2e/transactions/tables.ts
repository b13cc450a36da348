// Lookup tables for tests: created and read through the interface, and read on chain with the standard library.
import { randomBytes } from 'node:crypto'
import { PublicKey, type AddressLookupTableAccount } from '@solana/web3.js'
import { expect } from 'vitest'
import type { World } from '../harness.ts'
import type { Account, Ids, Problem, Result } from '../models.ts'

export const PATH = '/address-lookup-tables'

export interface Created {
  readonly newAddressLookupTable: Ids
  readonly chainTransaction?: Result
  readonly chainTransactions?: readonly Result[]
}

export interface Extended {
  readonly extendedAddressLookupTable: Ids
  readonly chainTransaction: Result
  readonly chainTransactions: readonly Result[]
}

export interface Table {
  readonly addressLookupTable: Account
  readonly authority: { readonly onchain: { readonly id: string }; readonly offchain?: { readonly id: string } } | null
  readonly addresses: readonly { readonly onchainId: string; readonly offchainId?: string }[]
  readonly state: string
}

export type Stranger = { readonly onchainId: string; readonly offPlatform: true }

/** Addresses that no tenant has onboarded. */
export const unknownAccounts = (count: number): Stranger[] =>
  Array.from({ length: count }, () => ({ onchainId: new PublicKey(randomBytes(32)).toBase58(), offPlatform: true }))

export const addressesOf = (lookups: readonly { readonly onchainId: string }[]): string[] =>
  lookups.map(({ onchainId }) => onchainId)

export class Tables {
  readonly #world: World
  readonly #authority: Ids

  constructor(world: World, authority: Ids) {
    this.#world = world
    this.#authority = authority
  }

  async create(componentAddresses: readonly object[], members: object = {}, config?: object): Promise<Created> {
    const itemData = { addressLookupTable: {}, authority: this.#authority, componentAddresses, ...members }
    const creation = await this.#world.api.ok<Created>(
      201,
      'POST',
      PATH,
      itemData,
      config === undefined ? {} : { config },
    )
    expect(creation.chainTransaction?.success, JSON.stringify(creation)).toBe(true)
    return creation
  }

  async extend(table: Ids, componentAddresses: readonly object[]): Promise<Extended> {
    const itemData = { addressLookupTable: table, componentAddresses }
    const extended = await this.#world.api.ok<Extended>(200, 'PATCH', `${PATH}/extend`, itemData)
    expect(extended.chainTransaction.success, JSON.stringify(extended)).toBe(true)
    return extended
  }

  act(table: Ids, action: string): Promise<{ chainTransaction: Result }> {
    return this.#world.api.ok(200, 'PATCH', PATH, { addressLookupTable: table, action })
  }

  refuses(code: string, method: 'POST' | 'PATCH', path: string, itemData: object): Promise<Problem> {
    return this.#world.api.refuses(400, code, method, `${PATH}${path}`, itemData)
  }

  async onchain(address: string): Promise<AddressLookupTableAccount> {
    const { value } = await this.#world.chain.connection.getAddressLookupTable(new PublicKey(address))
    if (value === null) throw new Error(`no table ${address} on chain`)
    return value
  }

  single(table: Ids): Promise<Table> {
    return this.#world.api.read(`${PATH}/single`, { offchainId: table.offchainId })
  }

  /** The record, read before a query could correct it, equals the table on chain. */
  async equalsChain(table: Ids): Promise<Table> {
    const [record, onchainTable, info] = await Promise.all([
      this.single(table),
      this.onchain(table.onchainId),
      this.#world.chain.account(table.onchainId),
    ])
    expect(addressesOf(record.addresses)).toEqual(onchainTable.state.addresses.map((key) => key.toBase58()))
    expect(record.authority?.onchain.id ?? null).toBe(onchainTable.state.authority?.toBase58() ?? null)
    expect(record.state).toBe(
      onchainTable.state.authority === undefined ? 'FROZEN' : onchainTable.isActive() ? 'ACTIVE' : 'DEACTIVATING',
    )
    expect(BigInt(record.addressLookupTable.offchain.lamportsBalance)).toBe(BigInt(info?.lamports ?? -1))
    return record
  }
}
