// The lamports that closing an account takes out: everything that can be in the account when the closing lands. That
// includes what earlier instructions of the message put in, what open transactions put in, and both for accounts that
// are themselves closed into it. Wrapped network currency counts as the lamports that it is.
import { NATIVE_MINTS, TOKEN_PROGRAM } from '../../../solana/address.ts'
import { associatedAccountBytes } from '../../../solana/mint-size.ts'
import { rentExempt } from '../../../solana/rent.ts'
import type { Effect, EffectOf } from '../../../solana/table/effect.ts'
import { ofKind } from '../../../engine/records/record.ts'
import { tokenAccountIn } from '../../lookup/on-chain.ts'
import { openMessages, type OpenMessage } from '../../lookup/open-messages.ts'
import { ownMessages } from '../../lookup/own-messages.ts'
import { ownStateAt } from '../../lookup/whose-records.ts'
import type { ControlDependencies } from '../control.ts'

export interface ClosingInputs extends Pick<
  ControlDependencies,
  'directory' | 'tenant' | 'cluster' | 'effects' | 'chain'
> {
  /** Lamports paid into accounts whose instruction does not state the amount. */
  readonly rents: ReadonlyMap<string, bigint>
}

/** Instructions that may run before the closing, and the lamports of accounts that they create. */
interface Preceding {
  readonly effects: readonly Effect[]
  readonly rentOf: (account: string) => bigint
}

/** An upper bound: each amount counts once, whether or not it arrives before the closing. */
export function closingAmount(inputs: ClosingInputs, account: string, closing: Effect): bigint {
  const before = inputs.effects.slice(0, inputs.effects.indexOf(closing))
  const own: Preceding = { effects: before, rentOf: (address) => inputs.rents.get(address) ?? 0n }
  // Accounts whose balances go to the closed account; the set grows while it is iterated.
  const sources = new Set([account])
  let sum = 0n
  for (const each of sources) {
    const { open, lamports } = openInto(inputs, each)
    sum += balanceOf(inputs, each) + lamports
    for (const message of [own, ...open]) {
      for (const effect of message.effects) {
        const emptied = emptiedInto(effect, each)
        if (emptied === null) sum += depositOf(inputs, message, effect, each)
        else sources.add(emptied)
      }
    }
  }
  return sum
}

/**
 * The rent of an account of the present size, in lamports. A lower rent of a cluster makes the part that counts as rent
 * a little too large.
 */
export function rentMinimum({ directory, tenant, cluster, chain }: ClosingInputs, account: string): bigint {
  const bytes = chain.get(account)?.data.length ?? ownStateAt(directory, tenant, cluster, account)?.context.dataLength
  return rentExempt(bytes ?? 0)
}

/**
 * The most of an account's balance that can be rent: what it holds on chain, since the rent of a creation is recorded
 * before its size is known. What wrapped network currency holds beyond the minimum is tokens.
 */
export function mostRent(inputs: ClosingInputs, account: string): bigint {
  if (nativeMintOf(inputs, account) !== null) return rentMinimum(inputs, account)
  return inputs.chain.get(account)?.lamports ?? balanceOf(inputs, account)
}

/** Extensions that may enlarge an associated account: transfer hook and pausable. The mint is not read. */
const LARGEST_ACCOUNT = [14, 26]

/** The most that creating an associated account can cost, in lamports. */
export function associatedRent(tokenProgram: string): bigint {
  const bytes = associatedAccountBytes(tokenProgram === TOKEN_PROGRAM ? null : LARGEST_ACCOUNT)
  return rentExempt(bytes)
}

/** The larger of the balance on chain and the recorded balance: either may be behind the other. */
function balanceOf({ directory, tenant, cluster, chain }: ClosingInputs, account: string): bigint {
  const onChain = chain.get(account)?.lamports ?? 0n
  const recorded = BigInt(ownStateAt(directory, tenant, cluster, account)?.context.lamports.balance ?? 0)
  return recorded > onChain ? recorded : onChain
}

/**
 * The open messages that move balances of the account; `lamports`: deposits of messages that are not available here.
 */
function openInto(
  inputs: ClosingInputs,
  account: string,
): { readonly open: readonly Preceding[]; readonly lamports: bigint } {
  const { directory, tenant, cluster } = inputs
  const record = ownStateAt(directory, tenant, cluster, account)
  if (record === undefined) return { open: [], lamports: 0n }
  const open: Preceding[] = []
  let lamports = 0n
  for (const message of openMessages(directory, ownMessages(directory, record))) {
    const { effects, rents } = message
    if (effects === null) lamports += bookedInto(message, record.id, isNativeAccount(inputs, account))
    else open.push({ effects, rentOf: (address) => BigInt(rents[address] ?? 0) })
  }
  return { open, lamports }
}

function bookedInto({ entries }: OpenMessage, record: string, isNative: boolean): bigint {
  const movements = entries.filter((entry) => entry.record === record).flatMap((entry) => entry.movements)
  return movements.reduce((sum, { asset, credited }) => {
    const counts = asset === 'lamports' || (asset === 'tokens' && isNative)
    return counts ? sum + BigInt(credited) : sum
  }, 0n)
}

/** The account that the instruction closes into this one; null: none. */
function emptiedInto(effect: Effect, account: string): string | null {
  if (effect.kind === 'close') return effect.destination === account ? effect.account : null
  return effect.kind === 'table' && effect.action === 'close' && effect.recipient === account ? effect.table : null
}

function depositOf(inputs: ClosingInputs, message: Preceding, effect: Effect, account: string): bigint {
  switch (effect.kind) {
    case 'lamports':
      return effect.to === account ? effect.lamports : 0n
    case 'create':
      return effect.account === account ? effect.lamports : 0n
    case 'createAssociated':
      return effect.account === account ? message.rentOf(account) : 0n
    case 'tokens':
      return effect.to === account && effect.from !== account && isNative(inputs, effect) ? effect.amount : 0n
    default:
      return 0n
  }
}

function isNative(inputs: ClosingInputs, { mint, to }: EffectOf<'tokens'>): boolean {
  return mint === null ? isNativeAccount(inputs, to) : NATIVE_MINTS.has(mint)
}

/** True also of an account about which nothing is known yet: its tokens may be lamports. */
function isNativeAccount(inputs: ClosingInputs, account: string): boolean {
  const mint = mintOf(inputs, account)
  return mint === undefined || NATIVE_MINTS.has(mint)
}

/** The mint of a token account with wrapped network currency; null: another account. */
export function nativeMintOf(inputs: ClosingInputs, account: string): string | null {
  const mint = mintOf(inputs, account)
  return mint !== undefined && NATIVE_MINTS.has(mint) ? mint : null
}

/** undefined: the account is neither a known token account nor one that the message creates. */
function mintOf({ directory, tenant, cluster, effects, chain }: ClosingInputs, account: string): string | undefined {
  const recorded = ofKind(ownStateAt(directory, tenant, cluster, account), 'position')?.context.mint.address
  const made = effects.find(
    (effect): effect is EffectOf<'createAssociated' | 'initializeAccount'> =>
      (effect.kind === 'createAssociated' || effect.kind === 'initializeAccount') && effect.account === account,
  )
  return recorded ?? tokenAccountIn(chain.get(account))?.mint ?? made?.mint
}
