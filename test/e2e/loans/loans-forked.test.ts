// A step of a loan whose fork is dropped after it landed. The books return to the state before the step, and a step
// that lands again is booked once. The service makes no step on top of one that is not final, so that at most one step
// is ever reverted.
import { ALWAYS, forkAway, setFaults } from '../../chain-faults.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { associated } from '../addresses.ts'
import { eventually, everythingIsFinal, pastLifetimes } from '../harness.ts'
import { LoanFixture, terms, type LoanCreation, type Loan } from './loan-fixture.ts'
import type { Ids, Position, Result } from '../models.ts'

const UNIT = 1_000_000n
/** 20 seconds, within which a busy machine reads a landing and drops it before it is final. */
const FINALITY_SLOTS = 200
const SLOT_MS = 100

let fixture: LoanFixture
let vault: Ids
let wallet: Ids
let cash: Ids
let bond: Ids
let share: Ids

beforeAll(async () => {
  fixture = await LoanFixture.open({
    HOLDFAST_EMBEDDED_FAULTS: 'on',
    HOLDFAST_EMBEDDED_SLOT_MS: String(SLOT_MS),
    HOLDFAST_EMBEDDED_FINALITY_SLOTS: String(FINALITY_SLOTS),
  })
  const { records, api } = fixture.world
  await records.feePayer()
  const issuer = await records.account()
  ;[cash, bond, share] = (await Promise.all(
    ['SPL', 'TOKEN_2022', 'SPL'].map((version) => records.instrument(version as 'SPL', issuer)),
  )) as [Ids, Ids, Ids]
  ;[vault, wallet] = await Promise.all([records.account(), records.funded({ canPayFees: true })])
  await records.position(vault, cash, 1_000n * UNIT)
  await Promise.all([bond, share].map((each) => records.position(wallet, each, 500n * UNIT)))
  await records.position(wallet, cash)
  await Promise.all([cash, bond, share].map((each) => fixture.feed(each, '1')))
  const collateral = [terms(bond), terms(share, { apy: 200_000 })]
  await api.ok(201, 'POST', '/loans/strategies', {
    strategyAccount: vault,
    financialInstrument: cash,
    collateral,
    duration: { code: 'DAYS', unit: 30 },
  })
  await settled()
})
afterAll(() => fixture.world.stop())

/** Every transaction becomes final. */
async function settled(): Promise<void> {
  await fixture.world.passSlots(FINALITY_SLOTS)
  await everythingIsFinal(fixture.world.api)
}

const at = (instrument: Ids) => ({ owner: wallet, financialInstrument: instrument })
const loanAt = (escrow: Ids): Promise<Loan> => fixture.world.api.read('/loans/single', { escrow })
const tokens = (owner: Ids, instrument: Ids) =>
  fixture.world.chain.tokens(
    associated(owner.onchainId, instrument.onchainId, instrument === bond ? 'TOKEN_2022' : 'SPL'),
  )
const booked = async (owner: Ids, instrument: Ids): Promise<readonly unknown[]> => {
  const { balance, reserved } = await fixture.world.api.read<Position>('/positions/single', {
    owner,
    financialInstrument: instrument,
  })
  return [balance.amount, reserved.amount]
}

/** The members that the steps change. */
async function books(escrow: Ids): Promise<unknown> {
  const { lifecycleState, pledgedItems, borrowedItems } = await loanAt(escrow)
  return {
    lifecycleState,
    pledged: pledgedItems.map(({ pledgedAmount, accountDetails }) => [pledgedAmount, accountDetails.onchain.id]),
    borrowed: borrowedItems.map(
      ({ principalDue, principalRepaid, interestOutstanding, apy, lastInterestUpdateTime }) => ({
        principalDue,
        principalRepaid,
        interestOutstanding,
        apy,
        lastInterestUpdateTime,
      }),
    ),
  }
}

/** Transactions that are not final never landed, and are not sent again before the faults end. */
async function fork(): Promise<void> {
  const { rpcUrl } = fixture.world
  await setFaults(rpcUrl, { dropRequests: { sendTransaction: ALWAYS } })
  await forkAway(rpcUrl, FINALITY_SLOTS)
  // The other fork becomes as long.
  await fixture.world.passSlots(FINALITY_SLOTS)
}

/** The transaction lands again, or its blockhash expires first. */
async function waitForEnd({ offchainId }: Result): Promise<string> {
  const { world } = fixture
  await setFaults(world.rpcUrl, {})
  return await pastLifetimes(world, async () => {
    const { status } = await world.api.read<Result>('/transactions/status', { offchainId })
    expect(['FINALIZED', 'EXPIRED']).toContain(status)
    return status
  })
}

const LOAN = (escrow: Ids) => ({ defiProtocol: 'ESCROW_VAULT', escrow })
const item = (instrument: Ids, amount: number) => ({ positionLookup: at(instrument), amount })
async function lend(): Promise<LoanCreation> {
  const items = { itemsToBorrow: [item(cash, 100)], itemsToPledge: [item(bond, 300)] }
  const creation = await fixture.world.api.ok<LoanCreation>(201, 'POST', '/loans', {
    defiProtocol: 'ESCROW_VAULT',
    lendingDetails: { loanStrategyAddress: vault.onchainId },
    ...items,
  })
  expect(creation.chainTransaction).toMatchObject({ status: 'CONFIRMED', success: true })
  return creation
}

async function changeLoan(what: string, escrow: Ids, members: object): Promise<Result> {
  await settled()
  const { chainTransaction } = await fixture.world.api.ok<{ chainTransaction: Result }>(
    200,
    'PATCH',
    `/loans/${what}`,
    {
      ...LOAN(escrow),
      ...members,
    },
  )
  expect(chainTransaction).toMatchObject({ status: 'CONFIRMED', success: true })
  return chainTransaction
}

/** The books of all token positions equal the chain, and nothing is reserved. */
async function atRest(escrow?: Ids): Promise<void> {
  await eventually(async () => {
    const places: [Ids, Ids][] = [
      [vault, cash],
      [wallet, cash],
      [wallet, bond],
      [wallet, share],
    ]
    if (escrow !== undefined) places.push([escrow, bond])
    for (const [owner, instrument] of places) {
      const onchain = await tokens(owner, instrument)
      expect(await booked(owner, instrument)).toEqual([Number(onchain / UNIT) + Number(onchain % UNIT) / 1e6, 0])
    }
  })
}

describe('a dropped fork', () => {
  it('with the creation of a loan undoes debt and pledges, and reserves them until the outcome is known', async () => {
    const { newLoan: escrow, chainTransaction } = await lend()
    const [vaultHad, walletHad] = [await tokens(vault, cash), await tokens(wallet, bond)]
    const before = await books(escrow)
    await fork()
    await eventually(async () =>
      expect(await books(escrow)).toEqual({ lifecycleState: 'PENDING', pledged: [], borrowed: [] }),
    )
    expect([await tokens(vault, cash), await tokens(wallet, bond)]).toEqual([
      vaultHad + 100n * UNIT,
      walletHad + 300n * UNIT,
    ])
    expect(await Promise.all([booked(vault, cash), booked(wallet, bond)])).toEqual([
      [1_000, 100],
      [500, 300],
    ])
    await fixture.world.api.refuses(400, 'LOAN_BUSY', 'PATCH', '/loans/repay', {
      ...LOAN(escrow),
      itemsToRelease: [item(bond, 1)],
    })
    const landedAgain = (await waitForEnd(chainTransaction)) === 'FINALIZED'
    expect(await books(escrow)).toEqual(landedAgain ? before : { lifecycleState: 'CLOSED', pledged: [], borrowed: [] })
    expect([await tokens(vault, cash), await tokens(wallet, bond)]).toEqual(
      landedAgain ? [vaultHad, walletHad] : [1_000n * UNIT, 500n * UNIT],
    )
    if (landedAgain) {
      await changeLoan('repay', escrow, {
        itemsToRepay: [{ positionLookup: at(cash), repayAll: true }],
        itemsToRelease: [item(bond, 300)],
      })
      await settled()
    }
    await atRest()
  })

  it('undoes the last step only: the books are those before it, and the loan continues from there', async () => {
    const { newLoan: escrow } = await lend()
    await changeLoan('swap-collateral', escrow, { itemsToDeposit: [item(share, 200)] })
    const before = await books(escrow)
    expect(before).toMatchObject({ borrowed: [{ apy: 200_000 }] })
    const had = await Promise.all([
      tokens(vault, cash),
      tokens(wallet, cash),
      tokens(wallet, bond),
      tokens(wallet, share),
      tokens(escrow, bond),
    ])
    const repayment = await changeLoan('repay', escrow, {
      itemsToRepay: [item(cash, 40)],
      itemsToRelease: [item(bond, 150)],
    })
    expect((await loanAt(escrow)).pledgedItems.map(({ pledgedAmount }) => pledgedAmount)).toEqual([150, 200])
    await fork()
    await eventually(async () => expect(await books(escrow)).toEqual(before))
    expect(
      await Promise.all([
        tokens(vault, cash),
        tokens(wallet, cash),
        tokens(wallet, bond),
        tokens(wallet, share),
        tokens(escrow, bond),
      ]),
    ).toEqual(had)
    const end = await waitForEnd(repayment)
    if (end === 'EXPIRED') expect(await books(escrow)).toEqual(before)
    await atRest(escrow)
    await changeLoan('repay', escrow, { itemsToRepay: [item(cash, 1)] })
    await settled()
    await atRest(escrow)
    const principalRepaid = Number((await loanAt(escrow)).borrowedItems[0]!.principalRepaid)
    expect(Math.round(principalRepaid)).toBe(end === 'FINALIZED' ? 41 : 1)
  })
})
