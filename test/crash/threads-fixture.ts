// One process with two threads and two cells, each in a LevelDB directory: SYSTEM and BANK in `main`, ACME in `red`.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { PublicKey } from '@solana/web3.js'
import { expect } from 'vitest'
import { BUNDLES } from '../../src/contract/roles.ts'
import { startCommand, type Ended } from '../config/command-line.ts'
import { apiOf, isBusy, refOf, type Answer, type Api, type Ref } from './api.ts'
import { newDataDir, startService, type Service } from './service.ts'
import { until } from './until.ts'

/** A start after a kill skips up to 64 of the 150 slots of a blockhash: the rest outlives a start on a busy machine. */
export const SETTINGS = { PLAYERS: '', EMBEDDED_FAULTS: 'on', EMBEDDED_SLOT_MS: '1000' }
const COUNT = 2
export const THREADS = { ...SETTINGS, WORKERS: String(COUNT) }
export const FEE = 10_000
const FUNDS = 100_000_000_000

/** Runs a command on the data directory. */
export async function holdfast(dataDir: string, ...words: string[]): Promise<Ended> {
  return await startCommand(words, { HOLDFAST_DATA_DIR: dataDir, HOLDFAST_PLAYERS: '' }).ended
}

export async function runCommand(dataDir: string, ...words: string[]): Promise<string> {
  const { code, stdout, stderr } = await holdfast(dataDir, ...words)
  expect(code, stderr).toBe(0)
  return stdout
}

export interface Tenant {
  readonly key: string
  readonly source: Ref
  readonly destination: Ref
}

export interface Fixture {
  readonly dataDir: string
  readonly systemKey: string
  /** The fee payer of SYSTEM, for both. */
  readonly payer: Ref
  readonly acme: Tenant
  readonly bank: Tenant
}

/** Created by a service with one thread, which has ended. */
export async function openFixture(): Promise<Fixture> {
  const dataDir = newDataDir()
  const service = await startService({ dataDir, settings: SETTINGS })
  const { api } = service
  const keyOf = async (externalId: string): Promise<string> => {
    await api.make('/admin/organizations', { externalId, name: externalId })
    const key = {
      organizationExternalId: externalId,
      name: externalId,
      roles: [...BUNDLES.OPERATOR, 'ACCOUNT_POLICY_WRITE'],
    }
    return (await api.make('/admin/api-keys', key))['apiKey'] as string
  }
  const keys = { acme: await keyOf('ACME'), bank: await keyOf('BANK') }
  const grants = { globalFeePayerForOrgs: ['ACME', 'BANK'], networkCurrencyDebitLimits: [] }
  const payer = refOf(await api.make('/accounts', { managed: true, ...grants }), 'newAccount')
  await fund(service, api, payer)
  const tenant = async (key: string): Promise<Tenant> => {
    const own = apiOf(service.url, key)
    const [source, destination] = [await newAccount(own), await newAccount(own)]
    await fund(service, own, source)
    return { key, source, destination }
  }
  const fixture = { dataDir, payer, acme: await tenant(keys.acme), bank: await tenant(keys.bank) }
  expect(await service.stop()).toBe(0)
  return { ...fixture, systemKey: readFileSync(join(dataDir, 'bootstrap.key'), 'utf8').trim() }
}

const newAccount = async (api: Api): Promise<Ref> =>
  refOf(await api.make('/accounts', { managed: true, networkCurrencyDebitLimits: [] }), 'newAccount')

async function fund({ connection }: Service, api: Api, account: Ref): Promise<void> {
  await connection.requestAirdrop(new PublicKey(account.onchainId), FUNDS)
  await until(async () => (await lamportsOf(api, account)) === FUNDS || undefined, 'the account is funded')
}

interface Balance {
  readonly offchain: { readonly lamports: number }
  readonly reserved: { readonly lamports: number }
}

const balanceOf = async (api: Api, { offchainId }: Ref): Promise<Balance> =>
  (await api.get('/accounts/single/balance', { offchainId })) as unknown as Balance

export const lamportsOf = async (api: Api, account: Ref): Promise<number> =>
  (await balanceOf(api, account)).offchain.lamports

/** Waits until payments of this amount are durable and not settled. */
export async function untilReserved(url: string, { key, source }: Tenant, lamports: number): Promise<void> {
  const readReserved = async (): Promise<number> => (await balanceOf(apiOf(url, key), source)).reserved.lamports
  await until(async () => (await readReserved()) >= lamports || undefined, 'the payments are under way')
}

/** The threads of a running process. */
export interface Threads extends Service {
  /** By number of the thread. */
  readonly urls: readonly string[]
}

export async function startThreads(dataDir: string, more: Readonly<Record<string, string>> = {}): Promise<Threads> {
  const service = await startService({ dataDir, settings: { ...THREADS, ...more } })
  const urls = () =>
    service.program.lines
      .filter((line) => line.includes('"this node has joined"'))
      .map((line) => (JSON.parse(line) as { url: string }).url)
  // The log is another pipe than that of the ready line.
  await until(() => urls().length === COUNT || undefined, 'every thread has joined')
  for (const url of urls())
    await until(async () => (await fetch(`${url}/readyz`)).status === 200 || undefined, `${url} is ready`)
  return Object.assign(service, { urls: urls() })
}

export interface Payment {
  readonly key: string
  readonly from: Tenant
  readonly to: Ref
  readonly lamports: number
}

const PAY = '/positions/transfer-network-currency'

export function pay(url: string, { key, from, to, lamports }: Payment): Promise<Answer> {
  const source = { offchainId: from.source.offchainId }
  const itemData = { source, destination: { onchainId: to.onchainId }, lamports }
  return apiOf(url, from.key).send('POST', PAY, itemData, { headers: { 'idempotency-key': key } })
}

/** Repeats, as a client does, until the outcome is known: one cell may not reach the other in time. */
export function insist(url: () => string, payment: Payment): Promise<Answer> {
  return repeatUntilDecided(() => pay(url(), payment))
}

/** @param ask a request that may be repeated */
export function repeatUntilDecided(ask: () => Promise<Answer>): Promise<Answer> {
  return until(async () => {
    const answer = await ask().catch(() => undefined)
    if (answer !== undefined && !isBusy(answer) && answer.status !== 504) return answer
    await sleep(100)
    return undefined
  }, 'it is decided')
}
