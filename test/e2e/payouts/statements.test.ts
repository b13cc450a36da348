// Statements over HTTP: for any history of accounts and positions, the opening balance and the movements add up to the
// closing balance, in every interval, and the closing balance equals the chain.
import { Keypair } from '@solana/web3.js'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseCsv } from '../../../src/import-files/csv.ts'
import type { Client } from '../client.ts'
import { UNLIMITED } from './counterparty-setup.ts'
import { eventually, startWorld, type World } from '../harness.ts'
import type { Balance, Ids, Result } from '../models.ts'
import { SOL } from '../records.ts'

interface Pair {
  readonly amount: number | string
  readonly lamports: number | string
}

interface Party {
  readonly onchainId: string
  readonly ownerOnchainId: string | null
  readonly name: string | null
}

interface Movement {
  readonly time: string
  readonly kind: string
  readonly amount: Pair
  readonly from: readonly Party[]
  readonly to: readonly Party[]
  readonly fee: number
  readonly rent: number
  readonly externalReference: string | null
  readonly operation: string | null
  readonly transaction: { readonly offchainId: string | null; readonly onchainId: string | null } | null
  readonly balanceAfter: Pair
}

interface Section {
  readonly account: { readonly onchainId: string; readonly offchainId: string; readonly name: string | null }
  readonly financialInstrument: Ids | null
  readonly symbol: string | null
  readonly openingBalance: Pair
  readonly movements: readonly Movement[]
  readonly closingBalance: Pair
}

interface Statement {
  readonly from: string
  readonly to: string
  readonly balances: readonly Section[]
}

const START = '2020-01-01T00:00:00Z'
const FORMULA = '=HYPERLINK("http://x","y")'

let world: World
let feePayer: Ids
let issuer: Ids
let alice: Ids
let bob: Ids
let instrument: Ids
let alices: Ids
let bobs: Ids
let payment: Result
const outsider = Keypair.generate().publicKey.toBase58()

const organization = (from = START, to?: string): Promise<Statement> =>
  world.api.read<Statement>('/statements', { organization: 'SYSTEM', from, ...(to === undefined ? {} : { to }) })
const keyOf = ({ account, financialInstrument }: Section): string =>
  `${account.offchainId} ${financialInstrument?.onchainId ?? 'SOL'}`
const raw = ({ lamports }: Pair): bigint => BigInt(lamports)

beforeAll(async () => {
  world = await startWorld()
  const { api, records, chain } = world
  feePayer = await records.feePayer(UNLIMITED)
  issuer = await records.account()
  instrument = await records.instrument('SPL', issuer)
  alice = await records.funded({ ...UNLIMITED, offchainReferences: { name: FORMULA } }, SOL)
  bob = await records.funded({ offchainReferences: { name: 'Bob, the "second"' } }, SOL)
  alices = await records.position(alice, instrument, 1_000_000n)
  bobs = await records.position(bob, instrument)
  payment = await api.ok<Result>(201, 'POST', '/positions/transfer', {
    source: { position: alices },
    destination: { position: bobs },
    amount: '0.25',
    externalReference: '@INV-1',
  })
  await api.ok(201, 'POST', '/positions/transfer-network-currency', { source: bob, destination: alice, amount: '0.1' })
  // Fails on chain if it is sent without a check: only the fee moves.
  await api.ok(201, 'POST', '/positions/burn', { source: { position: bobs }, lamports: 50_000 })
  // The first payment creates the account of the outsider with its owner; the second one names only its address.
  for (const lamports of [3, 4])
    await api.ok(201, 'POST', '/positions/transfer', {
      source: { position: alices },
      destination: { owner: { onchainId: outsider, offPlatform: true }, financialInstrument: instrument },
      initializeDestinationPositionIfNeeded: true,
      lamports,
    })
  // An outside party deposits.
  await chain.airdrop(alice.onchainId, 7_000n)
  await api.read<Balance>('/accounts/single/balance', alice)
  const closedPosition = await records.position(await records.account(), instrument, 5n)
  await api.ok(200, 'PATCH', '/positions/close', {
    position: { position: closedPosition },
    burnRemainingTokenBalance: true,
  })
})
afterAll(() => world.stop())

/** A statement that ends after all movements so far. */
async function readStatement(): Promise<Statement> {
  const now = new Date().toISOString()
  return eventually(async () => {
    const statement = await organization()
    expect(statement.to >= now).toBe(true)
    return statement
  })
}

function expectToAddUp({ balances }: Statement): void {
  for (const { openingBalance, movements, closingBalance } of balances) {
    let balance = raw(openingBalance)
    for (const { amount, balanceAfter } of movements) {
      balance += raw(amount)
      expect(raw(balanceAfter)).toBe(balance)
    }
    expect(raw(closingBalance)).toBe(balance)
  }
}

describe('a statement of an organization', () => {
  it('balances to the unit, and closes at the balance on chain', async () => {
    const statement = await readStatement()
    expectToAddUp(statement)
    expect(statement.balances.length).toBeGreaterThan(8)
    for (const { account, financialInstrument, closingBalance } of statement.balances) {
      const onchainBalance =
        financialInstrument === null
          ? await world.chain.lamports(account.onchainId)
          : await world.chain.tokens(account.onchainId)
      expect({ account, balance: raw(closingBalance) }).toEqual({ account, balance: onchainBalance })
    }
  })

  it('balances for every interval: each closes where the next one opens', async () => {
    const statement = await readStatement()
    const times = [...new Set(statement.balances.flatMap(({ movements }) => movements.map(({ time }) => time)))].sort()
    const cuts = [
      START,
      ...times.filter((_, index) => index % Math.ceil(times.length / 8) === 0),
      times.at(-1)!,
      statement.to,
    ]
    let before = new Map<string, bigint>()
    let movementCount = 0
    for (const [index, to] of cuts.slice(1).entries()) {
      const from = cuts[index]!
      if (from >= to) continue
      const part = await organization(from, to)
      expectToAddUp(part)
      const opening = new Map(part.balances.map((each) => [keyOf(each), raw(each.openingBalance)]))
      for (const [key, balance] of before) expect(opening.get(key) ?? 0n).toBe(balance)
      for (const { movements } of part.balances)
        for (const { time } of movements) expect(time >= new Date(from).toISOString() && time < to).toBe(true)
      movementCount += part.balances.reduce((sum, { movements }) => sum + movements.length, 0)
      before = new Map(part.balances.map((each) => [keyOf(each), raw(each.closingBalance)]))
    }
    expect(movementCount).toBe(statement.balances.reduce((sum, { movements }) => sum + movements.length, 0))
  })

  it('has the same line for a movement in every interval that contains it', async () => {
    const statement = await readStatement()
    const all = statement.balances.flatMap((balance) => balance.movements.map((movement) => ({ balance, movement })))
    const instants = [...new Set(all.map(({ movement }) => Date.parse(movement.time)))].sort((a, b) => a - b)
    const [first, end] = [instants[0]!, Date.parse(statement.to)]
    const instant = fc.oneof(fc.constantFrom(...instants), fc.integer({ min: first - 10, max: end }))
    const linesOf = ({ balances }: Statement) =>
      balances.flatMap((balance) => balance.movements.map((movement) => [keyOf(balance), movement]))
    await fc.assert(
      fc.asyncProperty(instant, instant, async (one, other) => {
        fc.pre(one !== other)
        const [from, to] = [Math.min(one, other), Math.max(one, other)].map((ms) => new Date(ms).toISOString())
        const part = await organization(from, to)
        expectToAddUp(part)
        const within = all.filter(({ movement: { time } }) => time >= from! && time < to!)
        expect(linesOf(part)).toEqual(within.map(({ balance, movement }) => [keyOf(balance), movement]))
      }),
      { numRuns: 30 },
    )
  })

  it('is streamed as CSV that is safe in spreadsheets, with the same numbers', async () => {
    const statement = await readStatement()
    const response = await fetch(`${world.url}/api/v1/statements`, {
      method: 'POST',
      headers: { authorization: world.api.bearer, 'content-type': 'application/json' },
      body: JSON.stringify({ itemData: { organization: 'SYSTEM', from: START, to: statement.to, format: 'CSV' } }),
    })
    expect(response.headers.get('content-type')).toContain('text/csv')
    const [head, ...rows] = parseCsv(await response.text()).map(({ cells }) => cells)
    const at = (row: readonly string[], name: string): string => row[head!.indexOf(name)]!
    expect(rows.length).toBe(statement.balances.reduce((sum, { movements }) => sum + movements.length + 2, 0))
    for (const row of rows) {
      for (const [index, cell] of row.entries()) {
        if (['amount', 'balance', 'fee', 'rent'].includes(head![index]!)) expect(cell).toMatch(/^(-?\d+(\.\d+)?)?$/)
        else expect(cell).not.toMatch(/^[=+\-@\t\r]/)
      }
    }
    const namedRows = rows.filter((row) => at(row, 'account') === alice.onchainId)
    expect(new Set(namedRows.map((row) => at(row, 'accountName')))).toEqual(new Set([`'${FORMULA}`]))
    expect(rows.some((row) => at(row, 'externalReference') === "'@INV-1")).toBe(true)
  })
})

describe('a movement', () => {
  const section = async (input: object, account: Ids, token: boolean): Promise<Section> => {
    await readStatement()
    const statement = await world.api.read<Statement>('/statements', { ...input, from: START })
    return statement.balances.find(
      (each) => each.account.onchainId === account.onchainId && (each.financialInstrument !== null) === token,
    )!
  }

  it('names both parties, the reference and the transaction', async () => {
    const { movements, symbol } = await section({ position: { position: alices } }, alices, true)
    expect(symbol).toBeNull()
    const movement = movements.find(({ transaction }) => transaction?.offchainId === payment.offchainId)!
    expect(movement).toMatchObject({
      kind: 'TRANSACTION',
      amount: { amount: -0.25, lamports: -250_000 },
      externalReference: '@INV-1',
      fee: 0,
      operation: 'POST /api/v1/positions/transfer',
      transaction: { onchainId: payment.onchainId },
      from: [{ onchainId: alices.onchainId, ownerOnchainId: alice.onchainId, name: FORMULA }],
      to: [{ onchainId: bobs.onchainId, ownerOnchainId: bob.onchainId, name: 'Bob, the "second"' }],
    })
    expect(movements[0]).toMatchObject({
      from: [{ onchainId: instrument.onchainId }],
      to: [{ onchainId: alices.onchainId }],
    })
  })

  it('of a fee payer includes the fee and the rent', async () => {
    const { movements } = await section({ account: feePayer }, feePayer, false)
    const fees = movements.filter(({ transaction }) => transaction?.offchainId === payment.offchainId)
    expect(fees).toHaveLength(1)
    expect(fees[0]!.amount.amount).toBe(-fees[0]!.fee)
    const opening = movements.find(({ operation }) => operation === 'POST /api/v1/positions')!
    expect(opening.rent).toBeGreaterThan(0)
    expect(Number(opening.amount.amount)).toBeCloseTo(-opening.fee - opening.rent, 9)
  })

  it('of an outside party is marked as observed on chain', async () => {
    const { movements } = await section({ account: alice }, alice, false)
    expect(movements.find(({ amount }) => Number(amount.lamports) === 7_000)).toMatchObject({
      kind: 'OUTSIDE',
      transaction: null,
      to: [{ onchainId: alice.onchainId }],
    })
  })

  it('of an account is listed with those of its positions, including closed ones', async () => {
    await readStatement()
    const statement = await world.api.read<Statement>('/statements', { account: alice, from: START })
    expect(statement.balances.map(({ account }) => account.onchainId)).toEqual([
      alice.onchainId,
      alices.onchainId,
      alices.onchainId,
    ])
  })
})

describe('a position', () => {
  const accounts = async (position: object): Promise<readonly string[]> => {
    const { balances } = await world.api.read<Statement>('/statements', { position, from: START })
    return [...new Set(balances.map(({ account }) => account.offchainId))]
  }

  it('is named by a position lookup, or as an account is', async () => {
    await readStatement()
    const named = [
      { position: alices },
      { owner: alice, financialInstrument: instrument },
      { onchainId: alices.onchainId },
      { offchainId: alices.offchainId },
    ]
    for (const position of named) expect(await accounts(position)).toEqual([alices.offchainId])
    for (const [position, code] of [
      [{ ...alices, owner: alice }, 'LOOKUP_MISMATCH'],
      [{ offchainId: crypto.randomUUID() }, 'POSITION_NOT_FOUND'],
      [alice, 'POSITION_NOT_FOUND'],
    ] as const) {
      const { pointer } = await world.api.refuses(400, code, 'POST', '/statements', { position, from: START })
      expect(pointer).toBe('/itemData/position')
    }
  })

  it('that is closed is found by its owner and instrument while none is open, the latest of several', async () => {
    const { api, records } = world
    const owner = await records.account()
    const lookup = { owner, financialInstrument: instrument }
    await api.refuses(400, 'POSITION_NOT_FOUND', 'POST', '/statements', { position: lookup, from: START })
    for (const lamports of [5n, 6n]) {
      const position = await records.position(owner, instrument, lamports)
      await api.ok(200, 'PATCH', '/positions/close', { position: { position }, burnRemainingTokenBalance: true })
      await readStatement()
      expect(await accounts(lookup)).toEqual([position.offchainId])
    }
    const open = await records.position(owner, instrument, 7n)
    await readStatement()
    expect(await accounts(lookup)).toEqual([open.offchainId])
  })
})

describe('a statement is refused', () => {
  let other: Client
  beforeAll(async () => {
    await world.api.ok(201, 'POST', '/admin/organizations', { externalId: 'OTHER', name: 'Other' })
    const key = async (roles: readonly string[]): Promise<Client> => {
      const { apiKey } = await world.api.ok<{ apiKey: string }>(201, 'POST', '/admin/api-keys', {
        organizationExternalId: 'OTHER',
        name: 'reads',
        roles,
      })
      return world.api.as(apiKey)
    }
    other = await key(['TRANSACTIONS_READ', 'ACCOUNTS_READ', 'POSITIONS_READ'])
    const half = await key(['TRANSACTIONS_READ', 'ACCOUNTS_READ'])
    await half.refuses(403, 'ROLE_REQUIRED', 'POST', '/statements', { organization: 'OTHER', from: START })
  })

  it('for records of another tenant, as if they did not exist', async () => {
    await other.refuses(400, 'ACCOUNT_NOT_FOUND', 'POST', '/statements', {
      account: { onchainId: alice.onchainId },
      from: START,
    })
    await other.refuses(400, 'POSITION_NOT_FOUND', 'POST', '/statements', {
      position: { position: { offchainId: alices.offchainId } },
      from: START,
    })
    await other.refuses(400, 'ORGANIZATION_NOT_FOUND', 'POST', '/statements', { organization: 'SYSTEM', from: START })
    expect((await other.read<Statement>('/statements', { organization: 'OTHER', from: START })).balances).toEqual([])
    const unknownAddress = Keypair.generate().publicKey.toBase58()
    await other.refuses(400, 'ACCOUNT_NOT_FOUND', 'POST', '/statements', {
      account: { onchainId: unknownAddress },
      from: START,
    })
  })

  it('for a position beside the owner or the instrument of another one', async () => {
    const other = await world.records.instrument('SPL', issuer)
    for (const [beside, member] of [
      [{ owner: bob }, 'owner'],
      [{ financialInstrument: other }, 'financialInstrument'],
      [{ mintAuthority: alice }, 'mintAuthority'],
    ] as const) {
      const itemData = { position: { position: alices, ...beside }, from: START }
      const { pointer } = await world.api.refuses(400, 'LOOKUP_MISMATCH', 'POST', '/statements', itemData)
      expect(pointer).toBe(`/itemData/position/${member}`)
    }
    const agreeing = { position: alices, owner: alice, financialInstrument: instrument }
    await world.api.read('/statements', { position: agreeing, from: START })
  })

  it('for an empty or future interval, and for more than one subject', async () => {
    await world.api.refuses(400, 'INVALID_PERIOD', 'POST', '/statements', {
      organization: 'SYSTEM',
      from: START,
      to: START,
    })
    await world.api.refuses(400, 'INVALID_PERIOD', 'POST', '/statements', {
      organization: 'SYSTEM',
      from: '2999-01-01T00:00:00Z',
    })
    await world.api.refuses(400, 'MUTUALLY_EXCLUSIVE', 'POST', '/statements', {
      organization: 'SYSTEM',
      account: alice,
      from: START,
    })
  })
})
