// A backup is restored whose payments were made after it, on a chain that continued: by itself the service sends
// nothing there, until an operator has compared the records with the chain and resumes the cluster.
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { PublicKey } from '@solana/web3.js'
import { expect, it } from 'vitest'
import { startCommand } from '../config/command-line.ts'
import { refOf } from '../crash/api.ts'
import { startOutsideChain } from '../crash/chain.ts'
import { fundWallet } from '../crash/fund-wallet.ts'
import { newDataDir, startService, type Service } from '../crash/service.ts'
import { until } from '../crash/until.ts'

const SOL = 1_000_000_000
/** Until the first occurrence: a schedule whose start has passed begins a week later. */
const AHEAD_MS = 10_000
const SLOTS = 20
const ORGANIZATION = { organizationExternalId: 'SYSTEM' }

async function turnLanes(service: Service, which: 'suspend' | 'resume', itemData: object): Promise<void> {
  const answer = await service.api.send('PATCH', `/admin/lanes/${which}`, itemData)
  expect(answer, JSON.stringify(answer.body)).toMatchObject({ status: 200 })
}

async function holdfast(...words: readonly string[]): Promise<void> {
  const { code, stdout, stderr } = await startCommand(words, {}).ended
  expect(code, stdout + stderr).toBe(0)
}

it('pays nothing by itself after a restore, unless the operator says that nothing is missing', async () => {
  const scratch = newDataDir()
  const file = join(scratch, 'before.hfb')
  const dataDir = join(scratch, 'first')
  const { settings, rpcUrl } = await startOutsideChain()
  let service = await startService({ dataDir, settings }, rpcUrl)
  await fundWallet(service, { canPayFees: true }, SOL)
  const source = await fundWallet(service, {}, SOL)
  const target = await fundWallet(service, {}, SOL)
  const received = async (): Promise<number> =>
    (await service.connection.getBalance(new PublicKey(target.onchainId))) - SOL
  const untilReceived = (lamports: number): Promise<true> =>
    until(async () => (await received()) === lamports || undefined, `${lamports} lamports are received`)

  // Both wait at the time of the backup.
  await turnLanes(service, 'suspend', ORGANIZATION)
  const startMs = Date.now() + AHEAD_MS
  const operation = 'TRANSFER_NETWORK_CURRENCY'
  const schedule = await service.api.make('/schedules', {
    ...{ operation, itemData: { source, destination: target, lamports: 1 }, maxRuns: 1 },
    ...{ startAt: new Date(startMs).toISOString(), every: { code: 'WEEKS', unit: 1 } },
  })
  const items = [20, 300].map((lamports) => ({ source, destination: target, lamports }))
  const batch = await service.api.make('/batches', { operation, items })
  await until(() => Date.now() > startMs || undefined, 'the occurrence is due')
  await holdfast('backup', file, '--data-dir', dataDir)
  await turnLanes(service, 'resume', ORGANIZATION)
  await untilReceived(321)
  expect(await service.stop()).toBe(0)

  const restoreAs = async (name: string, ...options: readonly string[]): Promise<Service> => {
    const restored = join(scratch, name)
    await holdfast('restore', file, '--data-dir', restored, ...options)
    for (const key of ['bootstrap.key', 'master.key']) copyFileSync(join(dataDir, key), join(restored, key))
    return await startService({ dataDir: restored, settings }, rpcUrl)
  }
  service = await restoreAs('compared')
  await service.program.find((line) => line.includes('"restored from a backup') || undefined)
  await turnLanes(service, 'resume', ORGANIZATION)
  const slot = await service.connection.getSlot()
  await until(async () => (await service.connection.getSlot()) >= slot + SLOTS || undefined, 'slots have passed')
  expect(await received()).toBe(321)
  // What the operator found on the chain is not paid again.
  for (const [path, { offchainId }] of [
    ['/schedules/cancel', refOf(schedule, 'newSchedule')],
    ['/batches/cancel', refOf(batch, 'newBatch')],
  ] as const)
    expect(await service.api.send('PATCH', path, { offchainId })).toMatchObject({ status: 200 })
  await turnLanes(service, 'resume', {})
  await service.api.make('/positions/transfer-network-currency', { source, destination: target, lamports: 4_000 })
  await untilReceived(4_321)
  expect(await service.stop()).toBe(0)

  service = await restoreAs('complete', '--no-suspend')
  await turnLanes(service, 'resume', ORGANIZATION)
  await untilReceived(4_321 + 321)
  expect(await service.stop()).toBe(0)
})
