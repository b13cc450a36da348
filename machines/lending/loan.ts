// The loan machine: borrower, lender, debts and collateral. Its ledger changes by settled transactions, one at a time,
// and by changes that move nothing on chain (`command.change`); a change is undone when its fork is dropped. Whether a
// loan is overdue or liquidatable depends on time and prices and is not a state.
import { recordSetup } from '../record-setup.ts'
import {
  change,
  changeTo,
  accept,
  known,
  rejectAlways,
  refuse,
  rule,
  ruleTo,
  unknownEvent,
  type GuardArgs,
  type Decide,
} from '../answer.ts'
import type { AccountRef } from '../holding.ts'
import { applyLoanChange, type LoanBooks, type LoanChange } from './loan-books.ts'
import type { Movement, Touch } from '../protocol.ts'

export interface LoanOwner {
  readonly tenant: string
  readonly organization: string
}

export interface LoanContext extends LoanBooks {
  readonly protocol: string
  /** External id of the borrower's organization. */
  readonly organization: string
  readonly escrow: AccountRef
  readonly borrower: AccountRef
  /**
   * The organization that owns the borrowing account, if the borrower uses the account by a grant. It may repay,
   * exchange and release collateral as well: a grant can be revoked.
   */
  readonly owner?: LoanOwner
  /** The transaction in flight (the last one, if a change takes several); null: the loan can be changed. */
  readonly open: string | null
  /** The plan of the latest change if it takes several transactions; null: it takes one. */
  readonly plan: string | null
  /** ISO 8601. */
  readonly requestedAt: string
  readonly creation: Touch | null
  readonly last: Touch | null
}

export type LoanEvent =
  /**
   * A transaction that changes the loan is about to be signed. Rejected with LOAN_BUSY while another one is in flight.
   */
  | { readonly type: 'command.begin'; readonly transactionId: string; readonly plan: string | null }
  /** A change that moves nothing on chain. */
  | { readonly type: 'command.change'; readonly change: LoanChange }
  /** The change landed. `closes`: it ends the loan. */
  | { readonly type: 'chain.changed'; readonly change: LoanChange; readonly closes: boolean; readonly touch: Touch }
  /** The fork it landed on was dropped: restores the previous ledger. The change may land again. */
  | { readonly type: 'chain.unchanged'; readonly id: string; readonly before: LoanBooks }
  /** The transaction provably never lands, or failed finally. */
  | { readonly type: 'chain.abandoned'; readonly id: string }
  /**
   * Sent to every record that a transaction names. A loan has no balance of its own, so it accepts them without a
   * change.
   */
  | { readonly type: 'chain.settled'; readonly touch: Touch; readonly movements: readonly Movement[] }
  | { readonly type: 'chain.undone'; readonly movements: readonly Movement[] }
  | { readonly type: 'chain.released'; readonly movements: readonly Movement[] }

export interface LoanInput {
  readonly loan: LoanContext
}

type On<K extends LoanEvent['type']> = Extract<LoanEvent, { readonly type: K }>
type ActionArgsOf<K extends LoanEvent['type']> = GuardArgs<LoanContext, On<K>>
type Patch = Partial<LoanContext>
type Rule<K extends LoanEvent['type']> = Decide<LoanContext, On<K>, Patch>

const busy = (id: string) => refuse('LOAN_BUSY', `transaction ${id} of the loan is under way`)

const beginRule: Rule<'command.begin'> = ({ context, event }) =>
  context.open === null ? accept({ open: event.transactionId, plan: event.plan }) : busy(context.open)

const changeRule: Rule<'command.change'> = ({ context, event }) =>
  context.open === null ? accept(applyLoanChange(context, event.change)) : busy(context.open)

function landed({ context, event }: ActionArgsOf<'chain.changed'>): Patch {
  const open = context.open === event.change.id ? null : context.open
  return {
    ...applyLoanChange(context, event.change),
    open,
    creation: context.creation ?? event.touch,
    last: event.touch,
  }
}

const closes = ({ event }: ActionArgsOf<'chain.changed'>): boolean => event.closes

/** Changes are undone in reverse order: a change that builds on another is undone first. */
const undoRule: Rule<'chain.unchanged'> = ({ context, event }) =>
  context.lastChange === event.id
    ? accept({
        ...event.before,
        open: context.open ?? event.id,
        ...(event.before.lastChange === null ? { creation: null } : {}),
      })
    : refuse('OUT_OF_ORDER', `the books stand on ${context.lastChange ?? 'nothing'}`)

const isFirst = ({ context, event }: ActionArgsOf<'chain.unchanged'>): boolean =>
  context.lastChange === event.id && event.before.lastChange === null

function abandoned({ context, event }: ActionArgsOf<'chain.abandoned'>): Patch {
  return { open: context.open === event.id ? null : context.open }
}

const [refuseBack, takeBack] = rule(undoRule)
const [, takeFirstBack] = ruleTo('pending', undoRule)
const [, reopen] = ruleTo('active', undoRule)
const whenClosing = { guard: { type: 'holds', params: closes } } as const
const whenFirst = { guard: { type: 'holds', params: isFirst } } as const
const pending = rejectAlways('LOAN_BUSY', 'the creation of the loan is under way')
const over = rejectAlways('LOAN_CLOSED', 'the loan is closed')

export const loanMachine = recordSetup<LoanContext, LoanEvent, LoanInput, 'live' | 'gone'>().createMachine({
  id: 'loan',
  description:
    'Who borrowed what of whom against what. Its books change by what the chain settled and by nothing else.',
  context: ({ input }) => ({ ...input.loan }),
  on: { 'chain.settled': known, 'chain.undone': known, 'chain.released': known, '*': unknownEvent },
  initial: 'pending',
  states: {
    pending: {
      description: 'The transaction that pays it out has not settled.',
      on: {
        'command.begin': pending,
        'command.change': pending,
        'chain.changed': changeTo('active', landed),
        'chain.unchanged': rejectAlways('OUT_OF_ORDER', 'its creation has not landed'),
        'chain.abandoned': changeTo('closed', abandoned),
      },
    },
    active: {
      description: 'It runs: interest accrues, and one change at a time can be made.',
      tags: 'live',
      on: {
        'command.begin': rule(beginRule),
        'command.change': rule(changeRule),
        'chain.changed': [{ ...whenClosing, ...changeTo('closed', landed) }, change(landed)],
        'chain.unchanged': [refuseBack, { ...whenFirst, ...takeFirstBack }, takeBack],
        'chain.abandoned': change(abandoned),
      },
    },
    closed: {
      description: 'It is repaid, liquidated or was never paid out.',
      tags: 'gone',
      on: {
        'command.begin': over,
        'command.change': over,
        // The creation was abandoned, but landed after all.
        'chain.changed': changeTo('active', landed),
        'chain.unchanged': [refuseBack, reopen],
        // A change of several transactions: the first was abandoned before the last.
        'chain.abandoned': change(abandoned),
      },
    },
  },
})
