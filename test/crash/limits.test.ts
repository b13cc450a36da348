// A hundred concurrent payments against one debit limit, with a SIGKILL of the service among them: the limit holds, and
// its whole rest can be spent afterwards. A payment that waits for approval meanwhile keeps waiting, and is then sent.
import { PublicKey } from '@solana/web3.js'
import { expect, it } from 'vitest'
import { apiOf, type Ref } from './api.ts'
import { randomOf } from './random.ts'
import { newDataDir, startService, type Service } from './service.ts'
import { newAccounts } from './setup.ts'
import { until } from './until.ts'

const SIZE = 100
const LAMPORTS = 1_000
/** 0.00003 of the network currency. */
const LIMIT = 30_000
const FUNDS = 1_000_000_000
const PAY = '/positions/transfer-network-currency'

it('on the debits of a day is never exceeded, and expired transactions do not count', async () => {
  const random = randomOf(5)
  const dataDir = newDataDir()
  let service = await startService({ dataDir })
  const [feePayer] = await newAccounts(service, 1, { canPayFees: true })
  const chainTransactionConfig = { feePayer }
  const approver = (await service.api.make('/admin/api-keys', {
    organizationExternalId: 'SYSTEM',
    name: 'approver',
    roles: ['DEBIT_LIMIT_APPROVE'],
  })) as { keyId: string; apiKey: string }
  const approvalLimit = { limitType: 'PER_TRANSACTION', limitAmount: 0, approversForOverride: [approver.keyId] }
  const limit = {
    destination: 'ANY',
    maxAllowedDebit: { limitType: 'DURATION', limitAmount: '0.00003', duration: { code: 'DAYS', unit: 1 } },
  }
  const [source] = await newAccounts(service, 1, { networkCurrencyDebitLimits: [limit] })
  const [careful] = await newAccounts(service, 1, {
    networkCurrencyDebitLimits: [{ destination: 'ANY', maxAllowedDebit: approvalLimit }],
  })
  const [destination] = await newAccounts(service, 1)
  const balance = (account: Ref | undefined): Promise<number> =>
    service.connection.getBalance(new PublicKey(account!.onchainId))
  for (const account of [feePayer, source, careful, destination]) {
    await service.connection.requestAirdrop(new PublicKey(account!.onchainId), FUNDS)
    await until(async () => (await balance(account)) === FUNDS || undefined, 'the airdrop')
    await service.api.get('/accounts/single/balance', { offchainId: account!.offchainId })
  }
  const readRemaining = (): Promise<number> => balance(source)
  const waitingPayment = await service.api.make(
    PAY,
    { source: careful, destination, lamports: LAMPORTS },
    { chainTransactionConfig },
  )
  expect(waitingPayment).toMatchObject({ status: 'PREPARED', approval: { given: 0 } })
  const pay = (to: Service, lamports: number) =>
    to.api.send('POST', PAY, { source, destination, lamports }, { body: { chainTransactionConfig } })
  const answers: number[] = []
  const bursting = Array.from({ length: SIZE }, () =>
    pay(service, LAMPORTS).then(
      ({ status }) => answers.push(status),
      () => undefined,
    ),
  )
  await until(() => answers.length > random(20) || undefined, 'an answer')
  await service.kill()
  await Promise.all(bursting)
  service = await startService({ dataDir })
  await atRest(service)
  expect(FUNDS - (await readRemaining())).toBeLessThanOrEqual(LIMIT)
  const rest = LIMIT - (FUNDS - (await readRemaining()))
  expect(await pay(service, rest + 1)).toMatchObject({
    status: 400,
    body: { errors: [{ code: 'DEBIT_LIMIT_EXCEEDED' }] },
  })
  if (rest > 0) expect(await pay(service, rest)).toMatchObject({ status: 201 })
  await atRest(service)
  expect(FUNDS - (await readRemaining())).toBe(LIMIT)
  expect((await pay(service, 1)).status).toBe(400)
  const { offchainId } = waitingPayment as { offchainId: string }
  const approval = await apiOf(service.url, approver.apiKey).send('POST', '/transactions/approve', { offchainId })
  expect(approval).toMatchObject({ status: 200, body: { success: true, approval: { given: 1 } } })
  expect(FUNDS - (await balance(careful))).toBe(LAMPORTS)
  expect(await service.stop()).toBe(0)
})

/** No transaction is open. */
async function atRest({ api }: Service): Promise<void> {
  const open = {
    fieldName: 'status',
    filterValues: [{ filterType: 'IN', valuesString: ['SIGNED', 'SUBMITTED', 'PROCESSED', 'CONFIRMED'] }],
  }
  const rest = async () =>
    (await api.query('/transactions/bulk/identifiers', { itemQuery: { limit: 1, filter: [open] } }))['count'] === 0
      ? true
      : undefined
  await until(rest, 'rest')
}
