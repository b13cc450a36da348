// Two hundred concurrent payments against one limit, with a power failure at any instant: the limit is never exceeded,
// and at rest the exact remainder can be spent.
import { beforeAll, expect, it } from 'vitest'
import type { DebitLimit } from '../../../machines/holding.ts'
import { randomOf, type Random } from '../../crash/random.ts'
import { eventually } from '../../localnet/rpc-chain.ts'
import { SOL, Station, type Wallet } from '../signing/station.ts'

const SEEDS = 50
const PAYMENTS = 200
/** Lamports; about fifteen of the payments fit. */
const LIMIT = 15_000n

const limit: DebitLimit = {
  operationType: 'ANY',
  destination: 'ANY',
  mintAuthority: null,
  maxAllowedDebit: {
    limitType: 'DURATION',
    limitAmount: '0.000015',
    duration: { code: 'DAYS', unit: 1 },
    approversForOverride: [],
    requiredApproversCount: 0,
  },
}

let station: Station
let feePayer: Wallet
let to: Wallet

beforeAll(async () => {
  station = await Station.open('ACME')
  feePayer = await station.wallet('ACME', { canPayFees: true }, false, 1_000n * SOL)
  to = await station.wallet('ACME')
})

it(`is never exceeded, and never loses capacity (${SEEDS} seeds)`, async () => {
  let crashed = 0
  for (let seed = 1; seed <= SEEDS; seed += 1) crashed += (await storm(randomOf(seed))) ? 1 : 0
  expect(crashed, 'payments lost with the power').toBeGreaterThan(0)
})

/** True when some payment was never answered. */
async function storm(random: Random): Promise<boolean> {
  const source = await station.wallet('ACME', { networkCurrencyDebitLimits: [limit] })
  let unanswered = PAYMENTS
  const pay = (lamports: bigint) => station.pay('ACME', source, to, Number(lamports), feePayer, { waitMs: 0 })
  for (let index = 0; index < PAYMENTS; index += 1) {
    pay(BigInt(500 + random(1_000))).then(
      () => (unanswered -= 1),
      (error: unknown) => {
        if (String(error).includes('DEBIT_LIMIT_EXCEEDED')) unanswered -= 1
      },
    )
  }
  for (let turns = random(60); turns > 0; turns -= 1) await new Promise((resolve) => setImmediate(resolve))
  await station.crash(random(2) === 0)
  const hasUnanswered = unanswered > 0
  await atRest()
  const spentLamports = SOL - station.onchain(source)
  expect(spentLamports).toBeLessThanOrEqual(LIMIT)
  await expect(pay(LIMIT - spentLamports + 1n)).rejects.toThrow('DEBIT_LIMIT_EXCEEDED')
  if (spentLamports < LIMIT) await pay(LIMIT - spentLamports)
  await atRest()
  expect(SOL - station.onchain(source)).toBe(LIMIT)
  await expect(pay(1n)).rejects.toThrow('DEBIT_LIMIT_EXCEEDED')
  return hasUnanswered
}

/** Waits until every stored signed transaction has landed; the others are lost. */
async function atRest(): Promise<void> {
  const open = () => station.transactions.filter(({ context }) => context.finalAt === null)
  await eventually(() => open().every(({ value }) => value === 'confirmed'))
  await station.chain.bank.advance(1)
  for (const { id } of open()) await station.until(id, 'finalized')
}
