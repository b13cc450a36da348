// Random sequences of actions of an attacker on chain and of its requests, between requests of its victim. In any
// order, the payments of the victim reach the named payees, and the attacker gets only what the requests of the victim
// named, within the limits of the victim. A failure names seed, path and the shortest sequence. To search further, set
// other seeds in SEEDS.
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startWorld, unwatched, type World } from '../e2e/harness.ts'
import { SOL } from '../e2e/records.ts'
import { forAbout } from './fixtures/for-about.ts'
import * as attacker from './fixtures/robbery/attacker-moves.ts'
import { MAX_LAMPORTS, MAX_RENT, MAX_TOKENS, RENT, Stage, type Bait, type Payee } from './fixtures/robbery/stage.ts'
import * as victim from './fixtures/robbery/victim-moves.ts'

const SEEDS = [20261122, 20261123, 20261124]
const RUNS = 10
const MAX_MOVES = 24
/** The time for all sequences of a seed, including shrinking a failure: a busy machine tries fewer. */
const MAX_MS = 45_000

type Move = { readonly title: string; readonly run: (stage: Stage) => Promise<void> }

const payee = fc.constantFrom<Payee>('supplier', 'supplier', 'supplier', 'other', 'other', 'attacker')
const honest = fc.constantFrom<Payee>('supplier', 'other')
const noting = fc.constantFrom<attacker.Noting>('nobody', 'attacker', 'attacker', 'victim', 'both')
const number = fc.nat({ max: 7 })
const lamports = fc.constantFrom(SOL / 500n, (SOL * 2n) / 5n, (SOL * 9n) / 10n, 20n * SOL, 20n * SOL)
const tokens = fc.constantFrom(1n, 40n, 90n, 500n)
const target = fc.oneof(
  { arbitrary: fc.record({ to: fc.constant('bait' as const), number }), weight: 5 },
  { arbitrary: fc.record({ to: fc.constantFrom('attacker' as const, 'code' as const, 'unused' as const) }), weight: 3 },
)

/** A move with its arguments, which are printed on a failure. */
function move<T>(
  title: string,
  given: fc.Arbitrary<T>,
  run: (stage: Stage, given: T) => Promise<void>,
): fc.Arbitrary<Move> {
  const text = (value: T): string =>
    JSON.stringify(value, (_, each: unknown) => (typeof each === 'bigint' ? String(each) : each))
  return given.map((value) => {
    const toText = (): string => `${title} ${text(value)}`
    return { title, run: (stage: Stage) => run(stage, value), [fc.toStringMethod]: toText }
  })
}

/** A move on an account that the attacker has created. */
function onBait<T>(
  title: string,
  given: fc.Arbitrary<T>,
  run: (stage: Stage, bait: Bait, given: T) => Promise<void>,
): fc.Arbitrary<Move> {
  return move(title, fc.tuple(number, given), async (stage, [at, value]) => {
    const bait = stage.bait(at)
    if (bait !== undefined) await run(stage, bait, value)
  })
}

const often = fc.constantFrom(true, true, false)
const seldom = fc.constantFrom(false, false, false, true)
const noInput = fc.constant(null)
/** The weight of each kind of move. */
const MOVES: readonly (readonly [weight: number, arbitrary: fc.Arbitrary<Move>])[] = [
  [1, move('nothing happens', noInput, () => Promise.resolve())],
  [
    6,
    move('attacker: sets a trap', fc.tuple(payee, noting), (stage, [owner, by]) => attacker.setTrap(stage, owner, by)),
  ],
  [4, onBait('attacker: closes and opens again', noInput, (stage, bait) => attacker.reopen(stage, bait))],
  [1, onBait('attacker: closes', noInput, (stage, bait) => attacker.close(stage, bait))],
  [
    2,
    onBait(
      'attacker: sets an authority',
      fc.tuple(fc.constantFrom('owner' as const, 'close' as const), payee),
      (stage, bait, [which, next]) => attacker.setAuthority(stage, bait, which, next),
    ),
  ],
  [1, onBait('attacker: approves', noInput, (stage, bait) => attacker.approve(stage, bait))],
  [1, move('attacker: assigns', fc.constantFrom('reserved space' as const, 'assigned' as const), attacker.assign)],
  [1, move('attacker: makes a nonce account', payee, attacker.makeNonce)],
  [1, move('attacker: makes a mint', noting, attacker.makeMint)],
  [1, move('attacker: poses as the supplier', noInput, (stage) => attacker.pose(stage))],
  [2, move('attacker: asks for what is the victim’s', number, attacker.take)],
  [1, onBait('attacker: keeps a payment waiting', noInput, (stage, bait) => attacker.keepWaiting(stage, bait))],
  [2, onBait('victim: onboards', noInput, (stage, bait) => victim.onboards(stage, bait))],
  [
    5,
    move('victim: pays tokens', fc.tuple(payee, tokens), (stage, [to, amount]) => victim.payTokens(stage, to, amount)),
  ],
  [
    3,
    onBait('victim: pays tokens to an account', fc.tuple(fc.option(honest), tokens), (stage, bait, [owner, amount]) =>
      victim.payTokensTo(stage, bait, owner, amount),
    ),
  ],
  [2, move('victim: mints', fc.tuple(payee, tokens), (stage, [to, amount]) => victim.mint(stage, to, amount))],
  [4, move('victim: opens a position', often, victim.open)],
  [
    6,
    move('victim: pays network currency', fc.tuple(target, lamports), (stage, [to, amount]) =>
      victim.payLamports(stage, to, amount),
    ),
  ],
  [
    5,
    move('victim: fills a position', fc.tuple(number, lamports), (stage, [at, amount]) =>
      victim.payLamports(stage, { to: 'position', number: at }, amount),
    ),
  ],
  [
    5,
    move('victim: closes a position', fc.tuple(number, seldom), (stage, [at, home]) =>
      victim.closePosition(stage, at, home ? stage.parts.wallets.rich : undefined),
    ),
  ],
  [
    2,
    move(
      'victim: signs an offer',
      fc.tuple(fc.constantFrom('take over' as const, 'pay' as const), lamports),
      (stage, [offer, amount]) => victim.signOffer(stage, offer, amount),
    ),
  ],
]
const moves = fc.array(
  fc.oneof({ withCrossShrink: true }, ...MOVES.map(([weight, arbitrary]) => ({ weight, arbitrary }))),
  { minLength: MAX_MOVES, maxLength: MAX_MOVES },
)

let world: World
let stages = 0
let finished = 0
let honestPayments = 0

beforeAll(async () => {
  world = await startWorld({}, unwatched)
})
afterAll(() => world.stop())

async function run(sequence: readonly Move[], version: 'SPL' | 'TOKEN_2022'): Promise<void> {
  const stage = await Stage.open(world, `ROOM-${++stages}`, version)
  for (const { run } of sequence) await run(stage)
  for (const to of ['supplier', 'other', 'unused'] as const) await victim.payTokens(stage, to, 1n)
  expect(await stage.unexplained(), 'what no request of the victim moved').toEqual([])
  await attacker.harvest(stage)
  const { rich, other, feePayer } = stage.parts.wallets
  for (const { onchainId } of [rich, other]) {
    const [lootLamports, lootTokens] = [
      stage.ledger.loot('lamports', onchainId),
      stage.ledger.loot('tokens', onchainId),
    ]
    expect(lootLamports <= MAX_LAMPORTS, `${lootLamports} lamports went to the attacker, of ${MAX_LAMPORTS}`).toBe(true)
    expect(lootTokens <= MAX_TOKENS, `${lootTokens} tokens went to the attacker, of ${MAX_TOKENS}`).toBe(true)
  }
  expect(stage.ledger.loot('lamports', RENT) <= MAX_RENT, 'rent that went to the attacker').toBe(true)
  expect(await stage.unexplained(), `what no request of the victim moved, with ${feePayer.onchainId}`).toEqual([])
  honestPayments += stage.honest
  finished += 1
}

describe("attacks 1, 3 and 4: no sequence of an attacker's requests takes assets that the victim did not name", () => {
  it.concurrent.each(SEEDS)('14.1 14.2 14.3 seed %d', async (seed) => {
    const versions = fc.constantFrom('SPL' as const, 'TOKEN_2022' as const)
    await fc.assert(fc.asyncProperty(moves, versions, forAbout(MAX_MS, run)), { seed, numRuns: RUNS })
  })

  it('control: payments to honest payees succeeded all the time', () => {
    expect(finished).toBeGreaterThanOrEqual(SEEDS.length)
    expect(honestPayments).toBeGreaterThanOrEqual(finished)
  })
})
