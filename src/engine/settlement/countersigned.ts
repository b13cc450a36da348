// Settles a countersignature and its reservations for another tenant's transaction. The balances of its records change
// together with its own state, whether the outcome is reported by the transaction's tenant or by the chain.
import type { ChainFact } from '../../submission/submission.ts'
import { carryOut } from './carry-out.ts'
import type { Consequence } from '../records/consequences.ts'
import type { Engine } from '../engine.ts'
import type { Entry } from '../records/entry.ts'
import { countersignedKey } from '../index/index-keys.ts'
import { ofKind, type RecordState } from '../records/record.ts'
import type { Rejection, UnitOfWork } from '../records/unit-of-work.ts'

type Countersignature = RecordState<'countersignature'>

export interface ReportedOutcome {
  readonly signature: string
  readonly slot: number
  readonly final: boolean
  readonly at: string
  /** Proof that the transaction never landed. */
  readonly proof?: unknown
  /** True if it landed with another signature than the one on record. */
  readonly wasUnknown?: boolean
}

/**
 * The tenant's countersignature for exactly this message of a transaction. A countersignature for another message is
 * settled separately.
 */
export function countersignatureFor(
  engine: Engine,
  transactionId: string,
  messageHash: string,
  owner: string,
): Entry | undefined {
  return engine.directory
    .find(countersignedKey(transactionId))
    .find(({ head }) => head.tenant === owner && ofKind(head, 'countersignature')?.context.messageHash === messageHash)
}

/** Applies an outcome to a countersignature and the records of its owner. Idempotent. Returns a rejection or null. */
export function applyOutcome(
  engine: Engine,
  unit: UnitOfWork,
  entry: Entry,
  { consequence, outcome }: { readonly consequence: Consequence; readonly outcome: ReportedOutcome },
): Rejection | null {
  const previous = entry.head as Countersignature
  if (previous.value === 'settled' || previous.value === 'released') return null
  const rejection = sendOutcome(unit, entry, previous, { consequence, outcome })
  const next = entry.head as Countersignature
  if (rejection !== null || next.value === previous.value) return rejection
  const { transactionId, requester, entries } = next.context
  const known = previous.context.signature
  // From landed to settled: the movements were applied at landing.
  if (consequence === 'apply' && previous.value === 'landed') return null
  const touch = { transactionId, signature: outcome.signature, at: outcome.at }
  return carryOut(engine, unit, entries, {
    consequence,
    touch,
    relation: 'countersigned',
    slot: next.context.slot,
    tenant: requester.tenant,
    wasUnknown: outcome.wasUnknown === true || (known !== null && known !== outcome.signature),
  })
}

function sendOutcome(
  unit: UnitOfWork,
  entry: Entry,
  { value }: Countersignature,
  { consequence, outcome }: { readonly consequence: Consequence; readonly outcome: ReportedOutcome },
): Rejection | null {
  const { signature, slot, final, at, proof } = outcome
  switch (consequence) {
    case 'apply':
      return unit.trySend<'countersignature'>(entry, { type: 'chain.landed', signature, slot, final, at })
    case 'undo':
      return value === 'landed' ? unit.trySend<'countersignature'>(entry, { type: 'chain.undone' }) : null
    case 'charge':
      return unit.trySend<'countersignature'>(entry, { type: 'chain.failed', signature, slot, at })
    case 'release':
      return unit.trySend<'countersignature'>(entry, { type: 'chain.expired', at, proof: proof ?? null })
    case 'abandon':
      // The requester abandoned the transaction before it signed. That does not revoke the countersignature.
      return null
  }
}

/**
 * Applies a fact that the chain reported for the countersignature itself, because its transaction is absent or ended
 * without it. Returns a rejection or null.
 */
export function applyChainFact(
  engine: Engine,
  unit: UnitOfWork,
  entry: Entry,
  { fact, at }: { readonly fact: ChainFact; readonly at: string },
): Rejection | null {
  const settle = (consequence: Consequence, outcome: Partial<ReportedOutcome> = {}): Rejection | null =>
    applyOutcome(engine, unit, entry, {
      consequence,
      outcome: { signature: '', slot: 0, final: false, at, ...outcome },
    })
  switch (fact.kind) {
    case 'seen': {
      const { signature, slot, commitment, error } = fact
      const final = commitment === 'finalized'
      if (commitment === 'processed') return null
      if (error === null) return settle('apply', { signature, slot, final })
      return final ? (settle('undo') ?? settle('charge', { signature, slot })) : null
    }
    case 'forgotten':
      return settle('undo')
    case 'expired':
      return settle('release', { proof: fact.proof })
    case 'sent':
      return null
  }
}
