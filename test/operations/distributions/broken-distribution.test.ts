// A distribution whose actor throws: nothing is written for it meanwhile, others are paid, and it is paid once when its
// record is whole again.
import { randomUUID } from 'node:crypto'
import { beforeAll, expect, it } from 'vitest'
import { ofKind } from '../../../src/engine/records/record.ts'
import { addressBytes } from '../../../src/solana/address.ts'
import { createPaying, LAMPORTS, newHolders, openPayer, type Payer } from './paying.ts'

const PARTS = 3
const TIMEOUT_MS = 60_000

let payer: Payer

beforeAll(async () => {
  payer = await openPayer()
})

it('writes no batch that it cannot note', async () => {
  const { station } = payer
  const { directory } = station.platform.engine
  const all = newHolders(2 * PARTS)
  const [holders, others] = [all.slice(0, PARTS), all.slice(PARTS)]
  const [id, otherId] = [randomUUID(), randomUUID()]
  const ended = (of: string): unknown => ofKind(station.record(of), 'distribution')?.value
  const paid = (of: readonly string[]): readonly bigint[] =>
    of.map((holder) => station.chain.bank.account(addressBytes(holder))?.lamports ?? 0n)
  const kinds = (): number => [...directory.entries('batch', 'batchItem')].length

  await createPaying(payer, id, holders)
  const entry = directory.resident(id)!
  let asked = 0
  entry.sleep()
  Object.defineProperty(entry, 'awake', {
    configurable: true,
    value: () => {
      asked += 1
      throw new Error('an action threw')
    },
  })
  await expect.poll(() => asked, { timeout: TIMEOUT_MS }).toBeGreaterThan(1)
  expect(kinds()).toBe(0)

  await createPaying(payer, otherId, others)
  await expect.poll(() => ended(otherId), { timeout: TIMEOUT_MS }).toBe('done')
  expect([kinds(), paid(holders), paid(others)]).toEqual([1 + PARTS, [0n, 0n, 0n], others.map(() => LAMPORTS)])

  Reflect.deleteProperty(entry, 'awake')
  entry.quarantined = false
  await expect.poll(() => ended(id), { timeout: TIMEOUT_MS }).toBe('done')
  expect([kinds(), paid(holders)]).toEqual([2 * (1 + PARTS), holders.map(() => LAMPORTS)])
}, 300_000)
