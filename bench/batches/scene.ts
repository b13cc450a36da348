// The scene of the payouts, created over REST: a fee payer, an instrument, a source with enough of it for any number of
// rounds, and a holder for every item. Holders and their positions are created by batches too.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Connection } from '@solana/web3.js'
import type { ServiceProcess } from '../service/process.ts'
import type { Ids, Rest } from '../service/rest.ts'
import { createTenant } from '../service/tenant.ts'
import { fundFeePayer, makeInstrument, makePosition, makeWallet } from '../service/assets.ts'

export const TENANT = 'BENCH'
export const SOURCE_UNITS = 1_000_000_000_000n
const LOOK_MS = 100
const PAGE = 1_000

export interface Scene {
  readonly rest: Rest
  readonly apiKey: string
  readonly feePayer: Ids
  readonly instrument: Ids
  readonly source: Ids
  /** One for each item. */
  readonly positions: readonly Ids[]
}

interface Batch {
  readonly status: string
  readonly failedCount: number
  readonly endedAt: string | null
}

interface Item {
  readonly index: number
  readonly newAccount?: Ids
  readonly newPosition?: Ids
}

export async function prepare(service: ServiceProcess, chain: Connection, items: number): Promise<Scene> {
  const { rest, apiKey } = await createTenant(service, TENANT)
  const feePayer = await makeWallet(rest, { canPayFees: true })
  await fundFeePayer(chain, feePayer)
  const authority = await makeWallet(rest, { offchainReferences: { type: 'TOKEN_MANAGEMENT_AUTHORITY', code: 'MINT' } })
  const instrument = await makeInstrument(rest, authority)
  const treasury = await makeWallet(rest, { offchainReferences: { code: 'TREASURY' } })
  const source = await makePosition(rest, treasury, instrument, SOURCE_UNITS)
  const wallets = Array.from({ length: items }, (_, index) => ({
    managed: true,
    offchainReferences: { code: `HOLDER-${index}` },
  }))
  const owners = await itemsOf(rest, await carryOut(rest, 'CREATE_ACCOUNT', wallets), items)
  const openings = owners.map(({ newAccount }) => ({
    owner: { offchainId: newAccount!.offchainId },
    financialInstrument: { offchainId: instrument.offchainId },
  }))
  const opened = await itemsOf(rest, await carryOut(rest, 'INITIALIZE_POSITION', openings), items)
  return { rest, apiKey, feePayer, instrument, source, positions: opened.map(({ newPosition }) => newPosition!) }
}

/** Creates a batch; resolves with its id when it is acknowledged. */
export async function createBatch(rest: Rest, operation: string, items: readonly object[]): Promise<string> {
  const { newBatch } = await rest.post<{ newBatch: { offchainId: string } }>('/batches', {
    itemData: { operation, items },
  })
  return newBatch.offchainId
}

/** Resolves when every item is done: its transaction is final. Throws if one failed. */
export async function batchDone(rest: Rest, offchainId: string): Promise<void> {
  for (;;) {
    const { endedAt, status, failedCount } = await rest.post<Batch>('/batches/single', { itemData: { offchainId } })
    if (endedAt !== null && status === 'DONE') return
    if (endedAt !== null) throw new Error(`batch ${offchainId} is ${status}, ${failedCount} items failed`)
    await sleep(LOOK_MS)
  }
}

async function carryOut(rest: Rest, operation: string, items: readonly object[]): Promise<string> {
  const id = await createBatch(rest, operation, items)
  await batchDone(rest, id)
  return id
}

/** In order. */
async function itemsOf(rest: Rest, batchId: string, count: number): Promise<readonly Item[]> {
  const items: Item[] = []
  const own = { fieldName: 'batchOffchainId', filterValues: [{ filterType: 'EQUALS', valueString: batchId }] }
  const sort = [{ fieldName: 'index', sortDirection: 'ASC' }]
  for (let from = 0; from < count; from += PAGE) {
    const itemQuery = { filter: [own], sort, limit: PAGE, skip: from }
    items.push(...(await rest.post<{ items: readonly Item[] }>('/batches/items/bulk', { itemQuery })).items)
  }
  if (items.length !== count) throw new Error(`batch ${batchId} shows ${items.length} of ${count} items`)
  return items
}
