// A distribution with more parts than a batch has items: two batches, and every part paid once. The batches are smaller
// than those of the service, whose number of items is that of the contract.
import { randomUUID } from 'node:crypto'
import { beforeAll, expect, it } from 'vitest'
import { ofKind, type RecordState } from '../../../src/engine/records/record.ts'
import { addressBytes } from '../../../src/solana/address.ts'
import type { Station } from '../signing/station.ts'
import { createPaying, LAMPORTS, newHolders, openPayer, type Payer } from './paying.ts'

const PARTS = 550
const BATCH_ITEMS = 500

let payer: Payer
let station: Station

beforeAll(async () => {
  payer = await openPayer(BATCH_ITEMS)
  station = payer.station
})

const distributionOf = (id: string): RecordState<'distribution'> => ofKind(station.record(id), 'distribution')!

it('pays more parts than a batch has items in two batches, each once', async () => {
  const holders = newHolders(PARTS)
  const id = randomUUID()
  await createPaying(payer, id, holders)
  await expect.poll(() => distributionOf(id).value, { interval: 500 }).not.toBe('paying')
  expect(distributionOf(id)).toMatchObject({ value: 'done', context: { problem: null } })
  const batches = distributionOf(id).context.batches.map((each) => ofKind(station.record(each), 'batch')!)
  expect(batches.map(({ context }) => context.counts.done)).toEqual([BATCH_ITEMS, PARTS - BATCH_ITEMS])
  const balances = holders.map((holder) => station.chain.bank.account(addressBytes(holder))?.lamports ?? 0n)
  expect(new Set(balances)).toEqual(new Set([LAMPORTS]))
})
