// The disk of one cell fills up: a write of its thread fails, which ends the process.
import { expect, it } from 'vitest'
import { apiOf } from '../api.ts'
import { startOutsideChain } from '../chain.ts'
import { newDataDir, startService } from '../service.ts'
import { runCommand } from '../threads-fixture.ts'

it('a thread whose write fails ends the process with 74', async () => {
  const dataDir = newDataDir()
  const chain = await startOutsideChain()
  const settings = { ...chain.settings, PLAYERS: '' }
  const alone = await startService({ dataDir, settings }, chain.rpcUrl)
  await alone.api.make('/admin/organizations', { externalId: 'ACME', name: 'Acme' })
  const roles = ['ACCOUNTS_READ', 'ACCOUNTS_WRITE']
  const { apiKey } = await alone.api.make('/admin/api-keys', { organizationExternalId: 'ACME', name: 'acme', roles })
  expect(await alone.stop()).toBe(0)
  await runCommand(dataDir, 'cells', 'create', 'red')
  await runCommand(dataDir, 'cells', 'move', 'ACME', 'red')

  const limited = { dataDir, settings: { ...settings, WORKERS: '2' }, fileKilobytes: 1_000 }
  const { program, url } = await startService(limited, chain.rpcUrl)
  const acme = apiOf(url, apiKey as string)
  let hasEnded = false
  void program.ended.then(() => (hasEnded = true))
  const write = async (): Promise<void> => {
    while (!hasEnded) await acme.make('/accounts', {}).catch(() => undefined)
  }
  await write()
  expect(await program.ended).toBe(74)
  expect(program.lines.filter((line) => line.startsWith('holdfast: '))).toEqual([
    'holdfast: thread 2 has ended with code 74',
  ])
})
