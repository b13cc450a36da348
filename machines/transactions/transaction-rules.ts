// Decisions of the transaction machine: pure functions of the record and the event. The transitions are in
// transaction.ts.
import { accept, refuse, type GuardArgs, type Decide } from '../answer.ts'
import { approve, hold, isApproved, isReviewEntry, isScreeningEntry } from '../approval.ts'
import type { OnTransaction, TransactionEvent } from './transaction-events.ts'
import type {
  AttestedOutcome,
  Commitment,
  Countersigner,
  TransactionContext,
  TransactionStatus,
  HistoryEntry,
} from './transaction-record.ts'

type Rule<K extends TransactionEvent['type']> = Decide<
  TransactionContext,
  OnTransaction<K>,
  Partial<TransactionContext>
>
type ActionArgsOf<K extends TransactionEvent['type']> = GuardArgs<TransactionContext, OnTransaction<K>>
type Patch = Partial<TransactionContext>

const LEVEL: Readonly<Record<Commitment, number>> = { processed: 1, confirmed: 2, finalized: 3 }
const REACHED: Readonly<Record<Commitment, TransactionStatus>> = {
  processed: 'PROCESSED',
  confirmed: 'CONFIRMED',
  finalized: 'FINALIZED',
}
/** 32 is the lockout depth at which a block is rooted. */
const CONFIRMATIONS: Readonly<Record<Commitment, number>> = { processed: 0, confirmed: 1, finalized: 32 }

export const signRule: Rule<'command.sign'> = ({ context, event }) => {
  if (event.signatures < 1 && !event.ourSignature) return refuse('NOTHING_SIGNED', 'no signature was added')
  if (event.complete && event.signature === null)
    return refuse('SIGNATURE_MISSING', 'a complete transaction has the signature of its fee payer')
  if ((event.ourSignature || event.complete) && context.approval !== null && !isApproved(context.approval))
    return refuse('APPROVAL_REQUIRED', 'it waits for approval')
  const count = `${event.signatures} of ${context.fixed.signers.length} signatures`
  const detail = event.detail === undefined ? count : `${count}; ${event.detail}`
  return accept({
    signature: event.signature ?? context.signature,
    ourSignature: context.ourSignature || event.ourSignature,
    complete: event.complete,
    ...(event.countersigners === undefined
      ? {}
      : { countersigners: withMore(context.countersigners ?? [], event.countersigners) }),
    ...(event.unreserved === undefined ? {} : { unreserved: event.unreserved }),
    ...(event.debits === undefined || context.ourSignature
      ? {}
      : { fixed: { ...context.fixed, debits: event.debits } }),
    history: remember(context.history, {
      status: event.complete ? 'SIGNED' : 'PARTIALLY_SIGNED',
      at: event.at,
      detail,
    }),
  })
}

function withMore(known: readonly Countersigner[], more: readonly Countersigner[]): Countersigner[] {
  const joined = known.map((each) => {
    const again = more.find(({ tenant }) => tenant === each.tenant)
    return again === undefined ? each : { ...each, addresses: [...new Set([...each.addresses, ...again.addresses])] }
  })
  return [...joined, ...more.filter(({ tenant }) => !known.some((each) => each.tenant === tenant))]
}

/** Rejected once a signature of this service exists: the transaction may land, approved or not. */
export const holdRule =
  (status: TransactionStatus): Rule<'command.hold'> =>
  ({ context, event }) => {
    if (context.ourSignature) return refuse('ALREADY_SIGNED', 'our signature exists: it may land')
    const detail = event.approval.entries.some(({ policy }) => policy !== undefined)
      ? 'an approval policy covers it: it waits for approval'
      : event.approval.entries.every((entry) => isReviewEntry(entry) || isScreeningEntry(entry))
        ? 'the recipient of a payment is under review: it waits for approval'
        : 'it exceeds debit limits and waits for approval'
    return accept({
      approval: hold(context.approval, event.approval),
      history: remember(context.history, { status, at: event.at, detail }),
    })
  }

export const approveRule =
  (status: TransactionStatus): Rule<'command.approve'> =>
  ({ context, event }) => {
    if (context.ourSignature) return refuse('ALREADY_SIGNED', 'our signature exists: nothing is left to approve')
    const next = approve(context.approval, event, event.at)
    if (!next.ok) return next
    const detail = `approved by key ${event.keyId}`
    return accept({ approval: next.value, history: remember(context.history, { status, at: event.at, detail }) })
  }

/** Replaces the whole part fixed by the message; the request stays the same. */
export const rebuildRule: Rule<'command.rebuild'> = ({ context, event }) =>
  event.fixed.organization === context.fixed.organization && event.fixed.endpoint === context.fixed.endpoint
    ? accept({ fixed: event.fixed })
    : refuse('NOT_THE_SAME_REQUEST', 'a rebuilt message belongs to the same request')

/** For ends that are allowed only without a signature of this service, when the transaction cannot land. */
export function ifUnsigned<K extends TransactionEvent['type']>(
  code: string,
  detail: string,
  end: (args: ActionArgsOf<K>) => Patch,
): Rule<K> {
  return (args) => (args.context.ourSignature ? refuse(code, detail) : accept(end(args)))
}

/** For changes that make sense only once the transaction may land. */
export function ifSigned<K extends TransactionEvent['type']>(change: (args: ActionArgsOf<K>) => Patch): Rule<K> {
  return (args) =>
    args.context.ourSignature
      ? accept(change(args))
      : refuse('NOT_SIGNED', 'without our signature it cannot have been sent')
}

export const cancelPatch = ({ context, event }: ActionArgsOf<'command.cancel'>): Patch =>
  ended(context, 'CANCELLED', event.at, 'cancelled by request')

export const lapsePatch = ({ context, event }: ActionArgsOf<'clock.lapsed'>): Patch => ({
  ...ended(context, 'CANCELLED', event.at, event.reason),
  error: event.reason,
})

/**
 * With a signature of this service, only proof ends the transaction. That a required signature cannot exist is such a
 * proof.
 */
export const failRule: Rule<'command.fail'> = (args) =>
  args.context.ourSignature && args.event.withheld !== true
    ? refuse('FAIL_NEEDS_PROOF', 'our signature exists: it may land')
    : accept(failPatch(args))

const failPatch = ({ context, event }: ActionArgsOf<'command.fail'>): Patch => ({
  ...ended(context, 'NON_BLOCKCHAIN_ERROR', event.at, event.reason),
  error: event.reason,
})

/**
 * The first request counts; later ones change nothing.
 *
 * @param status status for the history entry
 */
export const withdrawPatch =
  (status: TransactionStatus) =>
  ({ context, event }: ActionArgsOf<'command.withdraw'>): Patch =>
    context.cancelAskedAt !== null
      ? {}
      : {
          cancelAskedAt: event.at,
          history: remember(context.history, {
            status,
            at: event.at,
            detail: 'cancelling was asked for; it waits for proof',
          }),
        }

export const withholdPatch = ({ context, event }: ActionArgsOf<'command.withhold'>): Patch => ({
  history: remember(context.history, { status: 'SIGNED', at: event.at, detail: event.detail }),
})

export const sentPatch = ({ context, event }: ActionArgsOf<'chain.sent'>): Patch => {
  const attempts = context.attempts + 1
  const detail = event.answer === undefined ? event.endpoint : `${event.endpoint}: ${event.answer}`
  return { attempts, lastSentAt: event.at, history: rememberAttempt(context.history, attempts, event.at, detail) }
}

export const seenPatch = ({ context, event }: ActionArgsOf<'chain.seen'>): Patch => {
  const final = event.commitment === 'finalized'
  const status = final && event.error !== null ? 'BLOCKCHAIN_ERROR' : REACHED[event.commitment]
  return {
    signature: event.signature ?? context.signature,
    slot: event.slot,
    // Not every chain response has these values; values known for the same slot are kept.
    blockTime: event.blockTime ?? (context.slot === event.slot ? context.blockTime : null),
    computeUnitsConsumed: event.computeUnits ?? (context.slot === event.slot ? context.computeUnitsConsumed : null),
    error: event.error,
    confirmations: event.confirmations ?? CONFIRMATIONS[event.commitment],
    attestation: null,
    history: remember(context.history, {
      status,
      at: event.at,
      detail: `${slotText(event.slot)}${event.error === null ? '' : `: ${event.error}`}`,
    }),
    finalAt: final ? event.at : null,
  }
}

const slotText = (slot: number): string => `slot ${slot}`

/**
 * Time at which the transaction was seen confirmed in the slot where it is now; null: it was not, or only on a fork
 * that was dropped.
 */
export function confirmedAt({ history, slot }: TransactionContext): string | null {
  if (slot === null) return null
  const isThere = ({ status, detail }: HistoryEntry): boolean =>
    status === 'CONFIRMED' && detail?.split(':', 1)[0] === slotText(slot)
  return history.findLast(isThere)?.at ?? null
}

/** True if the fact adds nothing to a transaction at `level`. */
export const addsNothing =
  (level: Commitment) =>
  ({ context, event }: ActionArgsOf<'chain.seen'>): boolean =>
    LEVEL[event.commitment] < LEVEL[level] ||
    (event.commitment === level && event.slot === context.slot && event.error === context.error)

/** In a final state, only facts that agree with it are accepted. */
export const agreesWithFinalState = ({ context, event }: ActionArgsOf<'chain.seen'>): boolean =>
  event.commitment !== 'finalized' || (event.error === null) === (context.error === null)

export const forgottenPatch = ({ context, event }: ActionArgsOf<'chain.forgotten'>): Patch => ({
  slot: null,
  blockTime: null,
  error: null,
  computeUnitsConsumed: null,
  confirmations: 0,
  history: remember(context.history, {
    status: context.complete ? 'SUBMITTED' : 'PARTIALLY_SIGNED',
    at: event.at,
    detail: 'the fork it landed on died',
  }),
})

export const expiredPatch = ({ context, event }: ActionArgsOf<'chain.expired'>): Patch => ({
  ...ended(context, context.cancelAskedAt === null ? 'EXPIRED' : 'CANCELLED', event.at, 'proven not to have landed'),
  proof: event.proof ?? null,
})

export const voidedPatch = ({ context, event }: ActionArgsOf<'chain.voided'>): Patch => ({
  ...ended(context, 'CANCELLED', event.at, 'proven void'),
  proof: event.proof ?? null,
})

/** Fills in missing values of the present slot. */
export const measuredPatch = ({ context, event }: ActionArgsOf<'chain.measured'>): Patch => ({
  blockTime: context.blockTime ?? event.blockTime,
  computeUnitsConsumed: context.computeUnitsConsumed ?? event.computeUnits,
})

/** True if nothing is missing, or the values belong to another slot. */
export const isAlreadyMeasured = ({ context, event }: ActionArgsOf<'chain.measured'>): boolean =>
  event.slot !== context.slot ||
  ((event.blockTime === null || context.blockTime !== null) &&
    (event.computeUnits === null || context.computeUnitsConsumed !== null))

const OUTCOMES: ReadonlySet<string> = new Set<AttestedOutcome>(['FINALIZED', 'BLOCKCHAIN_ERROR', 'EXPIRED'])

/** True if a second, distinct key attests the same outcome as the first. */
export const isSecondAttestation = ({ context, event }: ActionArgsOf<'command.attest'>): boolean =>
  context.attestation !== null &&
  context.attestation.keyId !== event.keyId &&
  context.attestation.outcome === event.outcome

/**
 * Records the first key's attestation, which does not change the state; a key may replace its own attestation.
 *
 * @param status status for the history entry
 */
export const attestRule =
  (status: TransactionStatus): Rule<'command.attest'> =>
  (args) => {
    const { context, event } = args
    const { attestation } = context
    if (!OUTCOMES.has(event.outcome))
      return refuse('OUTCOME_UNKNOWN', 'an outcome is FINALIZED, BLOCKCHAIN_ERROR or EXPIRED')
    if (attestation?.outcome === event.outcome && attestation.keyId === event.keyId)
      return refuse('ALREADY_ATTESTED', 'this key has attested that already: another one has to')
    if (isSecondAttestation(args)) return accept(attestedPatch(args))
    if (attestation !== null && attestation.keyId !== event.keyId) {
      const { keyId, outcome, at } = attestation
      return refuse('ATTESTATION_DIFFERS', `key ${keyId} attested ${outcome} at ${at}: only that key may replace it`)
    }
    const { type: _type, ...replacement } = event
    return accept({
      attestation: replacement,
      history: remember(context.history, {
        status,
        at: event.at,
        detail: `key ${event.keyId} attests ${event.outcome}: ${event.evidence}`,
      }),
    })
  }

const attestedPatch = ({ context, event }: ActionArgsOf<'command.attest'>): Patch => ({
  ...ended(
    context,
    event.outcome,
    event.at,
    `attested by keys ${context.attestation?.keyId ?? ''} and ${event.keyId}: ${event.evidence}`,
  ),
  error: event.outcome === 'BLOCKCHAIN_ERROR' ? (context.error ?? 'attested to have failed') : null,
  confirmations: event.outcome === 'EXPIRED' ? 0 : CONFIRMATIONS.finalized,
  proof: {
    attested: event.outcome,
    by: [context.attestation, event].map((attestation) => ({
      keyId: attestation?.keyId ?? '',
      at: attestation?.at ?? '',
      evidence: attestation?.evidence ?? '',
    })),
  },
})

function ended(context: TransactionContext, status: TransactionStatus, at: string, detail: string): Patch {
  return { history: remember(context.history, { status, at, detail }), finalAt: at }
}

/** Number of attempts listed individually; later ones share one entry that counts them. */
export const ATTEMPTS_LISTED = 64
/**
 * Maximum number of entries, because a transaction may be sent for days. Beyond it, the newest entry replaces the
 * previous one.
 */
export const HISTORY_LIMIT = 160

/** A new history, of states reached and send attempts in order, with one more entry. */
function remember(history: readonly HistoryEntry[], entry: HistoryEntry): readonly HistoryEntry[] {
  return history.length < HISTORY_LIMIT ? [...history, entry] : [...history.slice(0, HISTORY_LIMIT - 1), entry]
}

/**
 * Records attempt number `attempt` (from 1), made at `at`.
 *
 * @param detail the endpoint and its response
 */
function rememberAttempt(
  history: readonly HistoryEntry[],
  attempt: number,
  at: string,
  detail: string,
): readonly HistoryEntry[] {
  if (attempt <= ATTEMPTS_LISTED)
    return remember(history, { status: 'SUBMITTED', at, detail: `attempt ${attempt}: ${detail}` })
  const first = ATTEMPTS_LISTED + 1
  const text =
    attempt === first ? `attempt ${attempt}: ${detail}` : `attempts ${first} to ${attempt}, the last: ${detail}`
  const entry: HistoryEntry = { status: 'SUBMITTED', at, detail: text }
  const last = history.at(-1)
  const collapses = attempt > first && last?.status === 'SUBMITTED' && last.detail?.startsWith('attempt') === true
  return collapses ? [...history.slice(0, -1), entry] : remember(history, entry)
}
