// Decisions shared by all holdings: pure functions of the record and the event. The transitions are in
// holding-states.ts.
import { accept, refuse, type Decide, type RuleOutcome } from './answer.ts'
import { reserve } from './book.ts'
import { notEmpty, observeAll, releaseAll, settleAll, undoAll, type Books, type BooksPatch } from './books.ts'
import type { Holding, HoldingChanges, HoldingEvent } from './holding.ts'

/** One event of the holding events. */
export type On<K extends HoldingEvent['type']> = Extract<HoldingEvent, { readonly type: K }>

/** A decision on any holding; kinds with further balances include them. */
export type HoldingRule<K extends HoldingEvent['type'], P extends object = Partial<Holding>> = Decide<
  Holding & Books,
  On<K>,
  P
>

const CHANGEABLE: ReadonlySet<string> = new Set<keyof HoldingChanges>([
  'references',
  'comments',
  'domain',
  'canPayFees',
  'globalFeePayerForOrgs',
  'orgsAllowedToSignWithPrivateKey',
  'solDebitApiKeys',
  'tokenDebitApiKeys',
  'networkCurrencyDebitLimits',
  'tokenDebitLimits',
  'setByPolicyKey',
  'subscribeToNetworkEvents',
  'keyOrigin',
  'shared',
  'destinationPolicy',
])

/** Nothing is reserved on a frozen record: every debit would need its signature. */
export const reserveRule: HoldingRule<'command.reserve', BooksPatch> = ({ context, event }) => {
  if (context.frozenByOperator) return refuse('FROZEN', `${context.address} is frozen by an operator`)
  const book = event.asset === 'supply' ? undefined : context[event.asset]
  if (book === undefined) return refuse('NO_SUCH_BOOK', `nothing of ${event.asset} can be reserved here`)
  const next = reserve(book, event.amount, event.covered)
  return next.ok ? accept({ [event.asset]: next.value }) : next
}

export const updateRule: HoldingRule<'command.update', HoldingChanges> = ({ event }) =>
  definedChanges(event.changes, CHANGEABLE)

/** A closed record is read-only, except that the export of its key must still be recorded. */
export const updateClosedRule: HoldingRule<'command.update', HoldingChanges> = ({ context, event }) => {
  const names = Object.keys(event.changes)
  if (names.length !== 1 || names[0] !== 'keyOrigin') return refuse('CLOSED', `${context.address} is closed`)
  return definedChanges(event.changes, CHANGEABLE)
}

export const freezeRule: HoldingRule<'command.freeze'> = ({ context }) =>
  context.frozenByOperator
    ? refuse('ALREADY_FROZEN', `${context.address} is frozen already`)
    : accept({ frozenByOperator: true })

export const unfreezeRule: HoldingRule<'command.unfreeze'> = ({ context }) =>
  context.frozenByOperator
    ? accept({ frozenByOperator: false })
    : refuse('NOT_FROZEN', `${context.address} is not frozen`)

export const inactivateRule: HoldingRule<'command.inactivate'> = ({ context }) => {
  const left = notEmpty(context)
  const reserved = left.filter((asset) => context[asset]?.reserved !== '0')
  // Balances of unmanaged accounts do not prevent inactivation: this service cannot empty them.
  if (left.length === 0 || (!context.managed && reserved.length === 0)) return accept({})
  return reserved.length > 0
    ? refuse('RESERVED', `open transactions may still take ${reserved.join(' and ')}`)
    : refuse(
        'BALANCE_REMAINS',
        `${left.map((asset) => `${context[asset]?.balance ?? '0'} ${asset}`).join(' and ')} left`,
      )
}

export const settleRule: HoldingRule<'chain.settled'> = ({ context, event }) => {
  const settled = touched(settleAll(context, event.movements), event)
  return settled.ok && event.ofOthers !== undefined
    ? accept({ lastOfOthers: event.ofOthers, ...settled.value })
    : settled
}

/** Keeps the touch: the transaction is in flight again, and the previous touch is no longer known. */
export const undoRule: HoldingRule<'chain.undone', BooksPatch> = ({ context, event }) =>
  undoAll(context, event.movements)

export const releaseRule: HoldingRule<'chain.released', BooksPatch> = ({ context, event }) =>
  releaseAll(context, event.movements)

export const observeRule: HoldingRule<'chain.observed'> = ({ context, event }) => {
  const { ownerProgram = context.ownerProgram, dataLength = context.dataLength } = event
  const books = touched(observeAll(context, event), event)
  return books.ok ? accept({ ownerProgram, dataLength, ...books.value }) : books
}

export const payRentRule: HoldingRule<'chain.rentPaid'> = ({ context, event: { by, lamports, creating } }) => {
  const { rentPaid, creation } = context
  const isPaid = rentPaid !== undefined && rentPaid.lamports !== '0'
  if (isPaid && rentPaid.by !== by) return accept({})
  if (isPaid && creating !== undefined) {
    // A transaction that found the account existing paid no rent, and undoing it returns none.
    const isByAnother = creation !== null && creation.transactionId !== null && creation.transactionId !== creating
    if (BigInt(lamports) >= 0n || isByAnother) return accept({})
  }
  const known = rentPaid?.by === by ? BigInt(rentPaid.lamports) : 0n
  const sum = known + BigInt(lamports)
  return accept({ rentPaid: { by, lamports: (sum > 0n ? sum : 0n).toString() } })
}

function touched(
  outcome: RuleOutcome<BooksPatch>,
  event: { readonly touch?: Holding['last'] },
): RuleOutcome<Partial<Holding>> {
  return outcome.ok && event.touch !== undefined ? accept({ last: event.touch, ...outcome.value }) : outcome
}

/** The defined members of `changes`. Rejects members outside `allowed` instead of dropping them. */
export function definedChanges<P extends object>(changes: P, allowed: ReadonlySet<string>): RuleOutcome<P> {
  const patch: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(changes) as [string, unknown][]) {
    if (!allowed.has(name)) return refuse('MEMBER_NOT_CHANGEABLE', `${name} cannot be changed`)
    // Stored records have no undefined members: absent and undefined mean the same.
    if (value !== undefined) patch[name] = value
  }
  return accept(patch as P)
}
