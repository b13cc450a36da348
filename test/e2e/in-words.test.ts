// The text description of a record: the movements of a transaction, by names and symbols, and every switch that stops
// it.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client } from './client.ts'
import { startWorld, type World } from './harness.ts'
import type { Ids, Result } from './models.ts'
import { SOL, type Records } from './records.ts'

interface Party {
  readonly onchainId: string
  readonly ownerOnchainId: string | null
  readonly name: string | null
}

interface InWords {
  readonly feePayerName: string | null
  readonly movements: readonly {
    readonly type: string
    readonly source: Party | null
    readonly destination: Party | null
    readonly amount: number | string | null
    readonly symbol: string | null
  }[]
}

interface Switches {
  readonly everythingFrozen: boolean
  readonly tenantFrozen: boolean
  readonly organizationFrozen: boolean
  readonly suspendedClusters: readonly string[]
  readonly tenantSuspendedOn: readonly string[]
  readonly organizationSuspendedOn: readonly string[]
}

let world: World
let api: Client
let records: Records
let alice: Ids
let bob: Ids
let bond: Ids

const coded = (code: string): object => ({ offchainReferences: { code } })
const wordsOf = async (client: Client, offchainId: string): Promise<InWords> =>
  await client.read<InWords>('/transactions/single', { offchainId })

beforeAll(async () => {
  world = await startWorld()
  await world.api.ok(201, 'POST', '/admin/organizations', { externalId: 'ACME', name: 'Acme' })
  const key = { organizationExternalId: 'ACME', name: 'test', bundle: 'ADMIN' }
  const { apiKey } = await world.api.ok<{ apiKey: string }>(201, 'POST', '/admin/api-keys', key)
  api = world.api.as(apiKey)
  records = world.records.with(api)
  await records.feePayer(coded('PAYER'))
  const issuer = await records.account(coded('ISSUER'))
  ;[alice, bob] = await Promise.all([
    records.funded({ ...coded('ALICE'), networkCurrencyDebitLimits: [] }, SOL),
    records.account(coded('BOB')),
  ])
  bond = await records.instrument('TOKEN_2022', issuer, {
    onchainData: { name: 'Bond', symbol: 'BOND', decimals: 6 },
  })
  await Promise.all([records.position(alice, bond, 100_000_000n), records.position(bob, bond)])
})
afterAll(() => world.stop())

describe('the text description of a transaction', () => {
  const of = (owner: Ids): object => ({ owner, financialInstrument: bond })

  it('names the parties of a transfer, the amount, the symbol and the fee payer', async () => {
    const { offchainId } = await api.ok<Result>(201, 'POST', '/positions/transfer', {
      source: of(alice),
      destination: of(bob),
      amount: '25.5',
    })
    const words = await wordsOf(api, offchainId)
    expect(words).toMatchObject({
      feePayerName: 'PAYER',
      movements: [
        {
          type: 'TRANSFER',
          source: { name: 'ALICE', ownerOnchainId: alice.onchainId },
          destination: { name: 'BOB', ownerOnchainId: bob.onchainId },
          amount: 25.5,
          symbol: 'BOND',
        },
      ],
    })
    const filter = [{ fieldName: 'offchainId', filterValues: [{ filterType: 'EQUALS', valueString: offchainId }] }]
    const list = (await api.bulk('/transactions/bulk/detailed', { filter })) as { items: readonly InWords[] }
    expect(list.items[0]!.movements).toEqual(words.movements)
  })

  it('names a counterparty without a record by address only', async () => {
    const [knownAccount, stranger] = [await world.records.account(), await world.records.account()]
    await api.ok(201, 'POST', '/counterparties', {
      name: 'Custodian',
      status: 'ALLOWED',
      addresses: [{ onchainId: knownAccount.onchainId, label: 'main' }],
    })
    for (const [{ onchainId }, name] of [
      [knownAccount, 'Custodian'],
      [stranger, null],
    ] as const) {
      const { offchainId } = await api.ok<Result>(201, 'POST', '/positions/transfer-network-currency', {
        source: alice,
        destination: { onchainId, offPlatform: true },
        lamports: '1500000',
      })
      expect((await wordsOf(api, offchainId)).movements).toMatchObject([
        {
          type: 'TRANSFER_NETWORK_CURRENCY',
          source: { name: 'ALICE' },
          destination: { onchainId, name },
          amount: 0.0015,
          symbol: 'SOL',
        },
      ])
    }
  })
})

describe('a switch', () => {
  const switches = async (): Promise<Switches> => (await api.get<{ switches: Switches }>('/whoami')).body.switches
  const NONE: Switches = {
    everythingFrozen: false,
    tenantFrozen: false,
    organizationFrozen: false,
    suspendedClusters: [],
    tenantSuspendedOn: [],
    organizationSuspendedOn: [],
  }
  const account = async (): Promise<unknown> => await api.read('/accounts/single', { offchainId: alice.offchainId })
  const organization = async (): Promise<unknown> => {
    const filter = [{ fieldName: 'externalId', filterValues: [{ filterType: 'EQUALS', valueString: 'ACME' }] }]
    const { items } = (await world.api.bulk('/admin/organizations/bulk', { filter })) as { items: readonly unknown[] }
    return items[0]
  }

  it('appears on each account that it stops', async () => {
    expect(await account()).toMatchObject({ frozenByOperator: false, laneSuspended: false })
    await api.ok(200, 'PATCH', '/admin/freeze', { account: alice })
    await api.ok(200, 'PATCH', '/admin/lanes/suspend', { account: alice })
    expect(await account()).toMatchObject({ frozenByOperator: true, laneSuspended: true })
    await api.ok(200, 'PATCH', '/admin/unfreeze', { account: alice })
    await api.ok(200, 'PATCH', '/admin/lanes/resume', { account: alice })
    expect(await account()).toMatchObject({ frozenByOperator: false, laneSuspended: false })
  })

  it('appears for the keys of the organization that it stops', async () => {
    expect(await switches()).toEqual(NONE)
    await world.api.ok(200, 'PATCH', '/admin/freeze', { organizationExternalId: 'ACME' })
    await world.api.ok(200, 'PATCH', '/admin/lanes/suspend', { organizationExternalId: 'ACME' })
    const state = await switches()
    expect(state).toMatchObject({ everythingFrozen: false, tenantFrozen: true, organizationFrozen: true })
    expect(state.organizationSuspendedOn).toHaveLength(1)
    expect(await organization()).toMatchObject({
      status: 'FROZEN',
      suspendedOnClusters: state.organizationSuspendedOn,
    })
    await world.api.ok(200, 'PATCH', '/admin/unfreeze', { organizationExternalId: 'ACME' })
    await world.api.ok(200, 'PATCH', '/admin/lanes/resume', { organizationExternalId: 'ACME' })
    expect(await switches()).toEqual(NONE)
  })

  it('appears for every key if it stops everything', async () => {
    await world.api.ok(200, 'PATCH', '/admin/freeze', {})
    await world.api.ok(200, 'PATCH', '/admin/lanes/suspend', {})
    const all = await switches()
    expect(all).toMatchObject({ everythingFrozen: true, organizationFrozen: false })
    expect(all.suspendedClusters).toHaveLength(1)
    await world.api.ok(200, 'PATCH', '/admin/unfreeze', {})
    await world.api.ok(200, 'PATCH', '/admin/lanes/resume', {})
    expect(await switches()).toEqual(NONE)
  })
})
