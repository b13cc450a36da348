// The rules of an organization that restrict its payments and its signatures, and their defaults.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { Counterparties, newAddress } from './counterparty-setup.ts'
import { startWorld, type World } from '../harness.ts'

let world: World

beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.stop())

it('null restores the default of every rule of an organization', async () => {
  const setup = await Counterparties.open(world)
  const address = newAddress()
  const defaults = {
    destinationPolicy: 'OPEN',
    coolingOffHours: 0,
    reviewApproval: null,
    allowedPrograms: [],
    acceptedFeePayers: [],
    acceptsSigningRequests: false,
  }
  const rules = {
    coolingOffHours: 2,
    reviewApproval: { approvers: [setup.approver.keyId], requiredApproversCount: 1 },
    allowedPrograms: [newAddress()],
    acceptedFeePayers: [newAddress()],
    acceptsSigningRequests: true,
  }
  const present = async (): Promise<object | undefined> =>
    ((await setup.api.bulk('/admin/organizations/bulk', {})) as { items: readonly object[] }).items[0]
  await setup.rules({ ...rules, destinationPolicy: 'ALLOW_LIST' })
  await setup.doesNotPay(address)
  expect(await present()).toMatchObject({ ...rules, destinationPolicy: 'ALLOW_LIST' })
  await setup.rules(Object.fromEntries(Object.keys(defaults).map((name) => [name, null])))
  expect(await present()).toMatchObject(defaults)
  await setup.pays(address)
})
