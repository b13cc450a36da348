// Resolves the loan of a request by its escrow, checks who may change it, and selects the protocol that makes the
// change.
import type { Entry } from '../../engine/records/entry.ts'
import { escrowKey } from '../../engine/index/index-keys.ts'
import { ofKind, type RecordState } from '../../engine/records/record.ts'
import type { AccountLookup } from '../../contract/values/lookup.ts'
import type { LoanReference } from '../../contract/schemas/loan.ts'
import { isRepaid, type Lender, type LoanBooks } from '../../../machines/lending/loan-books.ts'
import { isBuiltIn, type Lending, type LoanOperation } from '../../contract/lending.ts'
import type { Platform, Context } from '../context/platform.ts'
import { badRequest, busy, forbidden, type Refusal } from '../../contract/refusal.ts'
import { resolveRecord, type NotFound } from '../lookup/account.ts'
import { instrumentOf } from '../lookup/instrument.ts'
import { holdingState, isLender, ownsBorrower } from '../lookup/party.ts'
import { reconcile } from '../reconcile/reconcile.ts'
import { checkNotReserved } from './due-liquidation.ts'
import { withHeldCollateral } from '../views/held-collateral.ts'

const POINTER = '/itemData/escrow'
/** Minimum wait in ms: one or two slots of a chain that finalizes immediately. */
const MOMENT_MS = 2_000
const LOAN_NOT_FOUND: NotFound = { code: 'LOAN_NOT_FOUND', refuse: badRequest }

type Loan = RecordState<'loan'>

export interface NamedLoan {
  readonly entry: Entry
  readonly loan: RecordState<'loan'>
}

/**
 * A loan that the organization of the borrower, of its account or of the lender may read, including closed ones. Any
 * tenant can record the address of an escrow: a record other than that of the loan names the loan only to its parties.
 */
export function readableLoan(context: Context, escrow: AccountLookup, missing = LOAN_NOT_FOUND): NamedLoan {
  const { platform, call } = context
  const record = resolveRecord(context, escrow, POINTER, missing)
  const entry = platform.engine.directory.first(escrowKey(call.cluster, holdingState(record).context.address))
  const loan = ofKind(entry?.head, 'loan')
  if (entry === undefined || loan === undefined)
    throw missing.refuse(missing.code, 'the lookup matches no escrow of a loan', POINTER)
  if (record.head.id !== loan.context.escrow.id && !isParty(call, loan))
    throw missing.refuse(missing.code, 'the lookup matches no escrow of a loan', POINTER)
  return { entry, loan }
}

function isParty(call: Context['call'], loan: Loan): boolean {
  return isBorrowing(call, loan) || isLender(call, loan) || ownsBorrower(call, loan)
}

function isBorrowing({ tenant, organization }: Context['call'], loan: Loan): boolean {
  return loan.tenant === tenant && loan.context.organization === organization
}

/**
 * The loan, for a change by the borrower, if the previous change is final. The chain does not link a payment to a
 * release: a fork could undo the change on which a later decision was based, and keep the later one.
 *
 * Throws 400 `LOAN_NOT_FOUND`, `PROTOCOL_MISMATCH`, `OTHER_CELL`, `LOAN_CLOSED`, `LOAN_BUSY`, 403 `BORROWER_REQUIRED`.
 */
export function borrowersLoan(context: Context, reference: LoanReference): NamedLoan {
  return requireFinal(context, loanForBorrower(context, reference))
}

/** As `borrowersLoan`, for a change by the lender. Throws 403 `LENDER_REQUIRED`. */
export function lendersLoan(context: Context, reference: LoanReference): NamedLoan {
  return requireFinal(context, loanForLender(context, reference))
}

/**
 * As `borrowersLoan`, before the unit of work: first waits until the previous change is final, for `waitMs` but at
 * least `MOMENT_MS`, and reads collateral that can be taken from the escrow.
 */
export async function borrowersLoanWhenFinal(context: Context, reference: LoanReference): Promise<NamedLoan> {
  await settleAndRead(context, loanForBorrower(context, reference))
  return borrowersLoan(context, reference)
}

export async function lendersLoanWhenFinal(context: Context, reference: LoanReference): Promise<NamedLoan> {
  await settleAndRead(context, loanForLender(context, reference))
  return lendersLoan(context, reference)
}

function loanForBorrower({ platform, call }: Context, reference: LoanReference): NamedLoan {
  const named = changeableLoan({ platform, call }, reference)
  if (!isBorrowing(call, named.loan) && !ownsBorrower(call, named.loan)) throw borrowerRequired()
  checkNotReserved(platform, named.entry, POINTER)
  return named
}

function borrowerRequired(): Refusal {
  return forbidden(
    'BORROWER_REQUIRED',
    'only the organization of the borrower may change the loan in this way',
    POINTER,
  )
}

function loanForLender(context: Context, reference: LoanReference): NamedLoan {
  const { call } = context
  const named = changeableLoan(context, reference)
  const { lender } = named.loan.context
  if (lender.tenant !== call.tenant || lender.organization !== call.organization)
    throw forbidden('LENDER_REQUIRED', 'only the organization of the strategy may liquidate the loan', POINTER)
  return named
}

function changeableLoan({ platform, call }: Context, { escrow, defiProtocol }: LoanReference): NamedLoan {
  protocolNamed(platform, defiProtocol)
  const named = readableLoan({ platform, call }, escrow)
  const { value, context } = named.loan
  if (context.protocol !== defiProtocol)
    throw badRequest('PROTOCOL_MISMATCH', `the loan uses the protocol ${context.protocol}`, '/itemData/defiProtocol')
  checkOneCell(platform, named.loan)
  if (value === 'closed') throw badRequest('LOAN_CLOSED', 'the loan is closed', POINTER)
  if (context.open !== null)
    throw busy(
      'LOAN_BUSY',
      `${describeTransaction({ platform, call }, context.open)} of the loan is under way`,
      POINTER,
    )
  return { ...named, loan: withHeldCollateral(platform, named.loan) }
}

/**
 * The borrower's cell executes changes of both parties, and needs the lender's strategies, other loans and vault for
 * them. Throws 400 `OTHER_CELL`.
 */
function checkOneCell({ engine }: Platform, { tenant, context: { organization, lender, owner } }: Loan): void {
  if (engine.owns(tenant) && engine.owns(lender.tenant)) return
  if (owner !== undefined && !engine.owns(tenant) && !engine.owns(lender.tenant))
    throw ownerInOtherCell(organization, owner.organization, POINTER)
  throw inOtherCell(organization, lender.organization, POINTER)
}

/** The refusal of a loan between organizations of different cells. */
export function inOtherCell(borrower: string, lender: string, pointer: string): Refusal {
  return inDifferentCells(`the borrower ${borrower} and the lender ${lender}`, pointer)
}

/**
 * The refusal of a borrowing account whose owner is in another cell: the owner may change the loan, and only the cell
 * of the borrower can execute that.
 */
export function ownerInOtherCell(borrower: string, owner: string, pointer: string): Refusal {
  return inDifferentCells(`the borrower ${borrower} and the owner ${owner} of its account`, pointer)
}

function inDifferentCells(parties: string, pointer: string): Refusal {
  return badRequest('OTHER_CELL', `${parties} are in different cells: a loan is possible within one cell only`, pointer)
}

function requireFinal(context: Context, named: NamedLoan): NamedLoan {
  const { platform } = context
  const { loan } = named
  if (!hasFinalChange(platform, loan))
    throw busy(
      'LOAN_BUSY',
      `${describeTransaction(context, loan.context.last?.transactionId ?? null)} of the loan is not final yet`,
      POINTER,
    )
  return named
}

/**
 * Places at the lender were loaded before the unit of work, and a refinancing may have taken effect since. Throws 400
 * `LOAN_BUSY`.
 *
 * @param lender when they were loaded
 */
export function checkSameLender({ account, tenant }: Lender, { context }: RecordState<'loan'>): void {
  const isSame = context.lender.account.address === account.address && context.lender.tenant === tenant
  if (!isSame) throw busy('LOAN_BUSY', 'the lender of the loan has changed: retry the request', POINTER)
}

/**
 * Rejects the owner of the borrowing account: only the borrowing organization may accept new terms. Throws 403
 * `BORROWER_REQUIRED`.
 */
export function checkBorrows(call: Context['call'], loan: Loan): void {
  if (!isBorrowing(call, loan)) throw borrowerRequired()
}

/** The loan's books as stored in its record: a change is applied to them. */
export function recordedBooks({ head }: Entry): LoanBooks {
  const loan = ofKind(head, 'loan')
  if (loan === undefined) throw new Error(`record ${head.id} is no loan`)
  const { lender, pledged, debts, lastChange } = loan.context
  return { lender, pledged, debts, lastChange }
}

/** Ids of the other tenant's transactions are not shown. */
function describeTransaction({ platform: { engine }, call: { tenant } }: Context, id: string | null): string {
  const isOfTenant = id !== null && engine.directory.byId(id)?.head.tenant === tenant
  return isOfTenant ? `transaction ${id}` : "another tenant's transaction"
}

/** True if the last change of the loan is final. A transaction that has been evicted from memory is. */
export function hasFinalChange({ engine }: Platform, { context }: RecordState<'loan'>): boolean {
  const last = context.last?.transactionId ?? null
  const transaction = last === null ? undefined : ofKind(engine.directory.resident(last)?.committed, 'transaction')
  return transaction === undefined || transaction.context.finalAt !== null
}

async function settleAndRead(context: Context, named: NamedLoan): Promise<void> {
  await waitUntilFinal(context, named)
  await readRevocableCollateral(context.platform, named.loan)
}

/** Reads the positions of the escrow from which someone other than the escrow can take tokens. */
async function readRevocableCollateral(platform: Platform, { tenant, cluster, context }: Loan): Promise<void> {
  const { directory } = platform.engine
  const asker = { tenant, organization: context.organization }
  const isRevocable = (mint: string): boolean =>
    instrumentOf(platform, asker, cluster, mint)?.context.extensions.includes('PERMANENT_DELEGATE') ?? true
  const positions = context.pledged
    .filter(({ instrument }) => isRevocable(instrument.address))
    .flatMap(({ position }) => (position.id === null ? [] : (directory.resident(position.id)?.head ?? [])))
  if (positions.length > 0) await reconcile(platform, cluster, positions)
}

async function waitUntilFinal({ platform, call }: Context, { loan }: NamedLoan): Promise<void> {
  const last = loan.context.last?.transactionId ?? null
  if (last === null || hasFinalChange(platform, loan)) return
  const isOver = (transaction: RecordState): boolean => ofKind(transaction, 'transaction')?.context.finalAt !== null
  await platform.engine.waiters.wait(last, isOver, Math.max(call.waitMs, MOMENT_MS))
}

/** Throws 400 `PROTOCOL_NOT_SUPPORTED`. */
export function protocolNamed(platform: Platform, name: string): Lending {
  const protocol = platform.lending?.get(name)
  if (protocol === undefined) {
    const known = [...(platform.lending?.keys() ?? [])].join(', ')
    throw badRequest(
      'PROTOCOL_NOT_SUPPORTED',
      `this service has no adapter for ${name}, only for ${known}`,
      '/itemData/defiProtocol',
    )
  }
  return protocol
}

/**
 * The protocol that makes the transactions of a change. `releases`: the change only takes collateral out of the
 * escrow, or closes the loan. If nothing is owed, the borrower has a right to this, and no provider may block it: the
 * built-in protocol makes the transaction if the provider never was a party, or does not offer the operation.
 *
 * Throws 400 `OPERATION_NOT_SUPPORTED`, `PROTOCOL_NOT_SUPPORTED`.
 */
export function makerOf(
  platform: Platform,
  name: string,
  operation: LoanOperation,
  releases?: { readonly books: Pick<LoanBooks, 'debts'>; readonly at: number },
): Lending {
  const lending = protocolNamed(platform, name)
  if (isBuiltIn(lending)) return lending
  const isFree = releases !== undefined && isRepaid(releases.books, releases.at)
  const isParty = releases === undefined || releases.books.debts.length > 0
  const isOffered = lending.operations.has(operation)
  const builtIn = [...(platform.lending?.values() ?? [])].find(isBuiltIn)
  if (isFree && (!isOffered || !isParty) && builtIn !== undefined) return builtIn
  if (isOffered) return lending
  const rule = `with ${name} a loan can be asked to ${[...lending.operations].join(', ')}`
  throw badRequest('OPERATION_NOT_SUPPORTED', `${rule}; not to ${operation}`, '/itemData/defiProtocol')
}
