// Many requests at the same time: each takes effect exactly once, nothing is created or lost, and the books equal the
// chain at rest.
import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { once } from '../client.ts'
import { eventually, startWorld, type World } from '../harness.ts'
import type { Ids, Problems, Result } from '../models.ts'
import type { Version } from '../onchain.ts'
import { SOL } from '../records.ts'

const VERSIONS: readonly Version[] = ['SPL', 'TOKEN_2022']

let world: World
let feePayer: Ids

beforeAll(async () => {
  world = await startWorld()
  feePayer = await world.records.feePayer()
})
afterAll(() => world.stop())

describe.each(VERSIONS)('%s: 50 equal transfers', (version) => {
  it('under 50 keys in one tick land 50 times, and their replays never', async () => {
    const instrument = await world.records.instrument(version, await world.records.account())
    const [from, to] = [
      await world.records.position(await world.records.account(), instrument, 1_000n),
      await world.records.position(await world.records.account(), instrument),
    ]
    const keys = Array.from({ length: 50 }, () => randomUUID())
    const body = { source: { position: from }, destination: { position: to }, lamports: 7 }
    const fire = () =>
      Promise.all(
        keys.map((key) => world.api.send<Result>('POST', '/positions/transfer', body, { headers: once(key) })),
      )
    const lamportsBefore = await world.chain.lamports(feePayer.onchainId)
    const answers = await fire()
    expect(answers.map(({ status, body: { success } }) => [status, success])).toEqual(keys.map(() => [201, true]))
    const signatures = answers.map(({ body: { onchainId } }) => onchainId!)
    expect(new Set(signatures).size).toBe(50)
    expect([await world.chain.tokens(from.onchainId), await world.chain.tokens(to.onchainId)]).toEqual([650n, 350n])
    expect(new Set(await world.chain.signatures(to.onchainId))).toEqual(
      new Set([...signatures, ...(await creations(to))]),
    )
    expect(await world.chain.lamports(feePayer.onchainId)).toBe(lamportsBefore - 50n * 10_000n)

    const replays = await fire()
    expect(replays.map(({ body: { onchainId } }) => onchainId)).toEqual(signatures)
    expect(await world.chain.tokens(to.onchainId)).toBe(350n)
    await world.records.positionsEqualChain(from, to)
    await world.records.instrumentEqualsChain(instrument)
    await world.records.accountsEqualChain(feePayer)
  })

  const creations = async (position: Ids): Promise<string[]> => {
    const { creationTransactionId } = (await world.records.positionRecord(position)).onchain
    return creationTransactionId === null ? [] : [creationTransactionId]
  }
})

/** One step of a random sequence: indexes into the positions or wallets of the case. */
type Step =
  | { readonly kind: 'mint'; readonly to: number; readonly amount: number }
  | { readonly kind: 'burn'; readonly from: number; readonly amount: number }
  | { readonly kind: 'burnAll'; readonly from: number }
  | {
      readonly kind: 'transfer'
      readonly from: number
      readonly to: number
      readonly amount: number
      readonly checked: boolean
    }
  | { readonly kind: 'transferAll'; readonly from: number; readonly to: number }
  | {
      readonly kind: 'pay'
      readonly from: number
      readonly to: number
      readonly amount: number
      readonly ownFee: boolean
    }

const HOLDERS = 4
const holder = fc.nat(HOLDERS - 1)
const amount = fc.integer({ min: 1, max: 400 })
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('mint' as const), to: holder, amount }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('burn' as const), from: holder, amount }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('burnAll' as const), from: holder }) },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('transfer' as const),
      from: holder,
      to: holder,
      amount,
      checked: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('transferAll' as const), from: holder, to: holder }) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('pay' as const), from: holder, to: holder, amount, ownFee: fc.boolean() }),
  },
)

const REFUSALS = new Set(['INSUFFICIENT_BALANCE', 'SAME_POSITION', 'SAME_ACCOUNT'])

describe.each(VERSIONS)('%s: random concurrent operations', (version) => {
  it('conserve supply and lamports, and the books equal the chain', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 60 }), async (steps) => {
        const instrument = await world.records.instrument(version, await world.records.account())
        const wallets = await Promise.all(
          Array.from({ length: HOLDERS }, () => world.records.funded({ canPayFees: true }, SOL)),
        )
        const positions = await Promise.all(wallets.map((wallet) => world.records.position(wallet, instrument, 300n)))
        const everybody = [feePayer, ...wallets]
        const before = await sum(everybody.map(({ onchainId }) => world.chain.lamports(onchainId)))

        const answers = await Promise.all(steps.map((each) => perform(each, wallets, positions)))
        for (const { status, codes } of answers) {
          if (status === 201) continue
          expect(status).toBe(400)
          for (const code of codes) expect(REFUSALS).toContain(code)
        }
        const results = answers.flatMap(({ result }) => (result === null ? [] : [result]))
        expect(new Set(results.map(({ offchainId }) => offchainId)).size).toBe(results.length)

        await eventually(async () => {
          await world.records.positionsEqualChain(...positions)
          await world.records.instrumentEqualsChain(instrument)
          await world.records.accountsEqualChain(...everybody)
        })
        const heldTokens = await sum(positions.map(({ onchainId }) => world.chain.tokens(onchainId)))
        const supply = await world.chain.supply(instrument.onchainId)
        expect(heldTokens).toBe(supply)
        expect(supply).toBe(1_200n + (await netIssue(steps, answers)))
        const fees = await sum(
          results.flatMap(({ onchainId }) => (onchainId === null ? [] : [world.chain.fee(onchainId)])),
        )
        expect(await sum(everybody.map(({ onchainId }) => world.chain.lamports(onchainId)))).toBe(before - fees)
      }),
      { seed: 20261121, numRuns: 4, endOnFailure: true },
    )
  })
})

interface Answered {
  readonly status: number
  readonly codes: readonly string[]
  readonly result: Result | null
}

async function perform(each: Step, wallets: readonly Ids[], positions: readonly Ids[]): Promise<Answered> {
  const at = (index: number) => ({ position: positions[index]! })
  const send = async (path: string, itemData: object, config?: object): Promise<Answered> => {
    const { status, body } = await world.api.send<Result & Problems>('POST', path, itemData, {
      headers: once(randomUUID()),
      ...(config === undefined ? {} : { config }),
    })
    return { status, codes: body.errors?.map(({ code }) => code) ?? [], result: status === 201 ? body : null }
  }
  switch (each.kind) {
    case 'mint':
      return await send('/positions/mint', { destination: at(each.to), lamports: each.amount })
    case 'burn':
      return await send('/positions/burn', { source: at(each.from), lamports: each.amount })
    case 'burnAll':
      return await send('/positions/burn', { source: at(each.from), burnEntireBalance: true })
    case 'transfer':
      return await send('/positions/transfer', {
        source: at(each.from),
        destination: at(each.to),
        lamports: each.amount,
        offchainBalanceAvailabilityPrecheck: each.checked,
      })
    case 'transferAll':
      return await send('/positions/transfer', {
        source: at(each.from),
        destination: at(each.to),
        transferEntireBalance: true,
      })
    case 'pay': {
      const source = wallets[each.from]!
      const body = { source, destination: wallets[each.to]!, lamports: each.amount * 1_000 }
      return await send('/positions/transfer-network-currency', body, each.ownFee ? { feePayer: source } : undefined)
    }
  }
}

/** Minted less burned by the transactions that succeeded, read from the token balances of the chain. */
async function netIssue(steps: readonly Step[], answers: readonly Answered[]): Promise<bigint> {
  return await sum(
    steps.map(async ({ kind }, index) => {
      const result = answers[index]?.result
      if (result?.onchainId == null || !['mint', 'burn', 'burnAll'].includes(kind)) return 0n
      const { meta } = await world.chain.transaction(result.onchainId)
      const total = (balances: typeof meta extends null ? never : NonNullable<typeof meta>['postTokenBalances']) =>
        (balances ?? []).reduce((subtotal, { uiTokenAmount }) => subtotal + BigInt(uiTokenAmount.amount), 0n)
      return total(meta?.postTokenBalances) - total(meta?.preTokenBalances)
    }),
  )
}

async function sum(amounts: readonly Promise<bigint>[]): Promise<bigint> {
  return (await Promise.all(amounts)).reduce((total, each) => total + each, 0n)
}
