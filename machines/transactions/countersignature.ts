// The countersignature machine: a signature that this tenant gave for another tenant's transaction, with everything it
// reserved. It ends by facts of the chain or by proof, never on the requester's claim alone.
import { recordSetup } from '../record-setup.ts'
import {
  change,
  changeTo,
  accept,
  known,
  rejectAlways,
  refuse,
  rule,
  unknownEvent,
  type GuardArgs,
  type Decide,
} from '../answer.ts'
import { feesOf, type Debit } from '../debit-limits.ts'
import type { BookEntry } from './transaction-record.ts'

export interface GivenSignature {
  readonly address: string
  /** Base58; null: a remote signer was asked and may have signed. */
  readonly signature: string | null
}

export interface CountersignatureContext {
  readonly transactionId: string
  /** The tenant that owns the transaction, and the organization that requested first. */
  readonly requester: { readonly tenant: string; readonly organization: string }
  /** SHA-256 of the message, hex: no other message is signed under the same transaction id. */
  readonly messageHash: string
  /** Address of the fee payer. */
  readonly feePayer: string
  /** The blockhash, or the nonce value, and the slot at which it was fetched. */
  readonly blockhash: string
  readonly blockhashSlot: number
  /** null with a durable nonce. */
  readonly lastValidBlockHeight: number | null
  readonly nonceAccount: string | null
  readonly signatures: readonly GivenSignature[]
  /** Effects of the transaction on this tenant's records. */
  readonly entries: readonly BookEntry[]
  /** Debits that count against limits of this tenant's records; fees only once the transaction failed. */
  readonly debits: readonly Debit[]
  /** Signers for which others signed, so that this tenant never signs for them here. Absent: none. */
  readonly elsewhere?: readonly string[]
  /** The fee payer's signature, which identifies the transaction on chain; null while unknown. */
  readonly signature: string | null
  /** Slot of the landing. */
  readonly slot: number | null
  /** ISO 8601. */
  readonly givenAt: string
  readonly endedAt: string | null
  /** Proof that the transaction never landed. JSON. */
  readonly proof: unknown
}

export type CountersignatureEvent =
  /** Adds signatures for the same message; existing ones stay. */
  | { readonly type: 'command.sign'; readonly messageHash: string; readonly signatures: readonly GivenSignature[] }
  | {
      readonly type: 'chain.landed'
      readonly signature: string
      readonly slot: number
      readonly final: boolean
      readonly at: string
    }
  /** The fork it landed on was dropped. */
  | { readonly type: 'chain.undone' }
  /** The transaction failed finally: the fee is spent. */
  | { readonly type: 'chain.failed'; readonly signature: string; readonly slot: number; readonly at: string }
  /** Proof that the transaction did not land and cannot any more. */
  | { readonly type: 'chain.expired'; readonly at: string; readonly proof: unknown }

type On<K extends CountersignatureEvent['type']> = Extract<CountersignatureEvent, { readonly type: K }>
type Patch = Partial<CountersignatureContext>
type ActionArgsOf<K extends CountersignatureEvent['type']> = GuardArgs<CountersignatureContext, On<K>>

export interface CountersignatureInput {
  readonly countersignature: CountersignatureContext
}

const signRule: Decide<CountersignatureContext, On<'command.sign'>, Patch> = ({ context, event }) => {
  if (event.messageHash !== context.messageHash)
    return refuse('OTHER_MESSAGE', 'another message was signed for this transaction already')
  if (event.signatures.length === 0) return refuse('NOTHING_SIGNED', 'no signature was added')
  const kept = context.signatures.map((old) => ({
    ...old,
    signature: old.signature ?? event.signatures.find(({ address }) => address === old.address)?.signature ?? null,
  }))
  const added = event.signatures.filter(({ address }) => !context.signatures.some((old) => old.address === address))
  const signatures = [...kept, ...added]
  const paying = signatures.find(({ address }) => address === context.feePayer)?.signature ?? null
  return accept({ signatures, signature: context.signature ?? paying })
}

const landedPatch = ({ event }: ActionArgsOf<'chain.landed'>): Patch => ({
  signature: event.signature,
  slot: event.slot,
  endedAt: event.final ? event.at : null,
})
const undone = (): Patch => ({ slot: null })
const failedPatch = ({ context, event }: ActionArgsOf<'chain.failed'>): Patch => ({
  signature: event.signature,
  slot: event.slot,
  debits: feesOf(context.debits),
  endedAt: event.at,
})
const expiredPatch = ({ event }: ActionArgsOf<'chain.expired'>): Patch => ({
  endedAt: event.at,
  proof: event.proof ?? null,
})

const whenFinal = {
  guard: { type: 'holds', params: ({ event }: ActionArgsOf<'chain.landed'>) => event.final },
} as const
const ended = rejectAlways('ENDED', 'the countersigned transaction has ended')
const onChain = rejectAlways('LANDED', 'the chain has shown it')
const notLanded = rejectAlways('NOT_LANDED', 'it has not landed')

export const countersignatureMachine = recordSetup<
  CountersignatureContext,
  CountersignatureEvent,
  CountersignatureInput,
  'open'
>().createMachine({
  id: 'countersignature',
  description:
    'What a tenant signed for the transaction of another one, and set aside for it, until it has itself seen the outcome.',
  context: ({ input }) => ({ ...input.countersignature }),
  on: {
    'command.sign': ended,
    'chain.landed': ended,
    'chain.undone': ended,
    'chain.failed': ended,
    'chain.expired': ended,
    '*': unknownEvent,
  },
  initial: 'given',
  states: {
    given: {
      description: 'Signed: what it may take is set aside.',
      tags: 'open',
      on: {
        'command.sign': rule(signRule),
        'chain.landed': [{ ...whenFinal, ...changeTo('settled', landedPatch) }, changeTo('landed', landedPatch)],
        'chain.undone': notLanded,
        'chain.failed': changeTo('settled', failedPatch),
        'chain.expired': changeTo('released', expiredPatch),
      },
    },
    landed: {
      description: 'The chain has shown the transaction, not yet finally.',
      tags: 'open',
      on: {
        'command.sign': rule(signRule),
        'chain.landed': [{ ...whenFinal, ...changeTo('settled', landedPatch) }, change(landedPatch)],
        'chain.undone': changeTo('given', undone),
        'chain.failed': onChain,
        'chain.expired': onChain,
      },
    },
    settled: { description: 'The outcome is final, and all balances include it.', on: { 'chain.landed': known } },
    released: {
      description: 'It is proven that the transaction never lands: what was set aside is free again.',
      on: { 'chain.expired': known },
    },
  },
})
