// The freeze switches: who may set each, and that a frozen account signs nothing.
import { expect, it } from 'vitest'
import { isHolding, type HoldingState } from '../../../src/engine/records/record.ts'
import { generateKeypair } from '../../../src/keys/keypair.ts'
import { freeze } from '../../../src/operations/admin/freeze.ts'
import { Refusal } from '../../../src/contract/refusal.ts'
import { checkNotFrozen } from '../../../src/operations/authorization/signers.ts'
import { unfreeze } from '../../../src/operations/admin/unfreeze.ts'
import { House, verdict } from './house.ts'

function mayBeSignedWith(house: House, id: string): boolean {
  const head = house.engine.directory.byId(id)!.head
  expect(isHolding(head)).toBe(true)
  try {
    checkNotFrozen(house.engine.directory, head as HoldingState)
    return true
  } catch (error) {
    expect(error).toBeInstanceOf(Refusal)
    return false
  }
}

async function twoTenants() {
  const house = await House.open()
  await house.organization('ACME')
  await house.organization('FUND', 'ACME')
  await house.organization('OTHER')
  const wallets = {
    acme: await house.wallet('ACME', 'ACME'),
    fund: await house.wallet('ACME', 'FUND'),
    other: await house.wallet('OTHER', 'OTHER'),
  }
  const admin = (await house.key('ACME', { bundle: 'ADMIN' })).apiKey
  /** Which of the three may sign. */
  const signing = () =>
    Object.entries(wallets)
      .filter(([, { id }]) => mayBeSignedWith(house, id))
      .map(([name]) => name)
  return { house, wallets, admin, signing }
}

it('stops an account, and records that share its address, through a restart, until it is unfrozen', async () => {
  const { house, wallets, admin, signing } = await twoTenants()
  const account = { offchainId: wallets.fund.id }
  const ids = { onchainId: wallets.fund.address, offchainId: wallets.fund.id }
  expect(await house.run(freeze, { account }, admin)).toEqual({ frozen: ids })
  expect(signing()).toEqual(['acme', 'other'])
  await house.restart()
  expect(signing()).toEqual(['acme', 'other'])
  expect(await verdict(() => house.run(freeze, { account }, admin))).toBe('400 ALREADY_FROZEN /itemData')
  expect(await house.run(unfreeze, { account }, admin)).toEqual({ unfrozen: ids })
  expect(await verdict(() => house.run(unfreeze, { account }, admin))).toBe('400 NOT_FROZEN /itemData')
  expect(signing()).toEqual(['acme', 'fund', 'other'])

  const pair = generateKeypair()
  const records = [await house.wallet('ACME', 'ACME', pair), await house.wallet('OTHER', 'OTHER', pair)]
  await house.run(freeze, { account: { onchainId: pair.address } })
  expect(records.map(({ id }) => mayBeSignedWith(house, id))).toEqual([false, false])
  await house.run(unfreeze, { account: { onchainId: pair.address } }, admin)
  expect(records.map(({ id }) => mayBeSignedWith(house, id))).toEqual([true, false])
})

it('stops an organization, a tenant by its root, and everything', async () => {
  const { house, admin, signing } = await twoTenants()
  await house.run(freeze, { organizationExternalId: 'FUND' }, admin)
  expect(signing()).toEqual(['acme', 'other'])
  await house.run(unfreeze, { organizationExternalId: 'FUND' }, admin)
  await house.run(freeze, { organizationExternalId: 'ACME' }, admin)
  expect(signing()).toEqual(['other'])
  expect(await house.run(freeze, {})).toEqual({ frozen: { everything: true } })
  expect(signing()).toEqual([])
  expect(await verdict(() => house.run(freeze, { organizationExternalId: 'SYSTEM' }))).toBe(
    '400 ALREADY_FROZEN /itemData',
  )
  expect(await house.run(unfreeze, { organizationExternalId: 'SYSTEM' })).toEqual({
    unfrozen: { organizationExternalId: 'SYSTEM' },
  })
  expect(signing()).toEqual(['other'])
})

it('can be set only by its administrators', async () => {
  const { house, wallets, admin, signing } = await twoTenants()
  const systemAdmin = (await house.key('SYSTEM', { bundle: 'ADMIN' })).apiKey
  const operator = (await house.key('ACME', { bundle: 'OPERATOR' })).apiKey
  for (const operation of [freeze, unfreeze]) {
    const turn = (input: object, bearer: string) => verdict(() => house.run(operation, input, bearer))
    const noAccount = '400 ACCOUNT_NOT_FOUND /itemData/account'
    expect(await turn({ account: { onchainId: wallets.other.address } }, admin)).toBe(noAccount)
    expect(await turn({ account: { onchainId: generateKeypair().address } }, admin)).toBe(noAccount)
    expect(await turn({ account: { onchainId: generateKeypair().address, offPlatform: true } }, admin)).toBe(noAccount)
    expect(await turn({ organizationExternalId: 'OTHER' }, admin)).toBe(
      '400 ORGANIZATION_NOT_FOUND /itemData/organizationExternalId',
    )
    for (const everything of [{}, { organizationExternalId: 'SYSTEM' }]) {
      for (const bearer of [admin, systemAdmin])
        expect(await turn(everything, bearer)).toBe('403 ROLE_REQUIRED /itemData')
    }
    expect(await turn({ account: { offchainId: wallets.acme.id } }, operator)).toBe('403 ROLE_REQUIRED')
    const both = { account: { offchainId: wallets.acme.id }, organizationExternalId: 'ACME' }
    expect(await turn(both, admin)).toBe('400 TARGET_AMBIGUOUS /itemData')
  }
  expect(signing()).toEqual(['acme', 'fund', 'other'])
})
