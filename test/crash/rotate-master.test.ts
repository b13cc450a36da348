// `keys rotate-master` for a running service, with a kill in the middle, and without a service.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PublicKey } from '@solana/web3.js'
import { expect, it } from 'vitest'
import { startCommand } from '../config/command-line.ts'
import { orderRotation } from '../../src/config/rotation-file.ts'
import { refOf, type Ref } from './api.ts'
import { newDataDir, startService } from './service.ts'
import { until } from './until.ts'

const SOL = 1_000_000_000

it('rotates the master key during transfers, and the old key opens nothing afterwards', async () => {
  const dataDir = newDataDir()
  const masterPath = join(dataDir, 'master.key')
  const masterKey = (): string => readFileSync(masterPath, 'utf8').trim()
  const rotate = () =>
    startCommand(['serve', 'keys', 'rotate-master'], { HOLDFAST_DATA_DIR: dataDir, HOLDFAST_LOG_LEVEL: 'silent' }).ended
  let service = await startService({ dataDir })
  const account = async (itemData: object): Promise<Ref> =>
    refOf(await service.api.make('/accounts', itemData), 'newAccount')
  const payer = await account({ canPayFees: true })
  const others = await Promise.all(
    ['DATABASE', 'SECRETS', 'DKG'].map((location) => account({ privateKeyDetails: { location: [location] } })),
  )
  await service.connection.requestAirdrop(new PublicKey(payer.onchainId), SOL)
  await service.api.get('/accounts/single/balance', payer)
  /** In both directions, so that every key signs. */
  const pay = async (): Promise<void> => {
    for (const other of others) {
      for (const [source, destination] of [
        [payer, other],
        [other, payer],
      ] as const) {
        const payment = await service.api.make('/positions/transfer-network-currency', {
          source,
          destination,
          lamports: 1_000_000,
        })
        expect(payment, JSON.stringify(payment)).toMatchObject({ success: true })
      }
    }
  }
  await pay()
  const first = masterKey()
  const [rotation] = await Promise.all([rotate(), pay()])
  expect(rotation).toMatchObject({ code: 0 })
  expect(rotation.stdout).toMatch(/the master key was rotated, \d+ keys are sealed/)
  const second = masterKey()
  expect(second).not.toBe(first)
  await pay()

  // Requested, and the service killed before it can be done.
  service.program.signal('SIGKILL')
  await service.program.ended
  orderRotation(dataDir, Buffer.from(second, 'base64'), Buffer.alloc(32, 9))
  service = await startService({ dataDir })
  await pay()
  const third = Buffer.alloc(32, 9).toString('base64')
  await until(() => (masterKey() === third ? true : undefined), 'the key that was ordered')
  expect(await service.stop()).toBe(0)

  // No service runs: the command does the rotation.
  expect(await rotate()).toMatchObject({ code: 0 })
  expect(masterKey()).not.toBe(third)
  expect(existsSync(join(dataDir, 'master.rotation'))).toBe(false)
  service = await startService({ dataDir })
  await pay()
  expect(await service.stop()).toBe(0)
  writeFileSync(masterPath, third)
  const result = await startCommand(['serve'], {
    HOLDFAST_DATA_DIR: dataDir,
    HOLDFAST_PORT: '0',
    HOLDFAST_EMBEDDED_RPC_PORT: '0',
  }).ended
  expect(result).toMatchObject({ code: 78 })
  expect(result.stderr).toContain('HOLDFAST_MASTER_KEY is wrong')
})
