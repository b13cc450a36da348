// Derives the ledger effects of a compiled message: every effect of every instruction, read from the message and not
// from the request.
// A record receives only the entries its kind keeps: an address may be recorded as an account, whatever exists on
// chain at that address.
import type { Effect, EffectOf } from '../../solana/table/effect.ts'
import { isHolding, ofKind, type RecordState } from '../../engine/records/record.ts'
import type { AccountRef } from '../../../machines/holding.ts'
import type { Asset, Movement } from '../../../machines/protocol.ts'
import type { BookEntry, Fact } from '../../../machines/transactions/transaction-record.ts'
import type { Entry } from '../../engine/records/entry.ts'
import type { RecordIndex } from '../../engine/index/record-index.ts'
import { liveStateAt } from '../lookup/whose-records.ts'
import { feedFacts } from './feed-facts.ts'
import { consents, governs } from '../lookup/governing.ts'
import { MintChanges } from './mint-changes.ts'

interface Line {
  /**
   * The amount needed at the start of the transaction: an instruction may spend what an earlier one of the same
   * message credits.
   */
  reserved: bigint
  debited: bigint
  credited: bigint
}

interface Page {
  readonly entry: Entry
  /** false: debits are booked when they have happened, and this tenant reserves nothing for them. */
  readonly reserves: boolean
  /**
   * The record belongs to the caller's tenant, or its tenant consents with a key (see `lookup/governing.ts`). Its
   * balance is preferred.
   */
  readonly governs: boolean
  readonly lines: Map<Asset, Line>
  readonly facts: Fact[]
  /** Changes of a mint's configuration. */
  mint: MintChanges | null
  /** Fee that is charged even if the transaction fails. */
  feeLamports: bigint
  existing: boolean
}

/** The transaction whose ledger effects are derived, and the records that it may concern. */
export interface BooksInputs {
  readonly directory: RecordIndex
  readonly tenant: string
  readonly cluster: string
  readonly transactionId: string
  /** Addresses that sign the message. */
  readonly signers: readonly string[]
  /** All lamports the transaction puts into associated token accounts and lookup tables, by address. */
  readonly rents: ReadonlyMap<string, bigint>
  /**
   * True of a record created in the same unit of work. Such a record is abandoned if this transaction fails, and only
   * then.
   */
  readonly isNew: (entry: Entry) => boolean
  /** True of an address that grows by the lamports paid to it. */
  readonly grows?: (address: string) => boolean
  /** The tenant signs another tenant's transaction: it reserves only on records for which its own keys consent. */
  readonly countersigns?: boolean
}

export class BookEntries {
  readonly #inputs: BooksInputs
  readonly #pages = new Map<Entry, Page>()
  readonly #byAddress = new Map<string, readonly Page[]>()
  /**
   * Tables whose rent is booked. Several instructions of one message may extend the same table; its rent is booked
   * once.
   */
  readonly #paidTables = new Set<string>()

  constructor(inputs: BooksInputs) {
    this.#inputs = inputs
  }

  fee(payer: string, lamports: bigint): void {
    for (const page of this.#at(payer)) {
      page.feeLamports += lamports
      debit(page, 'lamports', lamports)
    }
  }

  take(effect: Effect): void {
    switch (effect.kind) {
      case 'lamports':
        if (this.#inputs.grows?.(effect.to) === true) this.#payRent(effect.from, effect.to, effect.lamports, 'growth')
        else this.#move('lamports', effect.from, effect.to, effect.lamports)
        break
      case 'create':
        this.#payRent(effect.payer, effect.account, effect.lamports)
        break
      case 'createAssociated':
        this.#payRent(effect.payer, effect.account, this.#inputs.rents.get(effect.account) ?? 0n)
        this.#create(effect.account)
        break
      case 'initializeAccount':
        this.#create(effect.account)
        break
      case 'initializeMint':
        this.#create(effect.mint)
        break
      case 'nonceInitialize':
        this.#create(effect.nonce)
        break
      case 'tokens':
        this.#move('tokens', effect.from, effect.to, effect.amount)
        break
      case 'mint':
        for (const page of this.#at(effect.to)) credit(page, 'tokens', effect.amount)
        for (const page of this.#at(effect.mint)) credit(page, 'supply', effect.amount)
        break
      case 'burn':
        for (const page of this.#at(effect.from)) debit(page, 'tokens', effect.amount)
        for (const page of this.#at(effect.mint)) debit(page, 'supply', effect.amount)
        break
      case 'freeze':
      case 'thaw':
        this.#switchFreeze(effect.account, effect.kind)
        break
      case 'pause':
      case 'resume':
        this.#switchPause(effect.mint, effect.kind)
        break
      case 'authority':
        this.#configure(effect.account, effect)
        this.#publish(effect.account, effect)
        break
      case 'extension':
      case 'metadata':
        this.#configure(effect.mint, effect)
        this.#publish(effect.mint, effect)
        break
      case 'close':
        this.#close(effect.account, effect.destination)
        break
      case 'table':
        this.#changeTable(effect)
        break
      default:
    }
  }

  /**
   * Closes the caller's record of an address when the transaction lands; records of other tenants stay as they are.
   * If the transaction creates another record of the same address, that record takes over the lamports. Call it after
   * all effects have been taken.
   */
  handOver(address: string): void {
    const own = this.#at(address).filter(({ entry }) => entry.head.tenant === this.#inputs.tenant)
    const successor = own.find(({ entry }) => this.#inputs.isNew(entry))
    for (const page of own) {
      if (page === successor) continue
      page.facts.push(closing(page.entry))
      if (successor === undefined) continue
      const balance = heldLamports(page.entry)
      const lamports = line(page, 'lamports')
      if (lamports !== undefined) lamports.credited = 0n
      debit(page, 'lamports', balance)
      credit(successor, 'lamports', balance)
    }
  }

  /** The entries to store with the transaction; they are applied when the outcome on chain is known. */
  entries(): BookEntry[] {
    return [...this.#pages.values()].map(({ entry, lines, facts, mint, feeLamports }) => ({
      tenant: entry.head.tenant,
      record: entry.head.id,
      movements: [...lines].map(([asset, { reserved, debited, credited }]) =>
        movement(asset, reserved, debited, credited),
      ),
      charge: [...lines].flatMap(([asset, { reserved }]) => {
        const fee = asset === 'lamports' ? feeLamports : 0n
        return reserved > 0n || fee > 0n ? [movement(asset, reserved, fee, 0n)] : []
      }),
      facts: [...facts, ...(mint?.facts() ?? [])],
    }))
  }

  #move(asset: Asset, from: string, to: string, amount: bigint): void {
    for (const page of this.#at(from)) debit(page, asset, amount)
    for (const page of this.#at(to)) this.#receive(page, asset, amount)
  }

  #receive(page: Page, asset: Asset, amount: bigint): void {
    credit(page, asset, amount)
    // A wallet exists on chain as soon as it holds lamports.
    if (asset === 'lamports' && page.entry.head.kind === 'account') this.#exists(page)
  }

  /**
   * Also records the payer, to whom the rent returns when the account is closed. Wallets are never closed, so they have
   * none.
   */
  #payRent(by: string, account: string, lamports: bigint, what: 'creation' | 'growth' = 'creation'): void {
    this.#move('lamports', by, account, lamports)
    if (lamports === 0n) return
    const creation = what === 'creation' ? { creating: this.#inputs.transactionId } : {}
    const fact = (paid: bigint) => ({ type: 'chain.rentPaid', by, lamports: paid.toString(), ...creation }) as const
    for (const page of this.#at(account)) {
      if (page.entry.head.kind !== 'account') page.facts.push({ event: fact(lamports), undo: fact(-lamports) })
    }
  }

  #create(address: string): void {
    for (const page of this.#at(address)) this.#exists(page)
  }

  #exists(page: Page): void {
    const { entry } = page
    if (page.existing || entry.head.value !== 'pending') return
    page.existing = true
    const event =
      entry.head.kind === 'position'
        ? ({ type: 'chain.initialized', frozen: this.#startsFrozen(entry) } as const)
        : ({ type: 'chain.created' } as const)
    const undo = { type: 'chain.uncreated', by: this.#inputs.transactionId } as const
    page.facts.push(this.#inputs.isNew(entry) ? { event, undo, abandon: { type: 'chain.abandoned' } } : { event, undo })
  }

  #startsFrozen(entry: Entry): boolean {
    const mint = ofKind(entry.head, 'position')?.context.mint.address
    if (mint === undefined) return false
    const { directory, cluster } = this.#inputs
    const asker = { tenant: entry.head.tenant, organization: null }
    const instrument = liveStateAt(directory, asker, cluster, { address: mint, kind: 'instrument' })
    return instrument?.context.defaultPositionState === 'FROZEN'
  }

  #switchFreeze(account: string, kind: 'freeze' | 'thaw'): void {
    const [event, undo] =
      kind === 'freeze' ? (['chain.frozen', 'chain.thawed'] as const) : (['chain.thawed', 'chain.frozen'] as const)
    for (const page of this.#at(account)) {
      if (page.entry.head.kind === 'position') page.facts.push({ event: { type: event }, undo: { type: undo } })
    }
  }

  #switchPause(mint: string, kind: 'pause' | 'resume'): void {
    const [event, undo] =
      kind === 'pause' ? (['chain.paused', 'chain.resumed'] as const) : (['chain.resumed', 'chain.paused'] as const)
    for (const page of this.#at(mint)) {
      if (page.entry.head.kind === 'instrument') page.facts.push({ event: { type: event }, undo: { type: undo } })
    }
  }

  /** The record of a mint that is still pending already has its configuration. */
  #configure(mint: string, effect: Effect): void {
    for (const page of this.#at(mint)) {
      const state = ofKind(page.entry.head, 'instrument')
      if (state === undefined || state.value === 'pending') continue
      page.mint ??= new MintChanges(state.context, (address) => this.#refer(state.tenant, address))
      page.mint.take(effect)
    }
  }

  #publish(mint: string, effect: Effect): void {
    for (const page of this.#at(mint)) {
      const state = ofKind(page.entry.head, 'dataSource')
      if (state !== undefined)
        page.facts.push(...feedFacts(effect, state, (address) => this.#refer(state.tenant, address)))
    }
  }

  #refer(tenant: string, address: string): AccountRef {
    const own = this.#inputs.directory
      .atAddress(this.#inputs.cluster, address)
      .find(({ head }) => head.tenant === tenant)
    return { address, id: own?.head.id ?? null }
  }

  /** The destination receives all lamports of the closed account. */
  #close(account: string, destination: string): void {
    const pages = this.#at(account)
    for (const page of pages) {
      debit(page, 'lamports', heldLamports(page.entry))
      page.facts.push(closing(page.entry))
    }
    const known = pages.find(({ governs }) => governs) ?? pages[0]
    if (known !== undefined)
      for (const target of this.#at(destination)) this.#receive(target, 'lamports', heldLamports(known.entry))
  }

  #changeTable(effect: EffectOf<'table'>): void {
    const { table, payer, recipient } = effect
    if (payer !== null && !this.#paidTables.has(table)) {
      this.#paidTables.add(table)
      // A message can create and extend a table that exists: then all of it is growth.
      this.#payRent(payer, table, this.#inputs.rents.get(table) ?? 0n, 'growth')
    }
    if (effect.action === 'create') this.#create(table)
    else if (effect.action === 'close') this.#close(table, recipient ?? '')
    else {
      for (const page of this.#at(table)) {
        const state = ofKind(page.entry.head, 'lookupTable')
        if (state !== undefined) page.facts.push(tableFact(effect, state))
      }
    }
  }

  /** One page for each tenant that has a record of the address. */
  #at(address: string): readonly Page[] {
    const known = this.#byAddress.get(address)
    if (known !== undefined) return known
    const { directory, cluster } = this.#inputs
    const pages = directory.atAddress(cluster, address).map((entry) => this.#page(entry))
    this.#byAddress.set(address, pages)
    return pages
  }

  #page(entry: Entry): Page {
    let page = this.#pages.get(entry)
    if (page === undefined) {
      const { directory, tenant, signers } = this.#inputs
      const { head } = entry
      const isGoverned = isHolding(head) && governs(directory, tenant, signers, head)
      const hasConsent = this.#inputs.countersigns !== true || (isHolding(head) && consents(directory, signers, head))
      page = {
        entry,
        reserves: isGoverned && head.tenant === tenant && hasConsent,
        governs: isGoverned,
        lines: new Map(),
        facts: [],
        mint: null,
        feeLamports: 0n,
        existing: false,
      }
      this.#pages.set(entry, page)
    }
    return page
  }
}

function tableFact({ action, addresses }: EffectOf<'table'>, { context }: RecordState<'lookupTable'>): Fact {
  switch (action) {
    case 'freeze':
      return { event: { type: 'chain.frozen' }, undo: { type: 'chain.thawed', authority: context.authority } }
    case 'deactivate':
      return { event: { type: 'chain.deactivated' }, undo: { type: 'chain.reactivated' } }
    default:
      return { event: { type: 'chain.extended', addresses }, undo: { type: 'chain.unextended', addresses } }
  }
}

function heldLamports({ head }: Entry): bigint {
  const balance = isHolding(head) ? BigInt(head.context.lamports.balance) : 0n
  return balance > 0n ? balance : 0n
}

function closing(entry: Entry): Fact {
  return { event: { type: 'chain.closed' }, undo: { type: 'chain.reopened', as: liveState(entry) } }
}

/** State to which a closed record returns if the fork that closed it is dropped. */
function liveState({ head }: Entry): string {
  return head.value !== 'pending' ? head.value : head.kind === 'position' ? 'initialized' : 'active'
}

const KEEPS: Readonly<Record<Asset, (entry: Entry) => boolean>> = {
  lamports: () => true,
  tokens: ({ head }) => head.kind === 'position',
  supply: ({ head }) => head.kind === 'instrument',
}

/** undefined: this kind of record has no balance of the asset. */
function line(page: Page, asset: Asset): Line | undefined {
  let entry = page.lines.get(asset)
  if (entry === undefined && KEEPS[asset](page.entry)) {
    entry = { reserved: 0n, debited: 0n, credited: 0n }
    page.lines.set(asset, entry)
  }
  return entry
}

function debit(page: Page, asset: Asset, amount: bigint): void {
  const entry = line(page, asset)
  if (entry === undefined) return
  entry.debited += amount
  // A supply needs no reservation: nothing can prevent it from shrinking.
  if (!page.reserves || asset === 'supply') return
  const shortfall = entry.debited - entry.credited
  if (shortfall > entry.reserved) entry.reserved = shortfall
}

function credit(page: Page, asset: Asset, amount: bigint): void {
  const entry = line(page, asset)
  if (entry !== undefined) entry.credited += amount
}

function movement(asset: Asset, released: bigint, debited: bigint, credited: bigint): Movement {
  return { asset, released: released.toString(), debited: debited.toString(), credited: credited.toString() }
}
