// Rules of the state machines.
import type { Mutant } from '../mutant.ts'

export const MACHINES: readonly Mutant[] = [
  {
    name: 'machines: the least careful ratio of several strategies',
    file: 'machines/lending/loan-health.ts',
    edits: [
      {
        find: '  return Math.min(\n    Number(HUNDRED_PERCENT),',
        replace: '  return Math.max(\n    0,',
      },
    ],
    tests: [{ file: 'test/machines/lending/loan.test.ts' }],
  },
  {
    name: 'machines: collateral that one strategy does not take',
    file: 'machines/lending/loan-health.ts',
    edits: [
      {
        find: '?.[member] ?? 0),',
        replace: '?.[member] ?? Number(HUNDRED_PERCENT)),',
      },
    ],
    tests: [{ file: 'test/machines/lending/loan.test.ts' }],
  },
  {
    name: 'machines: one key attesting twice',
    file: 'machines/transactions/transaction-rules.ts',
    edits: [
      {
        find: 'context.attestation.keyId !== event.keyId &&',
        replace: '',
      },
      {
        find: 'if (attestation?.outcome === event.outcome && attestation.keyId === event.keyId)',
        replace: 'if (false)',
      },
    ],
    tests: [{ file: 'test/machines/transactions/transaction.test.ts' }],
  },
  {
    name: 'machines: one key repeating its attestation',
    file: 'machines/transactions/transaction-rules.ts',
    edits: [
      {
        find: 'if (attestation?.outcome === event.outcome && attestation.keyId === event.keyId)',
        replace: 'if (false)',
      },
    ],
    tests: [{ file: 'test/machines/transactions/transaction.test.ts' }],
  },
  {
    name: 'machines: two keys attesting different outcomes',
    file: 'machines/transactions/transaction-rules.ts',
    edits: [
      {
        find: 'context.attestation.keyId !== event.keyId &&\n  context.attestation.outcome === event.outcome',
        replace: 'context.attestation.keyId !== event.keyId',
      },
    ],
    tests: [{ file: 'test/machines/transactions/transaction.test.ts' }],
  },
  {
    name: 'machines: attestation replaced by another key',
    file: 'machines/transactions/transaction-rules.ts',
    edits: [
      {
        find: 'if (attestation !== null && attestation.keyId !== event.keyId) {',
        replace: 'if (false) {\n      if (attestation === null) throw new Error()',
      },
    ],
    tests: [{ file: 'test/machines/transactions/transaction.test.ts' }],
  },
  {
    name: 'machines: attestation that outlives what the chain shows',
    file: 'machines/transactions/transaction-rules.ts',
    edits: [
      {
        find: '    attestation: null,\n    history',
        replace: '    history',
      },
    ],
    tests: [{ file: 'test/machines/transactions/transaction.test.ts' }],
  },
  {
    name: 'machines: loan begun while a change is under way',
    file: 'machines/lending/loan.ts',
    edits: [
      {
        find: '  context.open === null ? accept({ open: event.transactionId, plan: event.plan }) : busy(context.open)',
        replace: '  accept({ open: event.transactionId, plan: event.plan })',
      },
    ],
    tests: [{ file: 'test/machines/lending/loan.test.ts' }],
  },
  {
    name: 'machines: loan changed while a change is under way',
    file: 'machines/lending/loan.ts',
    edits: [
      {
        find: '  context.open === null ? accept(applyLoanChange(context, event.change)) : busy(context.open)',
        replace: '  accept(applyLoanChange(context, event.change))',
      },
    ],
    tests: [{ file: 'test/machines/lending/loan.test.ts' }],
  },
  {
    name: 'machines: loan begun while it is pending',
    file: 'machines/lending/loan.ts',
    edits: [
      {
        find: "        'command.begin': pending,",
        replace: "        'command.begin': rule(beginRule),",
      },
    ],
    tests: [{ file: 'test/machines/lending/loan.test.ts' }],
  },
  {
    name: 'machines: loan changed while it is pending',
    file: 'machines/lending/loan.ts',
    edits: [
      {
        find: "        'command.change': pending,",
        replace: "        'command.change': rule(changeRule),",
      },
    ],
    tests: [{ file: 'test/machines/lending/loan.test.ts' }],
  },
  {
    name: 'machines: loan taken back out of order',
    file: 'machines/lending/loan.ts',
    edits: [
      {
        find: '  context.lastChange === event.id\n    ?',
        replace: "  context.lastChange !== ''\n    ?",
      },
    ],
    tests: [{ file: 'test/machines/lending/loan.test.ts' }],
  },
  {
    name: 'machines: loan freed by another transaction that is given up',
    file: 'machines/lending/loan.ts',
    edits: [
      {
        find: "function abandoned({ context, event }: ActionArgsOf<'chain.abandoned'>): Patch {\n  return { open: context.open === event.id ? null : context.open }",
        replace:
          "function abandoned({ context, event }: ActionArgsOf<'chain.abandoned'>): Patch {\n  return { open: event.id === '' ? context.open : null }",
      },
    ],
    tests: [{ file: 'test/machines/lending/loan.test.ts' }],
  },
  {
    name: 'machines: loan freed by another transaction that lands',
    file: 'machines/lending/loan.ts',
    edits: [
      {
        find: 'const open = context.open === event.change.id ? null : context.open',
        replace: 'const open = null',
      },
    ],
    tests: [{ file: 'test/machines/lending/loan.test.ts' }],
  },
  {
    name: 'machines: plan step made twice',
    file: 'machines/transactions/plan.ts',
    edits: [
      {
        find: 'if (event.step !== nextStep(context) || event.step >= steps.length)',
        replace: 'if (event.step >= steps.length)',
      },
    ],
    tests: [{ file: 'test/machines/transactions/plan.test.ts' }],
  },
  {
    name: 'machines: plan step made before the one before it',
    file: 'machines/transactions/plan.ts',
    edits: [
      {
        find: 'if (steps.slice(0, event.step).some(({ done }) => !done))',
        replace: 'if (false)',
      },
    ],
    tests: [{ file: 'test/machines/transactions/plan.test.ts' }],
  },
  {
    name: 'machines: tokens taken from a frozen position',
    file: 'machines/position.ts',
    edits: [
      {
        find: "        'command.reserve': rule(reserveFrozenRule),\n",
        replace: '',
      },
    ],
    tests: [{ file: 'test/machines/holdings.test.ts' }],
  },
  {
    name: 'machines: more reserved than is there',
    file: 'machines/book.ts',
    edits: [
      {
        find: 'if (covered && free < units)',
        replace: 'if (covered && free < 0n)',
      },
    ],
    tests: [{ file: 'test/machines/book.test.ts' }],
  },
  {
    name: 'machines: more released than was reserved',
    file: 'machines/book.ts',
    edits: [
      {
        find: 'if (reserved < 0n)',
        replace: 'if (false)',
      },
    ],
    tests: [{ file: 'test/machines/book.test.ts' }],
  },
]
