// What the clients of a world want: every operation that moves value, competing for the same little money, and the ways
// around signing: kept back, brought from outside, submitted late, cancelled.
import bs58 from 'bs58'
import { burnTokens } from '../../src/operations/positions/burn.ts'
import { cancelTransaction } from '../../src/operations/signing/cancel.ts'
import { closePosition } from '../../src/operations/positions/close.ts'
import { createAccount } from '../../src/operations/accounts/create.ts'
import { inactivateAccount } from '../../src/operations/accounts/inactivate.ts'
import { initializePosition } from '../../src/operations/positions/initialize.ts'
import { mintTokens } from '../../src/operations/positions/mint.ts'
import type { Write } from '../../src/operations/context/platform.ts'
import { signTransaction } from '../../src/operations/signing/sign.ts'
import { submitTransaction } from '../../src/operations/signing/submit.ts'
import { freezePosition, unfreezePosition } from '../../src/operations/positions/switch.ts'
import { trade } from '../../src/operations/positions/trade/trade.ts'
import { transferNetworkCurrency } from '../../src/operations/positions/transfer-network-currency.ts'
import { transferTokens } from '../../src/operations/positions/transfer.ts'
import { addressBytes } from '../../src/solana/address.ts'
import type { SimulatedChain } from './chain.ts'
import type { Asked, Clients, Leg, Request } from './clients.ts'
import { associatedIn, tokensLeg, tokensOf, withdrawOutside } from './outside-accounts.ts'
import { Random } from './random.ts'
import type { Time } from './time.ts'
import { draft, type House, type Ids, idsOf, lookup, memoOf, type Position, type Tenants } from './tenants.ts'
import { MAX_OPEN, WEIGHTS } from './workload-weights.ts'

const NONCE = { messageLifetimeStrategy: 'DURABLE_NONCE' }

export class Workload {
  readonly #tenants: Tenants
  readonly #clients: Clients
  readonly #chain: SimulatedChain
  readonly #time: Time
  readonly #random: Random
  #running = false

  constructor(seed: string, tenants: Tenants, clients: Clients, chain: SimulatedChain, time: Time) {
    this.#tenants = tenants
    this.#clients = clients
    this.#chain = chain
    this.#time = time
    this.#random = new Random(seed, 'workload')
  }

  start(): void {
    this.#running = true
    this.#next()
  }

  stop(): void {
    this.#running = false
  }

  #next(): void {
    if (!this.#running) return
    const random = this.#random
    // Equal requests of one moment: under other keys they are others.
    const together = random.chance(0.05) ? 2 + random.below(8) : 1
    if (this.#clients.open < MAX_OPEN) for (let i = 0; i < together; i += 1) this.#one()
    this.#time.plan(random.between(20, 600), () => this.#next())
  }

  #one(): void {
    const house = this.#random.pick(this.#tenants.houses)
    const kind = this.#random.weighted(WEIGHTS)
    void this[kind](house)
  }

  transferLamports(house: House): void {
    const source = this.#random.pick(house.wallets)
    const destination = this.#random.pick(this.#random.pick(this.#tenants.houses).wallets)
    if (source !== destination) void this.#payment(house, source.onchainId, lookup(source), destination)
  }

  /** Another tenant pays the fee: it countersigns, out of its own books. */
  sponsored(house: House): void {
    const [source, destination] = [this.#random.pick(house.wallets), this.#random.pick(house.wallets)]
    const sponsor = this.#stranger(house).sponsor
    if (source !== destination)
      void this.#payment(house, source.onchainId, lookup(source), destination, { feePayer: lookup(sponsor) })
  }

  /** Out of another tenant's wallet, with its leave; now and then at the cost of a stranger, too. */
  withLent(house: House): void {
    const stranger = this.#stranger(house)
    const config = this.#random.chance(0.3) ? { feePayer: lookup(stranger.sponsor) } : {}
    void this.#payment(house, stranger.lent.onchainId, lookup(stranger.lent), this.#random.pick(house.wallets), config)
  }

  #stranger({ organization }: House): House {
    return this.#random.pick(this.#tenants.houses.filter((each) => each.organization.tenant !== organization.tenant))
  }

  /** Prepared without a signature; then signed, submitted or cancelled, each if the client comes that far. */
  async keptBack(house: House): Promise<void> {
    const [source, destination] = [this.#random.pick(house.wallets), this.#random.pick(house.wallets)]
    if (source === destination) return
    // Often with a lifetime without an end.
    const config = this.#random.chance(0.5) ? NONCE : {}
    const unsigned = { ...lookup(source), autoSign: false }
    const request = await this.#payment(house, source.onchainId, unsigned, destination, config)
    const [id] = request.transactions ?? []
    if (id === undefined) return
    await this.#pause()
    if (this.#random.chance(0.15)) {
      await this.#cancel(house, id)
      return
    }
    const returnSerialized = this.#random.chance(0.3)
    const signed = await this.#follow(house, 'sign', signTransaction, {
      transaction: { offchainId: id },
      returnSerialized,
    })
    await this.#pause()
    const bytes = signed.body?.['serializedTransaction']
    // Who was given the bytes may send them as well.
    if (typeof bytes === 'string' && this.#random.chance(0.5)) void this.#chain.send(Buffer.from(bytes, 'base64'))
    if (this.#random.chance(0.2)) {
      await this.#cancel(house, id)
      return
    }
    if (this.#random.chance(0.9))
      await this.#follow(house, 'submit', submitTransaction, { transaction: { offchainId: id } })
    if (this.#random.chance(0.1)) await this.#cancel(house, id)
  }

  /** From an account whose key is the client's: it signs the message it was shown. */
  async fromOutside(house: House): Promise<void> {
    const { outsider } = house
    const request = await this.#payment(house, outsider.onchainId, lookup(outsider), this.#random.pick(house.wallets))
    const [id] = request.transactions ?? []
    const message = request.body?.['serializedMessage']
    if (id === undefined || typeof message !== 'string') return
    await this.#pause()
    if (this.#random.chance(0.1)) {
      await this.#cancel(house, id)
      return
    }
    const signature = bs58.encode(outsider.key.sign(Buffer.from(message, 'base64')))
    const signatures = [{ onchainId: outsider.onchainId, signature }]
    await this.#follow(house, 'sign', signTransaction, { transaction: { offchainId: id }, signatures })
    await this.#pause()
    await this.#follow(house, 'submit', submitTransaction, { transaction: { offchainId: id } })
  }

  transfer(house: House): void {
    const source = this.#position(house)
    if (source === null) return
    const sameInstrument = house.positions.filter((each) => each.instrument === source.instrument && each !== source)
    const amount = this.#amount(tokensOf(this.#chain, source))
    const open = house.wallets.find(
      (wallet) => !sameInstrument.some((position) => position.wallet === wallet) && wallet !== source.wallet,
    )
    const initialize = open !== undefined && this.#random.chance(0.1)
    if (!initialize && sameInstrument.length === 0) return
    const target = initialize ? null : this.#random.pick(sameInstrument)
    const destination =
      target === null
        ? { owner: lookup(open!), financialInstrument: lookup(source.instrument) }
        : { position: lookup(target) }
    const itemData = {
      source: { position: lookup(source) },
      destination,
      lamports: String(amount),
      ...(initialize ? { initializeDestinationPositionIfNeeded: true } : {}),
      ...this.#forced(source),
    }
    const address = target?.onchainId ?? associatedIn(this.#chain, open!, source.instrument)
    if (address === null) return
    const legs = [tokensLeg(source.onchainId, -amount), tokensLeg(address, amount)]
    void this.#ask(house, initialize ? 'transferAndInitialize' : 'transfer', transferTokens, itemData, legs)
  }

  /** Tokens against lamports, sometimes with tokens of another position on top. */
  trade(house: House): void {
    const [first, second] = [this.#position(house), this.#random.chance(0.4) ? this.#position(house) : null]
    const sides = [first, second].flatMap((source) => {
      const target = house.positions.find(
        (each) => each !== source && each.instrument === source?.instrument && !each.closing,
      )
      return source === null || target === undefined
        ? []
        : [{ source, target, amount: this.#amount(tokensOf(this.#chain, source)) }]
    })
    const buyer = this.#random.pick(house.wallets)
    const seller = sides[0]?.source.wallet
    if (seller === undefined || seller === buyer) return
    const price = this.#amount(this.#chain.bank.account(addressBytes(buyer.onchainId))?.lamports ?? 0n)
    const legs = [
      ...sides.map(({ source, target, amount }) => ({
        source: { position: lookup(source) },
        destination: { position: lookup(target) },
        lamports: String(amount),
      })),
      { source: lookup(buyer), destination: lookup(seller), lamports: String(price) },
    ]
    const expected: Leg[] = [
      ...sides.flatMap(({ source, target, amount }) => [
        tokensLeg(source.onchainId, -amount),
        tokensLeg(target.onchainId, amount),
      ]),
      { address: buyer.onchainId, asset: 'lamports', amount: -price },
      { address: seller.onchainId, asset: 'lamports', amount: price },
    ]
    void this.#ask(house, 'trade', trade, { legs }, expected)
  }

  /** How much it is only the service can say: the auditor knows where it goes. */
  entire(house: House): void {
    const [source, destination] = [this.#random.pick(house.wallets), this.#random.pick(house.wallets)]
    if (source === destination) return
    const itemData = { source: lookup(source), destination: lookup(destination), transferEntireBalance: true }
    const everything = { from: source.onchainId, to: destination.onchainId }
    void this.#ask(house, 'transferEntireBalance', transferNetworkCurrency, itemData, [], {}, everything)
  }

  /** Emptied into another wallet, and gone from the service for good. */
  async inactivate(house: House): Promise<void> {
    const used = new Set(house.positions.map(({ wallet }) => wallet))
    const wallet = house.wallets.find((each) => !used.has(each) && each !== house.lent && each !== house.wallets[0])
    if (wallet === undefined) return
    const to = house.wallets[0]!
    const itemData = { account: lookup(wallet), refundDestination: lookup(to) }
    const everything = { from: wallet.onchainId, to: to.onchainId }
    const write = inactivateAccount as Write<never>
    const request = await this.#clients.ask({
      ...draft(house.organization, 'inactivate', write, { itemData }),
      waitMs: this.#waitMs(),
      everything,
    })
    const at = house.wallets.indexOf(wallet)
    if (request.state !== 'refused' && at >= 0) house.left.push(...house.wallets.splice(at, 1))
  }

  mint(house: House): void {
    const position = this.#position(house)
    if (position === null) return
    const amount = BigInt(1 + this.#random.below(20_000))
    const itemData = { destination: { position: lookup(position) }, lamports: String(amount) }
    void this.#ask(house, 'mint', mintTokens, itemData, [tokensLeg(position.onchainId, amount)])
  }

  burn(house: House): void {
    const position = this.#position(house)
    if (position === null) return
    const amount = this.#amount(tokensOf(this.#chain, position))
    const itemData = { source: { position: lookup(position) }, lamports: String(amount), ...this.#forced(position) }
    void this.#ask(house, 'burn', burnTokens, itemData, [tokensLeg(position.onchainId, -amount)])
  }

  /** Stops a position, and lets it go some time later, if that got through. */
  async freeze(house: House): Promise<void> {
    const position = this.#position(house)
    if (position === null) return
    const itemData = { position: { position: lookup(position) } }
    const request = { ...draft(house.organization, 'freeze', freezePosition, { itemData }), waitMs: this.#waitMs() }
    if ((await this.#clients.ask(request)).state === 'refused') return
    await this.#pause()
    // The world comes to rest: nothing new is asked.
    if (!this.#running) return
    await this.#clients.ask({
      ...draft(house.organization, 'unfreeze', unfreezePosition, { itemData }),
      waitMs: this.#waitMs(),
    })
  }

  async createAccount(house: House): Promise<void> {
    const seedLamports = String(1_000_000 + this.#random.below(2_000_000))
    const request = await this.#clients.ask({
      ...draft(house.organization, 'createAccount', createAccount, { itemData: { seedLamports } }),
      waitMs: this.#waitMs(),
    })
    if (request.state === 'answered' && house.wallets.length < 8) house.wallets.push(idsOf(request.body, 'newAccount'))
  }

  createInstrument(house: House): void {
    void this.#tenants.instrument(house, this.#random.pick(['SPL', 'TOKEN_2022'] as const)).catch(() => undefined)
  }

  close(house: House): void {
    const position = this.#position(house)
    if (position === null || house.positions.length < 4) return
    position.closing = true
    const itemData = { position: { position: lookup(position) }, burnRemainingTokenBalance: true }
    void this.#clients
      .ask({
        ...draft(house.organization, 'close', closePosition as Write<never>, { itemData }),
        waitMs: this.#waitMs(),
      })
      .then(({ state }) => {
        if (state === 'refused') position.closing = false
      })
  }

  async initialize(house: House): Promise<void> {
    const [wallet, instrument] = [this.#random.pick(house.wallets), this.#random.pick(house.instruments)]
    const existing = house.positions.find((each) => each.wallet === wallet && each.instrument === instrument)
    if (existing !== undefined && !existing.closing) return
    const itemData = { owner: lookup(wallet), financialInstrument: lookup(instrument) }
    const write = initializePosition as Write<never>
    const request = await this.#clients.ask({
      ...draft(house.organization, 'initializePosition', write, { itemData }),
      waitMs: this.#waitMs(),
    })
    if (request.state !== 'answered') return
    if (existing !== undefined) house.positions.splice(house.positions.indexOf(existing), 1)
    house.positions.push({ ...idsOf(request.body, 'newPosition'), wallet, instrument, closing: false })
  }

  /** Money from outside, which no request of the service announced. */
  deposit(house: House): void {
    const wallet = this.#random.pick([...house.wallets, house.outsider])
    void this.#chain.bank.airdrop(addressBytes(wallet.onchainId), BigInt(1_000_000 + this.#random.below(20_000_000)))
  }

  /** Money that its owner takes out without the service. */
  withdrawal({ outsider }: House): void {
    const lamports = this.#chain.bank.account(addressBytes(outsider.onchainId))?.lamports ?? 0n
    const amount = (lamports * BigInt(1 + this.#random.below(30))) / 100n
    if (amount < 1_000_000n || lamports - amount < 2_000_000n) return
    withdrawOutside(this.#chain, outsider, amount)
  }

  async #payment(house: House, from: string, source: object, destination: Ids, config: object = {}): Promise<Request> {
    const amount = this.#amount(this.#chain.bank.account(addressBytes(from))?.lamports ?? 0n)
    const itemData = { source, destination: this.#foreign(house, destination), lamports: String(amount) }
    const legs: Leg[] = [
      { address: from, asset: 'lamports', amount: -amount },
      { address: destination.onchainId, asset: 'lamports', amount },
    ]
    return await this.#ask(house, 'transferNetworkCurrency', transferNetworkCurrency, itemData, legs, config)
  }

  /** Another organization's account is named by its address. */
  #foreign(house: House, { onchainId, offchainId }: Ids): object {
    return house.wallets.some((wallet) => wallet.offchainId === offchainId)
      ? { offchainId }
      : { onchainId, offPlatform: true }
  }

  async #ask(
    house: House,
    kind: string,
    write: Write<never>,
    itemData: object,
    legs: readonly Leg[],
    config: object = {},
    everything?: Asked['everything'],
  ): Promise<Request> {
    const lifetime = this.#random.chance(0.25) ? NONCE : {}
    const commitmentConfig = { commitmentLevel: this.#random.pick(['processed', 'confirmed', 'finalized'] as const) }
    const chainTransactionConfig = { ...lifetime, ...config, commitmentConfig }
    const waitMs = this.#waitMs()
    return await this.#clients.ask((number): Asked => ({
      ...draft(house.organization, kind, write, {
        itemData: { ...itemData, memo: memoOf(number) },
        chainTransactionConfig,
      }),
      legs,
      waitMs,
      ...(everything === undefined ? {} : { everything }),
    }))
  }

  async #follow(house: House, kind: string, write: Write<never>, itemData: object): Promise<Request> {
    return await this.#clients.ask({ ...draft(house.organization, kind, write, { itemData }), waitMs: this.#waitMs() })
  }

  async #cancel(house: House, offchainId: string): Promise<void> {
    await this.#follow(house, 'cancel', cancelTransaction, { offchainId })
  }

  #position(house: House): Position | null {
    const open = house.positions.filter((position) => !position.closing)
    return open.length === 0 ? null : this.#random.pick(open)
  }

  /** Now and then the permanent delegate signs in place of the owner, where there is one. */
  #forced({ instrument }: Position): { readonly permanentDelegate?: true } {
    return this.#tenants.forcible.has(instrument.offchainId) && this.#random.chance(0.3)
      ? { permanentDelegate: true }
      : {}
  }

  /** Mostly a part of what is there, often most of it, now and then more. */
  #amount(there: bigint): bigint {
    const part = this.#random.chance(0.5) ? this.#random.between(0, 0.2) : this.#random.between(0.2, 1.05)
    const amount = (there * BigInt(Math.floor(part * 1_000_000))) / 1_000_000n
    return amount > 0n ? amount : 1n
  }

  #waitMs(): number {
    return this.#random.chance(0.5) ? 0 : this.#random.between(0, 20_000)
  }

  #pause(): Promise<void> {
    const delayMs = this.#random.chance(0.1) ? this.#random.between(60_000, 120_000) : this.#random.between(0, 5_000)
    return new Promise((resolve) => void this.#time.plan(delayMs, resolve))
  }
}
