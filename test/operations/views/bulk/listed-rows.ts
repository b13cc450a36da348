// The values that a client sees of listed loans, positions and transactions, by the name of the field that filters and
// sorts by them: read from the answers, not from the records.
import type { FieldKind } from '../../../engine/query/naive.ts'

export interface ListedField {
  readonly kind: FieldKind
  readonly nullable: boolean
  readonly read: (shown: unknown) => unknown
}

/** The value at a path of an answer: `a.b`; of each member of a list, `a[].b`. */
export function valueAt(shown: unknown, path: string): unknown {
  const [first, ...others] = path.split('.')
  const name = first!.replace('[]', '')
  const value = (shown as Readonly<Record<string, unknown>>)[name]
  const rest = others.join('.')
  if (rest === '') return value
  return name === first ? valueAt(value, rest) : (value as readonly unknown[]).map((each) => valueAt(each, rest))
}

export const textAt = (shown: unknown, path: string): string => valueAt(shown, path) as string

const field =
  (kind: FieldKind) =>
  (path: string | ListedField['read'], nullable = false): ListedField => ({
    kind,
    nullable,
    read: typeof path === 'string' ? (shown) => valueAt(shown, path) : path,
  })
const text = field('text')
const number = field('number')
const instant = field('instant')
const boolean = field('boolean')

/** Amounts as decimal text: all of them are large enough to be printed without an exponent. */
const amounts = (path: string): ListedField => number((shown) => [valueAt(shown, path)].flat().map(String))

const dueAmounts = number((loan) => {
  const [due, repaid] = ['principalDue', 'principalRepaid'].map(
    (name) => valueAt(loan, `borrowedItems[].${name}`) as readonly number[],
  )
  return due!.map((amount, index) => String(amount - repaid![index]!))
})

/** @param mints ids of the mint, by address of the position: an item of a loan shows its position only */
export function loanFields(mints: ReadonlyMap<string, unknown>): Readonly<Record<string, ListedField>> {
  const items = (list: 'pledgedItems' | 'borrowedItems', id: 'onchain.id' | 'offchain.id') =>
    text(
      (loan) =>
        (valueAt(loan, `${list}[].accountDetails`) as readonly unknown[]).flatMap((position) => [
          valueAt(position, id),
          valueAt(mints.get(textAt(position, 'onchain.id')), id),
        ]),
      id === 'offchain.id',
    )
  return {
    status: text('status'),
    escrowOnchainId: text('escrow.onchain.id'),
    escrowOffchainId: text('escrow.offchain.id', true),
    borrowerOnchainId: text('borrower.onchain.id'),
    borrowerOffchainId: text('borrower.offchain.id', true),
    lenderOnchainId: text('lender.onchain.id'),
    lenderOffchainId: text('lender.offchain.id', true),
    pledgedItemOnchainId: items('pledgedItems', 'onchain.id'),
    pledgedItemOffchainId: items('pledgedItems', 'offchain.id'),
    borrowedItemOnchainId: items('borrowedItems', 'onchain.id'),
    borrowedItemOffchainId: items('borrowedItems', 'offchain.id'),
    pledgedItemAmount: amounts('pledgedItems[].pledgedAmount'),
    borrowedItemDueAmount: dueAmounts,
    loanDurationUnit: number('borrowedItems[].duration.unit'),
    loanDurationCode: text('borrowedItems[].duration.code'),
  }
}

export const POSITION_FIELDS: Readonly<Record<string, ListedField>> = {
  managed: boolean('managed'),
  type: text('offchain.type'),
  code: text('offchain.code', true),
  accountNumber: text('offchain.accountNumber', true),
  offchainReferenceName: text('offchain.name', true),
  status: text('status'),
  comments: text('comments', true),
  lastTransactionAt: instant('onchain.lastTransactionAt', true),
  creationTransactionAt: instant('onchain.creationTransactionAt', true),
  wasAlreadyOnchain: boolean('wasOnchainAlready'),
  state: text('state'),
  tokenBalance: amounts('balance.lamports'),
  ownerOnchainId: text('owner.onchain.id'),
  ownerOffchainId: text('owner.offchain.id', true),
  financialInstrumentOnchainId: text('financialInstrument.onchain.id'),
  financialInstrumentOffchainId: text('financialInstrument.offchain.id', true),
}

export const TRANSACTION_FIELDS: Readonly<Record<string, ListedField>> = {
  offchainId: text('offchainId'),
  onchainId: text('onchainId', true),
  status: text('status'),
  success: boolean('success'),
  fee: { ...amounts('fee'), nullable: true },
  feePayerOnchainId: text('feePayer.onchainId'),
  feePayerOffchainId: text('feePayer.offchainId', true),
  accountOnchainId: text('accounts[].onchainId', true),
  accountOffchainId: text('accounts[].offchainId', true),
  messageLifetimeStrategy: text('messageLifetimeStrategy'),
  recentBlockhash: text('recentBlockhash', true),
  computeUnitsConsumed: number('computeUnitsConsumed', true),
  computeUnitsLimit: number('computeUnitsLimit', true),
  computeUnitPrice: number('computeUnitPrice', true),
  instructionType: text('instructions[].type'),
  endpoint: text('endpoint', true),
  externalReference: text('externalReference', true),
  blockTime: instant('blockTime', true),
  preparedAt: instant('preparedAt'),
}
