// What a compiled message does to the books: every leg of every instruction, decided from the message and not from the request.
import type { Effect } from '../../chain/table/effect.ts'
import { addressKey } from '../../engine/index-keys.ts'
import { isHolding, ofKind } from '../../engine/record.ts'
import type { Asset, Movement } from '../../../machines/protocol.ts'
import type { Entry as BookEntry, Fact } from '../../../machines/transaction-record.ts'
import type { Entry } from '../../engine/entry.ts'
import type { Directory } from '../../engine/directory.ts'

interface Line {
  reserved: bigint
  debited: bigint
  credited: bigint
}

interface Page {
  readonly entry: Entry
  readonly lines: Map<Asset, Line>
  readonly facts: Fact[]
  /** Fee it pays even when the transaction fails. */
  feeLamports: bigint
  existing: boolean
}

export class Books {
  readonly #directory: Directory
  readonly #cluster: string
  readonly #transactionId: string
  readonly #rents: ReadonlyMap<string, bigint>
  readonly #pages = new Map<Entry, Page>()

  constructor(directory: Directory, cluster: string, transactionId: string, rents: ReadonlyMap<string, bigint>) {
    this.#directory = directory
    this.#cluster = cluster
    this.#transactionId = transactionId
    this.#rents = rents
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
        this.#move('lamports', effect.from, effect.to, effect.lamports)
        break
      case 'create':
        this.#move('lamports', effect.payer, effect.account, effect.lamports)
        break
      case 'createAssociated':
        this.#move('lamports', effect.payer, effect.account, this.#rents.get(effect.account) ?? 0n)
        this.#made(effect.account, 'chain.initialized')
        break
      case 'initializeAccount':
        this.#made(effect.account, 'chain.initialized')
        break
      case 'initializeMint':
        this.#made(effect.mint, 'chain.created')
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
        for (const page of this.#at(effect.mint)) line(page, 'supply').debited += effect.amount
        break
      case 'freeze':
      case 'thaw':
        this.#switched(effect.account, effect.kind)
        break
      case 'pause':
      case 'resume':
        this.#paused(effect.mint, effect.kind)
        break
      case 'close':
        this.#closed(effect.account, effect.destination)
        break
      default:
    }
  }

  /** What the transaction record remembers, to be carried out when the chain has spoken. */
  entries(): BookEntry[] {
    return [...this.#pages.values()].map(({ entry, lines, facts, feeLamports }) => ({
      tenant: entry.head.tenant,
      record: entry.head.id,
      movements: [...lines].map(([asset, { reserved, debited, credited }]) => movement(asset, reserved, debited, credited)),
      charge: [...lines]
        .filter(([, { reserved }]) => reserved > 0n)
        .map(([asset, { reserved }]) => movement(asset, reserved, asset === 'lamports' ? feeLamports : 0n, 0n)),
      facts,
    }))
  }

  #move(asset: Asset, from: string, to: string, amount: bigint): void {
    for (const page of this.#at(from)) debit(page, asset, amount)
    for (const page of this.#at(to)) {
      credit(page, asset, amount)
      // Network currency is all a wallet needs to exist.
      if (asset === 'lamports' && page.entry.head.kind === 'account') this.#exists(page, 'chain.created')
    }
  }

  #made(address: string, type: 'chain.created' | 'chain.initialized'): void {
    for (const page of this.#at(address)) this.#exists(page, type)
  }

  #exists(page: Page, type: 'chain.created' | 'chain.initialized'): void {
    if (page.existing || page.entry.head.value !== 'pending') return
    page.existing = true
    const frozen = type === 'chain.initialized' ? { frozen: this.#startsFrozen(page.entry) } : {}
    page.facts.push({
      event: { type, ...frozen },
      undo: { type: 'chain.uncreated', by: this.#transactionId },
      abandon: { type: 'chain.abandoned' },
    })
  }

  #startsFrozen(entry: Entry): boolean {
    const mint = ofKind(entry.head, 'position')?.context.mint.address
    const [instrument] = mint === undefined ? [] : this.#directory.find(addressKey(this.#cluster, mint))
    return instrument !== undefined && ofKind(instrument.head, 'instrument')?.context.defaultPositionState === 'FROZEN'
  }

  #switched(account: string, kind: 'freeze' | 'thaw'): void {
    const [event, undo] = kind === 'freeze' ? (['chain.frozen', 'chain.thawed'] as const) : (['chain.thawed', 'chain.frozen'] as const)
    for (const page of this.#at(account)) {
      page.facts.push({ event: { type: event }, undo: { type: undo } })
    }
  }

  #paused(mint: string, kind: 'pause' | 'resume'): void {
    const [event, undo] = kind === 'pause' ? (['chain.paused', 'chain.resumed'] as const) : (['chain.resumed', 'chain.paused'] as const)
    for (const page of this.#at(mint)) page.facts.push({ event: { type: event }, undo: { type: undo } })
  }

  /** Everything the closed account holds goes to the destination. */
  #closed(account: string, destination: string): void {
    const pages = this.#at(account)
    for (const page of pages) {
      debit(page, 'lamports', heldLamports(page.entry))
      page.facts.push({ event: { type: 'chain.closed' }, undo: { type: 'chain.reopened', as: page.entry.head.value } })
    }
    const [known] = pages
    if (known !== undefined) for (const target of this.#at(destination)) credit(target, 'lamports', heldLamports(known.entry))
  }

  /** Every tenant that has onboarded the address keeps books of it. */
  #at(address: string): Page[] {
    return this.#directory.find(addressKey(this.#cluster, address)).map((entry) => this.#page(entry))
  }

  #page(entry: Entry): Page {
    let page = this.#pages.get(entry)
    if (page === undefined) {
      page = { entry, lines: new Map(), facts: [], feeLamports: 0n, existing: false }
      this.#pages.set(entry, page)
    }
    return page
  }
}

function heldLamports(entry: Entry): bigint {
  return isHolding(entry.head) ? BigInt(entry.head.context.lamports.balance) : 0n
}

function line(page: Page, asset: Asset): Line {
  let found = page.lines.get(asset)
  if (found === undefined) {
    found = { reserved: 0n, debited: 0n, credited: 0n }
    page.lines.set(asset, found)
  }
  return found
}

function debit(page: Page, asset: Asset, amount: bigint): void {
  const entry = line(page, asset)
  entry.reserved += amount
  entry.debited += amount
}

function credit(page: Page, asset: Asset, amount: bigint): void {
  line(page, asset).credited += amount
}

function movement(asset: Asset, released: bigint, debited: bigint, credited: bigint): Movement {
  return { asset, released: released.toString(), debited: debited.toString(), credited: credited.toString() }
}
