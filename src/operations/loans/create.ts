// POST /loans: creates an escrow, moves the collateral into it, and lends the principal out of the vault. With the
// built-in protocol this is one transaction.
import { applyLoanChange, type LoanBooks } from '../../../machines/lending/loan-books.ts'
import { mayOwe } from '../../../machines/lending/loan-health.ts'
import type { LoanContext } from '../../../machines/lending/loan.ts'
import type { TransactionBody } from '../../contract/values/chain-config.ts'
import type { BorrowInput, NewLoanInput } from '../../contract/schemas/loan.ts'
import type { Call } from '../../contract/call.ts'
import { isHolding } from '../../engine/records/record.ts'
import type { Write, Context } from '../context/platform.ts'
import { badRequest } from '../../contract/refusal.ts'
import { eachTogether, together, togetherAsync } from '../../contract/together.ts'
import { instrumentRef } from '../lookup/instrument.ts'
import { resolvePaidPosition } from '../lookup/position.ts'
import { destinationOf, loadDestination } from '../holdings/destination.ts'
import { tokenUnits } from '../holdings/units.ts'
import { type Party, referTo } from '../lookup/party.ts'
import type { KnownAccounts } from '../transactions/known-accounts.ts'
import { endAt, LoanBoard } from './board.ts'
import { checkBorrowerCap } from './borrowers.ts'
import { payingBorrower, type ChangeWithoutId } from './change-draft.ts'
import { changeLoan } from './change.ts'
import { checkEscrow, createEscrowRecord, escrowCreated, escrowRents, newEscrow, newEscrowEnd } from './escrow-side.ts'
import { checkLenderFeeds } from './feed-control.ts'
import {
  checkDistinct,
  commonOwner,
  buildSupply,
  itemPosition,
  supplyOf,
  loadSupplies,
  type LoadedItem,
} from './items.ts'
import {
  checkAccepts,
  checkExpected,
  checkLendsHere,
  checkOneLender,
  debtOf,
  durationOf,
  exemptVaults,
  lenderOf,
  principalEnd,
  strategyFor,
} from './lending.ts'
import { makerOf, ownerInOtherCell } from './named.ts'
import { decidedHealth } from '../views/loan-quote.ts'
import type { WithIds } from '../../contract/schemas/members.ts'

type Members = WithIds<'newLoan'>

const VAULT = '/itemData/lendingDetails/loanStrategyAddress'
/** Maximum number of borrowed items and of pledged items that the loan books store. */
const MAX_ITEMS = 5

export const createLoan: Write<TransactionBody<NewLoanInput>, Members> = async (
  context,
  { itemData, chainTransactionConfig: config },
) => {
  const { platform, call } = context
  const [protocol, , , , borrowing, pledging] = await togetherAsync(
    () => makerOf(platform, itemData.defiProtocol, 'CREATE'),
    () => checkNumberOfItems(itemData),
    () => checkLendsHere(context, itemData.lendingDetails.loanStrategyAddress),
    () => checkEscrow(context, itemData.escrow),
    () => loadBorrowing(context, itemData.itemsToBorrow),
    () => loadSupplies(context, itemData.itemsToPledge, 'itemsToPledge'),
  )
  const escrow = await newEscrow(context, itemData.escrow)
  const instruments = pledging.map(
    ({ input, pointer }) => itemPosition(context, input.positionLookup, pointer).instrument,
  )
  const rents = await escrowRents(context, instruments)
  const loanId = platform.ids()
  return await changeLoan(context, config, protocol, {
    operation: 'CREATE',
    buildPlan: (known, at) => {
      const { borrows, pledges, borrower } = itemsOf(context, known, { borrowing, pledging })
      const payer = payingBorrower(context, config, borrower)
      checkOwnerIsHere(context, borrower)
      const board = new LoanBoard(context, known, payer)
      const deposits = pledges.map((pledge) => pledgeInto(context, board, pledge, { escrow, rents, payer }))
      const lent = lend(context, itemData, { protocol: protocol.name, borrows, pledges, payer, at })
      const lender = lenderOf(lent[0].strategy)
      const debts = lent.map(({ debt }) => debt)
      const before: LoanBooks = { lender, pledged: [], debts: [], lastChange: null }
      const change: ChangeWithoutId = { at, deposits, withdrawals: [], payments: [], lending: { lender, debts } }
      checkMayOwe(context, applyLoanChange(before, { ...change, id: '' }), at)
      for (const { item, strategy, to } of lent) {
        board.transfer(principalEnd(platform, strategy, item.amount, item.pointer), to, item.amount, {
          pointer: item.at,
        })
      }
      return {
        board,
        feePayer: payer,
        // Evaluated when the records of positions that the same transaction opens exist.
        change: () => ({
          ...change,
          lending: {
            lender,
            debts: debts.map((debt) => ({ ...debt, position: referTo(context, debt.position.address) })),
          },
        }),
        before,
        loan: { tenant: call.tenant, id: loanId },
        escrow: escrow.address,
        signs: [lender.account.address, escrow.address],
        exempt: exemptVaults(lent.map(({ strategy }) => strategy)),
        debits: { lent: { vault: lender.account.address, borrower: borrower.address } },
        escrowRecord: (transactionId) => escrowCreated(call.tenant, escrow.id, transactionId),
        prepare: (unit, transactionId, plan) => {
          createEscrowRecord(context, unit, escrow)
          const loan = { ...newLoanRecord(context, { protocol: protocol.name, before, escrow, borrower }), plan }
          const place = { tenant: call.tenant, cluster: call.cluster, id: loanId }
          unit.create('loan', place, { loan: { ...loan, open: transactionId } })
        },
        members: { newLoan: { onchainId: escrow.address, offchainId: escrow.id } },
      }
    },
  })
}

interface LoadedItems {
  readonly borrowing: readonly LoadedItem<BorrowInput>[]
  readonly pledging: Awaited<ReturnType<typeof loadSupplies>>
}

/** The items with their amounts, and the account that has them all. */
function itemsOf(context: Context, known: KnownAccounts, { borrowing, pledging }: LoadedItems) {
  const [borrows, pledges] = together(
    () => eachTogether(borrowing, (item) => borrowOf(context, known, item)),
    () => eachTogether(pledging, (item) => supplyOf(context, known, item)),
  )
  const borrower = commonOwner([...borrows, ...pledges])
  together(
    () => checkDistinct(borrows),
    () => checkDistinct(pledges),
  )
  return { borrows, pledges, borrower }
}

/** Throws 400 `TOO_MANY_ITEMS`. */
function checkNumberOfItems(itemData: NewLoanInput): void {
  eachTogether(['itemsToBorrow', 'itemsToPledge'] as const, (member) => {
    if (itemData[member].length > MAX_ITEMS)
      throw badRequest('TOO_MANY_ITEMS', `a loan has at most ${MAX_ITEMS} items`, `/itemData/${member}`)
  })
}

type Escrow = Awaited<ReturnType<typeof newEscrow>>
type Pledge = ReturnType<typeof supplyOf>
type Borrow = ReturnType<typeof borrowOf>
type Lent = ReturnType<typeof lendItem>

/** Drafts the transfer of a pledge into the escrow. Returns it as the loan books store it. */
function pledgeInto(
  context: Context,
  board: LoanBoard,
  pledge: Pledge,
  {
    escrow,
    rents,
    payer,
  }: { readonly escrow: Escrow; readonly rents: ReadonlyMap<string, bigint>; readonly payer: Party },
) {
  const { instrument, amount, pointer, loaded } = pledge
  const { transferFrom, mintAsset = false } = loaded.input
  if (instrument.context.defaultPositionState === 'FROZEN' && (transferFrom !== undefined || mintAsset))
    throw badRequest(
      'FROZEN_BY_DEFAULT',
      'of an instrument that is frozen by default only what the borrower holds is pledged',
      pointer,
    )
  const party = { address: escrow.address, entry: null, autoSign: true, id: escrow.id }
  const end = newEscrowEnd(context, party, instrument, {
    rentLamports: rents.get(instrument.context.address) ?? 0n,
    payer,
  })
  buildSupply(context, board, pledge, { amount: amount ?? 0n, to: end, payer })
  return {
    instrument: instrumentRef(instrument),
    decimals: instrument.context.decimals,
    position: { address: end.address, id: end.recordId },
    amount: (amount ?? 0n).toString(),
  }
}

interface Lending {
  readonly protocol: string
  readonly borrows: readonly Borrow[]
  readonly pledges: readonly Pledge[]
  readonly payer: Party
  /** Unix seconds. */
  readonly at: number
}

/** The debts of the loan, under the strategies of one lender and as the request expects them. */
function lend(context: Context, itemData: NewLoanInput, lending: Lending): readonly [Lent, ...Lent[]] {
  const mints = lending.pledges.map(({ instrument, pointer }) => ({
    mint: instrument.context.address,
    pointer: `${pointer}/positionLookup`,
  }))
  const [first, ...others] = lending.borrows.map((item) => lendItem(context, itemData, item, { ...lending, mints }))
  if (first === undefined)
    throw badRequest('REQUIRED', 'at least one item to borrow is required', '/itemData/itemsToBorrow')
  const lent = [first, ...others] as const
  checkExpected(
    lent.map(({ debt }) => debt),
    mints.map(({ mint }) => mint),
    itemData.lendingDetails,
  )
  checkOneLender(lent.map(({ strategy }) => strategy))
  return lent
}

function lendItem(
  context: Context,
  itemData: NewLoanInput,
  item: Borrow,
  { protocol, mints, payer, at }: Lending & { readonly mints: Parameters<typeof debtOf>[1] },
) {
  const { platform, call } = context
  const { loanStrategyAddress: vault } = itemData.lendingDetails
  const strategy = strategyFor(context, { protocol, vault, lender: null }, item.instrument.context.address)
  checkAccepts(strategy, call)
  checkLenderFeeds(platform, strategy, call, VAULT)
  checkBorrowerCap(platform, strategy, call, { amount: item.amount, pointer: item.pointer })
  const destination = destinationOf(context, item.lookup, item.loaded.other ?? item.loaded.own, {
    feePayer: payer,
    pointer: item.at,
    initialize: true,
  })
  const position = { address: item.position.address, id: item.position.entry?.head.id ?? null }
  const duration = durationOf(strategy, itemData.duration)
  return {
    item,
    strategy,
    to: endAt(destination, destination.position.owner ?? item.owner),
    debt: debtOf(strategy, mints, { position, principal: item.amount, duration, at }),
  }
}

/** Throws 400 `LTV_EXCEEDED`. */
function checkMayOwe({ platform, call }: Context, books: LoanBooks, at: number): void {
  const { loanHealth } = decidedHealth(platform, call.cluster, books, at)
  if (mayOwe(loanHealth)) return
  throw badRequest(
    'LTV_EXCEEDED',
    'the amount to borrow exceeds the loan-to-value ratio of the collateral',
    '/itemData/itemsToBorrow',
  )
}

/** The owner of the borrowing account, if the caller uses the account by a grant. */
function ownerOf(call: Call, borrower: Pick<Party, 'entry'>): Pick<LoanContext, 'owner'> {
  const head = borrower.entry?.head
  if (head === undefined || !isHolding(head)) return {}
  const owner = { tenant: head.tenant, organization: head.context.organization }
  return owner.tenant === call.tenant && owner.organization === call.organization ? {} : { owner }
}

/** Throws 400 `OTHER_CELL`: after the grant is revoked, only the owner of the account could withdraw the collateral. */
function checkOwnerIsHere({ platform, call }: Context, borrower: Pick<Party, 'entry'> & { readonly pointer: string }) {
  const { owner } = ownerOf(call, borrower)
  if (owner !== undefined && !platform.engine.owns(owner.tenant))
    throw ownerInOtherCell(call.organization, owner.organization, borrower.pointer)
}

/** The record of a loan that is being created. */
function newLoanRecord(
  { platform, call }: Context,
  {
    protocol,
    before,
    escrow,
    borrower,
  }: {
    readonly protocol: string
    readonly before: LoanBooks
    readonly escrow: Escrow
    readonly borrower: Pick<Party, 'address' | 'entry'>
  },
): Omit<LoanContext, 'open' | 'plan'> {
  return {
    ...before,
    protocol,
    organization: call.organization,
    escrow: { address: escrow.address, id: escrow.id },
    borrower: { address: borrower.address, id: borrower.entry?.head.id ?? null },
    ...ownerOf(call, borrower),
    requestedAt: new Date(platform.clock.now()).toISOString(),
    creation: null,
    last: null,
  }
}

async function loadBorrowing(
  context: Context,
  items: readonly BorrowInput[],
): Promise<readonly LoadedItem<BorrowInput>[]> {
  return await togetherAsync(
    ...items.map((input, index) => async () => {
      const pointer = `/itemData/itemsToBorrow/${index}`
      const { transferTo } = input
      together(
        () => itemPosition(context, input.positionLookup, pointer),
        () => (transferTo === undefined ? null : resolvePaidPosition(context, transferTo, `${pointer}/transferTo`)),
      )
      const [own, other] = await togetherAsync(
        () => loadDestination(context, input.positionLookup, true, `${pointer}/positionLookup`),
        () => (transferTo === undefined ? null : loadDestination(context, transferTo, true, `${pointer}/transferTo`)),
      )
      return { input, pointer, own, other }
    }),
  )
}

function borrowOf(context: Context, known: KnownAccounts, loaded: LoadedItem<BorrowInput>) {
  const { input, pointer } = loaded
  const item = itemPosition(context, input.positionLookup, pointer)
  const lookup = input.transferTo ?? input.positionLookup
  const at = `${pointer}/${input.transferTo === undefined ? 'positionLookup' : 'transferTo'}`
  return {
    ...item,
    loaded,
    pointer,
    lookup,
    at,
    amount: tokenUnits(known, item.instrument, input, pointer),
  }
}
