// The space that the first transaction of a loan has for items: the sizes of the transactions on chain equal those
// measured for the same instructions built by hand. Those had a memo of 41 bytes, which a loan does not have.
import { VersionedTransaction } from '@solana/web3.js'
import bs58 from 'bs58'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { associated } from '../addresses.ts'
import { LoanFixture, terms, type LoanCreation } from './loan-fixture.ts'
import type { DryRun, Ids } from '../models.ts'

const UNIT = 1_000_000n
const PACKET_BYTES = 1_232
/** The key of the program, its index, no accounts, the length of the text, the text. */
const MEMO_BYTES = 32 + 1 + 1 + 1 + 41
/** The index of the program, no accounts, the length of the data, the data. */
const PRICE_BYTES = 1 + 1 + 1 + 9
/** The bytes of one more item that is frozen by default. */
const ITEM_BYTES = 151
/**
 * Bytes by the number of pledged items, the memo among them: version 0, no look-up table, limit and price of compute
 * units.
 */
const PLAIN = [734, 857, 980, 1_103, 1_226]
const FROZEN = [858, 1_009, 1_160, 1_311]
const PRICED = { computeUnitConfig: { enable: true, limit: 300_000, price: 1 } }

let fixture: LoanFixture
let vault: Ids
let cash: Ids
let plain: Ids[]
let frozenInstruments: Ids[]

beforeAll(async () => {
  fixture = await LoanFixture.open()
  const { records, api } = fixture.world
  await records.feePayer()
  const issuer = await records.account()
  const createInstruments = (count: number, more = {}) =>
    Promise.all(Array.from({ length: count }, () => records.instrument('TOKEN_2022', issuer, more)))
  ;[cash] = (await createInstruments(1)) as [Ids]
  ;[plain, frozenInstruments] = await Promise.all([
    createInstruments(PLAIN.length),
    createInstruments(5, { defaultPositionState: 'FROZEN', freezeAuthority: issuer }),
  ])
  vault = await records.account()
  await records.position(vault, cash, 1_000n * UNIT)
  await Promise.all([cash, ...plain, ...frozenInstruments].map((each) => fixture.feed(each, '1')))
  const collateral = [...plain, ...frozenInstruments].map((each) => terms(each))
  const strategy = {
    strategyAccount: vault,
    financialInstrument: cash,
    collateral,
    duration: { code: 'DAYS', unit: 30 },
    originationsEnabled: true,
  }
  await api.ok(201, 'POST', '/loans/strategies', strategy)
})
afterAll(() => fixture.world.stop())

const at = (owner: Ids, financialInstrument: Ids) => ({ owner, financialInstrument })

/** A loan of a borrower without a position for the principal, which the transaction opens. */
async function prepareLoan(pledged: readonly Ids[]): Promise<{ readonly wallet: Ids; readonly request: object }> {
  const { records, api } = fixture.world
  const wallet = await records.funded({ canPayFees: true })
  await Promise.all(
    pledged.map(async (instrument) => {
      await api.ok(201, 'POST', '/positions', { owner: wallet, financialInstrument: instrument })
      const switched = frozenInstruments.includes(instrument)
        ? { unfreezeDestination: true, freezeDestination: true }
        : {}
      await api.ok(201, 'POST', '/positions/mint', { destination: at(wallet, instrument), amount: 10, ...switched })
    }),
  )
  const request = {
    defiProtocol: 'ESCROW_VAULT',
    lendingDetails: { loanStrategyAddress: vault.onchainId },
    itemsToBorrow: [{ positionLookup: at(wallet, cash), amount: 1 }],
    itemsToPledge: pledged.map((each) => ({ positionLookup: at(wallet, each), amount: 10 })),
  }
  return { wallet, request }
}

/** Bytes of the transaction as the chain returns it. */
async function landedBytes(signature: string): Promise<number> {
  const { transaction } = await fixture.world.chain.transaction(signature)
  expect(transaction.message.version).toBe(0)
  expect(transaction.message.addressTableLookups).toEqual([])
  return new VersionedTransaction(
    transaction.message,
    transaction.signatures.map((each) => bs58.decode(each)),
  ).serialize().length
}

const dry = { headers: { 'Holdfast-Dry-Run': 'true' } }

describe.each([
  ['plain', () => plain, PLAIN, 2],
  ['frozen by default', () => frozenInstruments, FROZEN, 3],
] as const)('a loan against collateral that is %s', (_, instruments, measured, signatures) => {
  const fitting = measured.filter((bytes) => bytes <= PACKET_BYTES)

  it.each(fitting.map((bytes, index) => [index + 1, bytes]))(
    'of %i items takes %i bytes with a memo',
    async (count, bytes) => {
      const { api, chain } = fixture.world
      const pledged = instruments().slice(0, count)
      const { wallet, request } = await prepareLoan(pledged)
      const { dryRun } = await api.ok<DryRun>(200, 'POST', '/loans', request, { ...dry, config: PRICED })
      expect([dryRun.sizeBytes + MEMO_BYTES, dryRun.signers.length]).toEqual([bytes, signatures])
      // Without a price the transaction is smaller by that instruction: the index of its program, no accounts, nine
      // bytes of data.
      const unpriced = await api.ok<DryRun>(200, 'POST', '/loans', request, dry)
      expect(unpriced.dryRun.sizeBytes).toBe(dryRun.sizeBytes - PRICE_BYTES)
      const { newLoan, chainTransaction } = await api.ok<LoanCreation>(201, 'POST', '/loans', request, {
        config: PRICED,
      })
      expect(chainTransaction.success, JSON.stringify(chainTransaction)).toBe(true)
      expect(await landedBytes(chainTransaction.onchainId!)).toBe(dryRun.sizeBytes)
      for (const each of pledged) {
        const held = await chain.token(associated(newLoan.onchainId, each.onchainId, 'TOKEN_2022'))
        expect([held.amount, held.isFrozen]).toEqual([10n * UNIT, instruments() === frozenInstruments])
      }
      expect(await chain.tokens(associated(wallet.onchainId, cash.onchainId, 'TOKEN_2022'))).toBe(UNIT)
      await fixture.world.records.accountsEqualChain(wallet)
    },
  )
})

it('is refused before a signature if it exceeds a transaction, with its size and remedies', async () => {
  const { api, chain } = fixture.world
  const { count: before } = (await api.bulk('/loans/bulk', {})) as { count: number }
  for (const [count, config, bytes] of [
    [4, PRICED, FROZEN[3]! - MEMO_BYTES],
    [5, {}, FROZEN[3]! - MEMO_BYTES - PRICE_BYTES + ITEM_BYTES],
  ] as const) {
    const { wallet, request } = await prepareLoan(frozenInstruments.slice(0, count))
    const lamports = await chain.lamports(wallet.onchainId)
    const { message, pointer, retryable } = await api.refuses(400, 'TRANSACTION_TOO_LARGE', 'POST', '/loans', request, {
      config,
    })
    expect(message).toContain(`would be ${bytes} bytes, the limit is ${PACKET_BYTES}`)
    expect(message).toContain('address lookup table')
    expect([pointer, retryable]).toEqual(['/itemData', false])
    expect(await chain.lamports(wallet.onchainId)).toBe(lamports)
  }
  expect(await api.bulk('/loans/bulk', {})).toMatchObject({ count: before })
})

it('fits with four items that are frozen by default, if no compute unit price is paid', async () => {
  const { request } = await prepareLoan(frozenInstruments.slice(0, 4))
  const { chainTransaction } = await fixture.world.api.ok<LoanCreation>(201, 'POST', '/loans', request)
  expect(chainTransaction.success, JSON.stringify(chainTransaction)).toBe(true)
  expect(await landedBytes(chainTransaction.onchainId!)).toBe(FROZEN[3]! - MEMO_BYTES - PRICE_BYTES)
})
