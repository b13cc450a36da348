// Amounts that no occurrence of a schedule could move are refused when it is created; what may change is not.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startWorld, type World } from '../harness.ts'
import type { Ids, Problems } from '../models.ts'
import { SOL } from '../records.ts'

const U64_MAX = '18446744073709551615'
const OVER_U64 = '18446744073709551616'

let world: World
let source: Ids
let bond: Ids
let scaled: Ids

beforeAll(async () => {
  world = await startWorld()
  source = await world.records.feePayer()
  bond = await world.records.instrument('TOKEN_2022', source, { onchainData: { decimals: 2 } })
  scaled = await world.records.instrument('TOKEN_2022', source, {
    onchainData: { decimals: 2 },
    scaledUiAmountMultiplier: 4,
    scaledUiAmountAuthority: source,
  })
})
afterAll(() => world.stop())

async function answer(operation: string, itemData: object): Promise<unknown> {
  const itemAt = { startAt: new Date(Date.now() + 3_600_000).toISOString(), every: { code: 'DAYS', unit: 1 } }
  const body = { operation, itemData, ...itemAt }
  const { status, body: answered } = await world.api.send<Problems>('POST', '/schedules', body)
  return status === 201 ? status : answered.errors!.map(({ code, pointer }) => [status, code, pointer])
}

const refused = (code: string, member = 'amount') => [[400, code, `/itemData/itemData/${member}`]]

it('of network currency have 9 decimals and fit in 64 bits', async () => {
  const pay = (members: object) => answer('TRANSFER_NETWORK_CURRENCY', { source, destination: source, ...members })
  expect(await pay({ amount: '0.000000001' })).toBe(201)
  expect(await pay({ amount: '18446744073.709551615' })).toBe(201)
  expect(await pay({ lamports: U64_MAX })).toBe(201)
  expect(await pay({ transferEntireBalance: true })).toBe(201)
  expect(await pay({ amount: 1, lamports: SOL.toString() })).toBe(201)
  expect(await pay({ amount: '0.0000000001' })).toEqual(refused('TOO_PRECISE'))
  expect(await pay({ amount: '18446744073.709551616' })).toEqual(refused('OVER_U64'))
  expect(await pay({ amount: 1, lamports: 1 })).toEqual(refused('MUTUALLY_EXCLUSIVE', 'lamports'))
  expect(await answer('CREATE_ACCOUNT', { seedAmount: '0.0000000001' })).toEqual(refused('TOO_PRECISE', 'seedAmount'))
})

it.each([
  ['TRANSFER', 'source'],
  ['TRANSFER', 'destination'],
  ['MINT', 'destination'],
  ['BURN', 'source'],
])('of tokens go by the instrument on record: %s, named in %s', async (operation, side) => {
  const of = (financialInstrument: object, amount: string) => {
    const named = { owner: source, financialInstrument }
    const other = operation === 'TRANSFER' ? { source: { position: source }, destination: { position: source } } : {}
    return answer(operation, { ...other, [side]: named, amount })
  }
  expect(await of(bond, '0.01')).toBe(201)
  expect(await of(bond, '184467440737095516.15')).toBe(201)
  expect(await of(bond, '0.001')).toEqual(refused('TOO_PRECISE'))
  expect(await of({ onchainId: bond.onchainId }, '184467440737095516.16')).toEqual(refused('OVER_U64'))
  expect(await of(scaled, '0.001')).toEqual(refused('TOO_PRECISE'))
  // The multiplier may be larger by then.
  expect(await of(scaled, OVER_U64)).toBe(201)
})

it('of an instrument that is not on record fit in 64 bits with any decimals', async () => {
  const unknown = { offchainReferences: { code: 'later' } }
  for (const position of [{ owner: source, financialInstrument: unknown }, { position: unknown }]) {
    expect(await answer('MINT', { destination: position, amount: U64_MAX })).toBe(201)
    expect(await answer('MINT', { destination: position, amount: `0.${'0'.repeat(18)}1` })).toBe(201)
    expect(await answer('MINT', { destination: position, amount: OVER_U64 })).toEqual(refused('OVER_U64'))
  }
})
