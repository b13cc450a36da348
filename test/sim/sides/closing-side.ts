// What ends under faults: entire balances are burned, and instruments without supply are closed. The whole balance goes
// and nothing else; a record is closed exactly when its mint is gone.
import { addressBytes } from '../../../src/solana/address.ts'
import type { Engine } from '../../../src/engine/engine.ts'
import { isHolding } from '../../../src/engine/records/record.ts'
import { burnTokens } from '../../../src/operations/positions/burn.ts'
import { closeInstrument } from '../../../src/operations/instruments/close.ts'
import { createInstrument } from '../../../src/operations/instruments/create.ts'
import { mintTokens } from '../../../src/operations/positions/mint.ts'
import type { SimulatedChain } from '../chain.ts'
import type { Asked, Clients, Request } from '../clients.ts'
import { associatedTokenAddress } from '../../../src/solana/derive.ts'
import { TOKEN_2022_PROGRAM } from '../../../src/solana/address.ts'
import type { Surroundings } from '../process.ts'
import { PacedSide } from './paced-side.ts'
import { draft, idsOf, lookup, memoOf, type House, type Ids } from '../tenants.ts'

/** Kinds of records whose account is gone when they are closed: a wallet's address can be paid again. */
const ENDS_ON_CHAIN = new Set(['position', 'instrument', 'lookupTable', 'nonce'])

export class ClosingSide extends PacedSide {
  readonly #chain: SimulatedChain

  constructor(around: Surroundings, chain: SimulatedChain, clients: Clients) {
    super(around, clients, { name: 'closing', mostOpen: 3, betweenMs: [4_000, 30_000] })
    this.#chain = chain
  }

  /** An instrument from its first unit to its end; each step only if the one before succeeded. */
  protected async work(): Promise<void> {
    const house = this.random.pick(this.houses)
    const mint = await this.#create(house)
    const holder = this.random.pick(house.wallets)
    if (mint === null) return
    if (this.random.chance(0.7)) {
      const position = associatedTokenAddress(holder.onchainId, mint.onchainId, TOKEN_2022_PROGRAM)
      await this.#mint(house, mint, holder, position)
      // With a second request beside it, which then finds nothing.
      const together = this.random.chance(0.3) ? 2 : 1
      await Promise.all(Array.from({ length: together }, () => this.#burnAll(house, mint, holder, position)))
    }
    await this.#close(house, mint)
  }

  async #create({ organization, authority }: House): Promise<Ids | null> {
    const by = lookup(authority)
    const itemData = {
      mintAccount: {},
      version: 'TOKEN_2022',
      mintAuthority: by,
      closingAuthority: by,
      onchainData: { decimals: 2 },
    }
    const request = await this.#ask(draft(organization, 'createClosable', createInstrument, { itemData }))
    return request.state === 'answered' ? idsOf(request.body, 'newFinancialInstrument') : null
  }

  async #mint({ organization }: House, mint: Ids, holder: Ids, position: string): Promise<void> {
    const amount = BigInt(1 + this.random.below(1_000_000))
    const destination = { owner: lookup(holder), financialInstrument: lookup(mint) }
    await this.#ask((number) => {
      const itemData = {
        destination,
        lamports: String(amount),
        initializeDestinationPositionIfNeeded: true,
        memo: memoOf(number),
      }
      const legs = [{ address: position, asset: 'tokens', amount }] as const
      return { ...draft(organization, 'mintClosable', mintTokens, { itemData }), legs }
    })
  }

  async #burnAll({ organization }: House, mint: Ids, holder: Ids, position: string): Promise<void> {
    const source = { owner: lookup(holder), financialInstrument: lookup(mint) }
    await this.#ask((number) => {
      const itemData = { source, burnEntireBalance: true, memo: memoOf(number) }
      return { ...draft(organization, 'burnEntireBalance', burnTokens, { itemData }), burnsAll: position }
    })
  }

  async #close({ organization }: House, mint: Ids): Promise<void> {
    const itemData = { financialInstrumentToClose: lookup(mint) }
    await this.#ask(draft(organization, 'closeInstrument', closeInstrument, { itemData }))
  }

  async #ask(request: Asked | ((number: number) => Asked)): Promise<Request> {
    const config = { commitmentConfig: { commitmentLevel: 'finalized' } }
    const complete = (each: Asked): Asked => ({
      ...each,
      waitMs: 60_000,
      input: { ...each.input, chainTransactionConfig: config },
    })
    return await this.clients.ask(
      typeof request === 'function' ? (number) => complete(request(number)) : complete(request),
    )
  }

  auditAtRest(engine: Engine): void {
    const live = new Set<string>()
    for (const { head } of engine.directory.entries())
      if (isHolding(head) && head.value !== 'closed') live.add(head.context.address)
    for (const { head } of engine.directory.entries()) {
      if (!isHolding(head) || !ENDS_ON_CHAIN.has(head.kind)) continue
      const { address } = head.context
      const account = this.#chain.bank.account(addressBytes(address))
      const isThere = account !== null && account.data.length > 0
      if (head.value === 'closed' && isThere && !live.has(address))
        this.around.violated('closed and still on chain', `${head.kind} ${address}`)
      if (head.value !== 'closed' && !isThere)
        this.around.violated('on record and not on chain', `${head.kind} ${address} is ${head.value}`)
    }
  }
}
