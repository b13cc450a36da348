// From what is drawn of a change to the draft of its one transaction, vouched for by the adapter: checked against its compiled message,
// booked when it has settled.
import type { UnitOfWork } from '../../engine/unit-of-work.ts'
import type { Entry } from '../../engine/entry.ts'
import type { RecordState } from '../../engine/record.ts'
import type { LoanBooks, LoanChange } from '../../../machines/loan-books.ts'
import type { Entry as BookEntry } from '../../../machines/transaction-record.ts'
import type { Call, JsonObject } from '../call.ts'
import type { ChainTransactionConfig } from '../input.ts'
import type { Platform } from '../platform.ts'
import { badRequest } from '../refusal.ts'
import { resolveParty } from '../resolve/account.ts'
import { maySignWith, holdingOf, type Party } from '../resolve/party.ts'
import type { Draft } from '../transact/draft.ts'
import { feePayerOf } from '../transact/fee-payer.ts'
import type { LoanBoard } from './board.ts'
import { checkMessage } from './check-message.ts'
import type { LendingProtocol } from './ports.ts'

/** A change before its transaction has an id. */
export type Undated = Omit<LoanChange, 'id'>

export interface ChangePlan {
  readonly protocol: LendingProtocol
  readonly board: LoanBoard
  readonly feePayer: Party
  /** Asked when the records are there that the same transaction makes. */
  readonly change: () => Undated
  readonly before: LoanBooks
  readonly loan: { readonly tenant: string; readonly id: string }
  /** Addresses of the vault and the escrow, as far as they sign. */
  readonly signs: readonly string[]
  readonly closes?: boolean
  /** What becomes of the escrow's record. */
  readonly escrow?: (transactionId: string) => BookEntry
  readonly prepare: (unit: UnitOfWork, transactionId: string) => void
  readonly members: JsonObject
}

export function changeDraft(plan: ChangePlan): Draft {
  const { protocol, board, feePayer, change, before, loan, signs, closes = false } = plan
  const { steps, parties, rents, computeUnits, prepare } = board.drawn()
  const entries = (id: string): BookEntry[] => {
    const fact = {
      event: { type: 'chain.changed', change: { ...change(), id }, closes },
      undo: { type: 'chain.unchanged', id, before },
      abandon: { type: 'chain.abandoned', id },
    } as const
    const own: BookEntry = { tenant: loan.tenant, record: loan.id, movements: [], charge: [], facts: [fact] }
    return plan.escrow === undefined ? [own] : [plan.escrow(id), own]
  }
  return {
    instructions: protocol.instructions(steps),
    feePayer,
    parties,
    rents,
    computeUnits,
    exempt: new Set(signs),
    adapter: {
      signs: new Set(signs),
      check: (message, effects) => checkMessage(steps, feePayer.address, message, effects),
      entries,
    },
    prepare: (unit, transactionId) => {
      plan.prepare(unit, transactionId)
      prepare(unit)
    },
    members: plan.members,
    shape: 'member',
  }
}

/** A loan that is there is busy from here on. */
export function begin(entry: Entry): ChangePlan['prepare'] {
  return (unit, transactionId) => unit.order<'loan'>(entry, { type: 'command.begin', transactionId })
}

/**
 * The borrower pays the fee, and nobody else can.
 *
 * Throws 400 `FEE_PAYER_NOT_BORROWER`, `FEE_PAYER_INVALID`, `OWNER_MISMATCH` for an account that the caller may not sign with.
 */
export function payingBorrower(platform: Platform, call: Call, config: ChainTransactionConfig | undefined, borrower: Party): Party {
  const named =
    config?.feePayer === undefined ? borrower : resolveParty(platform, call, config.feePayer, '/chainTransactionConfig/feePayer')
  if (named.address !== borrower.address)
    throw badRequest('FEE_PAYER_NOT_BORROWER', `the fee payer must be the borrower ${borrower.address}`, '/chainTransactionConfig/feePayer')
  const state = holdingOf(borrower)
  if (state === null || !maySignWith(call, state))
    throw badRequest('OWNER_MISMATCH', 'the borrower must be an account that this organization may sign with', '/itemData')
  const paying = feePayerOf(platform, call, { feePayer: { onchainId: borrower.address } })
  return { ...paying, autoSign: borrower.autoSign && named.autoSign }
}

export function updatedLoan({ context }: RecordState<'loan'>, member: 'updatedLoan' | 'closedLoan'): JsonObject {
  return { [member]: { onchainId: context.escrow.address, offchainId: context.escrow.id } }
}
