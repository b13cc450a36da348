// Who may change a loan, and when.
import type { Mutant } from '../mutant.ts'

export const LOANS: readonly Mutant[] = [
  {
    name: 'loans: loan changed while another change is under way',
    file: 'src/operations/loans/named.ts',
    edits: [
      {
        find: 'if (context.open !== null)',
        replace: 'if (false)',
      },
    ],
    tests: [{ file: 'test/operations/loans/named.test.ts' }],
  },
  {
    name: 'loans: loan repaid by its lender',
    file: 'src/operations/loans/named.ts',
    edits: [
      {
        find: 'if (!isBorrowing(call, named.loan) && !ownsBorrower(call, named.loan))',
        replace: 'if (named.loan.tenant === "")',
      },
    ],
    tests: [{ file: 'test/operations/loans/named.test.ts' }],
  },
  {
    name: 'loans: liquidation put off by a signature made elsewhere',
    file: 'src/operations/loans/liquidate.ts',
    edits: [{ find: '|| !isUnsigned(transaction)) {', replace: "|| transaction.value !== 'prepared') {" }],
    tests: [{ file: 'test/e2e/loans/loans-outside.test.ts', name: 'that other parties alone have signed' }],
  },
  {
    name: 'loans: loan liquidated by its borrower',
    file: 'src/operations/loans/named.ts',
    edits: [
      {
        find: 'if (lender.tenant !== call.tenant || lender.organization !== call.organization)',
        replace: 'if (lender.tenant === "")',
      },
    ],
    tests: [{ file: 'test/operations/loans/named.test.ts' }],
  },
  {
    name: 'loans: loan read by a stranger who recorded its escrow',
    file: 'src/operations/loans/named.ts',
    edits: [{ find: 'if (record.head.id !== loan.context.escrow.id && ', replace: 'if (false && ' }],
    tests: [{ file: 'test/trust/strangers/escrow-strangers.test.ts', name: 'does not name the loan' }],
  },
  {
    name: 'loans: collateral that was taken from the escrow secures the loan',
    file: 'src/operations/views/held-collateral.ts',
    edits: [
      { find: 'if (balance >= BigInt(pledge.amount)) return pledge', replace: 'if (balance >= 0n) return pledge' },
    ],
    tests: [{ file: 'test/e2e/loans/loans-lost-collateral.test.ts' }],
  },
  {
    name: 'loans: collateral lost with the grant of a key',
    file: 'src/operations/loans/named.ts',
    edits: [{ find: ' && !ownsBorrower(call, named.loan)', replace: '' }],
    tests: [{ file: 'test/e2e/loans/loans-by-grant.test.ts' }],
  },
  {
    name: 'loans: loan refinanced by the owner of the borrowing account',
    file: 'src/operations/loans/named.ts',
    edits: [{ find: 'if (!isBorrowing(call, loan)) throw', replace: 'if (false) throw' }],
    tests: [{ file: 'test/e2e/loans/loans-by-grant.test.ts' }],
  },
  {
    name: 'loans: collateral taken out to somebody else',
    file: 'src/operations/loans/items.ts',
    edits: [
      {
        find: 'const stranger = items.find(({ owner }) => owner.address !== address)',
        replace: 'const stranger = items.find(() => false)',
      },
    ],
    tests: [{ file: 'test/operations/loans/named.test.ts' }],
  },
  {
    name: 'loans: loan changed before its last change is final',
    file: 'src/operations/loans/named.ts',
    edits: [
      {
        find: 'return transaction === undefined || transaction.context.finalAt !== null',
        replace: 'return true',
      },
    ],
    tests: [{ file: 'test/operations/loans/named.test.ts' }],
  },
  {
    name: 'loans: collateral out of the vault itself',
    file: 'src/operations/loans/change-draft.ts',
    edits: [
      {
        find: 'if (isPayer)',
        replace: 'if (false)',
      },
    ],
    tests: [{ file: 'test/trust/vault-signatures.test.ts', name: 'does not pledge what the vault itself holds' }],
  },
  {
    name: 'loans: vault that borrows from itself',
    file: 'src/operations/loans/change-draft.ts',
    edits: [
      {
        find: 'if (lenders.includes(feePayer.address))',
        replace: 'if (false)',
      },
    ],
    tests: [{ file: 'test/trust/vault-signatures.test.ts', name: 'does not lend to the vault' }],
  },
  {
    name: 'loans: shown health by the feeds of repaid debts',
    file: 'src/operations/views/loan-quote.ts',
    edits: [
      {
        find: 'const valuing = quotesOf(platform, cluster, openPart(books, at), at)',
        replace: 'const valuing = quotesOf(platform, cluster, books, at)',
      },
    ],
    tests: [{ file: 'test/e2e/loans/loans-partly-repaid.test.ts', name: 'shown as decisions value it' }],
  },
  {
    name: 'loans: found by released collateral',
    file: 'src/operations/views/bulk/loans.ts',
    edits: [{ find: "context.pledged.filter(({ amount }) => amount !== '0')", replace: 'context.pledged' }],
    tests: [{ file: 'test/e2e/loans/loans-partly-repaid.test.ts', name: 'not found by collateral' }],
  },
  {
    name: 'loans: collateral refused for a repaid debt',
    file: 'src/operations/loans/collateral.ts',
    edits: [{ find: 'const isRefused = owed.some(', replace: 'const isRefused = loan.context.debts.some(' }],
    tests: [{ file: 'test/e2e/loans/loans-partly-repaid.test.ts', name: 'is accepted by the debts' }],
  },
  {
    name: 'loans: sixth pledged instrument',
    file: 'src/operations/loans/swap-collateral.ts',
    edits: [{ find: '      checkPledgedItems(loan, change)\n', replace: '' }],
    tests: [{ file: 'test/e2e/loans/loans-partly-repaid.test.ts', name: 'adds no sixth' }],
  },
  {
    name: 'loans: repayment to an account that the borrower has recorded',
    file: 'src/operations/loans/loan-places.ts',
    edits: [
      {
        find: 'const lookup = id === undefined ? byOwner : { ...byOwner, position: { offchainId: id } }',
        replace: 'const lookup = byOwner',
      },
    ],
    tests: [{ file: 'test/trust/loan-places.test.ts', name: 'has recorded as one of the vault' }],
  },
  {
    name: 'loans: collateral into an account that an outsider can reopen',
    file: 'src/operations/loans/loan-places.ts',
    edits: [{ find: '    if (id === undefined) checkAssociated(context, account, mint, byOwner)\n', replace: '' }],
    tests: [{ file: 'test/trust/loan-places.test.ts', name: 'does not go to an account of the escrow' }],
  },
  {
    name: 'loans: refinancing that pays the lender before the last',
    file: 'src/operations/loans/refinance.ts',
    edits: [{ find: '      checkSameLender(lender, loan)\n', replace: '' }],
    tests: [{ file: 'test/trust/loan-places.test.ts', name: 'pay each lender once' }],
  },
  {
    name: 'loans: authority of a feed in use inactivated',
    file: 'src/operations/authorization/closing-accounts.ts',
    edits: [{ find: '...loans, ...feeds,', replace: '...loans,' }],
    tests: [{ file: 'test/trust/feeds.test.ts', name: 'keeps its authority' }],
  },
  {
    name: 'loans: strategy without its reopened position',
    file: 'src/operations/loans/principal-position.ts',
    edits: [
      {
        find: "if (known !== undefined && known.value !== 'closed') return known",
        replace: "if (known !== undefined) return known.value === 'closed' ? undefined : known",
      },
    ],
    tests: [{ file: 'test/trust/loan-places.test.ts', name: 'lends from the new one' }],
  },
  {
    name: 'loans: cap without what a refinancing is about to lend',
    file: 'src/operations/loans/borrowers.ts',
    edits: [{ find: '...reserving.map(', replace: '...reserving.slice(reserving.length).map(' }],
    tests: [{ file: 'test/e2e/loans/caps-under-way.test.ts', name: 'is refused beyond' }],
  },
  {
    name: 'loans: liquidation that waited, of a loan that is covered again',
    file: 'src/operations/loans/still-holds.ts',
    edits: [{ find: '  checkLiquidatable(platform, cluster, context, { at, pointer })\n', replace: '' }],
    tests: [{ file: 'test/e2e/loans/liquidation-edges.test.ts', name: 'covered again by what it does not take' }],
  },
  {
    name: 'loans: earlier value of a feed published after a later one',
    file: 'src/operations/signing/sign-recorded.ts',
    edits: [{ find: '    checkIsLatestPublication(platform, transactionOf(entry), pointer)\n', replace: '' }],
    tests: [{ file: 'test/e2e/feed-jobs.test.ts', name: 'is not signed once a later value' }],
  },
  {
    name: 'loans: frozen collateral that protects the rest',
    file: 'src/operations/loans/liquidate.ts',
    edits: [
      {
        find: 'seizure(seizableBooks(platform, call.cluster, books), at, worth)',
        replace: 'seizure(books, at, worth)',
      },
    ],
    tests: [{ file: 'test/e2e/loans/liquidation-edges.test.ts', name: 'does not protect the rest' }],
  },
  {
    name: 'loans: cap without the multiplier',
    file: 'src/operations/loans/borrowers.ts',
    edits: [{ find: 'multiplier: multiplierNow(platform, context)', replace: 'multiplier: null' }],
    tests: [{ file: 'test/e2e/loans/loans-scaled.test.ts', name: 'like the amounts that they limit' }],
  },
  {
    name: 'loans: interest per second without the multiplier',
    file: 'src/operations/views/read-models/loan.ts',
    edits: [{ find: 'debt.decimals, scale)', replace: 'debt.decimals)' }],
    tests: [{ file: 'test/e2e/loans/loans-scaled.test.ts', name: 'interest per second' }],
  },
  {
    name: 'loans: price of many digits counted as missing',
    file: 'machines/ratio.ts',
    edits: [{ find: '(\\d{1,300})(?:', replace: '(\\d{1,100})(?:' }],
    tests: [{ file: 'test/machines/lending/loan-books.test.ts', name: 'is exact for every price' }],
  },
  {
    name: 'loans: price below zero counted as one above',
    file: 'machines/ratio.ts',
    edits: [{ find: "numerator: sign === '-' ? -digits : digits", replace: 'numerator: digits' }],
    tests: [{ file: 'test/machines/ratio.test.ts', name: 'with its sign' }],
  },
  {
    name: 'loans: the least careful price of several sources',
    file: 'src/operations/views/loan-quote.ts',
    edits: [{ find: 'isGreater(a, b) === owed', replace: 'isGreater(a, b) !== owed' }],
    tests: [{ file: 'test/operations/views/loan-worth.test.ts', name: 'the higher price for a debt' }],
  },
  {
    name: 'loans: buffer of a vault rounded down',
    file: 'src/operations/loans/lending.ts',
    edits: [{ find: '+ HUNDRED_PERCENT - 1n) / HUNDRED_PERCENT', replace: ') / HUNDRED_PERCENT' }],
    tests: [{ file: 'test/e2e/loans/vault-limits.test.ts', name: 'rounded up' }],
  },
  {
    name: 'loans: vault exempt from its limits with one of several strategies',
    file: 'src/operations/loans/lending.ts',
    edits: [{ find: 'strategies.every(', replace: 'strategies.some(' }],
    tests: [{ file: 'test/e2e/loans/vault-limits.test.ts', name: 'exempt strategies alone' }],
  },
  {
    name: 'loans: health that no JSON number holds',
    file: 'src/operations/views/read-models/loan.ts',
    edits: [{ find: 'ratio !== null && Number.isSafeInteger(number)', replace: 'ratio !== null' }],
    tests: [{ file: 'test/e2e/loans/loans-extreme-prices.test.ts', name: 'of unknown health' }],
  },
  {
    name: 'loans: missing price that is not stale',
    file: 'src/operations/views/loan-quote.ts',
    edits: [{ find: 'stale: price === null || ', replace: 'stale: price !== null && ' }],
    tests: [{ file: 'test/e2e/loans/loans-extreme-prices.test.ts', name: 'of unknown health' }],
  },
  {
    name: 'loans: feed defined by a number out of range',
    file: 'src/oracle/fields.ts',
    edits: [{ find: 'if (error instanceof NotANumber) throw', replace: 'if (error === null) throw' }],
    tests: [{ file: 'test/oracle/jobs.test.ts' }],
  },
  {
    name: 'loans: amounts of more than 18 decimals not compared',
    file: 'src/engine/query/quantity.ts',
    edits: [
      { find: 'if (!DECIMAL.test(text)) return', replace: 'if (!/^-?\\d+(?:\\.\\d{1,18})?$/.test(text)) return' },
    ],
    tests: [{ file: 'test/e2e/loans/loans-decimals.test.ts', name: 'are found by their amounts' }],
  },
  {
    name: 'loans: long amounts compared as doubles',
    file: 'src/engine/query/quantity.ts',
    edits: [{ find: 'return a === b ? 0 : a < b ? -1 : 1', replace: 'return 0' }],
    tests: [{ file: 'test/e2e/loans/loans-decimals.test.ts', name: 'are found by their amounts' }],
  },
  {
    name: 'loans: operand of too many decimals refused without a reason',
    file: 'src/contract/values/amount.ts',
    edits: [{ find: 'if (places.length > MAX_PLACES) return tooPrecise()', replace: '' }],
    tests: [{ file: 'test/e2e/loans/loans-decimals.test.ts', name: 'is refused by name' }],
  },
  {
    name: 'loans: loans of equal sort values in the order of a hidden id',
    file: 'src/operations/views/bulk/loans.ts',
    edits: [{ find: "  lastSort: 'escrowOffchainId',\n", replace: '' }],
    tests: [{ file: 'test/operations/views/bulk/lists-naive.test.ts', name: 'loans are listed' }],
  },
  {
    name: 'loans: loan changed under a durable nonce',
    file: 'src/operations/transactions/authorize-and-record.ts',
    edits: [
      {
        find: 'if (draft.adapter === undefined || lifetime.nonce === null) return',
        replace: 'if (draft.adapter === undefined || lifetime.nonce !== undefined) return',
      },
    ],
    tests: [{ file: 'test/e2e/loans/loan-contract.test.ts', name: 'under a durable nonce' }],
  },
  {
    name: 'loans: the age that the last debt allows for a price holds for all',
    file: 'src/operations/views/loan-quote.ts',
    edits: [
      { find: 'known === undefined || request.maxAgeSeconds < known.maxAgeSeconds', replace: 'known !== request' },
    ],
    tests: [{ file: 'test/e2e/loans/loans-partly-repaid.test.ts', name: 'fresh for both' }],
  },
]
