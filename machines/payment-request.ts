// The payment request machine: the payments that arrive on chain with its reference key, and their sum. The state
// follows from these payments; a final payment is never reverted.
import { recordSetup } from './record-setup.ts'
import {
  change,
  changeTo,
  accept,
  rejectAlways,
  refuse,
  ruleTo,
  unknownEvent,
  type GuardArgs,
  type Decide,
} from './answer.ts'
import type { AccountRef } from './holding.ts'

export interface Payment {
  readonly signature: string
  /** Increase of the account's balance by the transaction, raw units. */
  readonly amount: string
  readonly slot: number
  /** Block time, ISO 8601. */
  readonly at: string
  readonly final: boolean
  /** True: it arrived after the request had expired or was cancelled, so it does not count as received. */
  readonly late: boolean
}

export interface PaymentRequestContext {
  readonly organization: string
  readonly destination: AccountRef
  /** Address that receives: the destination, or its associated token account. */
  readonly account: string
  /** null: network currency. */
  readonly mint: AccountRef | null
  readonly symbol: string
  readonly decimals: number
  /** Raw units. */
  readonly amount: string
  readonly label: string
  readonly memo: string | null
  readonly externalReference: string
  /** A public key whose private key nobody has. */
  readonly reference: string
  /** Id of the payer's page. */
  readonly payId: string
  readonly expiresAt: string | null
  readonly payments: readonly Payment[]
  readonly isExpired: boolean
  readonly cancelledAt: string | null
  /** True while the chain is polled for payments. */
  readonly watched: boolean
  readonly createdAt: string
  /** When the request ended: its payment became final, or it expired or was cancelled. */
  readonly endedAt: string | null
}

export type PaymentRequestState = 'open' | 'underpaid' | 'paid' | 'overpaid' | 'expired' | 'cancelled'

export type PaymentRequestEvent =
  /** All payments that the chain shows now. */
  | { readonly type: 'chain.payments'; readonly payments: readonly Payment[]; readonly at: string }
  | { readonly type: 'clock.expired'; readonly at: string }
  | { readonly type: 'command.cancel'; readonly at: string }
  /** Ends the polling of the chain, some time after the request has ended. */
  | { readonly type: 'clock.closed' }

export interface PaymentRequestInput {
  readonly request: PaymentRequestContext
}

type On<K extends PaymentRequestEvent['type']> = Extract<PaymentRequestEvent, { readonly type: K }>
type Patch = Partial<PaymentRequestContext>

/** Raw units received in time. */
export function sumReceived(payments: readonly Payment[]): bigint {
  return payments.filter(({ late }) => !late).reduce((sum, { amount }) => sum + BigInt(amount), 0n)
}

/** True if all payments received in time are final. */
export function isFinal(payments: readonly Payment[]): boolean {
  return payments.every(({ final, late }) => final || late)
}

function stateOf({ payments, amount, isExpired, cancelledAt }: PaymentRequestContext): PaymentRequestState {
  if (cancelledAt !== null) return 'cancelled'
  const sum = sumReceived(payments)
  if (sum === 0n) return isExpired ? 'expired' : 'open'
  if (sum < BigInt(amount)) return 'underpaid'
  return sum === BigInt(amount) ? 'paid' : 'overpaid'
}

function withEnd(context: PaymentRequestContext, patch: Patch, at: string): Patch {
  const next = { ...context, ...patch }
  const state = stateOf(next)
  const isPaid = (state === 'paid' || state === 'overpaid') && isFinal(next.payments)
  const hasEnded = isPaid || next.isExpired || next.cancelledAt !== null
  return { ...patch, endedAt: hasEnded ? (context.endedAt ?? at) : null }
}

const paymentsRule: Decide<PaymentRequestContext, On<'chain.payments'>, Patch> = ({ context, event }) => {
  if (!context.watched) return refuse('NOT_WATCHED', 'the payment request is not watched any more')
  const seen = new Map(event.payments.map((payment) => [payment.signature, payment]))
  const isKept = context.payments.every(
    ({ signature, amount, final }) =>
      !final || (seen.get(signature)?.final === true && seen.get(signature)?.amount === amount),
  )
  if (!isKept) return refuse('FINAL_PAYMENT_MISSING', 'a final payment cannot disappear')
  return accept(withEnd(context, { payments: event.payments }, event.at))
}

const expireRule: Decide<PaymentRequestContext, On<'clock.expired'>, Patch> = ({ context, event }) =>
  context.expiresAt === null || Date.parse(context.expiresAt) > Date.parse(event.at)
    ? refuse('NOT_EXPIRED', 'the payment request has not expired')
    : accept(withEnd(context, { isExpired: true }, event.at))

const cancelPatch = ({ event }: GuardArgs<PaymentRequestContext, On<'command.cancel'>>): Patch => ({
  cancelledAt: event.at,
  endedAt: event.at,
})

/** Rejects, or changes the context and goes to the state that follows from it. */
function toState<E>(decide: Decide<PaymentRequestContext, E, Patch>) {
  const leadsTo =
    (state: PaymentRequestState) =>
    (args: GuardArgs<PaymentRequestContext, E>): boolean => {
      const outcome = decide(args)
      return outcome.ok && stateOf({ ...args.context, ...outcome.value }) === state
    }
  const [refusing, toOpen] = ruleTo('open', decide)
  const to = <const T extends PaymentRequestState>(state: T) =>
    ({ guard: { type: 'holds', params: leadsTo(state) }, ...ruleTo(state, decide)[1] }) as const
  return [refusing, to('underpaid'), to('paid'), to('overpaid'), to('expired'), to('cancelled'), toOpen] as const
}

const hasEnded = rejectAlways('PAYMENT_REQUEST_ENDED', 'the payment request is paid, has expired or is cancelled')
const cancel = changeTo('cancelled', cancelPatch)
const observed = { 'chain.payments': toState(paymentsRule), 'clock.expired': toState(expireRule) } as const

export const paymentRequestMachine = recordSetup<
  PaymentRequestContext,
  PaymentRequestEvent,
  PaymentRequestInput
>().createMachine({
  id: 'paymentRequest',
  description: 'An amount that is asked for, and what arrives on chain with its reference.',
  context: ({ input }) => ({ ...input.request }),
  on: {
    'command.cancel': hasEnded,
    'clock.closed': change(() => ({ watched: false })),
    '*': unknownEvent,
  },
  initial: 'open',
  states: {
    open: { description: 'Nothing has arrived.', on: { ...observed, 'command.cancel': cancel } },
    underpaid: { description: 'Less than the amount has arrived.', on: { ...observed, 'command.cancel': cancel } },
    paid: { description: 'The amount has arrived.', on: observed },
    overpaid: { description: 'More than the amount has arrived.', on: observed },
    expired: { description: 'Nothing arrived in time.', on: observed },
    cancelled: { description: 'It was cancelled.', on: observed },
  },
})
