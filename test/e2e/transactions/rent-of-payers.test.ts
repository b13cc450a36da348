// Once the fee is paid, a fee payer must be empty or rent-exempt: the chain drops any other transaction, which expires.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startWorld, type World } from '../harness.ts'
import type { Ids, Result, TransactionRecord } from '../models.ts'
import { SOL } from '../records.ts'

const PAY = '/positions/transfer-network-currency'
const RENT = 890_880n
const FEE = 5_000n
/** Of two signatures. */
const FEE_OF_TWO = 10_000n

let world: World
let source: Ids
let destination: Ids

beforeAll(async () => {
  world = await startWorld()
  ;[source, destination] = await Promise.all([world.records.funded({}, SOL), world.records.funded({}, SOL)])
})
afterAll(() => world.stop())

const payerWith = (lamports: bigint): Promise<Ids> => world.records.funded({ canPayFees: true }, lamports)

it.each([
  ['the payment of another', FEE_OF_TWO, { lamports: 5 }],
  ['its whole balance', FEE, { transferEntireBalance: true }],
])('refuses a named fee payer that would keep less, for %s', async (_, fee, members) => {
  const payer = await payerWith(RENT + fee - 1n)
  const body = { source: 'lamports' in members ? source : payer, destination, ...members }
  const config = { feePayer: payer }
  const problem = await world.api.refuses(400, 'INSUFFICIENT_BALANCE', 'POST', PAY, body, { config })
  expect(problem).toMatchObject({ pointer: '/chainTransactionConfig/feePayer', retryable: false })
  expect(problem.message).toContain(`${RENT - 1n} lamports in ${payer.onchainId}: the rent-exempt minimum is ${RENT}`)
  // What came from outside is not in the books yet.
  await world.chain.airdrop(payer.onchainId, RENT)
  const { success } = await world.api.ok<Result>(201, 'POST', PAY, body, { config })
  expect(success).toBe(true)
  await world.records.accountsEqualChain(payer, source, destination)
})

it('takes the fee from one that keeps the minimum, from which the payment may then take all', async () => {
  const payer = await payerWith(RENT + FEE)
  const body = { source: payer, destination, lamports: RENT.toString() }
  const { success } = await world.api.ok<Result>(201, 'POST', PAY, body, { config: { feePayer: payer } })
  expect([success, await world.chain.exists(payer.onchainId)]).toEqual([true, false])
})

async function newTenant(externalId: string) {
  await world.api.ok(201, 'POST', '/admin/organizations', { externalId, name: externalId })
  const body = { organizationExternalId: externalId, name: 'k', bundle: 'ADMIN' }
  const { apiKey } = await world.api.ok<{ apiKey: string }>(201, 'POST', '/admin/api-keys', body)
  const api = world.api.as(apiKey)
  return { api, records: world.records.with(api) }
}

it('14.16 passes over a default fee payer that would keep less', async () => {
  const { api, records } = await newTenant('OTHER')
  const [payer, first] = [await records.funded({}, SOL), await records.funded({ canPayFees: true }, RENT + FEE)]
  const payment = { source: payer, destination: await records.funded({}, SOL), lamports: 5 }
  const problem = await api.refuses(400, 'INSUFFICIENT_BALANCE', 'POST', PAY, payment)
  expect(problem.message).toContain(first.onchainId)
  const second = await records.funded({ canPayFees: true }, RENT + FEE_OF_TWO)
  const { success, offchainId } = await api.ok<Result>(201, 'POST', PAY, payment)
  const record = await api.read<TransactionRecord>('/transactions/single', { offchainId })
  expect([success, record.feePayer.onchainId]).toEqual([true, second.onchainId])
})

it('14.16 takes a default fee payer that keeps the minimum because the payment needs one signature', async () => {
  const { api, records } = await newTenant('ANOTHER')
  await records.account({ canPayFees: true })
  const payer = await records.funded({ canPayFees: true }, RENT + FEE)
  const payment = { source: payer, destination: await records.funded({}, SOL), lamports: RENT.toString() }
  expect((await api.ok<Result>(201, 'POST', PAY, payment)).success).toBe(true)
})
