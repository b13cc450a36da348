// Debit limits in answers: a list that is not set is `[]`, as a list without entries is, and
// `defaultDebitLimits` names it, so that a reader can tell the default limits from no limits.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startWorld, unwatched, type World } from '../harness.ts'
import type { Ids } from '../models.ts'
import { perTransaction, to } from './limit-fixture.ts'

const BOTH = ['networkCurrencyDebitLimits', 'tokenDebitLimits']
const ENTRIES = [to('ANY', perTransaction(1))]

interface Limits {
  readonly networkCurrencyDebitLimits: readonly object[]
  readonly tokenDebitLimits: readonly object[]
  readonly defaultDebitLimits: readonly string[]
}

let world: World

beforeAll(async () => {
  world = await startWorld({}, unwatched)
  await world.records.feePayer()
})
afterAll(() => world.stop())

const limitsOf = (record: Limits): Limits => {
  const { networkCurrencyDebitLimits, tokenDebitLimits, defaultDebitLimits } = record
  return { networkCurrencyDebitLimits, tokenDebitLimits, defaultDebitLimits }
}
const readLimits = async (account: Ids): Promise<Limits> =>
  limitsOf(await world.api.read<Limits>('/accounts/single', account))
const update = (account: Ids, changes: object) =>
  world.api.ok(200, 'PATCH', '/accounts', { account: { offchainId: account.offchainId }, ...changes })

describe('of an account', () => {
  it('are lists, and those whose defaults apply are named', async () => {
    const wallet = await world.records.account()
    const free = await world.records.account({ networkCurrencyDebitLimits: [] })
    const unset = { networkCurrencyDebitLimits: [], tokenDebitLimits: [] }
    expect(await readLimits(wallet)).toEqual({ ...unset, defaultDebitLimits: BOTH })
    expect(await readLimits(free)).toEqual({ ...unset, defaultDebitLimits: ['tokenDebitLimits'] })
    await update(free, { tokenDebitLimits: ENTRIES, networkCurrencyDebitLimits: null })
    expect(await readLimits(free)).toMatchObject({
      networkCurrencyDebitLimits: [],
      tokenDebitLimits: ENTRIES,
      defaultDebitLimits: ['networkCurrencyDebitLimits'],
    })
    await update(free, { tokenDebitLimits: [], networkCurrencyDebitLimits: [] })
    expect(await readLimits(free)).toEqual({ ...unset, defaultDebitLimits: [] })
  })

  it('are named in lists as in the record alone', async () => {
    const types = ['WALLET', 'TOKEN_MANAGEMENT_AUTHORITY', 'ASSETS_WALLET']
    const accounts = await Promise.all(
      types.map((type) => world.records.account({ offchainReferences: { type, alId: 'LISTED' } })),
    )
    const { items } = (await world.api.bulk('/accounts/bulk/detailed', {
      filter: [{ fieldName: 'alId', filterValues: [{ filterType: 'EQUALS', valueString: 'LISTED' }] }],
    })) as { items: readonly (Limits & { readonly offchain: { readonly id: string } })[] }
    const listed = accounts.map(({ offchainId }) => limitsOf(items.find(({ offchain }) => offchain.id === offchainId)!))
    expect(listed).toEqual(await Promise.all(accounts.map(readLimits)))
    // Fees and rent are limited for accounts of every type, tokens for those of wallets only.
    expect(listed.map(({ defaultDebitLimits }) => defaultDebitLimits)).toEqual([BOTH, BOTH.slice(0, 1), BOTH])
  })
})

it('of a position are a list at every level of detail', async () => {
  const owner = await world.records.funded()
  const instrument = await world.records.instrument('SPL', owner)
  const position = await world.records.position(owner, instrument)
  const levels = async (): Promise<Limits[]> => {
    const pages = (await Promise.all(
      ['detailed', 'compact', 'identifiers'].map((level) => world.api.bulk(`/positions/bulk/${level}`, {})),
    )) as readonly { readonly items: readonly Limits[] }[]
    const single = await world.api.read<Limits>('/positions/single', { position })
    return [single, ...pages.flatMap(({ items }) => items)]
  }
  for (const [tokenDebitLimits, defaultDebitLimits] of [
    [null, ['tokenDebitLimits']],
    [[], []],
  ]) {
    await world.api.ok(200, 'PATCH', '/positions', { position: { position }, tokenDebitLimits })
    for (const each of await levels()) expect(each).toMatchObject({ tokenDebitLimits: [], defaultDebitLimits })
  }
  expect(await world.api.read<object>('/financial-instruments/single', instrument)).toMatchObject({
    mintAccount: { networkCurrencyDebitLimits: [], tokenDebitLimits: [], defaultDebitLimits: [] },
  })
})
