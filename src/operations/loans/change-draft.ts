// The plan of a loan change and, for the built-in protocol, the draft of its transaction: vouched for by the adapter,
// checked against the compiled message, and booked when it has settled.
import type { UnitOfWork } from '../../engine/records/unit-of-work.ts'
import type { Entry } from '../../engine/records/entry.ts'
import type { RecordState } from '../../engine/records/record.ts'
import type { LoanDebits } from '../../../machines/lending/loan-debits.ts'
import type { LoanBooks, LoanChange } from '../../../machines/lending/loan-books.ts'
import type { BookEntry } from '../../../machines/transactions/transaction-record.ts'
import type { Call, JsonObject } from '../../contract/call.ts'
import type { ChainTransactionConfig } from '../../contract/values/chain-config.ts'
import type { Context } from '../context/platform.ts'
import { badRequest, forbidden, Refusal } from '../../contract/refusal.ts'
import { resolveParty } from '../lookup/account.ts'
import { maySignWith, holdingOf, type Party } from '../lookup/party.ts'
import type { Draft } from '../transactions/draft.ts'
import { feePayerOf } from '../transactions/fee-payer.ts'
import { FEE_PAYER_POINTER } from '../authorization/fee-rights.ts'
import type { KnownAccounts } from '../transactions/known-accounts.ts'
import type { LoanBoard } from './board.ts'
import { checkMessage } from './check-message.ts'
import type { Borrower } from './items.ts'
import type { LendingProtocol, LoanOperation } from '../../contract/lending.ts'
import type { WithIds } from '../../contract/schemas/members.ts'

/** A change before its transaction has an id. */
export type ChangeWithoutId = Omit<LoanChange, 'id'>

/** A loan change, independent of the protocol that makes its transactions. */
export interface ChangePlan<Members extends JsonObject = JsonObject> {
  readonly board: LoanBoard
  readonly feePayer: Party
  /** Call it when the records that the same transaction creates exist. */
  readonly change: () => ChangeWithoutId
  readonly before: LoanBooks
  readonly loan: { readonly tenant: string; readonly id: string }
  /** Address of the escrow. */
  readonly escrow: string
  /** Addresses that sign: those of the vault and the escrow, or one of them. */
  readonly signs: readonly string[]
  /** Addresses of vaults whose outflows count against no debit limit. */
  readonly exempt?: readonly string[]
  /** Amounts that count against debit limits of the parties, besides those in the messages. */
  readonly debits: LoanDebits
  /** True if the last transaction closes the loan. */
  readonly closes?: boolean
  /**
   * Book entry of the escrow's record: created with the first transaction, or closed with the last transaction of a
   * loan that closes.
   */
  readonly escrowRecord?: (transactionId: string) => BookEntry
  /**
   * @param transactionId the last transaction of the change
   * @param plan null for a single transaction
   */
  readonly prepare: (unit: UnitOfWork, transactionId: string, plan: string | null) => void
  readonly members: Members
}

export interface WantedChange<Members extends JsonObject = JsonObject> {
  readonly operation: LoanOperation
  /**
   * Plans the change from the heads of the records without changing anything; called again when the records may have
   * changed.
   *
   * @param at Unix second up to which interest is settled
   */
  readonly buildPlan: (known: KnownAccounts, at: number) => ChangePlan<Members>
}

/**
 * The adapter vouches for the keys of the vault and the escrow without checking the rights of the caller. It uses them
 * only for the steps that it has decided: every account that the request names must be another one. Throws 400
 * `OWNER_MISMATCH`, 403 `SIGNER_NOT_ALLOWED`.
 */
export function checkAsked(call: Call, { board, feePayer, signs }: ChangePlan): void {
  checkBorrower(feePayer, signs)
  for (const { party, isPayer, pointer } of board.asked) {
    if (!signs.includes(party.address)) continue
    if (isPayer)
      throw badRequest(
        'OWNER_MISMATCH',
        `${party.address} serves the loan as vault or escrow only: it pays nothing else`,
        pointer,
      )
    const state = holdingOf(party)
    if (state === null || !maySignWith(call, state))
      throw forbidden('SIGNER_NOT_ALLOWED', `API key may not sign with ${party.address}`, pointer)
  }
}

/** Throws 400 `OWNER_MISMATCH` if the borrower, who pays, is an account of the lender's side. */
export function checkBorrower(feePayer: Party, lenders: readonly string[]): void {
  if (lenders.includes(feePayer.address))
    throw badRequest('OWNER_MISMATCH', 'the borrower must not be the vault', '/itemData')
}

export function changeDraft<Members extends JsonObject>(
  protocol: LendingProtocol,
  plan: ChangePlan<Members>,
): Draft<Members> {
  const { board, feePayer, change, before, signs, exempt = [], debits } = plan
  const { steps, parties, rents, computeUnits, prepare } = board.built()
  return {
    instructions: protocol.instructions(steps),
    feePayer,
    parties,
    rents,
    computeUnits,
    exempt: new Set(exempt),
    loan: debits,
    adapter: {
      signs: new Set(signs),
      check: (message, effects) => checkMessage(steps, feePayer.address, message, { effects }),
      entries: (id) => bookEntries(plan, { ...change(), id }, before, { first: true, last: true }),
    },
    prepare: (unit, transactionId) => {
      plan.prepare(unit, transactionId, null)
      prepare(unit)
    },
    members: plan.members,
    shape: 'member',
  }
}

/**
 * Book entries of a transaction for the loan and its escrow.
 *
 * @param before the books before the transaction
 */
export function bookEntries(
  { loan, escrowRecord, closes = false }: ChangePlan,
  change: LoanChange,
  before: LoanBooks,
  { first, last }: { readonly first: boolean; readonly last: boolean },
): readonly BookEntry[] {
  const { id } = change
  const fact = {
    event: { type: 'chain.changed', change, closes: closes && last },
    undo: { type: 'chain.unchanged', id, before },
    abandon: { type: 'chain.abandoned', id },
  } as const
  const own: BookEntry = { tenant: loan.tenant, record: loan.id, movements: [], charge: [], facts: [fact] }
  return escrowRecord !== undefined && (closes ? last : first) ? [escrowRecord(id), own] : [own]
}

/** Marks an existing loan as busy. */
export function begin(entry: Entry): ChangePlan['prepare'] {
  return (unit, transactionId, plan) => unit.order<'loan'>(entry, { type: 'command.begin', transactionId, plan })
}

/**
 * The borrower as the fee payer; no other account may pay the fee.
 *
 * Throws 400 `FEE_PAYER_NOT_BORROWER`, `FEE_PAYER_INVALID`, `FEE_PAYER_NOT_ALLOWED`, `OWNER_MISMATCH` for an account
 * that the caller may not sign with.
 */
export function payingBorrower(
  context: Context,
  config: ChainTransactionConfig | undefined,
  borrower: Borrower,
): Party {
  const { call } = context
  const payer = config?.feePayer === undefined ? borrower : resolveParty(context, config.feePayer, FEE_PAYER_POINTER)
  if (payer.address !== borrower.address)
    throw badRequest(
      'FEE_PAYER_NOT_BORROWER',
      `the fee payer must be the borrower ${borrower.address}`,
      FEE_PAYER_POINTER,
    )
  const state = holdingOf(borrower)
  if (state === null || !maySignWith(call, state))
    throw badRequest(
      'OWNER_MISMATCH',
      'the borrower must be an account that this organization may sign with',
      '/itemData',
    )
  const feePayer = asFeePayer(context, borrower, config?.feePayer === undefined ? borrower.pointer : FEE_PAYER_POINTER)
  return { ...feePayer, autoSign: borrower.autoSign && payer.autoSign }
}

/** A refusal points to the member that names the borrower, since the request need not name a fee payer. */
function asFeePayer(context: Context, { address }: Borrower, pointer: string): Party {
  try {
    return feePayerOf(context, { feePayer: { onchainId: address } })
  } catch (error) {
    const problem = error instanceof Refusal && error.status === 400 ? error.problems[0] : undefined
    if (problem === undefined) throw error
    throw badRequest(problem.code, `the borrower pays the fee of its loan: ${problem.message}`, pointer)
  }
}

export function updatedLoan<Member extends 'updatedLoan' | 'closedLoan'>(
  { context: { escrow } }: RecordState<'loan'>,
  member: Member,
): WithIds<Member> {
  if (escrow.id === null) throw new Error(`the escrow ${escrow.address} has no record`)
  return { [member]: { onchainId: escrow.address, offchainId: escrow.id } } as WithIds<Member>
}
