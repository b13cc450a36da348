// Balances read from the chain while transactions are under way.
import type { Mutant } from '../mutant.ts'

export const RECONCILIATION: readonly Mutant[] = [
  {
    name: 'reconciliation: after a start the records of open transactions are not compared',
    file: 'src/engine/settlement/recovery.ts',
    edits: [{ find: 'if (entry !== undefined) engine.noticed(entry)', replace: 'if (entry === undefined) continue' }],
    tests: [{ file: 'test/engine/settlement/recovery.test.ts' }],
  },
  {
    name: 'reconciliation: a payment of another cell counts again after a reading',
    file: 'src/engine/settlement/take-message.ts',
    edits: [{ find: 'wasUnknown === true || !engine.owns(sender),', replace: 'wasUnknown === true,' }],
    tests: [{ file: 'test/operations/reconcile/cut.test.ts', name: 'counts once if a read has shown it' }],
  },
  {
    name: 'reconciliation: a payment of another cell after a reading does not count',
    file: 'src/engine/records/readings.ts',
    edits: [{ find: 'return slot <= (slots.get(record) ?? -1)', replace: 'return slots.has(record)' }],
    tests: [{ file: 'test/operations/reconcile/cut.test.ts', name: 'counts once if it landed after the read' }],
  },
  {
    name: 'reconciliation: a missing account emptied whatever the reading includes',
    file: 'src/operations/reconcile/missing.ts',
    edits: [{ find: ', comparison.ahead), ...closingFacts', replace: '), ...closingFacts' }],
    tests: [{ file: 'test/operations/reconcile/missing.test.ts' }],
  },
  {
    name: 'reconciliation: missing while its creation is in flight',
    file: 'src/operations/reconcile/moving.ts',
    edits: [
      {
        find: 'return isSeen || (nonceAccount === null && (head.tenant === tenant || blockhashSlot <= by))',
        replace: 'return isSeen',
      },
    ],
    tests: [{ file: 'test/operations/reconcile/cut.test.ts' }],
  },
  {
    name: 'reconciliation: older reading compared after a younger one',
    file: 'src/operations/reconcile/cut.ts',
    edits: [
      {
        find: '!this.isYoungest(entry)) return null',
        replace: 'false) return null',
      },
    ],
    tests: [{ file: 'test/operations/reconcile/cut.test.ts' }],
  },
  {
    name: 'reconciliation: compared while news of another tenant waits',
    file: 'src/operations/reconcile/cut.ts',
    edits: [
      {
        find: 'if (this.#platform.engine.outbox.isWaitingFor(head.tenant)) return null',
        replace: '',
      },
    ],
    tests: [{ file: 'test/operations/reconcile/cut.test.ts' }],
  },
  {
    name: 'reconciliation: transactions that came since the reading not counted',
    file: 'src/operations/reconcile/cut.ts',
    edits: [
      {
        find: 'for (const effect of this.#cameSince(record, effects, moves)) {',
        replace: 'for (const effect of [] as OpenEffect[]) {',
      },
    ],
    tests: [{ file: 'test/operations/reconcile/cut.test.ts' }],
  },
  {
    name: 'reconciliation: answer older than the books',
    file: 'src/operations/reconcile/reconcile.ts',
    edits: [
      {
        find: '(isHolding(head) ? settledAt(platform, head) : 0)',
        replace: '0',
      },
    ],
    tests: [{ file: 'test/operations/reconcile/cut.test.ts' }],
  },
  {
    name: 'reconciliation: undecided taken for excluded',
    file: 'src/operations/reconcile/cut.ts',
    edits: [
      {
        find: "if (effect === null || found === 'undecided') return false",
        replace: 'if (effect === null) return false',
      },
    ],
    tests: [{ file: 'test/operations/reconcile/cut.test.ts' }],
  },
]
