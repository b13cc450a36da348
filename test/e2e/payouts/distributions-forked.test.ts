// A movement before the record instant whose fork is dropped afterwards: no one is paid for a balance that never
// existed.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ALWAYS, forkAway, setFaults } from '../../chain-faults.ts'
import { eventually, pastLifetimes, startWorld, unwatched, type World } from '../harness.ts'
import type { Result } from '../models.ts'
import { SOL } from '../records.ts'

/** 20 seconds, within which a busy machine reads a landing and drops it before it is final. */
const FINALITY_SLOTS = 200
const SLOT_MS = 100

let world: World

beforeAll(async () => {
  world = await startWorld(
    {
      HOLDFAST_EMBEDDED_FAULTS: 'on',
      HOLDFAST_EMBEDDED_SLOT_MS: String(SLOT_MS),
      HOLDFAST_EMBEDDED_FINALITY_SLOTS: String(FINALITY_SLOTS),
    },
    unwatched,
  )
})
afterAll(() => world.stop())

const statusOf = async ({ offchainId }: Pick<Result, 'offchainId'>): Promise<string> =>
  (await world.api.read<Result>('/transactions/status', { offchainId })).status

it('keeps a record instant that was final, and does not count at an unfinalized one', async () => {
  const { records, api, chain } = world
  await records.feePayer()
  const issuer = await records.account()
  const share = await records.instrument('TOKEN_2022', issuer)
  const source = await records.funded({ networkCurrencyDebitLimits: [] }, 10n * SOL)
  const [first, second] = [await records.funded({ tokenDebitLimits: [] }, SOL), await records.funded({}, SOL)]
  const from = await records.position(first, share)
  const to = await records.position(second, share)
  const mint = await records.mint(from, 1_000n)
  await world.passSlots(FINALITY_SLOTS)
  await eventually(async () => expect(await statusOf(mint)).toBe('FINALIZED'))

  const transfer = await api.ok<Result>(201, 'POST', '/positions/transfer', {
    source: { position: from },
    destination: { position: to },
    lamports: 400,
  })
  expect(transfer.status).toBe('CONFIRMED')
  const holders = (asOf?: string) =>
    api.read<{ asOf: string; items: readonly { owner: { onchainId: string }; balance: { lamports: number } }[] }>(
      '/financial-instruments/holders/bulk',
      { financialInstrument: share, ...(asOf === undefined ? {} : { asOf }) },
    )
  const { asOf, items } = await holders()
  expect(items.map(({ balance }) => balance.lamports)).toEqual([600, 400])
  const body = { financialInstrument: share, recordAt: asOf, source: { owner: source }, payout: { total: '0.000001' } }
  const {
    newDistribution: { offchainId },
  } = await api.ok<{ newDistribution: { offchainId: string } }>(201, 'POST', '/distributions', body)
  await setFaults(world.rpcUrl, { dropRequests: { sendTransaction: ALWAYS } })
  await forkAway(world.rpcUrl, FINALITY_SLOTS)
  // The other fork becomes as long.
  await world.passSlots(FINALITY_SLOTS)
  await eventually(async () => expect(await statusOf(transfer)).not.toBe('CONFIRMED'))
  expect((await holders(asOf)).items.map(({ owner, balance }) => [owner.onchainId, balance.lamports])).toEqual([
    [first.onchainId, 1_000],
  ])
  await setFaults(world.rpcUrl, {})
  await pastLifetimes(world, async () => {
    const now = await api.read<{ status: string }>('/distributions/single', { offchainId })
    expect(now, JSON.stringify(now)).toMatchObject({
      status: 'DONE',
      holdersCount: 1,
      partsCount: 1,
      remainderLamports: 0,
    })
  })
  expect([await chain.lamports(first.onchainId), await chain.lamports(second.onchainId)]).toEqual([SOL + 1_000n, SOL])
})
