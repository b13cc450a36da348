// A stranger pays the rent of a position of a victim, with the consent of the victim. A key of the organization of the
// victim then fills the position with network currency and closes it. The stranger gets back exactly the rent that it
// paid.
import type { Write } from '../../../src/operations/context/platform.ts'
import { closePosition } from '../../../src/operations/positions/close.ts'
import { createAccount } from '../../../src/operations/accounts/create.ts'
import { initializePosition } from '../../../src/operations/positions/initialize.ts'
import { transferNetworkCurrency } from '../../../src/operations/positions/transfer-network-currency.ts'
import { updateOrganization } from '../../../src/operations/admin/update-organization.ts'
import type { Clients, Organization, Request } from '../clients.ts'
import type { Landing } from '../landings.ts'
import type { Surroundings } from '../process.ts'
import type { Random } from '../random.ts'
import { draft, idsOf, lookup, memoOf, type House, type Ids, type Tenants } from '../tenants.ts'

const SYSTEM: Organization = { tenant: 'SYSTEM', name: 'SYSTEM' }
const FUNDS_LAMPORTS = 1_000_000_000n
const MAX_FILLED = 2_000_000

export class RentAttack {
  readonly #around: Surroundings
  readonly #clients: Clients
  readonly #random: Random
  /** The rent that the stranger has paid for an account, by its address. */
  readonly #advanced = new Map<string, bigint>()
  #payer: Ids | null = null

  constructor(around: Surroundings, clients: Clients, random: Random) {
    this.#around = around
    this.#clients = clients
    this.#random = random
  }

  /** The victims accept the fee payer of the attacker in addition to those that they have accepted already. */
  async build(tenants: Tenants, attacker: Organization): Promise<void> {
    const victims = tenants.houses.map(({ organization }) => organization.name)
    const payer = await tenants.account(
      attacker,
      { canPayFees: true, globalFeePayerForOrgs: victims, networkCurrencyDebitLimits: [] },
      FUNDS_LAMPORTS,
    )
    this.#payer = payer
    for (const { organization } of tenants.houses) {
      const others = tenants.houses.filter((each) => each.organization.tenant !== organization.tenant)
      const acceptedFeePayers = [...others.map(({ sponsor }) => sponsor.onchainId), payer.onchainId]
      const itemData = { externalId: organization.name, acceptedFeePayers }
      await tenants.ask(SYSTEM, 'updateOrganization', updateOrganization, { itemData })
    }
  }

  /** Each step only if the previous one succeeded. Sometimes the position stays empty: then it may be closed. */
  async run(house: House): Promise<void> {
    if (this.#payer === null) return
    const paidByStranger = { feePayer: { onchainId: this.#payer.onchainId } }
    const creation = await this.#ask(house, 'createOwner', createAccount, {})
    if (creation.state !== 'answered') return
    const owner = idsOf(creation.body, 'newAccount')
    const positionData = { owner: lookup(owner), financialInstrument: lookup(house.instruments[0]!) }
    const opening = await this.#ask(house, 'openForRent', initializePosition, positionData, paidByStranger)
    if (opening.state !== 'answered') return
    const position = idsOf(opening.body, 'newPosition')
    if (this.#random.chance(0.8)) await this.#fill(house, position)
    const itemData = { position: { position: lookup(position) } }
    await this.#ask(house, 'closeForRent', closePosition, itemData, { feePayer: lookup(house.feePayer) })
  }

  async #fill(house: House, { onchainId: address }: Ids): Promise<void> {
    const source = this.#random.pick(house.wallets)
    const amount = BigInt(1 + this.#random.below(MAX_FILLED))
    const legs = [
      { address: source.onchainId, asset: 'lamports', amount: -amount },
      { address, asset: 'lamports', amount },
    ] as const
    await this.#clients.ask((number) => {
      const itemData = {
        source: lookup(source),
        destination: { onchainId: address },
        lamports: String(amount),
        memo: memoOf(number),
      }
      return {
        ...draft(house.organization, 'fillForRent', transferNetworkCurrency, { itemData }),
        legs,
        waitMs: 20_000,
      }
    })
  }

  #ask(
    { organization }: House,
    kind: string,
    write: Write<never>,
    itemData: object,
    chainTransactionConfig: object = {},
  ): Promise<Request> {
    return this.#clients.ask({
      ...draft(organization, kind, write, { itemData, chainTransactionConfig }),
      waitMs: 20_000,
    })
  }

  /**
   * Besides fees, what the stranger gives is for accounts that are there then; what it gets comes out of such accounts.
   */
  landed({ signature, feePayer, feeLamports, lamports, error }: Landing): void {
    const payer = this.#payer?.onchainId
    if (payer === undefined || error !== null || this.#around.outsiders.has(feePayer)) return
    const change = (lamports.get(payer) ?? 0n) + (feePayer === payer ? feeLamports : 0n)
    const others = [...lamports].filter(([address]) => address !== payer && address !== feePayer)
    if (change < 0n) for (const [address, gained] of others) if (gained > 0n) this.#advanced.set(address, gained)
    if (change <= 0n) return
    const due = others.reduce(
      (sum, [address, amount]) => (amount < 0n ? sum + (this.#advanced.get(address) ?? 0n) : sum),
      0n,
    )
    if (change > due)
      this.#around.violated('more than its rent returned to a stranger', `${change} of ${due} in ${signature}`)
  }
}
