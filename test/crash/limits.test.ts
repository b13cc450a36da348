// Two hundred payments at once against one debit limit, and SIGKILL of the service among them: the limit holds through it, and all that is
// left of it can be spent afterwards.
import { PublicKey } from '@solana/web3.js'
import { expect, it } from 'vitest'
import { diceOf } from './dice.ts'
import { newDataDir, startService, type Service } from './service.ts'
import { newAccounts, settle } from './town.ts'
import { until } from './until.ts'

const SIZE = 200
const LAMPORTS = 1_000
/** 0.00005 of the network currency. */
const LIMIT = 50_000
const FUNDS = 1_000_000_000
const PAY = '/positions/transfer-network-currency'

it('of the debits of a day is not exceeded, and not used up by what never happened', async () => {
  const dice = diceOf(5)
  const dataDir = newDataDir()
  let service = await startService({ dataDir })
  const { feePayers } = await settle(service)
  const chainTransactionConfig = { feePayer: feePayers[0] }
  const limit = { destination: 'ANY', maxAllowedDebit: { limitType: 'DURATION', limitAmount: '0.00005', duration: { code: 'DAYS', unit: 1 } } }
  const [source] = await newAccounts(service, 1, { networkCurrencyDebitLimits: [limit] })
  const [destination] = await newAccounts(service, 1)
  const address = new PublicKey(source!.onchainId)
  await service.connection.requestAirdrop(address, FUNDS)
  const left = (): Promise<number> => service.connection.getBalance(address)
  await until(async () => (await left()) === FUNDS || undefined, 'the airdrop')
  await service.connection.requestAirdrop(new PublicKey(destination!.onchainId), FUNDS)
  const pay = (to: Service, lamports: number) => to.api.send('POST', PAY, { source, destination, lamports }, { body: { chainTransactionConfig } })
  for (let round = 0; round < 3; round += 1) {
    const answers: number[] = []
    const bursting = Array.from({ length: SIZE }, () => pay(service, LAMPORTS).then(({ status }) => answers.push(status), () => undefined))
    await until(() => answers.length > dice(20) || undefined, 'an answer')
    await service.kill()
    await Promise.all(bursting)
    service = await startService({ dataDir })
    await atRest(service)
    expect(FUNDS - (await left())).toBeLessThanOrEqual(LIMIT)
  }
  const rest = LIMIT - (FUNDS - (await left()))
  expect(await pay(service, rest + 1)).toMatchObject({ status: 400, body: { errors: [{ code: 'DEBIT_LIMIT_EXCEEDED' }] } })
  if (rest > 0) expect(await pay(service, rest)).toMatchObject({ status: 201 })
  await atRest(service)
  expect(FUNDS - (await left())).toBe(LIMIT)
  expect((await pay(service, 1)).status).toBe(400)
  expect(await service.stop()).toBe(0)
}, 120_000)

/** Nothing is under way. */
async function atRest({ api }: Service): Promise<void> {
  const open = { fieldName: 'status', filterValues: [{ filterType: 'IN', valuesString: ['SIGNED', 'SUBMITTED', 'PROCESSED', 'CONFIRMED'] }] }
  const rest = async () => ((await api.query('/transactions/bulk/identifiers', { itemQuery: { limit: 1, filter: [open] } }))['count'] === 0 ? true : undefined)
  await until(rest, 'rest')
}
