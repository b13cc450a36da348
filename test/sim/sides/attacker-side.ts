// An attacker with a tenant of his own among the others. He sets traps on the chain for payments to his victims,
// onboards what he likes, offers himself as their fee payer, and asks for what is theirs. Nothing that his requests
// make takes anything from another tenant, no payment of a victim lands in a trap, and no request of a victim is paid
// for by him.
import type { Engine } from '../../../src/engine/engine.ts'
import { associatedTokenAddress } from '../../../src/solana/derive.ts'
import { addressBytes, addressOf } from '../../../src/solana/address.ts'
import { accountBalance } from '../../../src/operations/accounts/balance.ts'
import { createAccount } from '../../../src/operations/accounts/create.ts'
import { createOrganization } from '../../../src/operations/admin/create-organization.ts'
import { transferNetworkCurrency } from '../../../src/operations/positions/transfer-network-currency.ts'
import { transferTokens } from '../../../src/operations/positions/transfer.ts'
import { AttackerChain, type Trap } from './attacker-chain.ts'
import { RentAttack } from './attacker-rent.ts'
import type { SimulatedChain } from '../chain.ts'
import type { Clients, Organization, Request } from '../clients.ts'
import { landingOf, type Landing } from '../landings.ts'
import type { Surroundings } from '../process.ts'
import { PacedSide } from './paced-side.ts'
import { Random } from '../random.ts'
import { draft, idsOf, lookup, memoOf, type House, type Ids, type Position, type Tenants } from '../tenants.ts'

const MALLORY: Organization = { tenant: 'MALLORY', name: 'MALLORY' }
const SYSTEM: Organization = { tenant: 'SYSTEM', name: 'SYSTEM' }
const MAX_TRAPS = 12
const TOKEN_ACCOUNT_BYTES = 165
const UNLIMITED_TOKENS = 1_000_000n
/** What a payment to a wallet of one's own is never refused with, whatever strangers have made in the wallet's name. */
const TURNED_AWAY = new Set(['LOOKUP_AMBIGUOUS', 'DEBIT_LIMIT_EXCEEDED', 'OWNER_MISMATCH'])

export class AttackerSide extends PacedSide {
  readonly #chain: SimulatedChain
  readonly #own: AttackerChain
  readonly #traps: Trap[] = []
  /** Records of the attacker's tenant, whose balances are asked for at rest. */
  readonly #noted: Ids[] = []
  readonly #payers = new Set<string>()
  readonly #rent: RentAttack
  /** Of victims: what may be paid from them is not limited. */
  readonly #unlimited = new Map<House, Position>()
  /** Owner and mint of traps that a victim has noted itself: by these it finds them, and is refused. */
  readonly #notedByVictim = new Set<string>()
  #tenants: Tenants | null = null

  constructor(around: Surroundings, chain: SimulatedChain, clients: Clients) {
    super(around, clients, { name: 'attacker', mostOpen: 6, betweenMs: [250, 2_000] })
    this.#chain = chain
    this.#own = new AttackerChain(chain, new Random(around.seed, 'attacker on chain'))
    this.#rent = new RentAttack(around, clients, new Random(around.seed, 'attacker and rent'))
    around.outsiders.add(this.#own.address)
    chain.onLanded((transaction) => this.#landed(landingOf(transaction)))
  }

  override async build(tenants: Tenants): Promise<void> {
    await super.build(tenants)
    this.#tenants = tenants
    await this.#own.fund()
    await tenants.ask(SYSTEM, 'createOrganization', createOrganization, {
      itemData: { externalId: MALLORY.name, name: 'Mallory' },
    })
    await tenants.account(MALLORY, { canPayFees: true }, 1_000_000_000n)
    const victims = tenants.houses.map(({ organization }) => organization.name)
    const payer = await tenants.account(MALLORY, { canPayFees: true, globalFeePayerForOrgs: victims }, 1_000_000_000n)
    this.#payers.add(payer.onchainId)
    await this.#rent.build(tenants, MALLORY)
    for (const house of tenants.houses) this.#unlimited.set(house, await tenants.unlimited(house, UNLIMITED_TOKENS))
  }

  protected async work(): Promise<void> {
    const house = this.random.pick(this.houses)
    const kind = this.random.weighted({
      setTrap: 6,
      springTrap: 3,
      payVictim: 10,
      takeFromVictim: 3,
      payIntoTrap: 3,
      sameKey: 2,
      closeForRent: 3,
    })
    await this[kind](house)
  }

  /**
   * A token account in a victim's name that the attacker can close, on record with his tenant and sometimes with the
   * victim's.
   */
  async setTrap(house: House): Promise<void> {
    if (this.#traps.length >= MAX_TRAPS) return
    const owner = this.random.pick(house.wallets).onchainId
    const trap = await this.#own.setTrap(owner, this.random.pick(house.instruments).onchainId)
    if (trap === null) return
    this.#traps.push(trap)
    await this.#note(MALLORY, trap)
    // By a record of its own the victim finds the trap, and only its limits keep it out of there.
    if (trap.mint === house.instruments[0]?.onchainId || !this.random.chance(0.5)) return
    this.#notedByVictim.add(`${trap.owner} ${trap.mint}`)
    await this.#note(house.organization, trap)
  }

  async #note(organization: Organization, { address }: Trap): Promise<void> {
    const type = 'ASSET_TOKEN_ACCOUNT'
    const itemData = { managed: false, alreadyOnchain: true, onchainId: address, offchainReferences: { type } }
    const request = await this.clients.ask(draft(organization, 'noteTrap', createAccount, { itemData }))
    if (request.state === 'answered' && organization === MALLORY) this.#noted.push(idsOf(request.body, 'newAccount'))
  }

  async springTrap(): Promise<void> {
    const openTraps = this.#traps.filter(({ reopened }) => !reopened)
    if (openTraps.length > 0) await this.#own.springTrap(this.random.pick(openTraps))
  }

  /**
   * A victim pays another of the same tenant by owner and instrument, half of the time one in whose name there is a
   * trap: it has to go to the associated account, or to an own position.
   */
  async payVictim(house: House): Promise<void> {
    const unlimited = this.#unlimited.get(house)
    const openPositions = house.positions.filter(({ closing }) => !closing)
    const sources =
      unlimited === undefined || (openPositions.length > 0 && this.random.chance(0.5)) ? openPositions : [unlimited]
    if (sources.length === 0) return
    const [source, payee] = this.#temptation(house, sources) ?? [
      this.random.pick(sources),
      this.random.pick(house.wallets),
    ]
    const program = this.#chain.bank.account(addressBytes(source.instrument.onchainId))?.owner
    const address =
      program === undefined
        ? null
        : associatedTokenAddress(payee.onchainId, source.instrument.onchainId, addressOf(program))
    if (address === null || address === source.onchainId) return
    const amount = BigInt(1 + this.random.below(50))
    const destination = { owner: lookup(payee), financialInstrument: lookup(source.instrument) }
    const { code } = await this.clients.ask((number) => {
      const transfer = { source: { position: lookup(source) }, destination, lamports: String(amount) }
      const itemData = { ...transfer, initializeDestinationPositionIfNeeded: true, memo: memoOf(number) }
      const legs = [
        { address: source.onchainId, asset: 'tokens', amount: -amount },
        { address, asset: 'tokens', amount },
      ] as const
      return { ...draft(house.organization, 'payVictim', transferTokens, { itemData }), legs, waitMs: 20_000 }
    })
    // The victim may have noted the trap while the request was asked again.
    const isTrapped = this.#notedByVictim.has(`${payee.onchainId} ${source.instrument.onchainId}`)
    if (!isTrapped && TURNED_AWAY.has(code ?? ''))
      this.around.violated('turned away by a trap', `${payee.onchainId}: ${code ?? ''}`)
  }

  /** A source and a payee between whom a trap may be found. null: there is none, or it is not the turn of one. */
  #temptation(house: House, sources: readonly Position[]): readonly [Position, Ids] | null {
    const pairs = this.#traps.flatMap(({ owner, mint }) =>
      sources
        .filter(({ instrument }) => instrument.onchainId === mint)
        .flatMap((source) =>
          house.wallets.filter(({ onchainId }) => onchainId === owner).map((payee) => [source, payee] as const),
        ),
    )
    return pairs.length > 0 && this.random.chance(0.5) ? this.random.pick(pairs) : null
  }

  /** The attacker asks for a victim's money, for himself. */
  async takeFromVictim(house: House): Promise<void> {
    const victim = this.random.pick(house.wallets)
    const source = { onchainId: victim.onchainId, ...(this.random.chance(0.5) ? { offPlatform: true } : {}) }
    const destination = { onchainId: this.#own.address, offPlatform: true }
    const config = this.random.chance(0.3) ? { feePayer: { onchainId: house.sponsor.onchainId } } : {}
    await this.clients.ask((number) => {
      const itemData = { source, destination, lamports: '1000000', memo: memoOf(number) }
      return draft(MALLORY, 'takeFromVictim', transferNetworkCurrency, {
        itemData,
        chainTransactionConfig: config,
      })
    })
  }

  /** Somebody of the victim's own organization pays into what an outsider can close, past the default limits. */
  async payIntoTrap(house: House): Promise<void> {
    const own = this.#traps.filter(({ owner }) => house.wallets.some(({ onchainId }) => onchainId === owner))
    const wallets = house.wallets.filter((wallet) => wallet !== house.lent)
    if (own.length === 0 || wallets.length === 0) return
    const destination = { onchainId: this.random.pick(own).address, offPlatform: true }
    const source = lookup(this.random.pick(wallets))
    await this.clients.ask((number) => {
      const itemData = { source, destination, lamports: '10000', memo: memoOf(number) }
      return draft(house.organization, 'payIntoTrap', transferNetworkCurrency, { itemData })
    })
  }

  /** Two organizations of one tenant use the same idempotency key and body: two requests. */
  async sameKey(): Promise<void> {
    const pair = this.houses
      .filter(({ organization }) => organization.tenant === 'ACME')
      .map(({ organization }) => organization)
    const key = `shared ${this.random.below(1_000_000_000)}`
    const itemData = { seedLamports: String(1_000_000 + this.random.below(1_000)) }
    const requests = await Promise.all(
      pair.map((organization) =>
        this.clients.ask({
          ...draft(organization, 'sameKey', createAccount, { itemData }),
          key,
          waitMs: 20_000,
        }),
      ),
    )
    this.#checkDistinct(requests.filter(({ state }) => state === 'answered'))
  }

  #checkDistinct(requests: readonly Request[]): void {
    const transactionIds = requests.flatMap(({ transactions }) => transactions ?? [])
    if (new Set(transactionIds).size !== transactionIds.length)
      this.around.violated('one request answered with the transaction of another', transactionIds.join(', '))
  }

  /** The rent of a victim's position comes from the attacker. */
  async closeForRent(house: House): Promise<void> {
    await this.#rent.run(house)
  }

  #landed(landing: Landing): void {
    this.#rent.landed(landing)
    const { signature, request: number, feePayer } = landing
    const request = number === null ? undefined : this.clients.requests[number - 1]
    if (this.#payers.has(feePayer) && request?.organization.tenant !== MALLORY.tenant) {
      this.around.violated('paid for by a stranger', `${signature} of ${request?.organization.name ?? 'nobody'}`)
    }
    if (landing.error !== null || request === undefined) return
    const victims = this.houses.flatMap(({ wallets, positions, feePayer: payer }) => [...wallets, ...positions, payer])
    const loser = victims.find(
      ({ onchainId }) => (landing.lamports.get(onchainId) ?? 0n) < 0n || (landing.tokens.get(onchainId) ?? 0n) < 0n,
    )
    if (request.organization.tenant === MALLORY.tenant && loser !== undefined) {
      this.around.violated('taken from another tenant', `${loser.onchainId} in ${signature}`)
    }
    for (const { address } of this.#traps) {
      const gained = (landing.lamports.get(address) ?? 0n) > 0n || (landing.tokens.get(address) ?? 0n) > 0n
      if (gained && request.kind !== 'transferNetworkCurrency')
        this.around.violated('paid into a trap', `${address} in ${signature}`)
    }
  }

  /** What happened to the traps on chain is read when their balances are asked for. */
  async settle(): Promise<void> {
    for (const { offchainId } of this.#noted) {
      await this.#tenants?.read(MALLORY, accountBalance, { itemData: { offchainId } }).catch(() => undefined)
    }
  }

  /** A trap that stands on chain is still what it was made: nobody gave the attacker tokens through it. */
  auditAtRest(_engine: Engine): void {
    for (const { address, reopened } of this.#traps) {
      const account = this.#chain.bank.account(addressBytes(address))
      if (!reopened || account === null || account.data.length < TOKEN_ACCOUNT_BYTES) continue
      const amount = Buffer.from(account.data).readBigUInt64LE(64)
      if (amount > 0n) this.around.violated('tokens in a trap', `${address}: ${amount}`)
    }
  }
}
