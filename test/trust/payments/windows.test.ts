// Windows of debit limits belong to address and asset: for any sequence of openings, closings, reopenings and changes,
// and from several positions at once, no more is paid to strangers than the present limit.
import { Keypair } from '@solana/web3.js'
import bs58 from 'bs58'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { associated } from '../../e2e/addresses.ts'
import { startWorld, type World } from '../../e2e/harness.ts'
import { LimitFixture, PAY, perTransaction, to, within, type Person } from '../../e2e/limits/limit-fixture.ts'
import type { Ids, NewPosition, Result } from '../../e2e/models.ts'
import { SOL, type Records } from '../../e2e/records.ts'
import { forAbout } from '../fixtures/for-about.ts'

const SEED = 20261122
const RUNS = 8
const MAX_MOVES = 20
/** The time for all sequences, including shrinking a failure: a busy machine tries fewer. */
const MAX_MS = 40_000
const FIRST_BOUND = 100n

let world: World
let admin: Person
let operator: Person
let records: Records
let vault: Ids

beforeAll(async () => {
  world = await startWorld()
  const fixture = new LimitFixture(world)
  const organization = await fixture.organization()
  ;[admin, operator] = [await fixture.person(organization, 'ADMIN'), await fixture.person(organization, 'OPERATOR')]
  records = world.records.with(admin.api)
  await records.feePayer()
  vault = await records.account()
})
afterAll(() => world.stop())

const day = (amount: bigint): readonly object[] => [to('OFF_PLATFORM', within(String(amount), 'DAYS'))]
const NOTHING = [to('OFF_PLATFORM', perTransaction(0)), to('NON_MANAGED', perTransaction(1))]

interface Position {
  readonly ids: Ids
  /** Its own limits; null: those of the wallet apply. */
  readonly bound: bigint | null
  held: bigint
}

/** A wallet whose key was imported, so that its record can be closed and created again. */
class Room {
  readonly instrument: Ids
  readonly #secret: Keypair
  readonly #payee = Keypair.generate().publicKey.toBase58()
  wallet: Ids
  bound = FIRST_BOUND
  used = 0n
  usedLamports = 0n
  positions: Position[] = []

  private constructor(secret: Keypair, wallet: Ids, instrument: Ids) {
    this.#secret = secret
    this.wallet = wallet
    this.instrument = instrument
  }

  static async open(): Promise<Room> {
    const secret = Keypair.generate()
    const limits = { networkCurrencyDebitLimits: day(1n), tokenDebitLimits: day(FIRST_BOUND) }
    const wallet = await records.funded({ ...imported(secret), ...limits }, 5n * SOL)
    const instrument = await records.instrument('SPL', vault, { onchainData: { decimals: 0 } })
    return new Room(secret, wallet, instrument)
  }

  at(number: number): Position | undefined {
    return this.positions[number % this.positions.length]
  }

  async openPosition(hasOwnKey: boolean, limits: 'none' | 'empty' | 'strict'): Promise<void> {
    const limitMembers = limits === 'none' ? {} : { tokenDebitLimits: limits === 'empty' ? [] : NOTHING }
    const key = hasOwnKey ? { position: { managed: true } } : {}
    const body = { owner: this.wallet, financialInstrument: this.instrument, ...key, ...limitMembers }
    const answer = await operator.api.send<NewPosition>('POST', '/positions', body)
    // 409: the associated one exists.
    if (limits === 'empty') expect(hasOwnKey ? [403] : [403, 409], 'a position without limits').toContain(answer.status)
    if (answer.status !== 201) return
    this.positions.push({ ids: answer.body.newPosition, bound: limits === 'strict' ? 0n : null, held: 0n })
  }

  async fill(position: Position): Promise<void> {
    await records.mint(position.ids, 60n)
    position.held += 60n
  }

  async close(position: Position): Promise<void> {
    const body = { position: { position: position.ids }, burnRemainingTokenBalance: true }
    const { status, body: answer } = await operator.api.send<Result>('PATCH', '/positions/close', body)
    expect([status, answer.success], JSON.stringify(answer)).toEqual([200, true])
    this.positions = this.positions.filter((each) => each !== position)
  }

  /** Several concurrent payments. */
  async pay(from: readonly Position[], amount: bigint): Promise<void> {
    const destination = { owner: { onchainId: this.#payee, offPlatform: true }, financialInstrument: this.instrument }
    const rest = { destination, lamports: String(amount), initializeDestinationPositionIfNeeded: true }
    const answers = await Promise.all(
      from.map(async (position) => ({
        position,
        answer: await operator.api.send<Result>('POST', '/positions/transfer', {
          source: { position: position.ids },
          ...rest,
        }),
      })),
    )
    for (const { position, answer } of answers) {
      if (answer.status !== 201) continue
      expect(answer.body.success, JSON.stringify(answer.body)).toBe(true)
      position.held -= amount
      this.used += amount
      expect(position.bound, 'a payment past the limit of the position').toBeNull()
      expect(this.used <= this.bound, `${this.used} of ${this.bound} tokens were paid`).toBe(true)
    }
    for (const { position, answer } of answers) {
      if (answer.status === 201) continue
      const fits = position.bound === null && position.held >= amount && this.used + amount <= this.bound
      expect(fits, `refused although it fits: ${JSON.stringify(answer.body)}`).toBe(false)
    }
  }

  async payLamports(lamports: bigint): Promise<void> {
    const destination = { onchainId: this.#payee, offPlatform: true }
    const { status } = await operator.api.send('POST', PAY, {
      source: this.wallet,
      destination,
      lamports: String(lamports),
    })
    if (status === 201) this.usedLamports += lamports
    else expect(this.usedLamports + lamports > SOL, 'refused although it fits').toBe(true)
  }

  async limit(by: 'admin' | 'operator', amount: bigint | 'none' | 'strict'): Promise<void> {
    const tokenDebitLimits = amount === 'none' ? [] : amount === 'strict' ? NOTHING : day(amount)
    const body = { account: this.wallet, tokenDebitLimits }
    if (by === 'operator') {
      await operator.api.refuses(403, 'ROLE_REQUIRED', 'PATCH', '/accounts', body)
      return
    }
    // A key with the role may lift limits: that is no attack.
    if (amount === 'none') return
    await admin.api.ok(200, 'PATCH', '/accounts', body)
    this.bound = amount === 'strict' ? 0n : amount
  }

  /** Closes its record, and creates another one with the same key. */
  async renew(): Promise<void> {
    for (const position of [...this.positions]) await this.close(position)
    const rest = { source: this.wallet, destination: vault, transferEntireBalance: true }
    await operator.api.ok(201, 'POST', PAY, rest)
    await admin.api.ok(200, 'PATCH', '/accounts/inactivate', { account: this.wallet })
    const limits = { networkCurrencyDebitLimits: day(1n), tokenDebitLimits: day(this.bound) }
    this.wallet = await records.funded({ ...imported(this.#secret), ...limits }, 5n * SOL)
  }

  /** The balance on chain. */
  async received(): Promise<readonly [tokens: bigint, lamports: bigint]> {
    const { chain } = world
    const tokens = await chain.tokens(associated(this.#payee, this.instrument.onchainId, 'SPL'))
    return [tokens, await chain.lamports(this.#payee)]
  }
}

const imported = (secret: Keypair): object => ({
  managed: true,
  privateKeyDetails: { privateKey: bs58.encode(secret.secretKey) },
})

interface Move {
  readonly run: (room: Room) => Promise<void>
}

/** A move with its arguments, which are printed on a failure. */
function move<T>(
  title: string,
  given: fc.Arbitrary<T>,
  run: (room: Room, given: T) => Promise<void>,
): fc.Arbitrary<Move> {
  const text = (value: T): string =>
    JSON.stringify(value, (_, each: unknown) => (typeof each === 'bigint' ? String(each) : each))
  return given.map((value) => ({
    run: (room: Room) => run(room, value),
    [fc.toStringMethod]: () => `${title} ${text(value)}`,
  }))
}

function onPosition<T>(
  title: string,
  given: fc.Arbitrary<T>,
  run: (room: Room, position: Position, given: T) => Promise<void>,
) {
  return move(title, fc.tuple(fc.nat({ max: 5 }), given), async (room, [number, value]) => {
    const position = room.at(number)
    if (position !== undefined) await run(room, position, value)
  })
}

const amount = fc.constantFrom(10n, 30n, 50n)
const bounds = fc.constantFrom('none' as const, 'strict' as const, 50n, 150n)
const lists = fc.constantFrom('none' as const, 'none' as const, 'empty' as const, 'strict' as const)
const noInput = fc.constant(null)
const MOVES: readonly (readonly [weight: number, arbitrary: fc.Arbitrary<Move>])[] = [
  [1, move('nothing happens', noInput, () => Promise.resolve())],
  [
    4,
    move('opens', fc.tuple(fc.boolean(), lists), (room, [hasOwnKey, limits]) => room.openPosition(hasOwnKey, limits)),
  ],
  [4, onPosition('fills', noInput, (room, position) => room.fill(position))],
  [7, onPosition('pays', amount, (room, position, value) => room.pay([position], value))],
  [3, move('pays from all at once', amount, (room, value) => room.pay(room.positions, value))],
  [2, onPosition('closes', noInput, (room, position) => room.close(position))],
  [
    5,
    move('pays network currency', fc.constantFrom((SOL * 2n) / 5n, (SOL * 7n) / 10n, SOL * 2n), (room, value) =>
      room.payLamports(value),
    ),
  ],
  [
    2,
    move('limits', fc.tuple(fc.constantFrom('admin' as const, 'operator' as const), bounds), (room, [by, value]) =>
      room.limit(by, value),
    ),
  ],
  [3, move('closes the record and makes it again', noInput, (room) => room.renew())],
]
const moves = fc.array(
  fc.oneof({ withCrossShrink: true }, ...MOVES.map(([weight, arbitrary]) => ({ weight, arbitrary }))),
  { minLength: MAX_MOVES, maxLength: MAX_MOVES },
)

it('14.5 attacks 11 and 12: no sequence of openings, closings and changes resets a window or lifts a limit', async () => {
  await fc.assert(
    fc.asyncProperty(
      moves,
      forAbout(MAX_MS, async (sequence) => {
        const room = await Room.open()
        for (const { run } of sequence) await run(room)
        // A new record of the wallet starts no new window, whatever happened before.
        await room.renew()
        for (const lamports of [(SOL * 2n) / 5n, (SOL * 7n) / 10n]) await room.payLamports(lamports)
        expect(await room.received()).toEqual([room.used, room.usedLamports])
        expect(room.usedLamports <= SOL).toBe(true)
      }),
    ),
    { seed: SEED, numRuns: RUNS },
  )
})
