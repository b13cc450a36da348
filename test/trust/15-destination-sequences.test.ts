// Random sequences of policy changes and payments: a payment succeeds exactly if a model of the rules admits its
// address at that moment, and an address that is blocked or not on the allow list never receives anything.
import fc from 'fast-check'
import { SystemProgram, PublicKey } from '@solana/web3.js'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { Counterparties, newAddress } from '../e2e/payouts/counterparty-setup.ts'
import { startWorld, type World } from '../e2e/harness.ts'
import { LimitFixture, PAY, type Held } from '../e2e/limits/limit-fixture.ts'
import type { Answer } from '../e2e/client.ts'
import type { Problems } from '../e2e/models.ts'
import { SOL } from '../e2e/records.ts'
import { forAbout } from './fixtures/for-about.ts'

const RUNS = 12
const MAX_MOVES = 18
const ADDRESSES = 3
const LAMPORTS = SOL / 100n
const MAX_MS = 60_000

type Status = 'ALLOWED' | 'REVIEW' | 'BLOCKED'
type Policy = 'OPEN' | 'ALLOW_LIST'

type Move =
  | { readonly do: 'list'; readonly at: number; readonly status: Status }
  | { readonly do: 'unlist'; readonly at: number }
  | { readonly do: 'organization' | 'account'; readonly policy: Policy }
  | { readonly do: 'pay'; readonly at: number; readonly by: 'request' | 'sign' | 'foreign' | 'submit' }

const at = fc.nat({ max: ADDRESSES - 1 })
const policy = fc.constantFrom<Policy>('OPEN', 'ALLOW_LIST')
const move: fc.Arbitrary<Move> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('list' as const),
      at,
      status: fc.constantFrom<Status>('ALLOWED', 'REVIEW', 'BLOCKED'),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('unlist' as const), at }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('organization' as const), policy }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('account' as const), policy }) },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('pay' as const),
      at,
      by: fc.constantFrom('request' as const, 'sign' as const, 'foreign' as const, 'submit' as const),
    }),
  },
)

let world: World
let limits: LimitFixture
beforeAll(async () => {
  world = await startWorld()
  limits = new LimitFixture(world)
})
afterAll(() => world.stop())

class Play {
  readonly #fixture: Counterparties
  readonly #addresses = Array.from({ length: ADDRESSES }, newAddress)
  readonly #ids = new Map<number, string>()
  readonly #status = new Map<number, Status>()
  readonly #received = new Map<number, bigint>()
  #organization: Policy = 'OPEN'
  #account: Policy = 'OPEN'

  constructor(fixture: Counterparties) {
    this.#fixture = fixture
  }

  async take(move: Move): Promise<void> {
    if (move.do === 'list') await this.#list(move.at, move.status)
    else if (move.do === 'unlist') await this.#unlist(move.at)
    else if (move.do === 'pay') await this.#pay(move.at, move.by)
    else await this.#rule(move.do, move.policy)
  }

  async #list(index: number, status: Status): Promise<void> {
    const id = this.#ids.get(index)
    if (id === undefined) this.#ids.set(index, await this.#fixture.list(status, this.#addresses[index]!))
    else await this.#fixture.change(id, { status, addresses: [{ onchainId: this.#addresses[index] }] })
    this.#status.set(index, status)
  }

  async #unlist(index: number): Promise<void> {
    const id = this.#ids.get(index)
    if (id !== undefined) await this.#fixture.change(id, { addresses: [] })
    this.#status.delete(index)
  }

  async #rule(whose: 'organization' | 'account', policy: Policy): Promise<void> {
    if (whose === 'organization') {
      this.#organization = policy
      await this.#fixture.rules({ destinationPolicy: policy })
    } else {
      this.#account = policy
      await this.#fixture.api.ok(200, 'PATCH', '/accounts', {
        account: this.#fixture.wallet,
        destinationPolicy: policy,
      })
    }
  }

  /** A payment under review is refused too, or waits for an approval that nobody gives. */
  #admits(index: number): boolean {
    const status = this.#status.get(index)
    if (status === 'BLOCKED' || status === 'REVIEW') return false
    return status === 'ALLOWED' || (this.#organization === 'OPEN' && this.#account === 'OPEN')
  }

  async #pay(index: number, by: 'request' | 'sign' | 'foreign' | 'submit'): Promise<void> {
    const expected = this.#admits(index)
    const { status, body } = await this.#asked(index, by)
    const what = `${by} to ${this.#status.get(index) ?? 'unlisted'} under ${this.#organization}/${this.#account}: ${JSON.stringify(body)}`
    if (expected) {
      expect([200, 201], what).toContain(status)
      this.#received.set(index, (this.#received.get(index) ?? 0n) + LAMPORTS)
    } else if (this.#status.get(index) !== 'REVIEW' || body.approval === undefined)
      expect([status, body.errors?.[0]?.code], what).toEqual([403, 'DESTINATION_NOT_ALLOWED'])
    else {
      expect([body.status, body.approval.given], what).toEqual(['PREPARED', 0])
      // While its debit waits, the key may not change the policy of the account.
      await this.#fixture.api.ok(200, 'PATCH', '/transactions/cancel', { offchainId: body.offchainId })
    }
    expect(await world.chain.lamports(this.#addresses[index]!), what).toBe(this.#received.get(index) ?? 0n)
  }

  async #asked(
    index: number,
    by: 'request' | 'sign' | 'foreign' | 'submit',
  ): Promise<{ status: number; body: Partial<Held & Problems> }> {
    const { api, wallet, feePayer } = this.#fixture
    const address = this.#addresses[index]!
    const itemData = {
      source: wallet,
      destination: { onchainId: address, offPlatform: true },
      lamports: String(LAMPORTS),
    }
    if (by === 'request') return await api.send('POST', PAY, itemData)
    if (by === 'foreign') {
      const pay = SystemProgram.transfer({
        fromPubkey: new PublicKey(wallet.onchainId),
        toPubkey: new PublicKey(address),
        lamports: LAMPORTS,
      })
      const signed = await api.send<Held & Problems>('POST', '/transactions/sign', {
        serializedTransaction: await limits.foreign(feePayer.onchainId, [pay]),
      })
      return await this.#submitSigned(signed)
    }
    // Prepared whether the address is admitted or not: the rules apply when it is signed.
    const rules = { organization: this.#organization, account: this.#account, status: this.#status.get(index) }
    await this.#rule('organization', 'OPEN')
    await this.#rule('account', 'OPEN')
    if (rules.status !== undefined) await this.#list(index, 'ALLOWED')
    const prepared = await api.ok<Held>(201, 'POST', PAY, {
      ...itemData,
      source: { ...wallet, autoSign: false },
    })
    const transaction = { transaction: { offchainId: prepared.offchainId } }
    if (by === 'submit') await api.ok(200, 'POST', '/transactions/sign', transaction)
    await this.#rule('organization', rules.organization)
    await this.#rule('account', rules.account)
    if (rules.status !== undefined) await this.#list(index, rules.status)
    if (by === 'submit') return await this.#submit(prepared)
    return await this.#submitSigned(await api.send<Held & Problems>('POST', '/transactions/sign', transaction))
  }

  async #submitSigned(signed: Answer<Held & Problems>): Promise<Answer<Partial<Held & Problems>>> {
    return signed.status === 200 && signed.body.approval === undefined ? await this.#submit(signed.body) : signed
  }

  #submit({ offchainId }: { readonly offchainId: string }) {
    return this.#fixture.api.send<Held & Problems>('POST', '/transactions/submit', { transaction: { offchainId } })
  }
}

it('an address is paid exactly if the rules in force admit it', async () => {
  const runs = forAbout(MAX_MS, async (moves: readonly Move[]) => {
    const play = new Play(await Counterparties.open(world))
    for (const each of moves) await play.take(each)
  })
  await fc.assert(fc.asyncProperty(fc.array(move, { minLength: 4, maxLength: MAX_MOVES }), runs), {
    numRuns: RUNS,
    seed: 20261123,
  })
})
