// Statements of what one transaction pays to many: a line for each payment, with its party, amount and reference.
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseCsv } from '../../../src/import-files/csv.ts'
import { BATCHES, BatchFixture, type Item } from './batch-fixture.ts'
import { UNLIMITED } from './counterparty-setup.ts'
import { eventually, startWorld, unwatched, type World } from '../harness.ts'
import type { Ids } from '../models.ts'
import { SOL } from '../records.ts'

interface Pair {
  readonly lamports: number | string
}

interface Row {
  readonly time: string
  readonly amount: Pair
  readonly balanceAfter: Pair
  readonly from: readonly { readonly onchainId: string }[]
  readonly to: readonly { readonly onchainId: string; readonly name: string | null }[]
  readonly fee: number
  readonly rent: number
  readonly externalReference: string | null
  readonly itemReferences: readonly string[]
  readonly transaction: { readonly offchainId: string } | null
}

interface Section {
  readonly account: Ids
  readonly financialInstrument: Ids | null
  readonly openingBalance: Pair
  readonly movements: readonly Row[]
  readonly closingBalance: Pair
}

interface Payment {
  readonly to: Ids
  readonly lamports: number
  readonly externalReference?: string
}

const START = '2020-01-01T00:00:00Z'
const FEE = 5_000

let world: World
let fixture: BatchFixture
let feePayer: Ids
let wallet: Ids
let treasury: Ids
let xavier: Ids
let yves: Ids
/** Their positions. */
let positions: readonly [Ids, Ids]

beforeAll(async () => {
  world = await startWorld({}, unwatched)
  fixture = new BatchFixture(world.api)
  const { records } = world
  feePayer = await records.feePayer(UNLIMITED)
  const issuer = await records.account()
  const cash = await records.instrument('SPL', issuer)
  wallet = await records.funded({ ...UNLIMITED, canPayFees: true }, 100n * SOL)
  xavier = await records.funded({ offchainReferences: { name: 'Xavier' } }, SOL)
  yves = await records.funded({ offchainReferences: { name: 'Yves' } }, SOL)
  treasury = await records.position(wallet, cash, 1_000_000n)
  positions = [await records.position(xavier, cash), await records.position(yves, cash)]
})
afterAll(() => world.stop())

/** Pays network currency, or tokens of the treasury, by one batch. Returns the ids of its transactions. */
async function pay(payments: readonly Payment[], payer: Ids, more: object = {}): Promise<readonly Item[]> {
  const isTokens = payments.some(({ to }) => positions.includes(to))
  const items = payments.map(({ to, ...rest }) => ({
    ...rest,
    ...(isTokens
      ? { source: { position: treasury }, destination: { position: to } }
      : { source: wallet, destination: to }),
  }))
  const body = { operation: isTokens ? 'TRANSFER' : 'TRANSFER_NETWORK_CURRENCY', items, ...more }
  const { newBatch } = await world.api.ok<{ newBatch: Ids }>(201, 'POST', BATCHES, body, {
    config: { feePayer: payer },
  })
  return await fixture.waitForEnd(newBatch.offchainId)
}

/** The statement of the organization up to now. */
async function sections(): Promise<readonly Section[]> {
  const now = new Date().toISOString()
  return await eventually(async () => {
    const { to, balances } = await world.api.read<{ to: string; balances: readonly Section[] }>('/statements', {
      organization: 'SYSTEM',
      from: START,
    })
    expect(to >= now).toBe(true)
    return balances
  })
}

const raw = ({ lamports }: Pair): number => Number(lamports)

function sectionOf(all: readonly Section[], { onchainId }: Ids, isTokens: boolean): Section {
  const found = all.find(
    ({ account, financialInstrument }) =>
      account.onchainId === onchainId && (financialInstrument !== null) === isTokens,
  )
  return found!
}

function rowsOf(section: Section, transaction: string): readonly Row[] {
  return section.movements.filter((each) => each.transaction?.offchainId === transaction)
}

const shown = ({ amount, to, fee, itemReferences }: Row): unknown => [
  raw(amount),
  to.map(({ onchainId }) => onchainId),
  Math.round(fee * Number(SOL)),
  itemReferences,
]

function expectToAddUp({ openingBalance, movements, closingBalance }: Section): void {
  let balance = raw(openingBalance)
  for (const { amount, balanceAfter } of movements) {
    balance += raw(amount)
    expect(raw(balanceAfter)).toBe(balance)
  }
  expect(raw(closingBalance)).toBe(balance)
}

describe('a batch that pays several in one transaction', () => {
  it('is a line for each payee, with its amount and reference', async () => {
    const references = { externalReference: 'bref' }
    const payments = [
      { to: xavier, lamports: 1_000_000_000, externalReference: 'i1' },
      { to: yves, lamports: 1_000_000_000, externalReference: 'i2' },
    ]
    const [item] = await pay(payments, feePayer, references)
    const { offchainId } = item!.chainTransaction!
    const all = await sections()
    const rows = rowsOf(sectionOf(all, wallet, false), offchainId)
    expect(rows.map(shown)).toEqual([
      [-1_000_000_000, [xavier.onchainId], 0, ['i1']],
      [-1_000_000_000, [yves.onchainId], 0, ['i2']],
    ])
    expect(new Set(rows.map(({ time, externalReference }) => `${time} ${externalReference}`)).size).toBe(1)
    expect(raw(rows[0]!.balanceAfter) - raw(rows[1]!.balanceAfter)).toBe(1_000_000_000)
    const ofYves = rowsOf(sectionOf(all, yves, false), offchainId)
    expect(ofYves.map(shown)).toEqual([[1_000_000_000, [yves.onchainId], 0, ['i2']]])
    expect(ofYves[0]!.from).toMatchObject([{ onchainId: wallet.onchainId }])
    const ofPayer = rowsOf(sectionOf(all, feePayer, false), offchainId)
    expect(ofPayer).toHaveLength(1)
    expect(ofPayer[0]).toMatchObject({ to: [], itemReferences: ['i1', 'i2'] })
    expect(raw(ofPayer[0]!.amount)).toBe(-Math.round(ofPayer[0]!.fee * Number(SOL)))
  })

  it('is the same in CSV, row by row', async () => {
    const payments = [
      { to: xavier, lamports: 1_500_000_000, externalReference: 'c1' },
      { to: yves, lamports: 2_000_000_000, externalReference: 'c2' },
    ]
    const [item] = await pay(payments, feePayer)
    await sections()
    const response = await fetch(`${world.url}/api/v1/statements`, {
      method: 'POST',
      headers: { authorization: world.api.bearer, 'content-type': 'application/json' },
      body: JSON.stringify({ itemData: { account: wallet, from: START, format: 'CSV' } }),
    })
    const [head, ...lines] = parseCsv(await response.text()).map(({ cells }) => cells)
    const at = (row: readonly string[], name: string): string => row[head!.indexOf(name)]!
    const found = lines.filter((row) => at(row, 'transactionOffchainId') === item!.chainTransaction!.offchainId)
    expect(found.map((row) => ['amount', 'toName', 'externalReference'].map((name) => at(row, name)))).toEqual([
      ['-1.5', 'Xavier', 'c1'],
      ['-2', 'Yves', 'c2'],
    ])
  })

  it('has the reference of an item once in CSV, if the transaction has it too', async () => {
    await pay([{ to: xavier, lamports: 1_000_000, externalReference: 'only' }], feePayer)
    await sections()
    const answer = await fetch(`${world.url}/api/v1/statements`, {
      method: 'POST',
      headers: { authorization: world.api.bearer, 'content-type': 'application/json' },
      body: JSON.stringify({ itemData: { account: wallet, from: START, format: 'CSV' } }),
    })
    const text = await answer.text()
    expect(text).toContain(',only,')
    expect(text).not.toContain('only; only')
  })

  it('has its fee in a line of its own, after the payments', async () => {
    const payments = [
      { to: xavier, lamports: 300_000_000, externalReference: 's1' },
      { to: yves, lamports: 400_000_000, externalReference: 's2' },
    ]
    const [item] = await pay(payments, wallet)
    const rows = rowsOf(sectionOf(await sections(), wallet, false), item!.chainTransaction!.offchainId)
    expect(rows.map(shown)).toEqual([
      [-300_000_000, [xavier.onchainId], 0, ['s1']],
      [-400_000_000, [yves.onchainId], 0, ['s2']],
      [-FEE, [], FEE, ['s1', 's2']],
    ])
  })

  it('keeps the fee in the line of a single payment', async () => {
    const [item] = await pay([{ to: xavier, lamports: 300_000_000, externalReference: 's3' }], wallet)
    const rows = rowsOf(sectionOf(await sections(), wallet, false), item!.chainTransaction!.offchainId)
    expect(rows.map(shown)).toEqual([[-300_000_000 - FEE, [xavier.onchainId], FEE, ['s3']]])
  })

  it('of tokens is a line for each payee, also where items share a reference or have none', async () => {
    const [one, two] = positions
    const payments = [
      { to: one, lamports: 5, externalReference: 'shared' },
      { to: two, lamports: 6 },
      { to: one, lamports: 7, externalReference: 'other' },
      { to: two, lamports: 8, externalReference: 'shared' },
    ]
    const [item] = await pay(payments, feePayer)
    const { offchainId } = item!.chainTransaction!
    const all = await sections()
    expect(rowsOf(sectionOf(all, treasury, true), offchainId).map(shown)).toEqual(
      payments.map(({ to, lamports, externalReference }) => [
        -lamports,
        [to.onchainId],
        0,
        externalReference === undefined ? [] : [externalReference],
      ]),
    )
    expect(rowsOf(sectionOf(all, two, true), offchainId).map(shown)).toEqual([
      [6, [two.onchainId], 0, []],
      [8, [two.onchainId], 0, ['shared']],
    ])
  })

  it('opens accounts for payees: the rent is one line of the fee payer, with the fee', async () => {
    const { records, api } = world
    const owner = await records.account()
    const { financialInstrument } = await records.positionRecord(treasury)
    const to = { owner, financialInstrument: { onchainId: financialInstrument.onchain.id } }
    const items = [3, 4].map((lamports, index) => ({
      ...{ source: { position: treasury }, destination: to, lamports, externalReference: `new ${index}` },
      initializeDestinationPositionIfNeeded: true,
    }))
    const { newBatch } = await api.ok<{ newBatch: Ids }>(
      201,
      'POST',
      BATCHES,
      { operation: 'TRANSFER', items },
      { config: { feePayer: wallet } },
    )
    const done = await fixture.waitForEnd(newBatch.offchainId)
    const all = await sections()
    const transactions = new Set(done.map(({ chainTransaction }) => chainTransaction!.offchainId))
    const rows = [...transactions].flatMap((id) => rowsOf(sectionOf(all, wallet, false), id))
    expect(rows).toHaveLength(transactions.size)
    expect(rows.reduce((sum, { rent }) => sum + rent, 0)).toBeGreaterThan(0)
    for (const { amount, fee, rent } of rows)
      expect(-raw(amount)).toBe(Math.round(fee * Number(SOL)) + Math.round(rent * Number(SOL)))
    const paid = [...transactions].flatMap((id) => rowsOf(sectionOf(all, treasury, true), id))
    expect(paid.map(({ amount, itemReferences }) => [raw(amount), itemReferences])).toEqual([
      [-3, ['new 0']],
      [-4, ['new 1']],
    ])
  })
})

it('any batch is its payments in the order of the items, and every balance still adds up', async () => {
  const payment = fc.record(
    { at: fc.nat(1), lamports: fc.integer({ min: 1, max: 9_000 }), externalReference: fc.constantFrom('a', 'b', 'c') },
    { requiredKeys: ['at', 'lamports'] },
  )
  const batch = fc.record({
    isTokens: fc.boolean(),
    paysItself: fc.boolean(),
    payments: fc.array(payment, { minLength: 2, maxLength: 8 }),
  })
  await fc.assert(
    fc.asyncProperty(batch, async ({ isTokens, paysItself, payments }) => {
      const payees = isTokens ? positions : [xavier, yves]
      const made = payments.map(({ at, ...rest }) => ({ ...rest, to: payees[at]! }))
      const done = await pay(made, paysItself ? wallet : feePayer)
      const all = await sections()
      for (const section of all) expectToAddUp(section)
      const source = sectionOf(all, isTokens ? treasury : wallet, isTokens)
      for (const id of new Set(done.map(({ chainTransaction }) => chainTransaction!.offchainId))) {
        const carried = made.filter((_, index) => done[index]!.chainTransaction!.offchainId === id)
        const rows = rowsOf(source, id)
        const hasFeeRow = paysItself && !isTokens && carried.length > 1
        expect(rows).toHaveLength(carried.length + (hasFeeRow ? 1 : 0))
        for (const [index, { to, lamports, externalReference }] of carried.entries()) {
          const row = rows[index]!
          expect(row.to.map(({ onchainId }) => onchainId)).toEqual([to.onchainId])
          expect(-raw(row.amount) - Math.round(row.fee * Number(SOL))).toBe(lamports)
          expect(row.itemReferences).toEqual(externalReference === undefined ? [] : [externalReference])
        }
        for (const payee of new Set(carried.map(({ to }) => to)))
          expect(rowsOf(sectionOf(all, payee, isTokens), id).map(({ amount }) => raw(amount))).toEqual(
            carried.filter(({ to }) => to === payee).map(({ lamports }) => lamports),
          )
      }
    }),
    { numRuns: 8 },
  )
})
