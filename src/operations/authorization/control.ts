// Who controls an account: everybody who can move what it holds, or will hold once the message has run. Every decision about where money goes
// (destinations of lamports and of tokens, rent, seeds, closings) rests on this file, and on nothing that another tenant wrote.
//
// Read in this order: what the message itself makes of the account; the tenant's own record, where nobody but keys that the service made can
// change it; the chain. The common case (own wallets, their own token accounts) reads nothing from the chain.
import { LOOKUP_TABLE_PROGRAM, SYSTEM_PROGRAM, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../solana/address.ts'
import { decodeLookupTable, decodeNonce } from '../../solana/system-layout.ts'
import type { Effect } from '../../solana/table/effect.ts'
import type { Directory } from '../../engine/index/directory.ts'
import { isHolding, ofKind, type HoldingState, type RecordState } from '../../engine/records/record.ts'
import type { DestinationClass } from '../../../machines/debit-limits.ts'
import type { Lender } from '../../../machines/loan-books.ts'
import { LIMITED_TYPES } from '../../contract/holding-types.ts'
import { decoded, mintIn, tokenAccountIn } from '../lookup/on-chain.ts'
import { ownRecordsAt, recordAt, stateAt } from '../lookup/whose-records.ts'
import type { ChainAccount } from '../context/platform.ts'
import { delegateGiven, initialises } from './effects.ts'
import { escrowLender } from './escrow-lender.ts'

/** What there is to take out of an account. */
export const HELD = {
  RENT: 'What the account has to hold to exist.',
  LAMPORTS: 'Any network currency that goes there, beyond its rent.',
  TOKENS: 'Those that it holds.',
} as const

export type Held = keyof typeof HELD

export const CONTROL_TITLES = {
  KEY: 'Plain account',
  TOKEN_ACCOUNT: 'Token account',
  MINT: 'Mint',
  NONCE_ACCOUNT: 'Nonce account',
  LOOKUP_TABLE: 'Lookup table',
  RESERVED: 'Reserved space',
  OTHER: 'Any other',
} as const

export type ControlledKind = keyof typeof CONTROL_TITLES

export type Authority =
  | 'key'
  | 'owner'
  | 'delegate'
  | 'closeAuthority'
  | 'permanentDelegate'
  | 'mintAuthority'
  | 'freezeAuthority'
  | 'nonceAuthority'
  | 'tableAuthority'
  | 'lender'
  | 'program'
  | 'anybody'

const ALL = ['RENT', 'LAMPORTS', 'TOKENS'] as const
const CURRENCY = ['RENT', 'LAMPORTS'] as const

/**
 * What each authority over an account of each kind can take out of it. What is not listed, it cannot.
 *
 * KEY: owned by the System program and with less data than a nonce account, or not on chain. RESERVED: owned by the System program with as
 * much data as a nonce account or more: initialising a nonce account needs no signature of the account, so anybody can make it a nonce of his
 * own and withdraw what it holds. OTHER: of any other program: who controls it is not known. A mint's authority withdraws what lies there
 * beyond the rent; its own key does where there is no such authority. The lender of a loan liquidates what its escrow holds.
 */
export const CONTROL: Readonly<Record<ControlledKind, Readonly<Partial<Record<Authority, readonly Held[]>>>>> = {
  KEY: { key: ALL },
  TOKEN_ACCOUNT: { owner: ALL, delegate: ALL, closeAuthority: ALL, permanentDelegate: ['TOKENS'], lender: ['TOKENS'], freezeAuthority: [] },
  MINT: { closeAuthority: CURRENCY, mintAuthority: ['LAMPORTS'], key: ['LAMPORTS'], permanentDelegate: [], freezeAuthority: [] },
  NONCE_ACCOUNT: { nonceAuthority: CURRENCY, key: [] },
  LOOKUP_TABLE: { tableAuthority: CURRENCY },
  RESERVED: { anybody: ALL, key: [] },
  OTHER: { program: ALL, key: [] },
}

/** An address, or null: somebody whom nobody knows. */
export type Controller = string | null

/** An account as the message, a record or the chain says: its authorities that are there. */
interface Shape {
  readonly kind: ControlledKind
  readonly authorities: Readonly<Partial<Record<Authority, Controller>>>
  /** Of a token account. */
  readonly mint?: string
}

export interface ControlGround {
  readonly directory: Directory
  /** For whom accounts are classed. */
  readonly tenant: string
  readonly cluster: string
  readonly effects: readonly Effect[]
  /** Accounts at `confirmed`. May throw to have them read first. */
  readonly chain: { get(address: string): ChainAccount | null }
}

const UNKNOWN: Shape = { kind: 'OTHER', authorities: { program: null } }
const NONCE_BYTES = 80
const RANK: Readonly<Record<DestinationClass, number>> = { OFF_PLATFORM: 0, NON_MANAGED: 1, MANAGED: 2 }

export class Control {
  readonly #ground: ControlGround

  constructor(ground: ControlGround) {
    this.#ground = ground
  }

  /** The worst class of the controllers. What nobody can take out is nobody's: rent is spent, anything else is lost. */
  classOf(address: string, held: Held): DestinationClass {
    const controllers = this.controllers(address, held)
    if (controllers.length === 0) return held === 'RENT' ? 'MANAGED' : 'OFF_PLATFORM'
    const classes = controllers.map((controller) => this.#classOfController(controller))
    return classes.reduce((worst, each) => (RANK[each] < RANK[worst] ? each : worst))
  }

  /** Of what is pledged to a lender. */
  classOfLender(lender: Pick<Lender, 'account' | 'tenant'>): DestinationClass {
    return this.#classOfController(this.#vaultOf(lender))
  }

  controllers(address: string, held: Held): readonly Controller[] {
    const shapes = this.#shapesOf(address, held)
    const found = new Set<Controller>()
    for (const { kind, authorities } of shapes) {
      for (const [authority, controller] of Object.entries(authorities) as [Authority, Controller][]) {
        if (CONTROL[kind][authority]?.includes(held) === true) found.add(controller)
      }
    }
    return [...found]
  }

  /** The service made its key for this tenant, and nobody outside has seen it. */
  isHeldHere(controller: Controller): boolean {
    const state = controller === null ? undefined : this.#own(controller)
    return state?.context.managed === true && state.context.keyOrigin === 'service'
  }

  /** True of an account whose rent nobody but keys of the tenant can take out. */
  isRentHeldHere(address: string): boolean {
    return this.controllers(address, 'RENT').every((controller) => this.isHeldHere(controller))
  }

  /** True of space that the message reserves at an address whose key is held here. */
  isReservedHere(address: string): boolean {
    const isReserved = this.#ground.effects.some(
      (effect) => effect.kind === 'create' && effect.account === address && effect.owner === SYSTEM_PROGRAM && effect.space >= NONCE_BYTES,
    )
    return isReserved && !this.#ground.effects.some((effect) => initialises(effect, address)) && this.isHeldHere(address)
  }

  isManaged(address: string): boolean {
    return this.#own(address)?.context.managed === true
  }

  /**
   * MANAGED: held here, with debit limits that are the defaults or set by a key with `ACCOUNT_POLICY_WRITE`; of a type without limits, made by
   * such a key. NON_MANAGED: any other account of the tenant that says whose its key is, and one that the system tenant shares.
   */
  #classOfController(controller: Controller): DestinationClass {
    if (controller === null) return 'OFF_PLATFORM'
    const own = this.#own(controller)
    if (own !== undefined && this.isHeldHere(controller) && hasLimitsOfPolicy(own)) return 'MANAGED'
    return this.#isDescribed(controller) ? 'NON_MANAGED' : 'OFF_PLATFORM'
  }

  #shapesOf(address: string, held: Held): readonly Shape[] {
    const made = this.#ground.effects.flatMap((effect) => shapeMade(effect, address))
    const isInitialised = this.#ground.effects.some((effect) => initialises(effect, address))
    const isNew = this.#ground.effects.some((effect) => effect.kind === 'create' && effect.account === address)
    // What is allocated and not initialised by the same message, anybody may initialise.
    const afresh = isInitialised ? made.filter(({ kind }) => kind !== 'OTHER' && kind !== 'RESERVED') : made
    const shapes = isInitialised || isNew ? afresh : [...this.#present(address, made), ...made]
    if (held !== 'TOKENS') return shapes
    const delegates = shapes.flatMap(({ mint }) => (mint === undefined ? [] : this.#permanentDelegate(mint)))
    return [...shapes, ...delegates, ...shapes.flatMap(({ authorities }) => this.#lender(authorities.owner))]
  }

  #lender(owner: Controller | undefined): Shape[] {
    const { directory, cluster } = this.#ground
    const lender = typeof owner === 'string' ? escrowLender(directory, cluster, owner) : undefined
    return lender === undefined ? [] : [{ kind: 'TOKEN_ACCOUNT', authorities: { lender: this.#vaultOf(lender) } }]
  }

  /** A vault of another tenant at an address whose key is held here is that tenant's note of it, and says nothing of who lends. */
  #vaultOf({ account, tenant }: Pick<Lender, 'account' | 'tenant'>): Controller {
    return tenant !== this.#ground.tenant && this.isHeldHere(account.address) ? null : account.address
  }

  /** An associated account that the message makes for one of ours, or finds there, has never had another authority than its owner. */
  #present(address: string, made: readonly Shape[]): readonly Shape[] {
    const recorded = this.#recorded(address)
    if (recorded !== undefined) return [recorded]
    const associated = this.#ground.effects.find((effect) => effect.kind === 'createAssociated' && effect.account === address)
    const isAssociated = associated?.kind === 'createAssociated' && made.length > 0
    if (isAssociated && this.isHeldHere(associated.owner)) return []
    const state = this.#own(address)
    const awaited = state?.value === 'pending' ? [shapeOfRecord(state)] : []
    const account = this.#ground.chain.get(address)
    // Its address is derived, so that nobody has a key of it before it is made.
    return isAssociated && account === null ? awaited : [shapeOnChain(address, account), ...awaited]
  }

  /** The record, where nobody but keys that the service made can change what it says. */
  #recorded(address: string): Shape | undefined {
    const state = this.#own(address)
    if (state === undefined) return undefined
    const shape = shapeOfRecord(state)
    const holders = Object.values(shape.authorities)
    const isSure = holders.length > 0 && isWhole(state) && holders.every((holder) => this.isHeldHere(holder))
    return isSure ? shape : undefined
  }

  /** Of the mint of a token account. Its extensions are fixed for good, unless it can be closed and made again. */
  #permanentDelegate(mint: string): Shape[] {
    const instrument = this.#instrument(mint)
    if (instrument?.context.version === 'SPL') return []
    const { extensions = [], authorities } = instrument?.context ?? {}
    const moving = ['PERMANENT_DELEGATE', 'MINT_CLOSE'].filter((name) => extensions.includes(name))
    const named = [authorities?.permanentDelegateAuthority, authorities?.closingAuthority].flatMap((each) => each?.address ?? [])
    const delegates = this.#ground.effects.flatMap((effect) => delegateGiven(effect, mint))
    if (instrument !== undefined && (moving.length === 0 || named.every((each) => this.isHeldHere(each)))) {
      return [...delegates, authorities?.permanentDelegateAuthority?.address ?? null].flatMap((each) => permanent(each))
    }
    const found = mintIn(this.#ground.chain.get(mint))?.extensions.permanentDelegate?.delegate ?? null
    return [...delegates, found].flatMap((each) => permanent(each))
  }

  #own(address: string): HoldingState | undefined {
    const { directory, tenant, cluster } = this.#ground
    return ownRecordsAt(directory, tenant, cluster, address).map(({ head }) => head).find(isHolding)
  }

  /** Some record says whose key the address is to the tenant: one of its own, or one that the system tenant shares. */
  #isDescribed(address: string): boolean {
    const { directory, tenant, cluster } = this.#ground
    const own = ownRecordsAt(directory, tenant, cluster, address)
    const shared = own.length > 0 ? undefined : recordAt(directory, { tenant, organization: null }, cluster, address)
    return [...own, ...(shared === undefined ? [] : [shared])].some(({ head }) => isHolding(head) && describesKey(head))
  }

  #instrument(mint: string): RecordState<'instrument'> | undefined {
    const { directory, tenant, cluster } = this.#ground
    return stateAt(directory, { tenant, organization: null }, cluster, mint, 'instrument')
  }
}

/** The limits of a row that is older than `setByPolicyKey` count only while they are the defaults. */
function hasLimitsOfPolicy({ context }: HoldingState): boolean {
  const { setByPolicyKey, references, networkCurrencyDebitLimits, tokenDebitLimits } = context
  if (setByPolicyKey === true) return true
  return LIMITED_TYPES.has(references.type) && networkCurrencyDebitLimits === null && tokenDebitLimits === null
}

/**
 * The record of somebody else's token account, mint or program account says who decides about that account, and nothing of the key of its
 * address, which decides once the account is closed.
 */
function describesKey({ kind, context }: HoldingState): boolean {
  return context.managed || (kind === 'account' && context.ownerProgram === SYSTEM_PROGRAM)
}

/** All that decides about it is in the record. */
function isWhole(state: HoldingState): boolean {
  const { context } = state
  // No message that this service signs makes anything else of a wallet.
  if (state.kind === 'account') return LIMITED_TYPES.has(context.references.type) && context.ownerProgram === SYSTEM_PROGRAM && context.dataLength < NONCE_BYTES
  const position = ofKind(state, 'position')
  return position === undefined || position.context.otherAuthorities !== undefined
}

function shapeOfRecord(state: HoldingState): Shape {
  const { address } = state.context
  const position = ofKind(state, 'position')?.context
  if (position !== undefined) {
    const { closeAuthority, delegate } = position.otherAuthorities ?? { closeAuthority: null, delegate: null }
    return tokenAccount(position.mint.address, position.owner.address, closeAuthority?.address ?? null, delegate?.address ?? null)
  }
  const authorities = ofKind(state, 'instrument')?.context.authorities
  if (authorities !== undefined) return mint(address, authorities.mintAuthority?.address ?? null, authorities.closingAuthority?.address ?? null)
  const nonce = ofKind(state, 'nonce')
  if (nonce !== undefined) return { kind: 'NONCE_ACCOUNT', authorities: { nonceAuthority: nonce.context.authority.address } }
  const table = ofKind(state, 'lookupTable')
  if (table !== undefined) return lookupTable(table.context.authority?.address ?? null)
  return ofKind(state, 'dataSource') === undefined ? { kind: 'KEY', authorities: { key: address } } : mint(address, null, null)
}

function shapeOnChain(address: string, account: ChainAccount | null): Shape {
  const key: Shape = { kind: 'KEY', authorities: { key: address } }
  if (account === null) return key
  const { data, owner } = account
  switch (owner) {
    case SYSTEM_PROGRAM: {
      const nonce = decoded(() => decodeNonce(data, owner))
      if (nonce !== null) return { kind: 'NONCE_ACCOUNT', authorities: { nonceAuthority: nonce.authority } }
      return plain(address, data.length)
    }
    case TOKEN_PROGRAM:
    case TOKEN_2022_PROGRAM: {
      const token = tokenAccountIn(account)
      if (token !== null) return tokenAccount(owner === TOKEN_PROGRAM ? undefined : token.mint, token.owner, token.closeAuthority, token.delegate)
      const found = mintIn(account)
      return found === null ? UNKNOWN : mint(address, found.mintAuthority, found.extensions.close?.authority ?? null)
    }
    case LOOKUP_TABLE_PROGRAM: {
      const table = decoded(() => decodeLookupTable(data, owner))
      return table === null ? UNKNOWN : lookupTable(table.authority)
    }
    default:
      return UNKNOWN
  }
}

/** What one instruction makes of the account at the address, or changes about it: what it was counts beside it. */
function shapeMade(effect: Effect, address: string): Shape[] {
  switch (effect.kind) {
    case 'create':
      if (effect.account !== address) return []
      return [effect.owner === SYSTEM_PROGRAM ? plain(address, effect.space) : UNKNOWN]
    case 'assign':
      return effect.account === address && effect.owner !== SYSTEM_PROGRAM ? [UNKNOWN] : []
    case 'allocate':
      return effect.account === address ? [plain(address, effect.space)] : []
    case 'initializeAccount':
      return effect.account === address ? [tokenAccount(effect.program === TOKEN_PROGRAM ? undefined : effect.mint, effect.owner)] : []
    case 'createAssociated':
      return effect.account === address ? [tokenAccount(effect.tokenProgram === TOKEN_PROGRAM ? undefined : effect.mint, effect.owner)] : []
    case 'approve':
      return effect.account === address ? [{ kind: 'TOKEN_ACCOUNT', authorities: { delegate: effect.delegate } }] : []
    case 'authority':
      return effect.account === address && effect.next !== null ? authorityGiven(effect.which, effect.next) : []
    case 'initializeMint':
      return effect.mint === address ? [mint(address, effect.mintAuthority, null)] : []
    case 'extension':
      return effect.mint === address && effect.name === 'MINT_CLOSE' && effect.authority !== null
        ? [{ kind: 'MINT', authorities: { closeAuthority: effect.authority } }]
        : []
    case 'nonceInitialize':
      return effect.nonce === address ? [{ kind: 'NONCE_ACCOUNT', authorities: { nonceAuthority: effect.authority } }] : []
    case 'nonceAuthorize':
      return effect.nonce === address ? [{ kind: 'NONCE_ACCOUNT', authorities: { nonceAuthority: effect.next } }] : []
    case 'table':
      return effect.table === address && effect.action === 'create' ? [lookupTable(effect.authority)] : []
    default:
      return []
  }
}

/** Owned by the System program. */
function plain(address: string, dataLength: number | bigint): Shape {
  const isReserved = dataLength >= NONCE_BYTES
  return { kind: isReserved ? 'RESERVED' : 'KEY', authorities: { key: address, ...(isReserved ? { anybody: null } : {}) } }
}

function authorityGiven(which: string, next: string): Shape[] {
  switch (which) {
    case 'ACCOUNT_OWNER':
      return [{ kind: 'TOKEN_ACCOUNT', authorities: { owner: next } }]
    case 'CLOSE_ACCOUNT':
      return [{ kind: 'TOKEN_ACCOUNT', authorities: { closeAuthority: next } }]
    case 'CLOSE_MINT':
      return [{ kind: 'MINT', authorities: { closeAuthority: next } }]
    case 'MINT_TOKENS':
      return [{ kind: 'MINT', authorities: { mintAuthority: next } }]
    default:
      return []
  }
}

function permanent(delegate: string | null): Shape[] {
  return delegate === null ? [] : [{ kind: 'TOKEN_ACCOUNT', authorities: { permanentDelegate: delegate } }]
}

/** @param mint of TOKEN_2022 only: the other program knows no permanent delegates */
function tokenAccount(mint: string | undefined, owner: string, closeAuthority: string | null = null, delegate: string | null = null): Shape {
  const authorities = { owner, ...(closeAuthority === null ? {} : { closeAuthority }), ...(delegate === null ? {} : { delegate }) }
  return { kind: 'TOKEN_ACCOUNT', authorities, ...(mint === undefined ? {} : { mint }) }
}

function mint(address: string, mintAuthority: string | null, closeAuthority: string | null): Shape {
  const excess = mintAuthority === null ? { key: address } : { mintAuthority }
  return { kind: 'MINT', authorities: { ...excess, ...(closeAuthority === null ? {} : { closeAuthority }) } }
}

function lookupTable(authority: string | null): Shape {
  return { kind: 'LOOKUP_TABLE', authorities: authority === null ? {} : { tableAuthority: authority } }
}
