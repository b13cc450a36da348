// The checks of a tenant before its keys sign the transaction of another tenant.
import type { Mutant } from '../mutant.ts'

export const COUNTERSIGNING: readonly Mutant[] = [
  {
    name: 'countersigning: limits of the countersigner not asked',
    file: 'src/operations/transactions/countersign/countersign.ts',
    edits: [
      {
        find: 'if (exceeded.length > 0) throw overLimits',
        replace: 'if (exceeded.length > 1_000) throw overLimits',
      },
    ],
    tests: [{ file: 'test/operations/signing/countersign.test.ts', name: 'pays within its own limits' }],
  },
  {
    name: 'countersigning: grants of the countersigner not asked',
    file: 'src/operations/transactions/countersign/evaluate-share.ts',
    edits: [
      {
        find: '= [granted, paysFees, notFrozen, debitKeys, withinTable, feeds, destinations]',
        replace: '= [paysFees,notFrozen,debitKeys,withinTable,feeds, destinations]',
      },
    ],
    tests: [
      { file: 'test/operations/signing/countersign-boundary.test.ts', name: 'authorizes the requester by itself' },
    ],
  },
  {
    name: 'countersigning: fee payer rights of the countersigner not asked',
    file: 'src/operations/transactions/countersign/evaluate-share.ts',
    edits: [
      {
        find: '= [granted, paysFees, notFrozen, debitKeys, withinTable, feeds, destinations]',
        replace: '= [granted,notFrozen,debitKeys,withinTable,feeds, destinations]',
      },
    ],
    tests: [{ file: 'test/operations/signing/countersign-boundary.test.ts', name: 'pays no fees of an organization' }],
  },
  {
    name: 'countersigning: freeze of the countersigner not asked',
    file: 'src/operations/transactions/countersign/evaluate-share.ts',
    edits: [
      {
        find: '= [granted, paysFees, notFrozen, debitKeys, withinTable, feeds, destinations]',
        replace: '= [granted,paysFees,debitKeys,withinTable,feeds, destinations]',
      },
    ],
    tests: [{ file: 'test/operations/signing/countersign.test.ts', name: 'signs nothing while it' }],
  },
  {
    name: 'countersigning: debit keys of the countersigner not asked',
    file: 'src/operations/transactions/countersign/evaluate-share.ts',
    edits: [
      {
        find: '= [granted, paysFees, notFrozen, debitKeys, withinTable, feeds, destinations]',
        replace: '= [granted,paysFees,notFrozen,withinTable,feeds, destinations]',
      },
    ],
    tests: [{ file: 'test/operations/signing/countersign.test.ts', name: 'signs for fees only' }],
  },
  {
    name: 'countersigning: programs of the countersigner not asked',
    file: 'src/operations/transactions/countersign/evaluate-share.ts',
    edits: [
      {
        find: '= [granted, paysFees, notFrozen, debitKeys, withinTable, feeds, destinations]',
        replace: '= [granted,paysFees,notFrozen,debitKeys,feeds, destinations]',
      },
    ],
    tests: [{ file: 'test/trust/programs.test.ts' }],
  },
  {
    name: 'countersigning: feeds of the countersigner not asked',
    file: 'src/operations/transactions/countersign/evaluate-share.ts',
    edits: [
      {
        find: '= [granted, paysFees, notFrozen, debitKeys, withinTable, feeds, destinations]',
        replace: '= [granted,paysFees,notFrozen,debitKeys,withinTable, destinations]',
      },
    ],
    tests: [{ file: 'test/trust/feeds.test.ts' }],
  },
  {
    name: 'countersigning: second message of a transaction countersigned',
    file: 'src/operations/transactions/countersign/countersign.ts',
    edits: [
      {
        find: 'if (before.context.messageHash !== request.fixed.messageHash)',
        replace: 'if (false)',
      },
    ],
    tests: [
      { file: 'test/operations/signing/countersign-boundary.test.ts', name: 'repeats its answer for the same message' },
    ],
  },
  {
    name: 'countersigning: second key of the countersigner not judged',
    file: 'src/operations/transactions/countersign/countersign.ts',
    edits: [
      {
        find: 'sign(platform, evaluateShare(platform, owner, missing, asked), asked)',
        replace: 'sign(platform, missing.map((address) => ownRecord(platform, owner, asked.cluster, address)), asked)',
      },
    ],
    tests: [{ file: 'test/operations/signing/countersign-boundary.test.ts', name: 'authorizes every key' }],
  },
  {
    name: 'countersigning: rent that the countersigner owes not asked for',
    file: 'src/operations/transactions/countersign/countersign.ts',
    edits: [{ find: '  checkRentReturned(', replace: '  if (owner === request.home) checkRentReturned(' }],
    tests: [{ file: 'test/trust/payments/owed-rent.test.ts', name: 'with a granted key' }],
  },
  {
    name: 'countersigning: a message made elsewhere forgets who countersigned it',
    file: 'src/operations/signing/foreign.ts',
    edits: [{ find: 'signatures, asked, countersigners, covered', replace: 'signatures, asked, covered' }],
    tests: [{ file: 'test/trust/foreign-countersignatures.test.ts', name: 'account of that tenant is frozen' }],
  },
  {
    name: 'countersigning: destinations of countersigners are decided once',
    file: 'src/operations/authorization/limits/still-allowed.ts',
    edits: [
      { find: 'if (!platform.engine.owns(owner)) continue', replace: 'if (platform.engine.owns(owner)) continue' },
    ],
    tests: [{ file: 'test/trust/15-destinations.test.ts', name: 'kept signed since before the owner blocked it' }],
  },
  {
    name: 'countersigning: feeds that strategies of other cells use have no names',
    file: 'src/engine/index/names.ts',
    edits: [{ find: '|vault|fu|', replace: '|vault|' }],
    tests: [{ file: 'test/engine/index/other-cell-keys.test.ts', name: 'named by the feeds' }],
  },
  {
    name: 'countersigning: every attempt of a request builds another message',
    file: 'src/operations/transactions/transact.ts',
    edits: [{ find: '!isYoung(taken, cluster.blockHeight())', replace: 'isYoung(taken, 0)' }],
    tests: [{ file: 'test/crash/threads/screening.test.ts', name: 'takes its time to screen it' }],
  },
  {
    name: 'countersigning: why the screening service of the owner gives no answer is shown',
    file: 'src/operations/authorization/limits/hidden-rules.ts',
    edits: [
      {
        find: "    if (error instanceof Refusal && isUnscreened(error)) throw undecided('SCREENING_UNAVAILABLE')\n",
        replace: '',
      },
    ],
    tests: [
      {
        file: 'test/trust/strangers/requests-refused.test.ts',
        name: 'why the screening service of a tenant that lends its key does not answer is not shown',
      },
    ],
  },
  {
    name: 'countersigning: a signer learns that the screening service of the requester gives no answer',
    file: 'src/operations/authorization/limits/hidden-rules.ts',
    edits: [{ find: "    if (isUnscreened(error)) throw undecided('TENANT_UNAVAILABLE')\n", replace: '' }],
    tests: [
      {
        file: 'test/trust/strangers/requests-refused.test.ts',
        name: 'that the screening service of the requester does not answer is not shown',
      },
    ],
  },
  {
    name: 'countersigning: a kept transaction is sent without asking the owner in another cell again',
    file: 'src/operations/transactions/signing/send.ts',
    edits: [{ find: '  checkOwnersElsewhere(platform, transaction, chain)\n', replace: '' }],
    tests: [{ file: 'test/crash/threads/held.test.ts', name: 'in another cell, has blocked since' }],
  },
  {
    name: 'countersigning: a freeze does not stop what another cell has kept signed',
    file: 'src/operations/transactions/countersign/evaluate-share.ts',
    edits: [{ find: 'for (const rule of [notFrozen, destinations])', replace: 'for (const rule of [destinations])' }],
    tests: [{ file: 'test/operations/signing/countersign-boundary.test.ts', name: 'may be stopped' }],
  },
  {
    name: 'countersigning: two cells without the key of the fee payer claim no message',
    file: 'src/operations/transactions/unique-message.ts',
    edits: [
      {
        find: 'if (engine.store.names?.hasNeighbours() !== true) return false',
        replace: "if (feePayer !== '') return false",
      },
    ],
    tests: [{ file: 'test/crash/threads/messages.test.ts', name: 'without the key of the fee payer' }],
  },
  {
    name: 'countersigning: a message of the cell with the key is completed by another cell',
    file: 'src/operations/signing/sign-recorded.ts',
    edits: [{ find: '  checkMadeOnce(platform, transactionOf(entry))\n', replace: '' }],
    tests: [{ file: 'test/crash/threads/messages.test.ts', name: 'is not completed a second time' }],
  },
  {
    name: 'countersigning: a caller of another cell is checked by old records',
    file: 'src/operations/signing/serve-request.ts',
    edits: [
      {
        find: '    await readAddressesAgain(',
        replace: "    if (operation !== 'sign') await readAddressesAgain(",
      },
    ],
    tests: [{ file: 'test/postgres/requests-across-cells.test.ts', name: 'effects of the own requests' }],
  },
  {
    name: 'countersigning: a caller is shown what a transaction of another cell was before',
    file: 'src/operations/transactions/served-request.ts',
    edits: [{ find: '[requestIdKey(transactionId), requestsToKey(call.cluster, call)]', replace: '[]' }],
    tests: [{ file: 'test/postgres/requests-across-cells.test.ts', name: 'effects of the own requests' }],
  },
  {
    name: 'countersigning: an owner in another cell signs for a key that was disabled meanwhile',
    file: 'src/operations/transactions/countersign/for-other-cells.ts',
    edits: [{ find: 'if (tenant === owner && requesterStatus', replace: 'if (tenant !== owner && requesterStatus' }],
    tests: [{ file: 'test/postgres/requests-across-cells.test.ts', name: 'for a key that was disabled' }],
  },
]
