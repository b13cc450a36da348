// A process that joins others is on their chains.
import { expect, it } from 'vitest'
import { loadSettings } from '../../src/config/settings.ts'
import { SettingsError } from '../../src/config/settings-error.ts'
import { refuseOtherChains } from '../../src/service/chains.ts'
import { chainOfGenesis } from './chain-of-genesis.ts'

const OURS = '11111111111111111111111111111111'
const OTHER = '11111111111111111111111111111112'

const settingsOn = (...urls: readonly string[]) =>
  loadSettings({ HOLDFAST_DATA_DIR: '/nowhere', HOLDFAST_CLUSTERS: JSON.stringify({ CHAIN_DEVNET: urls }) })

const known = (name: string): Promise<unknown> => Promise.resolve(name === 'genesis:CHAIN_DEVNET' ? OURS : undefined)

it('refuses another chain by the name of its cluster', async () => {
  await using other = await chainOfGenesis(OTHER)
  const refused = refuseOtherChains(settingsOn(other.url), known)
  await expect(refused).rejects.toBeInstanceOf(SettingsError)
  await expect(refused).rejects.toThrow('HOLDFAST_CLUSTERS: CHAIN_DEVNET is another chain')
})

it('accepts the same chain, also beside an endpoint of another one', async () => {
  await using ours = await chainOfGenesis(OURS)
  await using other = await chainOfGenesis(OTHER)
  await refuseOtherChains(settingsOn(ours.url), known)
  await refuseOtherChains(settingsOn(other.url, ours.url), known)
  expect(ours.asked).toBe(2)
})

it('accepts endpoints that do not answer, and asks none for a cluster that nobody has used', async () => {
  await refuseOtherChains(settingsOn('http://127.0.0.1:1'), known)
  await using other = await chainOfGenesis(OTHER)
  await refuseOtherChains(settingsOn(other.url), () => Promise.resolve(undefined))
  expect(other.asked).toBe(0)
})
