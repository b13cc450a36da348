// One process with two threads and two cells on LevelDB: a transaction of ACME in `red` takes money of BANK in `main`,
// is signed by both and kept. Until it is sent, BANK can stop it, as within one cell.
import { Keypair, PublicKey } from '@solana/web3.js'
import { beforeAll, expect, it } from 'vitest'
import { apiOf, refOf, type Answer, type Api, type Ref } from '../api.ts'
import {
  openFixture,
  repeatUntilDecided,
  runCommand,
  startThreads,
  untilReserved,
  type Fixture,
  type Threads,
} from '../threads-fixture.ts'

const LAMPORTS = 5_000_000

let fixture: Fixture
let service: Threads
let acme: Api
let bank: Api
let payer: Ref

beforeAll(async () => {
  fixture = await openFixture()
  const { dataDir, systemKey } = fixture
  await runCommand(dataDir, 'cells', 'create', 'red')
  await runCommand(dataDir, 'cells', 'move', 'ACME', 'red')
  service = await startThreads(dataDir)
  const [main, red] = service.urls as [string, string]
  const system = apiOf(main, systemKey)
  const key = { organizationExternalId: 'BANK', name: 'admin', bundle: 'ADMIN' }
  const { apiKey } = await system.make('/admin/api-keys', key)
  bank = apiOf(main, apiKey as string)
  acme = apiOf(red, fixture.acme.key)
  const grant = { account: { offchainId: fixture.bank.source.offchainId }, orgsAllowedToSignWithPrivateKey: ['ACME'] }
  expect(await decisionOf(bank, 'PATCH', '/accounts', grant)).toBe('200')
  payer = refOf(await acme.make('/accounts', { managed: true, canPayFees: true }), 'newAccount')
  await service.connection.requestAirdrop(new PublicKey(payer.onchainId), 1_000_000_000)
})

const codeOf = ({ status, body }: Answer): string =>
  [status, ...((body['errors'] as readonly { code: string }[] | undefined) ?? []).map(({ code }) => code)].join(' ')
const decisionOf = async (api: Api, method: string, path: string, itemData: object): Promise<string> =>
  codeOf(await repeatUntilDecided(() => api.send(method, path, itemData)))

/** A payment of BANK's account that ACME has had signed, and keeps. */
async function kept(destination: string): Promise<{ readonly offchainId: unknown }> {
  const source = { onchainId: fixture.bank.source.onchainId, autoSign: false }
  const itemData = { source, destination: { onchainId: destination, offPlatform: true }, lamports: LAMPORTS }
  const body = { chainTransactionConfig: { feePayer: { offchainId: payer.offchainId } } }
  const made = await repeatUntilDecided(() =>
    acme.send('POST', '/positions/transfer-network-currency', itemData, { body }),
  )
  expect([made.status, made.body['status']], JSON.stringify(made.body)).toEqual([201, 'PREPARED'])
  const transaction = { offchainId: made.body['offchainId'] }
  const signed = await repeatUntilDecided(() => acme.send('POST', '/transactions/sign', { transaction }))
  expect([signed.status, signed.body['status']], JSON.stringify(signed.body)).toEqual([200, 'SIGNED'])
  await untilReserved(service.urls[0]!, fixture.bank, LAMPORTS)
  return transaction
}

const submit = (transaction: object): Promise<string> =>
  decisionOf(acme, 'POST', '/transactions/submit', { transaction })
const newAddress = (): string => Keypair.generate().publicKey.toBase58()
const received = (address: string): Promise<number> =>
  service.connection.getBalance(new PublicKey(address), 'confirmed')

it('is not sent while the account is frozen whose key another cell has used for it', async () => {
  const payee = newAddress()
  const transaction = await kept(payee)
  const account = { offchainId: fixture.bank.source.offchainId }
  expect(await decisionOf(bank, 'PATCH', '/admin/freeze', { account })).toBe('200')
  expect(await submit(transaction)).toBe('403 FROZEN')
  expect(await received(payee)).toBe(0)
  expect(await decisionOf(bank, 'PATCH', '/admin/unfreeze', { account })).toBe('200')
  expect(await submit(transaction)).toBe('200')
  expect(await received(payee)).toBe(LAMPORTS)
})

it('is not sent to an address that the owner of the account, in another cell, has blocked since', async () => {
  const payee = newAddress()
  const transaction = await kept(payee)
  const blocked = { name: 'enemy', status: 'BLOCKED', addresses: [{ onchainId: payee }] }
  expect(await decisionOf(bank, 'POST', '/counterparties', blocked)).toBe('201')
  expect(await submit(transaction)).toBe('403 DESTINATION_NOT_ALLOWED')
  expect(await received(payee)).toBe(0)
})
