// Records of two clusters that wait to be compared with the chain, while one of the clusters does not answer.
import { expect, it } from 'vitest'
import { ofKind } from '../../../src/engine/records/record.ts'
import type { Platform } from '../../../src/operations/context/platform.ts'
import { reconcileNoticed } from '../../../src/operations/reconcile/reconcile.ts'
import { CLUSTER, EngineFixture, newAccount, place } from '../../engine/engine-fixture.ts'
import { account } from '../../machines/records.ts'

const OTHER_CLUSTER = 'CHAIN_TESTNET'

it.each([
  ['first', CLUSTER, OTHER_CLUSTER],
  ['last', OTHER_CLUSTER, CLUSTER],
])('the %s one does not answer: the others are compared, and its own ones later', async (_order, silent, answering) => {
  const fixture = await EngineFixture.open()
  const accountView = { lamports: 900n, owner: account.ownerProgram, data: new Uint8Array(), executable: false }
  let isSilent = true
  const accessOf = (id: string) => ({
    id,
    state: () => null,
    cut: (addresses: readonly string[]) =>
      id === silent && isSilent
        ? Promise.reject(new Error(`${id} does not answer`))
        : Promise.resolve({
            ...{ slot: 30, afterSlot: 30, before: new Map(), after: new Map() },
            accounts: addresses.map(() => accountView),
          }),
  })
  const clusters = new Map([CLUSTER, OTHER_CLUSTER].map((id) => [id, accessOf(id)]))
  const platform = { engine: fixture.engine, clusters } as unknown as Platform
  await fixture.commit((unit) => {
    newAccount(unit, CLUSTER)
    unit.create(
      'account',
      { ...place(OTHER_CLUSTER), cluster: OTHER_CLUSTER },
      {
        holding: { ...account, address: OTHER_CLUSTER, lamports: { balance: '1000', reserved: '0' } },
        state: 'active',
      },
    )
  })
  const balanceOf = (id: string) => ofKind(fixture.entry(id).head, 'account')?.context.lamports.balance
  const { outOfBalance } = fixture.engine
  for (const id of [CLUSTER, OTHER_CLUSTER]) outOfBalance.add(fixture.entry(id))

  await expect(reconcileNoticed(platform, 10)).rejects.toThrow(`${silent} does not answer`)
  expect([balanceOf(silent), balanceOf(answering)]).toEqual(['1000', '900'])
  expect([...outOfBalance]).toEqual([fixture.entry(silent)])

  isSilent = false
  await reconcileNoticed(platform, 10)
  expect([balanceOf(silent), outOfBalance.size]).toEqual(['900', 0])
})
