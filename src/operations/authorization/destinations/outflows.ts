// Lists where a compiled message sends money or the right to take money, for destination policies. Wider than the legs
// of debit limits: mints, returned rent and new authorities count too.
import type { Effect, EffectOf } from '../../../solana/table/effect.ts'
import { ofKind } from '../../../engine/records/record.ts'
import type { LoanDebits } from '../../../../machines/lending/loan-debits.ts'
import { ownStateAt } from '../../lookup/whose-records.ts'
import type { Control, ControlDependencies, Withdrawable } from '../control.ts'
import type { Controller } from '../account-shape.ts'

export interface OutflowInputs extends ControlDependencies {
  readonly loan?: LoanDebits | undefined
}

export interface Outflow {
  /** Addresses whose accounts pay or consent. */
  readonly payers: readonly string[]
  /** null: a pledge. */
  readonly effect: Effect | null
  /** null: unknown, the instruction calls a program outside the instruction table. */
  readonly address: string | null
  /** Owners of the source: an amount that returns to them is no outflow. */
  readonly self: readonly string[]
  /** All controllers that can take out the arriving amount; null: an unknown controller. */
  readonly controllers: (control: Control) => readonly Controller[]
  /** True if another outflow is the same movement, as seen by the party that pays it on chain. */
  readonly isRepeated?: true
}

/** Authorities that can take assets out of an account. */
const TAKING: ReadonlySet<string> = new Set([
  'ACCOUNT_OWNER',
  'CLOSE_ACCOUNT',
  'CLOSE_MINT',
  'PERMANENT_DELEGATE',
  'MINT_TOKENS',
])

/** Reads nothing from the chain until `controllers` of an outflow is called. */
export function outflowsOf(inputs: OutflowInputs): Outflow[] {
  const pledges = (inputs.loan?.pledges ?? []).map(({ payer, lender }) => toAuthority([payer], lender.account.address))
  const ofEffects = inputs.effects.flatMap((effect) =>
    outflowOf(inputs, effect).map((outflow) => ({ effect, ...outflow })),
  )
  return [...ofEffects, ...pledges.map((outflow) => ({ effect: null, ...outflow }))]
}

type Bare = Omit<Outflow, 'effect'>

function outflowOf(inputs: OutflowInputs, effect: Effect): Bare[] {
  switch (effect.kind) {
    case 'lamports':
      return [toAccount(payersOf(inputs, effect.from, effect.signer), effect.to, ['LAMPORTS', 'RENT'], [effect.from])]
    case 'create':
      return [toNewAccount(effect)]
    case 'createAssociated':
      return [
        {
          ...toAccount([effect.payer], effect.account, ['RENT', 'TOKENS']),
          controllers: (control) => controllersOfAssociated(control, effect),
        },
      ]
    case 'close':
      return [
        toAccount(
          payersOf(inputs, ...consentsOf(effect), ownerOf(inputs, effect.account)),
          effect.destination,
          ['LAMPORTS', 'RENT'],
          selfOf(inputs, effect.account),
        ),
      ]
    case 'table':
      return ofTable(effect)
    case 'tokens':
      return effect.from === effect.to ? [] : [ofTransfer(inputs, effect), ...ofPrincipal(inputs, effect)]
    case 'mint':
      // The permanent delegate of the mint gains nothing that its issuer has not given it.
      return [toAccount(consentsOf(effect), effect.to, ['LAMPORTS', 'RENT'])]
    case 'approve':
      return [toAuthority(consentsOf(effect), effect.delegate)]
    case 'authority':
      return effect.next !== null && TAKING.has(effect.which) ? [toAuthority(consentsOf(effect), effect.next)] : []
    case 'nonceAuthorize':
      return [toAuthority([effect.authority], effect.next)]
    case 'extension':
      return effect.action === 'initialize' && effect.name === 'PERMANENT_DELEGATE' && effect.authority !== null
        ? [toAuthority([], effect.authority)]
        : []
    case 'refused':
      return [{ payers: effect.signers, address: null, self: [], controllers: () => [null] }]
    default:
      return []
  }
}

function toAccount(
  payers: readonly string[],
  address: string,
  what: readonly Withdrawable[],
  self: readonly string[] = [],
): Bare {
  return {
    payers,
    address,
    self,
    controllers: (control) => union(what.map((each) => control.controllers(address, each))),
  }
}

/** An authority that is set: it can itself take assets, regardless of its kind of account. */
function toAuthority(payers: readonly string[], address: string): Bare {
  return { payers, address, self: [], controllers: () => [address] }
}

/** Rent of 1,024 bytes: more than any mint needs before its metadata. */
const RENT_OF_MINT = 8_017_920n

/**
 * Space that a key held here reserves for a mint is initialised by a later request. Until then anyone could take it
 * over, so that only the rent of a mint may be at stake.
 */
function toNewAccount({ payer, account, lamports }: EffectOf<'create'>): Bare {
  const plain = toAccount([payer], account, ['RENT', 'LAMPORTS'])
  return {
    ...plain,
    controllers: (control) =>
      lamports <= RENT_OF_MINT && control.isReservedHere(account) ? [account] : plain.controllers(control),
  }
}

function controllersOfAssociated(
  control: Control,
  { account, owner }: EffectOf<'createAssociated'>,
): readonly Controller[] {
  return union([[owner], control.controllers(account, 'RENT')])
}

function ofTable({ action, table, authority, payer, recipient }: EffectOf<'table'>): Bare[] {
  if (action === 'close') return recipient === null ? [] : [toAccount([authority], recipient, ['LAMPORTS', 'RENT'])]
  return payer === null ? [] : [toAccount([payer], table, ['RENT'])]
}

/**
 * A party that controlled the tokens before without the keys of the source, such as a permanent delegate, gains nothing
 * by the transfer, unless the destination is its own account.
 */
function ofTransfer(inputs: OutflowInputs, effect: EffectOf<'tokens'>): Bare {
  const { from, to } = effect
  return {
    payers: payersOf(inputs, ...consentsOf(effect), ownerOf(inputs, from)),
    address: to,
    self: selfOf(inputs, from),
    controllers: (control) => {
      const before = control.controllers(from, 'TOKENS')
      const others = control.controllers(to, 'TOKENS').filter((each) => each === null || !before.includes(each))
      return union([control.controllers(to, 'LAMPORTS'), others])
    },
  }
}

/**
 * The borrower owes the principal, regardless of the recipient: its policies apply beside those of the vault, which
 * pays on chain.
 */
function ofPrincipal(inputs: OutflowInputs, effect: EffectOf<'tokens'>): Bare[] {
  const { lent } = inputs.loan ?? {}
  if (lent === undefined || effect.authority !== lent.vault) return []
  const borrower = [lent.borrower]
  return [{ ...ofTransfer(inputs, effect), payers: borrower, self: borrower, isRepeated: true }]
}

/** The authority; for a token multisig, which does not sign itself, its members that sign too. */
function consentsOf({ authority, signers }: Effect & { readonly authority: string }): readonly string[] {
  return signers.includes(authority) ? [authority] : [authority, ...signers]
}

/** The party to whom the assets in an escrow belong counts as their payer. */
function payersOf({ loan }: OutflowInputs, ...addresses: readonly (string | null)[]): string[] {
  const { escrow } = loan ?? {}
  return [
    ...new Set(
      addresses.flatMap((address) => (address === null ? [] : [address === escrow?.from ? escrow.of : address])),
    ),
  ]
}

function selfOf(inputs: OutflowInputs, account: string): string[] {
  return payersOf(inputs, ownerOf(inputs, account))
}

/** Owner of a token account, as the tenant's own record states it. */
function ownerOf({ directory, tenant, cluster }: OutflowInputs, account: string): string | null {
  return ofKind(ownStateAt(directory, tenant, cluster, account), 'position')?.context.owner.address ?? null
}

function union(lists: readonly (readonly Controller[])[]): Controller[] {
  return [...new Set(lists.flat())]
}
