// Lists of loans, positions and transactions compared with a naive model: the filters, the order and the pages of a
// query by the values that the answers show.
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { FilterType, FilterValue, Query, Sort } from '../../../../src/engine/query/field.ts'
import { eventually } from '../../../e2e/harness.ts'
import type { Ids, Result } from '../../../e2e/models.ts'
import { SOL } from '../../../e2e/records.ts'
import { LoanFixture, terms, type LoanCreation } from '../../../e2e/loans/loan-fixture.ts'
import { Naive, type NaiveRow } from '../../../engine/query/naive.ts'
import { Random } from '../../../engine/query/random.ts'
import { loanFields, POSITION_FIELDS, textAt, TRANSACTION_FIELDS, valueAt, type ListedField } from './listed-rows.ts'

const UNIT = 1_000_000n
const QUERIES = 300

let fixture: LoanFixture
let wallet: Ids
let cash: Ids
let bond: Ids
let gold: Ids

const random = new Random(20_261_127)
const at = (financialInstrument: Ids) => ({ owner: wallet, financialInstrument })
const item = (financialInstrument: Ids, amount: number) => ({ positionLookup: at(financialInstrument), amount })

beforeAll(async () => {
  fixture = await LoanFixture.open()
  const { records, api } = fixture.world
  await records.feePayer()
  const issuer = await records.account()
  const create = () => records.instrument('TOKEN_2022', issuer, { freezeAuthority: issuer })
  ;[cash, bond, gold] = [await create(), await create(), await create()]
  const vault = await records.account()
  wallet = await records.funded({ canPayFees: true, tokenDebitLimits: [] }, SOL)
  await records.position(vault, cash, 10_000n * UNIT)
  for (const each of [bond, gold]) await records.position(wallet, each, 9_000n * UNIT)
  for (const each of [cash, bond, gold]) await fixture.feed(each, '1')
  await api.ok(201, 'POST', '/loans/strategies', {
    strategyAccount: vault,
    financialInstrument: cash,
    collateral: [terms(bond), terms(gold)],
    duration: { code: 'DAYS', unit: 90 },
  })
  for (let count = 0; count < 10; count += 1) await makeLoan(count, vault)
  for (let count = 0; count < 12; count += 1) await makePosition(count, issuer)
  await whenSettled()
})
afterAll(() => fixture.world.stop())

/** No record changes from now on: every transaction is final, and the compute units that it consumed are known. */
async function whenSettled(): Promise<void> {
  const underWay = { fieldName: 'status', filterValues: [{ filterType: 'IN', valuesString: UNDER_WAY }] }
  const unmeasured = [
    { fieldName: 'status', filterValues: [{ filterType: 'EQUALS', valueString: 'FINALIZED' }] },
    { fieldName: 'computeUnitsConsumed', filterValues: [{ filterType: 'IS_NULL' }] },
  ]
  for (const filter of [[underWay], unmeasured])
    await eventually(async () =>
      expect((await listed('/transactions/bulk/detailed', { limit: 0, filter })).count).toBe(0),
    )
}

const UNDER_WAY = ['SUBMITTED', 'PROCESSED', 'CONFIRMED']

/** In one of several states: as it began, with a part released, repaid, or closed. */
async function makeLoan(count: number, vault: Ids): Promise<void> {
  const { api } = fixture.world
  const { newLoan } = await api.ok<LoanCreation>(201, 'POST', '/loans', {
    defiProtocol: 'ESCROW_VAULT',
    lendingDetails: { loanStrategyAddress: vault.onchainId },
    itemsToBorrow: [item(cash, 1 + random.roll(3))],
    itemsToPledge: random.chance(3) ? [item(bond, 40), item(gold, 40)] : [item(random.of([bond, gold]), 40)],
    duration: { code: 'DAYS', unit: random.of([7, 30, 90]) },
  })
  const loan = { defiProtocol: 'ESCROW_VAULT', escrow: newLoan }
  const change = (path: string, more: object = {}) =>
    api.ok(200, 'PATCH', `/loans/${path}`, { ...loan, ...more }, { headers: { prefer: 'wait=20' } })
  const pledged = await api.read<{ pledgedItems: readonly { accountDetails: { onchain: { id: string } } }[] }>(
    '/loans/single',
    { escrow: newLoan },
  )
  if (count % 4 === 1) await change('repay', { itemsToRepay: [{ positionLookup: at(cash), amount: '0.5' }] })
  if (count % 4 < 2) return
  await change('repay', { itemsToRepay: [{ positionLookup: at(cash), repayAll: true }] })
  if (count % 4 === 2) return
  const held = (await mintsOf(pledged.pledgedItems.map(({ accountDetails }) => accountDetails.onchain.id))).map(
    (onchainId) =>
      item(
        [bond, gold].find((each) => each.onchainId === onchainId)!,
        40,
      ),
  )
  await change('repay', { itemsToRelease: held })
  await change('close')
}

/** Mints of token accounts, read from the chain. */
async function mintsOf(addresses: readonly string[]): Promise<readonly string[]> {
  return await Promise.all(addresses.map(async (each) => (await fixture.world.chain.token(each)).mint.toBase58()))
}

async function makePosition(count: number, issuer: Ids): Promise<void> {
  const { records, api } = fixture.world
  const owner = await records.account({ offchainReferences: { code: `OWNER-${count}` } })
  const position = await records.position(owner, random.of([cash, bond, gold]), BigInt(random.roll(4)) * UNIT)
  if (random.chance(2)) {
    const offchainReferences = {
      code: random.of(['A', 'a', 'B', 'É']),
      accountNumber: `${count}`,
      name: random.of(['One', 'one two', 'Three']),
    }
    await api.ok(200, 'PATCH', '/positions', {
      position: { position },
      offchainReferences,
      comments: `No ${count % 4}`,
    })
  }
  const memo = random.chance(2) ? { memo: `memo ${count % 3}`, externalReference: `REF-${count % 5}` } : {}
  const burn = { source: { position }, amount: 1, ...memo }
  const waits = { config: { feePayer: { offchainId: wallet.offchainId, autoSign: false } } }
  const { status, body } = await api.send<Result>('POST', '/positions/burn', burn, random.chance(2) ? waits : {})
  if (status === 201 && body.status === 'PREPARED' && random.chance(2))
    await api.ok(200, 'PATCH', '/transactions/cancel', { offchainId: body.offchainId })
  if (random.chance(3))
    await api.ok(200, 'PATCH', '/positions/freeze', { position: { position }, freezeAuthority: issuer })
}

async function listed(
  path: string,
  query: object,
): Promise<{ readonly count: number; readonly items: readonly unknown[] }> {
  return (await fixture.world.api.bulk(path, query)) as { count: number; items: readonly unknown[] }
}

function rowsOf(items: readonly unknown[], fields: Readonly<Record<string, ListedField>>, idPath: string) {
  return items.map((shown) => ({
    id: textAt(shown, idPath),
    ...Object.fromEntries(Object.entries(fields).map(([name, { read }]) => [name, read(shown) ?? null])),
  })) as unknown as NaiveRow[]
}

/** A filter by a value that some row has, or nearly has. */
function anyValue({ kind, nullable }: ListedField, values: readonly unknown[]): FilterValue {
  if (nullable && random.chance(6)) return { filterType: random.of(['IS_NULL', 'IS_NOT_NULL']) }
  const value = String(values.length === 0 ? (kind === 'number' ? 0 : '') : random.of(values))
  const equality = ['EQUALS', 'NOT_EQUALS'] as const
  if (kind === 'boolean') return { filterType: random.of(equality), valueBoolean: value === 'true' }
  if (kind === 'text') {
    const filterType = random.of<FilterType>([
      ...equality,
      'IN',
      'CONTAINS',
      'NOT_CONTAINS',
      'STARTS_WITH',
      'ENDS_WITH',
    ])
    if (filterType === 'IN') return { filterType, valuesString: [value, String(random.of([...values, value]))] }
    if (filterType === 'EQUALS' || filterType === 'NOT_EQUALS') return { filterType, valueString: value }
    const start = random.roll(value.length + 1)
    return { filterType, valueString: value.slice(start, start + 1 + random.roll(4)).toUpperCase() }
  }
  const ordering = ['GREATER_THAN', 'GREATER_THAN_OR_EQUAL', 'LESS_THAN', 'LESS_THAN_OR_EQUAL'] as const
  const filterType = random.of<FilterType>([...equality, ...ordering, 'IN_RANGE'])
  const member = kind === 'number' ? 'Number' : 'String'
  if (filterType !== 'IN_RANGE') return { filterType, [`value${member}`]: value }
  return { filterType, [`valueFrom${member}`]: value, [`valueTo${member}`]: String(random.of([...values, value])) }
}

function anyQuery(fields: Readonly<Record<string, ListedField>>, rows: readonly NaiveRow[]): Query {
  const names = Object.keys(fields)
  const filter = random.list(0, 2, () => {
    const fieldName = random.of(names)
    const values = rows.flatMap((row) => row[fieldName]!).filter((value) => value !== null)
    const filterValues = random.list(1, 2, () => anyValue(fields[fieldName]!, values))
    return { fieldName, operator: random.of(['AND', 'OR'] as const), filterValues }
  })
  const sort: readonly Sort[] = random.list(1, 2, () => ({
    fieldName: random.of(names),
    sortDirection: random.of(['ASC', 'DESC'] as const),
  }))
  return { filter, sort, skip: random.of([0, 0, 1, 5]), limit: random.of([0, 1, 3, 1_000]) }
}

async function compare(path: string, fields: Readonly<Record<string, ListedField>>, idPath: string) {
  const { count, items } = await listed(path, { limit: 1_000 })
  expect(items).toHaveLength(count)
  const rows = rowsOf(items, fields, idPath)
  const kinds = Object.fromEntries(Object.entries(fields).map(([name, { kind }]) => [name, kind]))
  const naive = new Naive(kinds, [])
  for (let asked = 0; asked < QUERIES; asked += 1) {
    const query = anyQuery(fields, rows)
    const answer = await listed(path, query)
    expect(
      { count: answer.count, ids: answer.items.map((shown) => textAt(shown, idPath)) },
      JSON.stringify(query),
    ).toEqual(naive.answer([...rows], query))
  }
}

it('positions are listed by what is shown of them', async () => {
  await compare('/positions/bulk/detailed', POSITION_FIELDS, 'offchain.id')
})

it('transactions are listed by what is shown of them', async () => {
  await compare('/transactions/bulk/detailed', TRANSACTION_FIELDS, 'offchainId')
})

it('loans are listed by what is shown of them', async () => {
  const { items } = await listed('/positions/bulk/detailed', { limit: 1_000 })
  const mints = new Map(
    items.map((position) => [textAt(position, 'onchain.id'), valueAt(position, 'financialInstrument')] as const),
  )
  await compare('/loans/bulk', loanFields(mints), 'escrow.offchain.id')
})
