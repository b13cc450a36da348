// Two-person control under faults: an instrument with a supply limit is never minted without two approvals or beyond
// its limit, and no counterparty of a controlled organization changes without two.
import type { Change } from '../../../src/engine/records/change.ts'
import { ofKind, type RecordState } from '../../../src/engine/records/record.ts'
import { createPolicy } from '../../../src/operations/approval-policies/create.ts'
import { createInstrument } from '../../../src/operations/instruments/create.ts'
import { initializePosition } from '../../../src/operations/positions/initialize.ts'
import { burnTokens } from '../../../src/operations/positions/burn.ts'
import { mintTokens } from '../../../src/operations/positions/mint.ts'
import { Approvals } from '../approvals.ts'
import { offchainIdOf, type Batches } from './batch-side.ts'
import type { SimulatedChain } from '../chain.ts'
import type { Clients, Leg } from '../clients.ts'
import { landingOf, type Landing } from '../landings.ts'
import type { Marks } from '../marks.ts'
import { PacedSide } from './paced-side.ts'
import type { Surroundings } from '../process.ts'
import { draft, idsOf, lookup, memoOf, type House, type Ids, type Tenants } from '../tenants.ts'

const CAP = 1_000_000n
const CAP_SHOWN = '10000'
const REQUIRED = 2

/** An organization with its limited instrument, whose supply is all in one position. */
interface Controlled {
  readonly house: House
  readonly keys: readonly string[]
  readonly position: Ids
}

interface Parts {
  readonly chain: SimulatedChain
  readonly batches: Batches
  readonly marks: Marks
}

export class PolicySide extends PacedSide {
  readonly #chain: SimulatedChain
  readonly #batches: Batches
  readonly #marks: Marks
  readonly #approvals: Approvals
  readonly #controlled: Controlled[] = []
  /** Minted and burnt units, by position and signature. */
  readonly #landings = new Map<string, Map<string, Landing>>()
  /** The required approvals of a landing: by the number of a request, or the mark of an item. */
  readonly #approvable = new Map<string, string>()
  /** Changes of counterparties that were applied with their approvals, by counterparty. */
  readonly #applied = new Map<string, number>()
  /** Organizations whose counterparties are under control. */
  readonly #covered = new Set<string>()

  constructor(around: Surroundings, clients: Clients, { chain, batches, marks }: Parts) {
    super(around, clients, { name: 'policies', mostOpen: 4, betweenMs: [2_000, 12_000] })
    this.#chain = chain
    this.#batches = batches
    this.#marks = marks
    this.#approvals = new Approvals(clients, this.random, () => this.pause(0, 8_000))
    chain.onLanded((transaction) => this.#landed(landingOf(transaction)))
  }

  override async build(tenants: Tenants): Promise<void> {
    await super.build(tenants)
    for (const house of this.houses) {
      const { organization, authority } = house
      const keys = await Approvals.keys(tenants, organization, REQUIRED + 1)
      const by = lookup(authority)
      const instrument = await tenants.ask(organization, 'createInstrument', createInstrument, {
        itemData: {
          mintAccount: {},
          version: 'TOKEN_2022',
          mintAuthority: by,
          onchainData: { decimals: 2 },
          maxSupply: CAP_SHOWN,
        },
      })
      const mint = lookup(idsOf(instrument.body, 'newFinancialInstrument'))
      const holder = await tenants.account(organization, {}, 0n)
      const opening = await tenants.ask(organization, 'initializePosition', initializePosition, {
        itemData: { owner: lookup(holder), financialInstrument: mint },
      })
      const terms = { approvers: keys, requiredApproversCount: REQUIRED }
      await tenants.ask(organization, 'createPolicy', createPolicy, {
        itemData: { ...terms, operations: ['MINT'], financialInstrument: mint },
      })
      if (this.#controlled.length > 0) {
        this.#covered.add(organization.name)
        await tenants.ask(organization, 'createPolicy', createPolicy, {
          itemData: { ...terms, operations: ['COUNTERPARTIES'] },
        })
      }
      this.#controlled.push({ house, keys, position: idsOf(opening.body, 'newPosition') })
    }
  }

  protected async work(): Promise<void> {
    const controlled = this.random.pick(this.#controlled)
    const kind = this.random.weighted({ mint: 4, batch: 2, burn: 2 })
    if (kind === 'mint') await this.#mint(controlled)
    else if (kind === 'batch') await this.#batch(controlled)
    else await this.#burn(controlled)
  }

  /** A change of a counterparty: applied at once, or when enough have approved it. */
  async approveChange(house: House, id: string): Promise<void> {
    const keys = this.#controlled.find((each) => each.house === house)?.keys ?? []
    await this.#approvals.ask(house.organization, keys, { kind: 'change', id }, () => this.isRunning)
  }

  async #mint({ house, keys, position }: Controlled): Promise<void> {
    const amount = this.#amount(position)
    const destination = { position: lookup(position) }
    const request = await this.clients.ask((number) => {
      const itemData = { destination, lamports: String(amount), memo: memoOf(number) }
      const legs: Leg[] = [{ address: position.onchainId, asset: 'tokens', amount }]
      return { ...draft(house.organization, 'mint limited', mintTokens, { itemData }), legs }
    })
    const [id] = request.transactions ?? []
    if (id === undefined) return
    this.#approvable.set(`r${request.number}`, id)
    await this.#approvals.ask(house.organization, keys, { kind: 'transaction', id }, () => this.isRunning)
  }

  async #batch({ house, keys, position }: Controlled): Promise<void> {
    const items = Array.from({ length: 1 + this.random.below(6) }, () => {
      const amount = this.#amount(position) / 4n + 1n
      return {
        data: { destination: { position: lookup(position) }, lamports: String(amount) },
        legs: [{ address: position.onchainId, asset: 'tokens', amount }] as const,
      }
    })
    const { request, names } = await this.#batches.create(house, ['MINT', items], false)
    if (request.state !== 'answered') return
    const id = offchainIdOf(request.body, 'newBatch')
    for (const name of names) this.#approvable.set(name, id)
    await this.#approvals.ask(house.organization, keys, { kind: 'batch', id }, () => this.isRunning)
  }

  async #burn({ house, position }: Controlled): Promise<void> {
    const supply = this.#supply(position)
    if (supply === 0n) return
    const amount = (supply * BigInt(1 + this.random.below(90))) / 100n + 1n
    await this.clients.ask((number) => {
      const itemData = {
        source: { position: lookup(position) },
        lamports: String(amount),
        memo: memoOf(number),
      }
      const legs: Leg[] = [{ address: position.onchainId, asset: 'tokens', amount: -amount }]
      return { ...draft(house.organization, 'burn limited', burnTokens, { itemData }), legs }
    })
  }

  /** Often about the available rest, so that one or several concurrent mints would exceed the limit. */
  #amount(position: Ids): bigint {
    const room = CAP - this.#supply(position)
    const share = BigInt(500 + this.random.below(1_000))
    if (room > 0n && this.random.chance(0.5)) return (room * share) / 1_000n + 1n
    return BigInt(1 + this.random.below(100_000))
  }

  /** By the chain. */
  #supply({ onchainId }: Ids): bigint {
    return [...(this.#landings.get(onchainId)?.values() ?? [])]
      .filter(({ signature }) => this.#chain.standing.has(signature))
      .reduce((sum, { tokens }) => sum + (tokens.get(onchainId) ?? 0n), 0n)
  }

  #landed(landing: Landing): void {
    for (const { position } of this.#controlled) {
      const change = landing.tokens.get(position.onchainId) ?? 0n
      if (change === 0n) continue
      const all = this.#landings.get(position.onchainId) ?? new Map<string, Landing>()
      this.#landings.set(position.onchainId, all.set(landing.signature, landing))
      const supply = this.#supply(position)
      if (supply > CAP)
        this.around.violated(
          'supply above its limit',
          `${position.onchainId}: ${supply} of ${CAP}, ${landing.signature}`,
        )
      if (change > 0n) this.#checkApprovals(landing)
    }
  }

  #checkApprovals(landing: Landing): void {
    const names = landing.request === null ? this.#marks.namesIn(landing) : [`r${landing.request}`]
    for (const name of names.length === 0 ? [''] : names) {
      const approvalCount = this.#approvals.of(this.#approvable.get(name) ?? '')
      if (approvalCount < REQUIRED)
        this.around.violated(
          'minted without its approvals',
          `${name} in ${landing.signature}: ${approvalCount} of ${REQUIRED}`,
        )
    }
  }

  committed(changes: readonly Change[]): void {
    for (const { previous, next } of changes) {
      const change = ofKind(next, 'pendingChange')
      if (change?.value === 'applied' && previous?.value !== 'applied') this.#changeApplied(change)
    }
    for (const { previous, next } of changes) {
      const counterparty = ofKind(next, 'counterparty')
      if (counterparty === undefined || previous === undefined) continue
      if (!this.#covered.has(counterparty.context.organization)) continue
      const remaining = (this.#applied.get(counterparty.id) ?? 0) - 1
      this.#applied.set(counterparty.id, remaining)
      if (remaining < 0) this.around.violated('changed without its approvals', `counterparty ${counterparty.id}`)
    }
  }

  #changeApplied({ id, context }: RecordState<'pendingChange'>): void {
    const { counterparty } = context.itemData as { readonly counterparty?: { readonly offchainId: string } }
    if (this.#approvals.of(id) < REQUIRED)
      this.around.violated('changed without its approvals', `change ${id}: ${this.#approvals.of(id)} of ${REQUIRED}`)
    if (counterparty === undefined) return
    this.#applied.set(counterparty.offchainId, (this.#applied.get(counterparty.offchainId) ?? 0) + 1)
  }
}
