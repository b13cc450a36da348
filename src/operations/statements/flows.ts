// What a transaction moves to and from one account, by the effects of its message, and how a change of the account's
// balance divides into payments and the rest: fee, rent, refunds, and what programs move by themselves.
import type { TransactionGlance } from '../../engine/records/glance.ts'
import type { Effect, EffectKind } from '../../solana/table/effect.ts'
import type { Balance } from './balances.ts'

interface Transfer {
  readonly from: string
  readonly to: string
  /** null: rent, or what a closed account held. Anything else is a payment. */
  readonly amount: bigint | null
}

export interface Flow extends Transfer {
  /** References of the item of a batch that it belongs to; those of all items, if that item is not known. */
  readonly itemReferences: readonly string[]
}

/** One line of a statement. */
export interface MovementPart {
  readonly amount: bigint
  /** Addresses on the other side, each once. */
  readonly others: readonly string[]
  /** null: it concerns the transaction as a whole. */
  readonly itemReferences: readonly string[] | null
  /** True for the one part of a change that contains the fee and the rent that the account paid. */
  readonly hasCosts: boolean
}

/** The flows of an asset to and from an address, in the order of the message. */
export function flowsOf(
  transaction: TransactionGlance,
  effects: readonly Effect[],
  { address, asset }: { readonly address: string; readonly asset: Balance['asset'] },
): readonly Flow[] {
  const referencesAt = itemReferencesOf(transaction, effects)
  const flows: Flow[] = []
  let item = -1
  for (const effect of effects) {
    if (OF_ITEMS.has(effect.kind)) item += 1
    const transfer = asset === 'tokens' ? tokenTransfer(effect) : lamportTransfer(effect, transaction)
    if (transfer === undefined || transfer.from === transfer.to) continue
    const { from, to, amount } = transfer
    if (from === address || to === address) flows.push({ from, to, amount, itemReferences: referencesAt(item) })
  }
  return flows
}

/** In a batch that pays, each item has exactly one of these effects. */
const OF_ITEMS: ReadonlySet<EffectKind> = new Set<EffectKind>(['lamports', 'tokens', 'mint', 'burn', 'create'])

/** The references of an item by its place. Releases before `referenceOfItem` kept each reference once, and no gaps. */
function itemReferencesOf(
  { itemReferences, referenceOfItem }: TransactionGlance,
  effects: readonly Effect[],
): (item: number) => readonly string[] {
  const places = referenceOfItem ?? [...itemReferences.keys()]
  const items = effects.filter(({ kind }) => OF_ITEMS.has(kind)).length
  if (places.length !== items) return () => itemReferences
  return (item) => itemReferences.filter((_, at) => at === places[item])
}

/** The mint counts as the sender of minted tokens and as the recipient of burned ones. */
function tokenTransfer(effect: Effect): Transfer | undefined {
  switch (effect.kind) {
    case 'tokens':
      return effect
    case 'mint':
      return { from: effect.mint, to: effect.to, amount: effect.amount }
    case 'burn':
      return { from: effect.from, to: effect.mint, amount: effect.amount }
    default:
      return undefined
  }
}

function lamportTransfer(effect: Effect, { rents }: TransactionGlance): Transfer | undefined {
  switch (effect.kind) {
    case 'lamports': {
      const { from, to, lamports } = effect
      // Of an account that grows. A payment of the same amount cannot be distinguished from it, and stays in the rest.
      const isRent = rents.some((rent) => rent.by === from && rent.lamports === lamports.toString())
      return { from, to, amount: isRent ? null : lamports }
    }
    case 'create':
    case 'createAssociated':
      return { from: effect.payer, to: effect.account, amount: null }
    case 'close':
      return { from: effect.account, to: effect.destination, amount: null }
    case 'table':
      if (effect.recipient !== null) return { from: effect.table, to: effect.recipient, amount: null }
      return effect.payer === null ? undefined : { from: effect.payer, to: effect.table, amount: null }
    default:
      return undefined
  }
}

/**
 * Divides the change of a balance by one transaction: a part for each payment in the order of the message, and one for
 * the rest, so that the parts always add up to the change. A single payment that the fee and the rent complete is one
 * part with them.
 *
 * @param costs fee and rent that the account paid
 */
export function divideMovement(
  delta: bigint,
  flows: readonly Flow[],
  address: string,
  costs: bigint,
): readonly MovementPart[] {
  const payments = flows.flatMap((flow) => paymentOf(flow, address))
  const rest = payments.reduce((left, { amount }) => left - amount, delta)
  const [first] = payments
  if (first === undefined || isWhole(delta, payments, rest + costs))
    return [
      {
        amount: delta,
        others: othersOf(flows, address, delta),
        itemReferences: first?.itemReferences ?? null,
        ...COSTS,
      },
    ]
  if (rest === 0n && costs === 0n) return payments
  const further = flows.filter(({ amount }) => amount === null)
  const last = { amount: rest, others: othersOf(further, address, rest), itemReferences: null, ...COSTS }
  // Payments may spend what the transaction refunds.
  return rest > 0n ? [last, ...payments] : [...payments, last]
}

const COSTS = { hasCosts: true } as const

/** True of a single payment beside which nothing but costs moved, and not more than the payment. */
function isWhole(delta: bigint, payments: readonly MovementPart[], unexplained: bigint): boolean {
  const [{ amount } = { amount: 0n }] = payments
  return payments.length === 1 && unexplained === 0n && amount < 0n === delta < 0n
}

function paymentOf({ from, to, amount, itemReferences }: Flow, address: string): MovementPart[] {
  if (amount === null || amount === 0n) return []
  const isDebit = from === address
  return [{ amount: isDebit ? -amount : amount, others: [isDebit ? to : from], itemReferences, hasCosts: false }]
}

/** Those that the address pays, if its balance falls, else those that pay it. */
function othersOf(flows: readonly Flow[], address: string, change: bigint): readonly string[] {
  const others = flows.flatMap(({ from, to }) =>
    change < 0n ? (from === address ? to : []) : to === address ? from : [],
  )
  return [...new Set(others)]
}

/** Owners of the associated accounts that the message creates. */
export function createdAccountOwners(effects: readonly Effect[]): ReadonlyMap<string, string> {
  return new Map(
    effects.flatMap((effect) => (effect.kind === 'createAssociated' ? [[effect.account, effect.owner] as const] : [])),
  )
}
