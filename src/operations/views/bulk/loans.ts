// Bulk query fields of loans and strategies. A loan is listed for the organizations of the borrower, of the borrowing
// account and of the lender.
import type { Field, Resource } from '../../../engine/query/field.ts'
import type { Source } from '../../../engine/query/read-model.ts'
import { ofKind, type RecordState } from '../../../engine/records/record.ts'
import { formatAmount } from '../../../../machines/amount.ts'
import type { AccountRef } from '../../../../machines/holding.ts'
import { outstandingPrincipal, type Pledge } from '../../../../machines/lending/loan-books.ts'
import type { Context } from '../../context/platform.ts'
import { escrowKnownTo, knownTo } from '../loan-accounts.ts'
import { ownRecords } from './own-records.ts'
import { partOf } from './parts.ts'

type Strategy = RecordState<'strategy'>
type Loan = RecordState<'loan'>

export const STRATEGIES: Resource<Strategy> = {
  fields: [
    { name: 'offchainId', type: 'OFFCHAIN_ID', read: ({ id }) => id },
    { name: 'strategyAccountOnchainId', type: 'ONCHAIN_ADDRESS_ID', read: ({ context }) => context.vault.address },
    { name: 'strategyAccountOffchainId', type: 'OFFCHAIN_ID', nullable: true, read: ({ context }) => context.vault.id },
    {
      name: 'financialInstrumentOnchainId',
      type: 'ONCHAIN_ADDRESS_ID',
      read: ({ context }) => context.instrument.address,
    },
    {
      name: 'financialInstrumentOffchainId',
      type: 'OFFCHAIN_ID',
      nullable: true,
      read: ({ context }) => context.instrument.id,
    },
    { name: 'originationsEnabled', type: 'BOOLEAN', read: ({ context }) => context.originationsEnabled },
  ],
  defaultSort: [{ fieldName: 'strategyAccountOnchainId', sortDirection: 'ASC' }],
  id: ({ id }) => id,
}

export const STRATEGY_SOURCE = ownRecords('strategy', STRATEGIES)

/** The id by which a reader knows an account or instrument of a loan. */
type IdOf = (reference: AccountRef) => string | null

const READERS_IDS = ['borrower', 'lender', 'pledgedItem', 'borrowedItem'].map((name) => `${name}OffchainId`)

/** Loans as anyone sees them: the ids that differ between the readers are null. */
export const LOANS = loansAs(
  () => null,
  () => null,
)

/** Loans as one reader sees them. */
export function loansSeenBy(context: Context): Resource<Loan> {
  return loansAs(
    (reference) => knownTo(context, reference).id,
    (reference) => escrowKnownTo(context, reference).id,
  )
}

/** True for a field that `LOANS` does not know. */
export function dependsOnReader({ fieldName }: { readonly fieldName: string }): boolean {
  return READERS_IDS.includes(fieldName)
}

/** The addresses instead of the ids of records. */
export function addressesOf(fieldName: string): string {
  return fieldName.replace(/OffchainId$/, 'OnchainId')
}

function loansAs(idOf: IdOf, idOfEscrows: IdOf): Resource<Loan> {
  return {
    fields: [
      // The operation replaces ACTIVE, the contract's value of filters, by OPEN, that of answers.
      { name: 'status', type: 'TEXT', values: ['ACTIVE', 'OPEN', 'CLOSED'], read: loanStatus },
      ...party(
        'escrow',
        ({ context }) => context.escrow,
        ({ id }) => id,
      ),
      ...party('borrower', ({ context }) => context.borrower, idOf),
      ...party('lender', ({ context }) => context.lender.account, idOf),
      ...items('pledgedItem', heldPledges, { position: idOfEscrows, instrument: idOf }),
      ...items('borrowedItem', ({ context }) => context.debts, { position: idOf, instrument: idOf }),
      {
        name: 'pledgedItemAmount',
        type: 'NUMBER',
        read: (loan) => heldPledges(loan).map(({ amount, decimals }) => formatAmount(BigInt(amount), decimals)),
      },
      {
        name: 'borrowedItemDueAmount',
        type: 'NUMBER',
        read: ({ context }) => context.debts.map((debt) => formatAmount(outstandingPrincipal(debt), debt.decimals)),
      },
      {
        name: 'loanDurationUnit',
        type: 'NUMBER',
        read: ({ context }) => context.debts.map(({ duration }) => duration.unit),
      },
      {
        name: 'loanDurationCode',
        type: 'TEXT',
        values: ['MINUTES', 'DAYS', 'WEEKS', 'MONTHS', 'YEARS'],
        read: ({ context }) => context.debts.map(({ duration }) => duration.code),
      },
    ],
    defaultSort: [{ fieldName: 'status', sortDirection: 'ASC' }],
    // A loan is named by its escrow; the id of its record is not shown.
    lastSort: 'escrowOffchainId',
    id: ({ id }) => id,
  }
}

export const LOAN_SOURCE: Source<Loan> = {
  resource: LOANS,
  kinds: ['loan'],
  partsOf(state) {
    const loan = ofKind(state, 'loan')
    if (loan === undefined) return []
    const { organization, lender, owner } = loan.context
    return [
      ...new Set([
        partOf(loan.cluster, loan.tenant, organization),
        partOf(loan.cluster, lender.tenant, lender.organization),
        ...(owner === undefined ? [] : [partOf(loan.cluster, owner.tenant, owner.organization)]),
      ]),
    ]
  },
}

export function loanStatus({ value }: Loan): 'OPEN' | 'CLOSED' {
  return value === 'closed' ? 'CLOSED' : 'OPEN'
}

/** Collateral that was released is not shown, so it is not found either. */
function heldPledges({ context }: Loan): readonly Pledge[] {
  return context.pledged.filter(({ amount }) => amount !== '0')
}

function party(name: string, read: (loan: Loan) => AccountRef, idOf: IdOf): Field<Loan>[] {
  return [
    { name: `${name}OnchainId`, type: 'ONCHAIN_ADDRESS_ID', read: (loan) => read(loan).address },
    { name: `${name}OffchainId`, type: 'OFFCHAIN_ID', nullable: true, read: (loan) => idOf(read(loan)) },
  ]
}

/** Both the position and its mint match. */
function items(
  name: string,
  read: (loan: Loan) => readonly { readonly position: AccountRef; readonly instrument: AccountRef }[],
  idOf: { readonly position: IdOf; readonly instrument: IdOf },
): Field<Loan>[] {
  return [
    {
      name: `${name}OnchainId`,
      type: 'ONCHAIN_ADDRESS_ID',
      read: (loan) => read(loan).flatMap(({ position, instrument }) => [position.address, instrument.address]),
    },
    {
      name: `${name}OffchainId`,
      type: 'OFFCHAIN_ID',
      nullable: true,
      read: (loan) =>
        read(loan).flatMap(({ position, instrument }) => [idOf.position(position), idOf.instrument(instrument)]),
    },
  ]
}
