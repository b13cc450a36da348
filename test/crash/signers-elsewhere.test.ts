// Keys in Vault and in AWS KMS, with a kill -9 at the worst instant: the other side has signed and answered, and
// nothing of that is stored. The same message is signed again and lands once; an unused key is reported, and no account
// lacks its key.
import { readdirSync, watch } from 'node:fs'
import { join } from 'node:path'
import { PublicKey } from '@solana/web3.js'
import { afterAll, describe, expect, it } from 'vitest'
import { startKms, startVault, TOKEN, type ContractServer } from '../keys/contract-servers.ts'
import { refOf, type Ref } from './api.ts'
import { newDataDir, startService, type Service } from './service.ts'
import { until } from './until.ts'

const SOL = 1_000_000_000
const AMOUNT = 1_234_567
const SECRETS = { privateKeyDetails: { location: ['SECRETS'] } }
// A blockhash must outlive a restart on a busy machine.
const SLOTS = { EMBEDDED_SLOT_MS: '400' }
const CREDENTIALS = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret' }

const servers: ContractServer[] = []
afterAll(() => {
  for (const server of servers) server.close()
})

const places = [
  ['vault', startVault, (url: string) => ({ VAULT_URL: url, VAULT_TOKEN: TOKEN })],
  ['aws-kms', startKms, (url: string) => ({ KMS_REGION: 'eu-central-1', KMS_ENDPOINT: url })],
] as const

/** Stops the service when the answer is ready, and kills it when the answer was sent: it arrived, and was not read. */
function killAt(server: ContractServer, { program }: Service, what: string): void {
  server.around = (question, isSent) => {
    if (question.what !== what) return
    process.kill(program.pid, isSent ? 'SIGKILL' : 'SIGSTOP')
    if (isSent) server.around = null
  }
}

describe.each(places)('keys in %s', (store, open, settingsOf) => {
  it('sign the same message again after a kill between answer and write, and no account lacks its key', async () => {
    const server = await open()
    servers.push(server)
    const start = (): Promise<Service> =>
      startService({
        dataDir,
        settings: { ...SLOTS, SECRETS_STORE: store, ...settingsOf(server.url) },
        environment: CREDENTIALS,
      })
    const dataDir = newDataDir()
    let service = await start()
    const account = async (itemData: object): Promise<Ref> =>
      refOf(await service.api.make('/accounts', itemData), 'newAccount')
    const [payer, source, to] = [await account({ canPayFees: true }), await account(SECRETS), await account({})]
    for (const { onchainId } of [payer, source]) await service.connection.requestAirdrop(new PublicKey(onchainId), SOL)
    for (const each of [payer, source]) await service.api.get('/accounts/single/balance', each)

    killAt(server, service, 'sign')
    const pay = (): ReturnType<Service['api']['send']> =>
      service.api.send(
        'POST',
        '/positions/transfer-network-currency',
        { source, destination: to, lamports: AMOUNT },
        { headers: { 'idempotency-key': 'pay' } },
      )
    await expect(pay()).rejects.toThrow()
    expect(await service.program.ended).toBe('SIGKILL')
    const signings = (): string[] => server.asked.flatMap(({ message }) => (message === null ? [] : [message]))
    expect(signings()).toHaveLength(1)

    service = await start()
    const landed = async (): Promise<number> => await service.connection.getBalance(new PublicKey(to.onchainId))
    await until(async () => ((await landed()) > 0 ? true : undefined), 'the payment lands')
    expect(await pay()).toMatchObject({ status: 201, replayed: true, body: { success: true } })
    expect(signings().length).toBeGreaterThanOrEqual(2)
    expect(new Set(signings()).size).toBe(1)
    expect(await service.connection.getSignaturesForAddress(new PublicKey(to.onchainId))).toHaveLength(1)
    expect(await landed()).toBe(AMOUNT)

    killAt(server, service, 'make')
    const make = (): ReturnType<Service['api']['send']> =>
      service.api.send('POST', '/accounts', SECRETS, { headers: { 'idempotency-key': 'make' } })
    await expect(make()).rejects.toThrow()
    expect(await service.program.ended).toBe('SIGKILL')
    const lostKey = [...server.keys.keys()].at(-1)!

    service = await start()
    const logLine = await service.program.find((line) =>
      line.includes('a key store holds keys without a record') ? line : undefined,
    )
    expect(JSON.parse(logLine)).toMatchObject({ place: store, orphans: 1, keys: [lostKey] })
    const nobody = await service.api.send('POST', '/accounts/single', { onchainId: server.addressOf(lostKey) })
    expect(nobody).toMatchObject({ status: 404 })
    const creation = await make()
    expect(creation).toMatchObject({ status: 201, replayed: false })
    const newAccount = refOf(creation.body, 'newAccount')
    expect([...server.keys.keys()].map((name) => server.addressOf(name))).toContain(newAccount.onchainId)
    await service.connection.requestAirdrop(new PublicKey(newAccount.onchainId), SOL)
    await service.api.get('/accounts/single/balance', newAccount)
    const payment = await service.api.make('/positions/transfer-network-currency', {
      source: newAccount,
      destination: to,
      lamports: AMOUNT,
    })
    expect(payment).toMatchObject({ success: true })
    expect(await service.stop()).toBe(0)
  })
})

it('a key that is in the folder when the service is killed belongs to an account, or is reported', async () => {
  const dataDir = newDataDir()
  let service = await startService({ dataDir, settings: SLOTS })
  await service.api.make('/accounts', SECRETS)
  const folder = join(dataDir, 'secrets')
  const before = new Set(readdirSync(folder))
  const { pid, ended } = service.program
  const watcher = watch(folder, () => {
    if (!readdirSync(folder).some((name) => name.endsWith('.json') && !before.has(name))) return
    watcher.close()
    process.kill(pid, 'SIGKILL')
  })
  const make = (): ReturnType<Service['api']['send']> =>
    service.api.send('POST', '/accounts', SECRETS, { headers: { 'idempotency-key': 'one' } })
  await make().catch(() => undefined)
  expect(await ended).toBe('SIGKILL')
  const [leftFile = '', ...others] = readdirSync(folder).filter((name) => name.endsWith('.json') && !before.has(name))
  expect(others).toEqual([])

  service = await startService({ dataDir, settings: SLOTS })
  const retry = await make()
  expect(retry.status).toBe(201)
  const account = refOf(retry.body, 'newAccount')
  if (retry.replayed) expect(leftFile).toBe(`${account.offchainId}.json`)
  else {
    const logLine = await service.program.find((line) =>
      line.includes('the secrets folder holds keys') ? line : undefined,
    )
    expect(JSON.parse(logLine)).toMatchObject({ orphans: 1, files: [leftFile.replace('.json', '')] })
  }
  const exported = await service.api.get('/accounts/single/private-key', account)
  expect(exported['privateKeyDetails']).toMatchObject({ location: ['SECRETS'], publickKey: account.onchainId })
  expect(await service.stop()).toBe(0)
})
