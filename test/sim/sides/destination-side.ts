// Destinations under faults: a blocked address is never paid by a later signature, an account with an allow list pays
// no other address, and an address under review is paid only with an approval. On every path: single payments, batches
// and schedules.
import type { Engine } from '../../../src/engine/engine.ts'
import type { Change } from '../../../src/engine/records/change.ts'
import { ofKind, type RecordState } from '../../../src/engine/records/record.ts'
import { keypairFromSeed } from '../../../src/keys/keypair.ts'
import { updateOrganization } from '../../../src/operations/admin/update-organization.ts'
import { createCounterparty } from '../../../src/operations/counterparties/create.ts'
import { updateCounterparty } from '../../../src/operations/counterparties/update.ts'
import { transferNetworkCurrency } from '../../../src/operations/positions/transfer-network-currency.ts'
import { addressBytes } from '../../../src/solana/address.ts'
import { Approvals } from '../approvals.ts'
import { movement, offchainIdOf, type Batches } from './batch-side.ts'
import type { SimulatedChain } from '../chain.ts'
import type { Clients } from '../clients.ts'
import { landingOf, type Landing } from '../landings.ts'
import type { Marks } from '../marks.ts'
import { PacedSide } from './paced-side.ts'
import type { PolicySide } from './policy-side.ts'
import type { Surroundings } from '../process.ts'
import { draft, lookup, memoOf, type House, type Ids, type Tenants } from '../tenants.ts'

const STATUSES = ['ALLOWED', 'REVIEW', 'BLOCKED'] as const
const PAYEES = 3
const LAMPORTS_HAD = 1_000_000_000n

/** A status is certain while it was the same before and after a commit; UNLISTED is never paid from an allow list. */
type Status = (typeof STATUSES)[number] | 'UNLISTED'

interface Payee {
  readonly onchainId: string
  /** Of the counterparty; null: it has none. */
  readonly offchainId: string | null
}

interface Paying {
  readonly house: House
  readonly approvers: readonly string[]
  readonly payees: readonly Payee[]
  /** Pays any address that is not blocked. */
  readonly open: Ids
  /** Pays only allowed addresses. */
  readonly strict: Ids
}

interface Parts {
  readonly chain: SimulatedChain
  readonly batches: Batches
  readonly marks: Marks
  readonly policies: PolicySide
}

export class DestinationSide extends PacedSide {
  readonly #parts: Parts
  readonly #approvals: Approvals
  readonly #paying = new Map<House, Paying>()
  /** Of addresses, as committed. */
  #status = new Map<string, Status>()
  /** The certain statuses when a message was signed, by its hash. */
  readonly #signed = new Map<string, ReadonlyMap<string, Status>>()
  readonly #approvable = new Map<string, string>()

  constructor(around: Surroundings, clients: Clients, parts: Parts) {
    super(around, clients, { name: 'destinations', mostOpen: 4, betweenMs: [1_000, 10_000] })
    this.#parts = parts
    this.#approvals = new Approvals(clients, this.random, () => this.pause(0, 8_000))
    parts.chain.onLanded((transaction) => this.#landed(landingOf(transaction)))
  }

  override async build(tenants: Tenants): Promise<void> {
    await super.build(tenants)
    for (const house of this.houses) {
      const { organization } = house
      const approvers = await Approvals.keys(tenants, organization, 2)
      const wallet = { networkCurrencyDebitLimits: [] }
      const open = await tenants.account(organization, wallet, LAMPORTS_HAD)
      const strict = await tenants.account(organization, { ...wallet, destinationPolicy: 'ALLOW_LIST' }, LAMPORTS_HAD)
      const itemData = {
        externalId: organization.name,
        reviewApproval: { approvers, requiredApproversCount: 1 },
      }
      await tenants.ask({ tenant: 'SYSTEM', name: 'SYSTEM' }, 'updateOrganization', updateOrganization, { itemData })
      const payees: Payee[] = []
      for (let number = 0; number <= PAYEES; number += 1) payees.push(await this.#payee(tenants, house, number))
      this.#paying.set(house, { house, approvers, payees, open, strict })
    }
  }

  /** The last one belongs to no counterparty. */
  async #payee(tenants: Tenants, { organization }: House, number: number): Promise<Payee> {
    const onchainId = keypairFromSeed(this.random.bytes(32)).address
    await this.#parts.chain.bank.airdrop(addressBytes(onchainId), 10_000_000n)
    if (number === PAYEES) {
      this.#status.set(onchainId, 'UNLISTED')
      return { onchainId, offchainId: null }
    }
    const itemData = { name: `payee ${number}`, status: STATUSES[number], addresses: [{ onchainId }] }
    const { body } = await tenants.ask(organization, 'create counterparty', createCounterparty, { itemData })
    return { onchainId, offchainId: offchainIdOf(body, 'newCounterparty') }
  }

  /** A counterparty of the organization, whatever its status. */
  payeeOf(house: House): Payee | undefined {
    return this.#paying.get(house)?.payees[this.random.below(PAYEES)]
  }

  protected async work(): Promise<void> {
    const payer = this.#paying.get(this.random.pick(this.houses))!
    const kind = this.random.weighted({ pay: 6, batch: 2, change: 3 })
    if (kind === 'pay') await this.#pay(payer)
    else if (kind === 'batch') await this.#batch(payer)
    else await this.#change(payer)
  }

  async #change({ house, payees }: Paying): Promise<void> {
    const { offchainId } = payees[this.random.below(PAYEES)]!
    const itemData = { counterparty: { offchainId }, status: this.random.pick(STATUSES) }
    const { organization } = house
    const request = await this.clients.ask(
      // A repetition by a pending change is found by its endpoint.
      {
        ...draft(organization, 'change counterparty', updateCounterparty, { itemData }),
        endpoint: 'PATCH /api/v1/counterparties',
      },
    )
    const { pendingChange } = (request.body ?? {}) as { readonly pendingChange?: { readonly offchainId: string } }
    if (pendingChange !== undefined) await this.#parts.policies.approveChange(house, pendingChange.offchainId)
  }

  async #pay({ house, approvers, payees, open, strict }: Paying): Promise<void> {
    const { organization } = house
    const [source, { onchainId }] = [this.random.pick([open, strict]), this.random.pick(payees)]
    const amount = BigInt(1 + this.random.below(100_000))
    const lifetime = this.random.chance(0.2) ? { messageLifetimeStrategy: 'DURABLE_NONCE' } : {}
    const request = await this.clients.ask((number) => {
      const destination = { onchainId, offPlatform: true }
      const itemData = { source: lookup(source), destination, lamports: String(amount), memo: memoOf(number) }
      const input = { itemData, chainTransactionConfig: lifetime }
      const legs = movement('lamports', source.onchainId, onchainId, amount)
      return { ...draft(organization, 'pay counterparty', transferNetworkCurrency, input), legs }
    })
    const [id] = request.transactions ?? []
    if (id === undefined) return
    this.#approvable.set(`r${request.number}`, id)
    await this.#approvals.ask(organization, approvers, { kind: 'transaction', id }, () => this.isRunning)
  }

  async #batch({ house, approvers, payees, open, strict }: Paying): Promise<void> {
    const source = this.random.chance(0.7) ? open : strict
    const items = Array.from({ length: 1 + this.random.below(10) }, () => {
      const [{ onchainId }, amount] = [this.random.pick(payees), BigInt(1 + this.random.below(100_000))]
      const destination = { onchainId, offPlatform: true }
      return {
        data: { source: lookup(source), destination, lamports: String(amount) },
        legs: movement('lamports', source.onchainId, onchainId, amount),
      }
    })
    const { request, names } = await this.#parts.batches.create(house, ['TRANSFER_NETWORK_CURRENCY', items], false)
    if (request.state !== 'answered') return
    const id = offchainIdOf(request.body, 'newBatch')
    for (const name of names) this.#approvable.set(name, id)
    await this.#approvals.ask(house.organization, approvers, { kind: 'batch', id }, () => this.isRunning)
  }

  opened(engine: Engine): void {
    for (const { head } of engine.directory.entries()) this.#learn(head)
  }

  committed(changes: readonly Change[]): void {
    const before = new Map(this.#status)
    for (const { next } of changes) this.#learn(next)
    const certain = new Map([...this.#status].filter(([address, status]) => before.get(address) === status))
    for (const { previous, next } of changes) {
      const transaction = ofKind(next, 'transaction')
      if (transaction?.context.ourSignature !== true) continue
      if (ofKind(previous, 'transaction')?.context.ourSignature !== true)
        this.#signed.set(transaction.context.fixed.messageHash, certain)
    }
  }

  #learn(state: RecordState): void {
    const counterparty = ofKind(state, 'counterparty')?.context
    for (const { address } of counterparty?.addresses ?? []) this.#status.set(address, counterparty!.status)
  }

  #landed(landing: Landing): void {
    const certain = this.#signed.get(landing.hash)
    if (certain === undefined || landing.error !== null) return
    const isStrict = [...this.#paying.values()].some(
      ({ strict }) => (landing.lamports.get(strict.onchainId) ?? 0n) < 0n,
    )
    for (const [address, amount] of landing.lamports) {
      const status = certain.get(address)
      if (amount <= 0n || status === undefined) continue
      const description = `${address} in ${landing.signature}`
      if (status === 'BLOCKED') this.around.violated('paid a blocked destination', description)
      if (status === 'UNLISTED' && isStrict) this.around.violated('paid a destination that is not allowed', description)
      if (status === 'REVIEW' && !this.#isApproved(landing))
        this.around.violated('paid a destination under review without an approval', description)
    }
  }

  /** A schedule is approved by nobody. */
  #isApproved(landing: Landing): boolean {
    const names = landing.request === null ? this.#parts.marks.namesIn(landing) : [`r${landing.request}`]
    return names.some((name) => this.#approvals.of(this.#approvable.get(name) ?? '') > 0)
  }
}
