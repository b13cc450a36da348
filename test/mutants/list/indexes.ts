// Index keys of the directory that a change of the record must update.
import type { Mutant } from '../mutant.ts'

export const INDEXES: readonly Mutant[] = [
  {
    name: 'indexes: stale answer of a key that a record joins',
    file: 'src/engine/index/directory.ts',
    edits: [{ find: 'add(key, number)\n      this.#answers.delete(key)\n', replace: 'add(key, number)\n' }],
    tests: [{ file: 'test/engine/index/directory.test.ts' }],
  },
  {
    name: 'indexes: stale answer of a key that a record leaves',
    file: 'src/engine/index/directory.ts',
    edits: [{ find: 'delete(key, number)\n      this.#answers.delete(key)\n', replace: 'delete(key, number)\n' }],
    tests: [{ file: 'test/engine/index/directory.test.ts' }],
  },
  {
    name: 'indexes: stale records of an address',
    file: 'src/engine/index/directory.ts',
    edits: [{ find: '    this.#forgetAddress(next)\n', replace: '' }],
    tests: [{ file: 'test/engine/index/directory.test.ts' }],
  },
  {
    name: 'indexes: a withdrawn record stays at its address',
    file: 'src/engine/index/directory.ts',
    edits: [{ find: '    this.#forgetAddress(previous)\n', replace: '' }],
    tests: [{ file: 'test/engine/index/directory.test.ts' }],
  },
  {
    name: 'indexes: stale index of references',
    file: 'src/engine/index/record-keys.ts',
    edits: [
      {
        find: '      a.references === b.references &&\n',
        replace: '',
      },
    ],
    tests: [{ file: 'test/engine/index/index-keys.test.ts' }],
  },
  {
    name: 'indexes: stale index of organization',
    file: 'src/engine/index/record-keys.ts',
    edits: [
      {
        find: '      a.organization === b.organization &&\n',
        replace: '',
      },
    ],
    tests: [{ file: 'test/engine/index/index-keys.test.ts' }],
  },
  {
    name: 'indexes: stale index of fee payer',
    file: 'src/engine/index/record-keys.ts',
    edits: [
      {
        find: '      a.canPayFees === b.canPayFees &&\n',
        replace: '',
      },
    ],
    tests: [{ file: 'test/engine/index/index-keys.test.ts' }],
  },
  {
    name: 'indexes: stale index of shared',
    file: 'src/engine/index/record-keys.ts',
    edits: [
      {
        find: '      a.shared === b.shared &&\n',
        replace: '',
      },
    ],
    tests: [{ file: 'test/engine/index/index-keys.test.ts' }],
  },
  {
    name: 'indexes: stale index of signing grants',
    file: 'src/engine/index/record-keys.ts',
    edits: [
      {
        find: '      a.orgsAllowedToSignWithPrivateKey === b.orgsAllowedToSignWithPrivateKey &&\n',
        replace: '',
      },
    ],
    tests: [{ file: 'test/engine/index/index-keys.test.ts' }],
  },
  {
    name: 'indexes: stale index of fee grants',
    file: 'src/engine/index/record-keys.ts',
    edits: [
      {
        find: ' &&\n      a.globalFeePayerForOrgs === b.globalFeePayerForOrgs',
        replace: '',
      },
    ],
    tests: [{ file: 'test/engine/index/index-keys.test.ts' }],
  },
  {
    name: 'indexes: stale index of usable tables',
    file: 'src/engine/index/record-keys.ts',
    edits: [
      {
        find: ' || isUsableTable(previous) !== isUsableTable(next)) return false',
        replace: ') return false',
      },
    ],
    tests: [{ file: 'test/engine/index/index-keys.test.ts' }],
  },
  {
    name: 'indexes: stale index of free nonces',
    file: 'src/engine/index/record-keys.ts',
    edits: [
      {
        find: 'isFreeNonce(nonce) !== isFreeNonce(next',
        replace: 'isFreeNonce(nonce) !== isFreeNonce(nonce) && isFreeNonce(next',
      },
    ],
    tests: [{ file: 'test/engine/index/index-keys.test.ts' }],
  },
  {
    name: 'indexes: stale index of data sources',
    file: 'src/engine/index/record-keys.ts',
    edits: [
      {
        find: "if (source !== ofKind(next, 'dataSource')?.context.financialInstrument) return false",
        replace: '',
      },
    ],
    tests: [{ file: 'test/engine/index/index-keys.test.ts' }],
  },
  {
    name: 'indexes: stale index of owners',
    file: 'src/engine/index/record-keys.ts',
    edits: [
      {
        find: "if (ofKind(previous, 'position')?.context.owner !== ofKind(next, 'position')?.context.owner) return false",
        replace: '',
      },
    ],
    tests: [{ file: 'test/engine/index/index-keys.test.ts' }],
  },
  {
    name: 'indexes: stale index of authorities',
    file: 'src/engine/index/record-keys.ts',
    edits: [
      {
        find: "return before === ofKind(next, 'instrument')?.context.authorities",
        replace: 'return before === before',
      },
    ],
    tests: [{ file: 'test/engine/index/index-keys.test.ts' }],
  },
  {
    name: 'indexes: stale index of signatures',
    file: 'src/engine/index/record-keys.ts',
    edits: [
      {
        find: 'transaction.context.signature === after.context.signature && reserves',
        replace: 'reserves',
      },
    ],
    tests: [{ file: 'test/engine/index/index-keys.test.ts' }],
  },
  {
    name: 'indexes: stale index of what is under way',
    file: 'src/engine/index/record-keys.ts',
    edits: [
      {
        find: ' && reserves(transaction) === reserves(after)',
        replace: '',
      },
    ],
    tests: [{ file: 'test/engine/index/index-keys.test.ts' }],
  },
  {
    name: 'indexes: stale index of what is not final',
    file: 'src/engine/index/record-keys.ts',
    edits: [
      {
        find: 'isRevocable(transaction) === isRevocable(after) && ',
        replace: '',
      },
    ],
    tests: [{ file: 'test/engine/index/index-keys.test.ts' }],
  },
  {
    name: 'indexes: stale index of waiting debits',
    file: 'src/engine/index/record-keys.ts',
    edits: [
      {
        find: ' && isWaiting(transaction) === isWaiting(after)',
        replace: '',
      },
    ],
    tests: [{ file: 'test/engine/index/index-keys.test.ts' }],
  },
  {
    name: 'indexes: stale index of signing requests',
    file: 'src/engine/index/record-keys.ts',
    edits: [
      {
        find: 'mayAskSigners(transaction) === mayAskSigners(after) &&',
        replace: '',
      },
    ],
    tests: [{ file: 'test/engine/index/index-keys.test.ts' }],
  },
  {
    name: 'indexes: stale index of unsigned transactions',
    file: 'src/engine/index/record-keys.ts',
    edits: [
      {
        find: '&&\n      isUnsigned(transaction) === isUnsigned(after)',
        replace: '',
      },
    ],
    tests: [{ file: 'test/engine/index/index-keys.test.ts' }],
  },
  {
    name: 'indexes: stale index of active keys',
    file: 'src/engine/index/record-keys.ts',
    edits: [
      {
        find: "if (previous.kind === 'apiKey') return previous.value === next.value",
        replace: "if (previous.kind === 'apiKey') return true",
      },
    ],
    tests: [{ file: 'test/engine/index/index-keys.test.ts' }],
  },
  {
    name: 'indexes: stale index of countersignatures',
    file: 'src/engine/index/record-keys.ts',
    edits: [
      {
        find: "if (previous.kind === 'countersignature') return previous.value === next.value",
        replace: "if (previous.kind === 'countersignature') return true",
      },
    ],
    tests: [{ file: 'test/engine/index/index-keys.test.ts' }],
  },
  {
    name: 'indexes: stale index of plans',
    file: 'src/engine/index/record-keys.ts',
    edits: [
      {
        find: "return plan.context.steps === ofKind(next, 'plan')?.context.steps",
        replace: 'return plan.kind === next.kind',
      },
    ],
    tests: [{ file: 'test/engine/index/index-keys.test.ts' }],
  },
  {
    name: 'indexes: stale index of loans',
    file: 'src/engine/index/record-keys.ts',
    edits: [
      {
        find: "if (previous.kind === 'loan' || previous.kind === 'strategy') return false",
        replace: "if (previous.kind === 'strategy') return false",
      },
    ],
    tests: [{ file: 'test/engine/index/index-keys.test.ts' }],
  },
  {
    name: 'indexes: stale index of strategies',
    file: 'src/engine/index/record-keys.ts',
    edits: [
      {
        find: "if (previous.kind === 'loan' || previous.kind === 'strategy') return false",
        replace: "if (previous.kind === 'loan') return false",
      },
    ],
    tests: [{ file: 'test/engine/index/index-keys.test.ts' }],
  },
  {
    name: 'indexes: closed record found by its address',
    file: 'src/engine/index/record-keys.ts',
    edits: [
      {
        find: "if ((previous.value === 'closed') !== (next.value === 'closed')) return false",
        replace: '',
      },
    ],
    tests: [{ file: 'test/engine/index/index-keys.test.ts' }],
  },
  {
    name: 'indexes: frozen nonce listed as free',
    file: 'src/engine/index/record-keys.ts',
    edits: [
      {
        find: 'context.value !== null && !context.frozenByOperator',
        replace: 'context.value !== null',
      },
    ],
    tests: [{ file: 'test/engine/index/index-keys.test.ts' }],
  },
]
