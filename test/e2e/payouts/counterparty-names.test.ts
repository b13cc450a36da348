// An address without a record has the name of the caller's counterparty wherever a record refers to it.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { Counterparties, newAddress } from './counterparty-setup.ts'
import { startWorld, type World } from '../harness.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.stop())

it('names the owner of a position at every level, as the counterparty is now', async () => {
  const setup = await Counterparties.open(world)
  const { api, party } = setup
  const [listed, unlisted] = [newAddress(), newAddress()]
  const instrument = await party.records.instrument('SPL', await party.records.account())
  for (const onchainId of [listed, unlisted])
    await api.ok(201, 'POST', '/positions', {
      owner: { onchainId, offPlatform: true },
      financialInstrument: instrument,
    })
  const offchainId = await setup.list('ALLOWED', listed)
  const owners = async (level: string): Promise<readonly object[]> => {
    const { items } = (await api.bulk(`/positions/bulk/${level}`, {})) as { items: { owner: object }[] }
    return items.map(({ owner }) => owner)
  }
  const expectNamed = async (counterparty: object | undefined): Promise<void> => {
    const named = { onchain: { id: listed }, ...(counterparty === undefined ? {} : { counterparty }) }
    for (const level of ['detailed', 'compact', 'identifiers']) {
      const shown = await owners(level)
      expect(shown).toHaveLength(2)
      expect(shown).toEqual(expect.arrayContaining([named, { onchain: { id: unlisted } }]))
    }
    const lookup = { owner: { onchainId: listed, offPlatform: true }, financialInstrument: instrument }
    expect((await api.read<{ owner: object }>('/positions/single', lookup)).owner).toEqual(named)
  }
  for (const name of ['Bank', 'Bank two']) {
    await setup.change(offchainId, { name })
    await expectNamed({ offchainId, name })
  }
  await setup.change(offchainId, { addresses: [{ onchainId: newAddress() }] })
  await expectNamed(undefined)
})
