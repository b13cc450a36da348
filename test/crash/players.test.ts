// An account whose key is shared among three processes: it pays with one of them killed, waits with two killed, and a
// start restores all.
import { PublicKey } from '@solana/web3.js'
import { expect, it } from 'vitest'
import { refOf, type Ref } from './api.ts'
import { newDataDir, startService, type Service } from './service.ts'
import { until } from './until.ts'

const SOL = 1_000_000_000
const ONE = 1_000_000

/** Process ids by threshold signer, of the newest run of each. */
function playersOf({ program }: Service): Map<string, number> {
  const runs = program.lines.filter((line) => line.includes('"a threshold signer started"'))
  return new Map(
    runs.map((line) => JSON.parse(line) as { player: string; pid: number }).map(({ player, pid }) => [player, pid]),
  )
}

async function kill(service: Service, code: string): Promise<void> {
  const from = service.program.lines.length
  process.kill(playersOf(service).get(code)!, 'SIGKILL')
  await service.program.find(
    (line) => (line.includes(`"player":"${code}"`) && line.includes('threshold signer exited') ? line : undefined),
    from,
  )
}

it('signs with two of three threshold signers, waits for a second one, and recovers after a start', async () => {
  const dataDir = newDataDir()
  const settings = { EMBEDDED_SLOT_MS: '400' }
  let service = await startService({ dataDir, settings })
  const account = async (itemData: object): Promise<Ref> =>
    refOf(await service.api.make('/accounts', itemData), 'newAccount')
  expect(playersOf(service).size).toBe(0)
  const wallet = await account({
    canPayFees: true,
    networkCurrencyDebitLimits: [],
    privateKeyDetails: { location: ['DKG'] },
  })
  expect(await service.api.get('/accounts/single', wallet)).toMatchObject({
    managed: true,
    privateKeyLocation: ['DKG'],
  })
  const to = await account({})
  await service.connection.requestAirdrop(new PublicKey(wallet.onchainId), SOL)
  await service.api.get('/accounts/single/balance', wallet)
  const transfer = { source: wallet, destination: to, lamports: ONE }
  const received = async (): Promise<number> => await service.connection.getBalance(new PublicKey(to.onchainId))

  expect(await service.api.make('/positions/transfer-network-currency', transfer)).toMatchObject({ success: true })
  // The log line arrives later.
  await until(() => playersOf(service).size >= 4 || undefined, 'the threshold signers have started')
  expect([...playersOf(service).keys()].sort()).toEqual(['P1', 'P2', 'P3', 'combiner'])

  const dkgKeys = [
    { keyUsage: 'SIGN', useBackendPlayersCodes: ['P1', 'P3'], isDefault: true, session: { threshold: 2 } },
  ]
  // Its own key signs the creation, once that is durable.
  const spacious = await service.api.make('/accounts', { dataLength: 8, privateKeyDetails: { dkgKeys } })
  expect(spacious).toMatchObject({ chainTransaction: { success: true } })
  const wrong = await service.api.send('POST', '/accounts', {
    privateKeyDetails: { dkgKeys: [{ useBackendPlayersCodes: ['P1', 'P7'] }] },
  })
  const pointer = '/itemData/privateKeyDetails/dkgKeys/0/useBackendPlayersCodes'
  expect(wrong).toMatchObject({ status: 400, body: { errors: [{ code: 'PLAYER_UNKNOWN', pointer }] } })

  await kill(service, 'P2')
  expect(await service.api.make('/positions/transfer-network-currency', transfer)).toMatchObject({ success: true })
  expect(await received()).toBe(2 * ONE)

  await kill(service, 'P3')
  const from = service.program.lines.length
  const headers = { 'Idempotency-Key': 'third', Prefer: 'wait=2' }
  const payment = await service.api.send('POST', '/positions/transfer-network-currency', transfer, { headers })
  expect(payment.body).toMatchObject({ success: false, status: 'PARTIALLY_SIGNED' })
  const why = await service.program.find(
    (line) => (line.includes('a remote signer did not sign') ? line : undefined),
    from,
  )
  expect(why).toMatch(/2 of 3 players are needed to sign: (P2|P3) ended by SIGKILL, (P2|P3) ended by SIGKILL/)
  expect(await received()).toBe(2 * ONE)

  await service.kill()
  service = await startService({ dataDir, settings })
  const retry = await service.api.send('POST', '/positions/transfer-network-currency', transfer, {
    headers: { 'Idempotency-Key': 'third' },
  })
  expect(retry).toMatchObject({ status: 201, replayed: true })
  await until(async () => ((await received()) === 3 * ONE ? true : undefined), 'the third payment')
  const response = await service.api.send('POST', '/accounts/single/private-key', wallet)
  expect(response).toMatchObject({ status: 400, body: { errors: [{ code: 'THRESHOLD_KEY' }] } })
  expect(await service.stop()).toBe(0)
})
