// The required state after any run: the chain (read by web3.js and spl-token) shows each transfer once, the records
// equal it without another read, nothing is reserved and nothing is open, as read from the disk.
import { join } from 'node:path'
import { unpackAccount } from '@solana/spl-token'
import { PublicKey } from '@solana/web3.js'
import { expect } from 'vitest'
import { openStore } from '../../snapshots/level-store.ts'
import type { Envelope } from '../../snapshots/store.ts'
import { namedContext } from '../../src/engine/records/codec.ts'
import { payloadOfRow } from '../../src/engine/records/payload-row.ts'
import type { Service } from './service.ts'
import { idOf, MINTED, type Instrument, type Setup } from './setup.ts'
import { attemptsReplaced, finalStatus, transactionOf, type Transfer } from './transfer.ts'

/** The balances that the transfers result in, by address of the position; only existing ones. */
function expectedBalances(setup: Setup, transfers: readonly Transfer[]): Map<string, bigint> {
  const balances = new Map(setup.positions.flat().map(({ onchainId }) => [onchainId, MINTED]))
  for (const { from, to, amount } of transfers.filter(({ doomed }) => !doomed)) {
    balances.set(from, (balances.get(from) ?? 0n) - amount)
    balances.set(to, (balances.get(to) ?? 0n) + amount)
  }
  return balances
}

/** Balance of each position that a transfer could have touched. */
async function balancesOnChain(
  service: Service,
  setup: Setup,
  transfers: readonly Transfer[],
): Promise<Map<string, bigint>> {
  const positions = [
    ...new Set([...setup.positions.flat().map(({ onchainId }) => onchainId), ...transfers.map(({ to }) => to)]),
  ]
  const balances = new Map<string, bigint>()
  for (let start = 0; start < positions.length; start += 100) {
    const addresses = positions.slice(start, start + 100).map((address) => new PublicKey(address))
    const infos = await service.connection.getMultipleAccountsInfo(addresses, 'confirmed')
    addresses.forEach((address, index) => {
      const info = infos[index]
      if (info !== null && info !== undefined)
        balances.set(address.toBase58(), unpackAccount(address, info, info.owner).amount)
    })
  }
  return balances
}

/**
 * Everything about `transfers`, which are all that were ever made: each moved its amount once, but the doomed, which
 * failed once.
 */
export async function expectOnceEach(
  service: Service,
  setup: Setup,
  transfers: readonly Transfer[],
  before: ReadonlySet<string>,
): Promise<void> {
  const transactions = transfers.map(transactionOf)
  const ends = await Promise.all(transactions.map((transaction) => finalStatus(service, transaction)))
  expect(ends).toEqual(transfers.map(({ doomed }) => (doomed ? 'BLOCKCHAIN_ERROR' : 'FINALIZED')))

  const onChain = await balancesOnChain(service, setup, transfers)
  expect(onChain).toEqual(expectedBalances(setup, transfers))
  for (const instrument of setup.instruments) await expectSupply(service, instrument, setup.positions.length)
  const signatures = await tokenSignatures(service, [...onChain.keys()])
  expect(difference(signatures, before)).toEqual(transactions.map(({ onchainId }) => onchainId).sort())
  await expectRecordsEqualChain(service, setup, onChain)
}

async function expectSupply({ connection }: Service, instrument: Instrument, holders: number): Promise<void> {
  const supply = await connection.getTokenSupply(new PublicKey(instrument.onchainId), 'confirmed')
  expect(BigInt(supply.value.amount)).toBe(MINTED * BigInt(holders))
}

/** Signatures of all transactions that touched one of the positions so far. */
export async function signaturesSoFar(service: Service, setup: Setup): Promise<Set<string>> {
  return await tokenSignatures(
    service,
    setup.positions.flat().map(({ onchainId }) => onchainId),
  )
}

/** Signatures of all transactions that touched any of the addresses, successful or failed. */
async function tokenSignatures({ connection }: Service, addresses: readonly string[]): Promise<Set<string>> {
  const foundSignatures = new Set<string>()
  for (const address of addresses) {
    let before: string | undefined
    for (;;) {
      const page = await connection.getSignaturesForAddress(
        new PublicKey(address),
        before === undefined ? {} : { before },
        'confirmed',
      )
      for (const { signature } of page) foundSignatures.add(signature)
      before = page.at(-1)?.signature
      if (page.length < 1_000) break
    }
  }
  return foundSignatures
}

function difference(all: ReadonlySet<string>, before: ReadonlySet<string>): string[] {
  return [...all].filter((signature) => !before.has(signature)).sort()
}

export interface PositionBooks {
  readonly balance: number
  readonly reserved: number
  readonly available: number
}

/**
 * Read from the details, which show the record as it stands; the balance endpoint would look at the chain and correct
 * it.
 */
export async function booksOf({ api }: Service, onchainId: string): Promise<PositionBooks> {
  const record = (await api.get('/positions/single', { position: { onchainId } })) as Record<
    keyof PositionBooks,
    { lamports: number }
  >
  const { balance, reserved, available } = record
  return { balance: balance.lamports, reserved: reserved.lamports, available: available.lamports }
}

async function expectRecordsEqualChain(
  service: Service,
  setup: Setup,
  onChain: ReadonlyMap<string, bigint>,
): Promise<void> {
  const { api, connection } = service
  for (const [address, amount] of onChain) {
    expect({ address, ...(await booksOf(service, address)) }).toEqual({
      address,
      balance: Number(amount),
      reserved: 0,
      available: Number(amount),
    })
  }
  for (const feePayer of setup.feePayers) {
    const { offchain } = (await api.get('/accounts/single', idOf(feePayer))) as {
      offchain: { lamportsBalance: number }
    }
    expect(offchain.lamportsBalance).toBe(await connection.getBalance(new PublicKey(feePayer.onchainId), 'confirmed'))
    expect(await api.get('/accounts/single/balance', idOf(feePayer))).toMatchObject({
      reserved: { lamports: 0 },
      outOfBalance: false,
    })
  }
}

const FINAL = new Set(['finalized', 'blockchainError', 'nonBlockchainError', 'cancelled', 'expired'])

/** The records of a stopped service, from its disk, with the names of their members. */
export async function recordsOnDisk(dataDir: string): Promise<Envelope[]> {
  const store = await openStore({
    path: join(dataDir, 'store'),
    lockWaitMs: 10_000,
    onFatal: (error) => {
      throw error
    },
  })
  const records: Envelope[] = []
  for (const tenant of await store.tenants())
    for await (const page of store.load(tenant))
      records.push(...page.map((envelope) => ({ ...envelope, context: namedContext(envelope) })))
  await store.close()
  return records
}

/**
 * Every transaction ended, nothing is reserved; there is one of each transfer, and an expired one of each attempt that
 * another one replaced.
 */
export async function expectDiskAtRest(dataDir: string, transfers: readonly Transfer[]): Promise<void> {
  const records = await recordsOnDisk(dataDir)
  const transactions = records.filter(({ kind }) => kind === 'transaction')
  expect(transactions.filter(({ value }) => !FINAL.has(value)).map(({ id, value }) => `${id} ${value}`)).toEqual([])
  expect(records.flatMap(reservations)).toEqual([])
  const store = await openStore({
    path: join(dataDir, 'store'),
    onFatal: (error) => {
      throw error
    },
  })
  const attempts = transactions.filter(({ tenant, cluster, id }) => {
    const { fixed } = payloadOfRow(store.payload(tenant, cluster, id))
    return fixed.endpoint === 'POST /api/v1/positions/transfer'
  })
  await store.close()
  const replacements = transfers.reduce((sum, transfer) => sum + attemptsReplaced(transfer), 0)
  expect([attempts.length, attempts.filter(({ value }) => value === 'expired').length]).toEqual([
    transfers.length + replacements,
    replacements,
  ])
}

/** Every balance of a record with a reservation. */
export function reservations({ id, kind, context }: Envelope): string[] {
  return Object.entries(context as Record<string, unknown>).flatMap(([asset, book]) => {
    const reserved = typeof book === 'object' && book !== null && 'reserved' in book ? String(book.reserved) : '0'
    return reserved === '0' ? [] : [`${kind} ${id}: ${reserved} ${asset}`]
  })
}
