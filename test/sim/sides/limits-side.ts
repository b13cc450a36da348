// The side of a world with debit limits: wallets with a limit per day, and wallets that need the approval of another
// key for any debit, under faults. No more than the limit is debited, nothing without approval, and a debit that never
// happened uses up nothing.
import { approveTransaction } from '../../../src/operations/signing/approve.ts'
import { createApiKey } from '../../../src/operations/admin/create-api-key.ts'
import { transferNetworkCurrency } from '../../../src/operations/positions/transfer-network-currency.ts'
import type { SimulatedChain } from '../chain.ts'
import type { Clients, Request } from '../clients.ts'
import { landingOf, type Landing } from '../landings.ts'
import type { Surroundings } from '../process.ts'
import { Random } from '../random.ts'
import type { Side } from './side.ts'
import { draft, lookup, memoOf, type House, type Ids, type Tenants } from '../tenants.ts'

const LAMPORTS_HAD = 60_000_000n
const LIMIT = 20_000_000n
const LIMIT_SHOWN = '0.02'
const LARGEST = 3_000_000
const MAX_OPEN = 8

interface Held {
  readonly house: House
  /** May debit `LIMIT` a day. */
  readonly limited: Ids
  /** May debit nothing without an approval. */
  readonly careful: Ids
  readonly approver: string
}

export class LimitsSide implements Side {
  readonly #around: Surroundings
  readonly #chain: SimulatedChain
  readonly #clients: Clients
  readonly #random: Random
  readonly #held: Held[] = []
  readonly #landings: Landing[] = []
  /** Payments that a key has approved, or has tried to. */
  readonly #approved = new Set<Request>()
  #open = 0
  #running = false

  constructor(around: Surroundings, chain: SimulatedChain, clients: Clients) {
    this.#around = around
    this.#chain = chain
    this.#clients = clients
    this.#random = new Random(around.seed, 'limits')
    chain.onLanded((transaction) => this.#landed(landingOf(transaction)))
  }

  async build(tenants: Tenants): Promise<void> {
    for (const house of tenants.houses) {
      const { organization } = house
      const itemData = { organizationExternalId: organization.name, name: 'approver', roles: ['DEBIT_LIMIT_APPROVE'] }
      const { body } = await tenants.ask(organization, 'createApiKey', createApiKey, { itemData })
      const { keyId: approver } = body as { readonly keyId: string }
      const day = {
        limitType: 'DURATION',
        limitAmount: LIMIT_SHOWN,
        duration: { code: 'DAYS', unit: 1 },
        approversForOverride: [],
        requiredApproversCount: 0,
      }
      const word = {
        limitType: 'PER_TRANSACTION',
        limitAmount: '0',
        duration: null,
        approversForOverride: [approver],
        requiredApproversCount: 1,
      }
      const limits = (maxAllowedDebit: object) => ({
        networkCurrencyDebitLimits: [{ operationType: 'ANY', destination: 'ANY', maxAllowedDebit }],
      })
      const limited = await tenants.account(organization, limits(day), LAMPORTS_HAD)
      const careful = await tenants.account(organization, limits(word), LAMPORTS_HAD)
      this.#held.push({ house, limited, careful, approver })
    }
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
    const held = this.#random.pick(this.#held)
    const count = this.#random.chance(0.2) ? 2 + this.#random.below(5) : 1
    if (this.#open < MAX_OPEN) {
      for (let i = 0; i < count; i += 1)
        void (this.#random.chance(0.7) ? this.#pay(held, held.limited) : this.#askAndApprove(held))
    }
    this.#around.time.plan(this.#random.between(500, 4_000), () => this.#next())
  }

  #pay(
    { house }: Held,
    source: Ids,
    amount = BigInt(1 + this.#random.below(LARGEST)),
    destination = this.#random.pick(house.wallets),
  ): Promise<Request> {
    const lifetime = this.#random.chance(0.2) ? { messageLifetimeStrategy: 'DURABLE_NONCE' } : {}
    const legs = [
      { address: source.onchainId, asset: 'lamports', amount: -amount },
      { address: destination.onchainId, asset: 'lamports', amount },
    ] as const
    const waitMs = this.#random.chance(0.5) ? 0 : this.#random.between(0, 20_000)
    this.#open += 1
    return this.#clients
      .ask((number) => {
        const itemData = {
          source: lookup(source),
          destination: lookup(destination),
          lamports: String(amount),
          memo: memoOf(number),
        }
        const chainTransactionConfig = { feePayer: lookup(house.feePayer), ...lifetime }
        return {
          ...draft(house.organization, 'payLimited', transferNetworkCurrency, {
            itemData,
            chainTransactionConfig,
          }),
          legs,
          waitMs,
        }
      })
      .finally(() => (this.#open -= 1))
  }

  /** Prepared, and approved by another key if a client gets to it. */
  async #askAndApprove(held: Held): Promise<void> {
    const request = await this.#pay(held, held.careful)
    const [offchainId] = request.transactions ?? []
    if (offchainId === undefined) return
    await new Promise<void>((resolve) => this.#around.time.plan(this.#random.between(0, 5_000), resolve))
    if (!this.#running || this.#random.chance(0.2)) return
    this.#approved.add(request)
    const times = this.#random.chance(0.2) ? 2 : 1
    for (let i = 0; i < times; i += 1) {
      const approving = draft(held.house.organization, 'approve', approveTransaction, {
        itemData: { offchainId },
      })
      void this.#clients.ask({ ...approving, keyId: held.approver })
    }
  }

  #landed(landing: Landing): void {
    // A transaction that lands again after its fork was dropped may fail, and move nothing.
    const earlier = this.#landings.findIndex(({ signature }) => signature === landing.signature)
    if (earlier >= 0) this.#landings.splice(earlier, 1)
    if (
      !this.#held.some(
        ({ limited, careful }) => landing.lamports.has(limited.onchainId) || landing.lamports.has(careful.onchainId),
      )
    )
      return
    this.#landings.push(landing)
    for (const { limited, careful } of this.#held) {
      const usedAmount = this.#used(limited)
      if (usedAmount > LIMIT)
        this.#around.violated(
          'debit limit exceeded',
          `${limited.onchainId}: ${usedAmount} of ${LIMIT}, in ${landing.signature}`,
        )
      if ((landing.lamports.get(careful.onchainId) ?? 0n) >= 0n) continue
      const request = this.#clients.requests[(landing.request ?? 0) - 1]
      if (request === undefined || !this.#approved.has(request))
        this.#around.violated('landed without approval', landing.signature)
    }
  }

  /** The sum of the debits on the present fork. */
  #used({ onchainId }: Ids): bigint {
    const landed = new Map(
      this.#landings
        .filter(({ signature }) => this.#chain.standing.has(signature))
        .map((each) => [each.signature, each]),
    )
    return [...landed.values()].reduce((sum, { lamports }) => {
      const change = lamports.get(onchainId) ?? 0n
      return change < 0n ? sum - change : sum
    }, 0n)
  }

  /** When all work has ended: the exact rest of each limit can be spent. */
  async settle(): Promise<void> {
    for (const held of this.#held) {
      const remaining = LIMIT - this.#used(held.limited)
      const [destination] = held.house.wallets
      const tooMuch = await this.#pay(held, held.limited, remaining + 1n, destination)
      if (tooMuch.code !== 'DEBIT_LIMIT_EXCEEDED')
        this.#around.violated(
          'more than the limit was let through',
          `${remaining + 1n}: ${tooMuch.code ?? tooMuch.state}`,
        )
      if (remaining === 0n) continue
      const rest = await this.#pay(held, held.limited, remaining, destination)
      if (rest.state !== 'answered')
        this.#around.violated(
          'headroom lost',
          `${held.limited.onchainId}: ${remaining} of ${LIMIT} left, and ${rest.code ?? rest.state}`,
        )
    }
  }
}
