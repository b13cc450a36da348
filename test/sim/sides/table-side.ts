// Lookup tables under faults: created over several transactions, extended, frozen, deactivated and closed. Every
// requested address of a table is in it once, in the order of the successful requests, and the record equals the chain.
import { addressBytes, addressOf } from '../../../src/solana/address.ts'
import type { Engine } from '../../../src/engine/engine.ts'
import { ofKind } from '../../../src/engine/records/record.ts'
import { createLookupTable } from '../../../src/operations/lookup-tables/create.ts'
import { extendLookupTable } from '../../../src/operations/lookup-tables/extend.ts'
import type { Write } from '../../../src/operations/context/platform.ts'
import { updateLookupTable } from '../../../src/operations/lookup-tables/update.ts'
import type { SimulatedChain } from '../chain.ts'
import type { Clients, Request } from '../clients.ts'
import type { Surroundings } from '../process.ts'
import { PacedSide } from './paced-side.ts'
import { draft, idsOf, lookup, type House, type Ids } from '../tenants.ts'

const HEADER_BYTES = 56
const ADDRESS_BYTES = 32
/** Tables of one house that are in use at a time: each one needs rent. */
const MAX_TABLES = 3

interface Table extends Ids {
  readonly house: House
  /** Addresses of successful requests, and of those whose outcome the client does not know. */
  readonly wanted: Set<string>
  readonly possible: Set<string>
  ended: boolean
}

export class TableSide extends PacedSide {
  readonly #chain: SimulatedChain
  readonly #tables: Table[] = []

  constructor(around: Surroundings, chain: SimulatedChain, clients: Clients) {
    super(around, clients, { name: 'tables', mostOpen: 4, betweenMs: [2_000, 15_000] })
    this.#chain = chain
  }

  protected async work(): Promise<void> {
    const house = this.random.pick(this.houses)
    const tables = this.#tables.filter((table) => table.house === house && !table.ended)
    if (tables.length < MAX_TABLES && this.random.chance(0.4)) await this.#create(house)
    else if (tables.length > 0) await this.#change(this.random.pick(tables))
  }

  async #create(house: House): Promise<void> {
    const addresses = this.#addresses(house)
    const itemData = { authority: lookup(house.authority), componentAddresses: lookups(addresses) }
    const request = await this.#ask(house, 'createLookupTable', createLookupTable, itemData)
    if (request.state !== 'answered') return
    const ids = idsOf(request.body, 'newAddressLookupTable')
    const isWhole = hasSucceeded(request)
    const [wanted, possible] = [new Set(isWhole ? addresses : []), new Set(addresses)]
    this.#tables.push({ ...ids, house, wanted, possible, ended: false })
  }

  async #change(table: Table): Promise<void> {
    const kind = this.random.weighted({ extend: 10, deactivate: 2, close: 3, freeze: 0.5 })
    if (kind === 'extend') {
      await this.#extend(table)
      return
    }
    const action = ({ deactivate: 'DEACTIVATE', close: 'CLOSE', freeze: 'FREEZE' } as const)[kind]
    const itemData = { addressLookupTable: lookup(table), action }
    const request = await this.#ask(table.house, `table ${kind}`, updateLookupTable, itemData)
    if (request.state !== 'refused' && kind !== 'deactivate') table.ended = true
  }

  async #extend(table: Table): Promise<void> {
    const addresses = this.#addresses(table.house).filter((address) => !table.possible.has(address))
    if (addresses.length === 0) return
    for (const address of addresses) table.possible.add(address)
    const itemData = { addressLookupTable: lookup(table), componentAddresses: lookups(addresses) }
    const request = await this.#ask(table.house, 'extendLookupTable', extendLookupTable, itemData)
    if (request.state === 'answered' && hasSucceeded(request))
      for (const address of addresses) table.wanted.add(address)
    if (request.state === 'refused') for (const address of addresses) table.possible.delete(address)
  }

  /**
   * Accounts of the house, which payments then name through the table; and enough others to need several transactions.
   */
  #addresses({ wallets, positions }: House): string[] {
    const own = [...wallets, ...positions].filter(() => this.random.chance(0.5)).map(({ onchainId }) => onchainId)
    const others = Array.from({ length: this.random.below(this.random.chance(0.2) ? 40 : 4) }, () =>
      addressOf(this.random.bytes(32)),
    )
    return [...new Set([...own, ...others])]
  }

  async #ask({ organization }: House, kind: string, write: Write<never>, itemData: object): Promise<Request> {
    const chainTransactionConfig = { commitmentConfig: { commitmentLevel: 'finalized' } }
    return await this.clients.ask({
      ...draft(organization, kind, write, { itemData, chainTransactionConfig }),
      waitMs: 60_000,
    })
  }

  auditAtRest(engine: Engine): void {
    for (const { head } of engine.directory.entries()) {
      const record = ofKind(head, 'lookupTable')
      if (record === undefined) continue
      const onChain = this.#read(record.context.address)
      const where = `table ${record.context.address} (${record.value})`
      if (record.value === 'closed') {
        if (onChain !== null) this.around.violated('closed and still on chain', where)
        continue
      }
      if (onChain === null) this.around.violated('on record and not on chain', where)
      else if (onChain.join() !== record.context.addresses.join()) {
        const lengths = `${record.context.addresses.length} addresses on record, ${onChain.length} on chain`
        this.around.violated('a table differs from the chain', `${where}: ${lengths}`)
      }
    }
    for (const table of this.#tables) this.#checkAddresses(table)
  }

  #checkAddresses({ onchainId, wanted, possible }: Table): void {
    const onChain = this.#read(onchainId)
    if (onChain === null) return
    if (new Set(onChain).size !== onChain.length) this.around.violated('an address twice in a table', onchainId)
    const missingAddresses = [...wanted].filter((address) => !onChain.includes(address))
    const extraAddresses = onChain.filter((address) => !possible.has(address))
    if (missingAddresses.length > 0)
      this.around.violated('an address missing in a table', `${onchainId}: ${missingAddresses.join(', ')}`)
    if (extraAddresses.length > 0)
      this.around.violated('an address that nobody asked for', `${onchainId}: ${extraAddresses.join(', ')}`)
  }

  /** null: the account does not exist. */
  #read(address: string): string[] | null {
    const account = this.#chain.bank.account(addressBytes(address))
    if (account === null) return null
    const count = Math.floor((account.data.length - HEADER_BYTES) / ADDRESS_BYTES)
    return Array.from({ length: count }, (_, at) => addressOf(account.data, HEADER_BYTES + at * ADDRESS_BYTES))
  }
}

function lookups(addresses: readonly string[]): object[] {
  return addresses.map((onchainId) => ({ onchainId, offPlatform: true }))
}

/** Every transaction of the answer is final and succeeded. */
function hasSucceeded({ body }: Request): boolean {
  const results = (body?.['chainTransactions'] ?? [body?.['chainTransaction']]) as readonly (
    { status?: string; success?: boolean } | undefined
  )[]
  const plan = body?.['chainPlan'] as { status?: string } | undefined
  const isWhole = plan === undefined || plan.status === 'FINISHED'
  return isWhole && results.every((result) => result?.success === true && result.status === 'FINALIZED')
}
