// The transaction machine. Once a signature of this service exists, a transaction ends only by facts of the chain or by
// proof. Guarantees: a final state never changes; a transaction seen on chain never expires; `blockchainError` is
// entered at `finalized` only.
import { recordSetup } from '../record-setup.ts'
import { change, changeTo, known, rejectAlways, rule, ruleTo, unknownEvent, type GuardArgs } from '../answer.ts'
import type { OnTransaction, TransactionEvent } from './transaction-events.ts'
import {
  freshTransaction,
  type AttestedOutcome,
  type Commitment,
  type TransactionContext,
  type TransactionFixed,
  type TransactionStatus,
} from './transaction-record.ts'
import {
  isSecondAttestation,
  agreesWithFinalState,
  approveRule,
  attestRule,
  cancelPatch,
  expiredPatch,
  failRule,
  forgottenPatch,
  holdRule,
  ifSigned,
  ifUnsigned,
  lapsePatch,
  measuredPatch,
  isAlreadyMeasured,
  rebuildRule,
  seenPatch,
  sentPatch,
  signRule,
  addsNothing,
  voidedPatch,
  withdrawPatch,
  withholdPatch,
} from './transaction-rules.ts'

export interface TransactionInput {
  readonly fixed: TransactionFixed
}

/**
 * `open`: not ended; `maybeSent`: complete, may land; `success`: success in the interface's sense unless `error` is
 * set; `ended`: final.
 */
export type TransactionTag = 'open' | 'maybeSent' | 'success' | 'ended'

type ActionArgsOf<K extends TransactionEvent['type']> = GuardArgs<TransactionContext, OnTransaction<K>>

const when = <P extends (args: never) => boolean, T extends object>(params: P, transition: T) =>
  ({ guard: { type: 'holds', params }, ...transition }) as const

const isComplete = ({ event }: ActionArgsOf<'command.sign'>) => event.complete
const wasComplete = ({ context }: ActionArgsOf<'chain.forgotten'>) => context.complete
const failedFinally = ({ event }: ActionArgsOf<'chain.seen'>) =>
  event.commitment === 'finalized' && event.error !== null
const at =
  (commitment: Commitment) =>
  ({ event }: ActionArgsOf<'chain.seen'>) =>
    event.commitment === commitment
const wasWithdrawn = ({ context }: ActionArgsOf<'chain.expired'>) => context.cancelAskedAt !== null
const claims =
  (outcome: AttestedOutcome) =>
  ({ event }: ActionArgsOf<'command.attest'>) =>
    event.outcome === outcome

const [refuseSigning, signed] = ruleTo('signed', signRule)
const [, partly] = ruleTo('partiallySigned', signRule)

const toFinal = [
  when(failedFinally, changeTo('blockchainError', seenPatch)),
  when(at('finalized'), changeTo('finalized', seenPatch)),
] as const
const landing = [
  ...toFinal,
  when(at('confirmed'), changeTo('confirmed', seenPatch)),
  changeTo('processed', seenPatch),
] as const

const agreedOn =
  (outcome: AttestedOutcome) =>
  (args: ActionArgsOf<'command.attest'>): boolean =>
    claims(outcome)(args) && isSecondAttestation(args)

/**
 * The first key's attestation is recorded; a matching one by a second key ends the transaction.
 *
 * @param status present status
 */
function attest(status: TransactionStatus) {
  const decide = attestRule(status)
  const [refuseAttesting, record] = rule(decide)
  return [
    refuseAttesting,
    ...attested(status),
    when(agreedOn('EXPIRED'), ruleTo('expired', decide)[1]),
    record,
  ] as const
}

/** As `attest`, for a transaction that was seen on chain: it cannot have expired. */
function attestSeen(status: TransactionStatus) {
  const [refuseAttesting, record] = rule(attestRule(status))
  return [when(claims('EXPIRED'), landed), refuseAttesting, ...attested(status), record] as const
}

function attested(status: TransactionStatus) {
  const decide = attestRule(status)
  return [
    when(agreedOn('FINALIZED'), ruleTo('finalized', decide)[1]),
    when(agreedOn('BLOCKCHAIN_ERROR'), ruleTo('blockchainError', decide)[1]),
  ] as const
}

const notSigned = rejectAlways('NOT_SIGNED', 'without our signature it cannot have been sent')
const signedAlready = rejectAlways('ALREADY_SIGNED', 'every signature is there already')
const fixedAlready = rejectAlways('ALREADY_SIGNED', 'a signed message is never replaced')
const needsProof = rejectAlways('CANCEL_NEEDS_PROOF', 'it may land: it ends when the chain shows it or by proof')
const incomplete = rejectAlways('NOT_COMPLETE', 'a signature is missing: nothing could be sent')
const sentAlready = rejectAlways('ALREADY_SENT', 'it may have been sent')
const landed = rejectAlways('LANDED', 'the chain has shown it')
const measuring = [when(isAlreadyMeasured, known), change(measuredPatch)] as const

/** In `partiallySigned` without a signature of this service, the chain cannot know the transaction. */
const withoutOurs = when(({ context }: GuardArgs<TransactionContext, unknown>) => !context.ourSignature, notSigned)

/** No signature of this service exists, or none at all. */
const unsigned = {
  'command.cancel': ruleTo(
    'cancelled',
    ifUnsigned('CANCEL_NEEDS_PROOF', 'our signature exists: it may land', cancelPatch),
  ),
  'command.fail': ruleTo('nonBlockchainError', failRule),
  'clock.lapsed': ruleTo(
    'cancelled',
    ifUnsigned('CANCEL_NEEDS_PROOF', 'our signature exists: it may land', lapsePatch),
  ),
  'command.sign': [refuseSigning, when(isComplete, signed), partly],
} as const

/** All signatures exist: from here on only facts of the chain count. */
const complete = {
  'command.sign': signedAlready,
  'command.hold': signedAlready,
  'command.approve': signedAlready,
  'command.rebuild': fixedAlready,
  'command.cancel': needsProof,
  'command.fail': rejectAlways('FAIL_NEEDS_PROOF', 'it may land: it ends when the chain shows it or by proof'),
  'clock.lapsed': signedAlready,
} as const

/** Complete, and not seen on chain. */
const underway = {
  ...complete,
  'chain.sent': changeTo('submitted', sentPatch),
  'chain.seen': landing,
  'chain.measured': known,
  'chain.forgotten': known,
  'chain.expired': [when(wasWithdrawn, changeTo('cancelled', expiredPatch)), changeTo('expired', expiredPatch)],
  'chain.voided': changeTo('cancelled', voidedPatch),
} as const

/** Seen on chain: can only advance, or be forgotten with its fork. */
const onChain = {
  ...complete,
  'command.cancel': landed,
  'command.withdraw': landed,
  'command.withhold': landed,
  'chain.sent': change(sentPatch),
  'chain.measured': measuring,
  'chain.forgotten': [
    when(wasComplete, changeTo('submitted', forgottenPatch)),
    changeTo('partiallySigned', forgottenPatch),
  ],
  'chain.expired': landed,
  'chain.voided': landed,
} as const

const ended = rejectAlways('ENDED', 'the transaction has ended')

export const transactionMachine = recordSetup<
  TransactionContext,
  TransactionEvent,
  TransactionInput,
  TransactionTag
>().createMachine({
  id: 'transaction',
  description:
    'A transaction to its end: once a signature of the service exists, by what the chain shows or by proof, never by a guess.',
  context: ({ input }) => freshTransaction(input.fixed),
  // Fallbacks: an ended transaction rejects every event that its state does not list. Open states list all events.
  on: {
    'command.sign': ended,
    'command.hold': ended,
    'command.approve': ended,
    'command.rebuild': ended,
    'command.cancel': ended,
    'command.withdraw': ended,
    'command.withhold': ended,
    'command.fail': ended,
    'command.attest': ended,
    'chain.sent': ended,
    'chain.seen': ended,
    'chain.measured': ended,
    'chain.forgotten': ended,
    'chain.expired': ended,
    'chain.voided': ended,
    'clock.lapsed': ended,
    '*': unknownEvent,
  },
  initial: 'prepared',
  states: {
    prepared: {
      description:
        'Its message is fixed and nothing of the service is signed: it waits for signatures or approvals, and can be dropped.',
      tags: 'open',
      on: {
        ...unsigned,
        'command.hold': rule(holdRule('PREPARED')),
        'command.approve': rule(approveRule('PREPARED')),
        'command.rebuild': rule(rebuildRule),
        'command.withdraw': notSigned,
        'command.withhold': notSigned,
        'command.attest': notSigned,
        'chain.sent': notSigned,
        'chain.seen': notSigned,
        'chain.measured': notSigned,
        'chain.forgotten': notSigned,
        'chain.expired': notSigned,
        'chain.voided': notSigned,
      },
    },
    partiallySigned: {
      description: 'Some of the required signatures are present.',
      tags: 'open',
      on: {
        ...unsigned,
        'command.hold': rule(holdRule('PARTIALLY_SIGNED')),
        'command.approve': rule(approveRule('PARTIALLY_SIGNED')),
        'command.rebuild': fixedAlready,
        'command.withdraw': rule(ifSigned(withdrawPatch('PARTIALLY_SIGNED'))),
        'command.withhold': incomplete,
        'command.attest': [withoutOurs, ...attest('PARTIALLY_SIGNED')],
        'chain.sent': rejectAlways('NOT_COMPLETE', 'a signature is missing: nothing can have been sent'),
        'chain.seen': [withoutOurs, ...landing],
        'chain.measured': [withoutOurs, known],
        'chain.forgotten': [withoutOurs, known],
        'chain.expired': [withoutOurs, ...underway['chain.expired']],
        'chain.voided': ruleTo('cancelled', ifSigned(voidedPatch)),
      },
    },
    signed: {
      description: 'Every signature is there: from here on it counts as one that may land.',
      tags: ['open', 'maybeSent', 'success'],
      on: {
        ...underway,
        'command.withdraw': change(withdrawPatch('SIGNED')),
        'command.withhold': change(withholdPatch),
        'command.attest': attest('SIGNED'),
      },
    },
    submitted: {
      description: 'It was sent, and its bytes are sent again until the chain shows it or its expiry is proven.',
      tags: ['open', 'maybeSent', 'success'],
      on: {
        ...underway,
        'command.withdraw': change(withdrawPatch('SUBMITTED')),
        'command.withhold': sentAlready,
        'command.attest': attest('SUBMITTED'),
      },
    },
    processed: {
      description: 'A node has executed it; the block may still be dropped with its fork.',
      tags: ['open', 'maybeSent', 'success'],
      on: {
        ...onChain,
        'command.attest': attestSeen('PROCESSED'),
        'chain.seen': [
          ...toFinal,
          when(at('confirmed'), changeTo('confirmed', seenPatch)),
          when(addsNothing('processed'), known),
          change(seenPatch),
        ],
      },
    },
    confirmed: {
      description:
        'Two thirds of the stake have voted for its block: balances have moved. A dead fork can still take it back.',
      tags: ['open', 'maybeSent', 'success'],
      on: {
        ...onChain,
        'command.attest': attestSeen('CONFIRMED'),
        'chain.seen': [...toFinal, when(addsNothing('confirmed'), known), change(seenPatch)],
      },
    },
    finalized: {
      description: 'It succeeded and cannot be undone.',
      tags: ['ended', 'success'],
      on: { 'chain.seen': [when(agreesWithFinalState, known), ended], 'chain.measured': measuring },
    },
    blockchainError: {
      description: 'The chain executed it and it failed, finally: nothing but the fee was taken.',
      tags: 'ended',
      on: { 'chain.seen': [when(agreesWithFinalState, known), ended], 'chain.measured': measuring },
    },
    nonBlockchainError: {
      description: 'It failed before anything of it could have been sent.',
      tags: 'ended',
    },
    cancelled: {
      description: 'It was dropped: before the service signed anything, or with proof that it cannot land.',
      tags: 'ended',
      on: { 'chain.voided': known, 'chain.expired': known },
    },
    expired: {
      description: 'It is proven that it did not land and never can.',
      tags: 'ended',
      on: { 'chain.expired': known },
    },
  },
})
