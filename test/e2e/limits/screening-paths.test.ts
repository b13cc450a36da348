// Every path to a signature requests a screening, for every form of a payment: a denied payment is not made, and an
// allowed one is. Loans, plans, distributions and remote keys have test files of their own.
import { PublicKey, SystemProgram } from '@solana/web3.js'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { Counterparties, newAddress, UNLIMITED } from '../payouts/counterparty-setup.ts'
import { eventually, startWorld, unwatched, type World } from '../harness.ts'
import { LimitFixture, PAY } from './limit-fixture.ts'
import type { Ids, NewPosition } from '../models.ts'
import { SOL } from '../records.ts'
import { allows, says, Screener, SECRET } from './screener.ts'

const DENIED = 'SCREENING_DENIED'
const AMOUNT = SOL / 10n

let world: World
let screener: Screener
let fixture: Counterparties
let instrument: Ids
let position: Ids

beforeAll(async () => {
  screener = await Screener.start()
  world = await startWorld({ HOLDFAST_OUTBOUND_ALLOW: screener.host }, unwatched)
  fixture = await Counterparties.open(world)
  instrument = await fixture.party.records.instrument('SPL', fixture.wallet)
  position = await fixture.party.records.position(fixture.wallet, instrument, 1_000n)
  await fixture.rules({ screening: { url: screener.url, secret: SECRET, timeoutMs: 5_000 } })
})
afterAll(async () => {
  await world.stop()
  await screener.stop()
})

interface Path {
  readonly method: 'POST' | 'PATCH'
  readonly path: string
  readonly itemData: object
  /** Accounts that can receive a payment. */
  readonly target: string
}

const outside = (onchainId: string) => ({ onchainId, offPlatform: true })
const tokensTo = (owner: string) => ({
  destination: { owner: outside(owner), financialInstrument: instrument },
  lamports: '5',
  initializeDestinationPositionIfNeeded: true,
})
const associated = (owner: string): string =>
  fixture.party.records.associated({ onchainId: owner, offchainId: '' }, instrument, 'SPL')
const closable = async (): Promise<Ids> => {
  const owner = await fixture.party.records.funded(UNLIMITED, SOL)
  const body = { owner, financialInstrument: instrument }
  return (await fixture.api.ok<NewPosition>(201, 'POST', '/positions', body)).newPosition
}

const PATHS: Readonly<Record<string, (target: string) => Path | Promise<Path>>> = {
  'a payment': (target) => ({
    method: 'POST',
    path: PAY,
    itemData: { source: fixture.wallet, destination: outside(target), lamports: `${AMOUNT}` },
    target,
  }),
  'a transfer of tokens': (target) => ({
    method: 'POST',
    path: '/positions/transfer',
    itemData: { source: { position }, ...tokensTo(target) },
    target: associated(target),
  }),
  'a mint': (target) => ({
    method: 'POST',
    path: '/positions/mint',
    itemData: tokensTo(target),
    target: associated(target),
  }),
  'a trade': (target) => ({
    method: 'POST',
    path: '/positions/trade',
    itemData: {
      legs: [
        { source: fixture.wallet, destination: outside(target), lamports: `${AMOUNT}` },
        { source: fixture.wallet, destination: { onchainId: fixture.feePayer.onchainId }, lamports: '5' },
      ],
    },
    target,
  }),
  'a message made elsewhere': async (target) => {
    const pay = SystemProgram.transfer({
      fromPubkey: new PublicKey(fixture.wallet.onchainId),
      toPubkey: new PublicKey(target),
      lamports: AMOUNT,
    })
    const serializedTransaction = await new LimitFixture(world).foreign(fixture.feePayer.onchainId, [pay])
    return { method: 'POST', path: '/transactions/sign', itemData: { serializedTransaction }, target }
  },
  'the remaining balance of an account that is closed': async (target) => {
    const account = await fixture.party.records.funded(UNLIMITED, SOL)
    const itemData = { account, refundDestination: outside(target) }
    return { method: 'PATCH', path: '/accounts/inactivate', itemData, target }
  },
  'the rent of a position that is closed': async (target) => ({
    method: 'PATCH',
    path: '/positions/close',
    itemData: { position: { position: await closable() }, refundSolDestination: outside(target) },
    target,
  }),
}

it.each(Object.keys(PATHS))('%s is refused if screening denies it, and made if screening allows it', async (name) => {
  screener.behave = allows
  const { method, path, itemData, target } = await PATHS[name]!(newAddress())
  screener.behave = says({ decision: 'DENY', reason: name })
  screener.asked.length = 0
  await fixture.api.refuses(403, DENIED, method, path, itemData)
  expect(screener.asked).toHaveLength(1)
  expect(await world.chain.exists(target)).toBe(false)
  screener.behave = allows
  const { status, body } = await fixture.api.send<{ status?: string; offchainId: string }>(method, path, itemData)
  expect(status, JSON.stringify(body)).toBeLessThan(300)
  if (body.status === 'SIGNED')
    await fixture.api.ok(200, 'POST', '/transactions/submit', { transaction: { offchainId: body.offchainId } })
  await eventually(async () => expect(await world.chain.exists(target)).toBe(true))
})

it('an occurrence of a schedule is refused if screening denies it, and made if screening allows it', async () => {
  for (const [behave, expected] of [
    [says({ decision: 'DENY' }), { status: 'FAILED', errorCode: DENIED }],
    [allows, { status: 'DONE' }],
  ] as const) {
    const target = newAddress()
    screener.behave = behave
    const { newSchedule } = await fixture.api.ok<{ newSchedule: Ids }>(201, 'POST', '/schedules', {
      operation: 'TRANSFER_NETWORK_CURRENCY',
      itemData: { source: fixture.wallet, destination: outside(target), lamports: `${AMOUNT}` },
      startAt: new Date(Date.now() + 500).toISOString(),
      // An occurrence created after its start begins with the next instant.
      every: { code: 'MINUTES', unit: 1 },
      maxRuns: 1,
    })
    const valueString = newSchedule.offchainId
    const filter = [{ fieldName: 'scheduleOffchainId', filterValues: [{ filterType: 'EQUALS', valueString }] }]
    await eventually(async () =>
      expect(await fixture.api.bulk('/schedules/occurrences/bulk', { filter })).toMatchObject({ items: [expected] }),
    )
    expect(await world.chain.exists(target)).toBe(behave === allows)
  }
})
