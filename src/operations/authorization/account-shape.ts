// The kind and the authorities of an account: as the tenant's record states them, as the chain shows them, and as one
// instruction of the message sets them. `control.ts` decides which of these count.
import {
  addressBytes,
  LOOKUP_TABLE_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '../../solana/address.ts'
import { isOnCurve } from '../../solana/curve.ts'
import { decodeLookupTable, decodeNonce } from '../../solana/system-layout.ts'
import type { Effect } from '../../solana/table/effect.ts'
import type { HoldingState } from '../../engine/records/record.ts'
import { decodeOrNull, mintIn, tokenAccountIn } from '../lookup/on-chain.ts'
import type { ChainAccount } from '../context/platform.ts'

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

export type AuthorityKind =
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

/** An address, or null for an unknown controller. */
export type Controller = string | null

/** An account as described by the message, a record or the chain, with the authorities that are set. */
export interface Shape {
  readonly kind: ControlledKind
  readonly authorities: Readonly<Partial<Record<AuthorityKind, Controller>>>
  /** Set for a token account only. */
  readonly mint?: string
}

const UNKNOWN: Shape = { kind: 'OTHER', authorities: { program: null } }

export const NONCE_BYTES = 80

const INITIALIZERS: ReadonlySet<Effect['kind']> = new Set(['initializeAccount', 'initializeMint', 'nonceInitialize'])

export function shapeOfRecord(state: HoldingState): Shape {
  const { address } = state.context
  switch (state.kind) {
    case 'position': {
      const { mint, owner, otherAuthorities } = state.context
      const { closeAuthority, delegate } = otherAuthorities ?? {}
      return tokenAccount(mint.address, owner.address, closeAuthority?.address, delegate?.address)
    }
    case 'instrument': {
      const { mintAuthority, closingAuthority } = state.context.authorities
      return mint(address, mintAuthority?.address ?? null, closingAuthority?.address ?? null)
    }
    case 'dataSource':
      return mint(address, null, null)
    case 'nonce':
      return nonceAccount(state.context.authority.address)
    case 'lookupTable':
      return lookupTable(state.context.authority?.address ?? null)
    case 'account':
      return { kind: 'KEY', authorities: { key: address } }
  }
}

export function shapeOnChain(address: string, account: ChainAccount | null): Shape {
  const key: Shape = { kind: 'KEY', authorities: { key: address } }
  if (account === null) return key
  const { data, owner } = account
  switch (owner) {
    case SYSTEM_PROGRAM: {
      const nonce = decodeOrNull(() => decodeNonce(data, owner))
      return nonce === null ? plain(address, data.length) : nonceAccount(nonce.authority)
    }
    case TOKEN_PROGRAM:
    case TOKEN_2022_PROGRAM: {
      const token = tokenAccountIn(account)
      if (token !== null)
        return tokenAccount(mintOf(owner, token.mint), token.owner, token.closeAuthority, token.delegate)
      const decodedMint = mintIn(account)
      if (decodedMint === null) return UNKNOWN
      return mint(address, decodedMint.mintAuthority, decodedMint.extensions.close?.authority ?? null)
    }
    case LOOKUP_TABLE_PROGRAM: {
      const table = decodeOrNull(() => decodeLookupTable(data, owner))
      return table === null ? UNKNOWN : lookupTable(table.authority)
    }
    default:
      return UNKNOWN
  }
}

/**
 * Shapes that the message gives to the account at the address, by instructions that create, change or empty it. Earlier
 * shapes of the account count too.
 */
export function shapesFromEffects(effects: readonly Effect[], address: string): Shape[] {
  const made = effects.flatMap((effect) => shapesFromEffect(effect, address))
  const emptiedAt = effects.findIndex((effect) => isEmptied(effect, address))
  if (emptiedAt === -1 || !effects.slice(emptiedAt + 1).some((effect) => names(effect, address))) return made
  // The shape of an emptied account for later payments to its address. An emptied nonce account keeps its space until
  // the message ends.
  return [...made, plain(address, effects[emptiedAt]!.kind === 'close' ? 0 : NONCE_BYTES)]
}

/** True if the instruction closes the account, or withdraws lamports from it as from a nonce account. */
function isEmptied(effect: Effect, address: string): boolean {
  if (effect.kind === 'close') return effect.account === address && hasKey(address)
  return effect.kind === 'lamports' && effect.from === address && effect.signer !== address
}

/** True unless the address is derived by a program: then no key can sign for it. */
const hasKey = (address: string): boolean => isOnCurve(addressBytes(address))

const names = (effect: Effect, address: string): boolean => Object.values(effect).includes(address)

/** Shapes that one instruction gives to the account at the address. */
export function shapesFromEffect(effect: Effect, address: string): Shape[] {
  return accountShaped(effect) === address ? shapeSet(effect, address) : []
}

/** The account that the instruction creates or whose authorities it sets. */
function accountShaped(effect: Effect): string | null {
  switch (effect.kind) {
    case 'create':
    case 'assign':
    case 'allocate':
    case 'initializeAccount':
    case 'createAssociated':
    case 'approve':
    case 'authority':
      return effect.account
    case 'initializeMint':
    case 'extension':
      return effect.mint
    case 'nonceInitialize':
    case 'nonceAuthorize':
      return effect.nonce
    case 'table':
      return effect.table
    default:
      return null
  }
}

/** @param address that of `accountShaped` */
function shapeSet(effect: Effect, address: string): Shape[] {
  switch (effect.kind) {
    case 'create':
      return [effect.owner === SYSTEM_PROGRAM ? plain(address, effect.space) : UNKNOWN]
    case 'assign':
      return effect.owner === SYSTEM_PROGRAM ? [] : [UNKNOWN]
    case 'allocate':
      return [plain(address, effect.space)]
    case 'initializeAccount':
      return [tokenAccount(mintOf(effect.program, effect.mint), effect.owner)]
    case 'createAssociated':
      return [tokenAccount(mintOf(effect.tokenProgram, effect.mint), effect.owner)]
    case 'approve':
      return [{ kind: 'TOKEN_ACCOUNT', authorities: { delegate: effect.delegate } }]
    case 'authority':
      return effect.next === null ? [] : shapeOfAuthority(effect.which, effect.next)
    case 'initializeMint':
      return [mint(address, effect.mintAuthority, null)]
    case 'extension':
      if (effect.name !== 'MINT_CLOSE' || effect.authority === null) return []
      return [{ kind: 'MINT', authorities: { closeAuthority: effect.authority } }]
    case 'nonceInitialize':
      return [nonceAccount(effect.authority)]
    case 'nonceAuthorize':
      return [nonceAccount(effect.next)]
    case 'table':
      return effect.action === 'create' ? [lookupTable(effect.authority)] : []
    default:
      return []
  }
}

/** Shape of an account that the System program owns. */
function plain(address: string, dataLength: number | bigint): Shape {
  const isReserved = dataLength >= NONCE_BYTES
  return {
    kind: isReserved ? 'RESERVED' : 'KEY',
    authorities: { key: address, ...(isReserved ? { anybody: null } : {}) },
  }
}

function shapeOfAuthority(which: string, next: string): Shape[] {
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

export function permanentDelegateShape(delegate: string | null): Shape[] {
  return delegate === null ? [] : [{ kind: 'TOKEN_ACCOUNT', authorities: { permanentDelegate: delegate } }]
}

/** The mint, if it may have a permanent delegate: those of the Token program cannot. */
function mintOf(program: string, mint: string): string | undefined {
  return program === TOKEN_PROGRAM ? undefined : mint
}

function tokenAccount(
  mint: string | undefined,
  owner: string,
  closeAuthority: string | null = null,
  delegate: string | null = null,
): Shape {
  const authorities = {
    owner,
    ...(closeAuthority === null ? {} : { closeAuthority }),
    ...(delegate === null ? {} : { delegate }),
  }
  return { kind: 'TOKEN_ACCOUNT', authorities, ...(mint === undefined ? {} : { mint }) }
}

function mint(address: string, mintAuthority: string | null, closeAuthority: string | null): Shape {
  const excess = mintAuthority === null ? { key: address } : { mintAuthority }
  return { kind: 'MINT', authorities: { ...excess, ...(closeAuthority === null ? {} : { closeAuthority }) } }
}

function nonceAccount(authority: string): Shape {
  return { kind: 'NONCE_ACCOUNT', authorities: { nonceAuthority: authority } }
}

function lookupTable(authority: string | null): Shape {
  return { kind: 'LOOKUP_TABLE', authorities: authority === null ? {} : { tableAuthority: authority } }
}

/** True if the instruction initialises the account at the address as an account of a program. */
export function initialises(effect: Effect, address: string): boolean {
  if (accountShaped(effect) !== address) return false
  return effect.kind === 'table' ? effect.action === 'create' : INITIALIZERS.has(effect.kind)
}

/** The permanent delegates that the instruction sets on the mint. */
export function delegateGiven(effect: Effect, mint: string): readonly (string | null)[] {
  if (effect.kind === 'extension' && effect.mint === mint && effect.name === 'PERMANENT_DELEGATE')
    return [effect.authority]
  return effect.kind === 'authority' && effect.account === mint && effect.which === 'PERMANENT_DELEGATE'
    ? [effect.next]
    : []
}
