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
        find: '    a.references === b.references &&\n',
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
        find: '    a.organization === b.organization &&\n',
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
        find: '    a.canPayFees === b.canPayFees &&\n',
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
        find: '    a.shared === b.shared &&\n',
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
        find: '    a.orgsAllowedToSignWithPrivateKey === b.orgsAllowedToSignWithPrivateKey &&\n',
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
        find: ' &&\n    a.globalFeePayerForOrgs === b.globalFeePayerForOrgs',
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
        find: ' && isUsableTable(a) === isUsableTable(b)',
        replace: '',
      },
    ],
    tests: [{ file: 'test/engine/index/index-keys.test.ts' }],
  },
  {
    name: 'indexes: stale index of free nonces',
    file: 'src/engine/index/record-keys.ts',
    edits: [
      {
        find: ' && isFreeNonce(a) === isFreeNonce(b)',
        replace: '',
      },
    ],
    tests: [{ file: 'test/engine/index/index-keys.test.ts' }],
  },
  {
    name: 'indexes: stale index of data sources',
    file: 'src/engine/index/record-keys.ts',
    edits: [
      {
        find: ' && a.context.financialInstrument === b.context.financialInstrument',
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
        find: ' && a.context.owner === b.context.owner',
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
        find: ' && a.context.authorities === b.context.authorities',
        replace: '',
      },
    ],
    tests: [{ file: 'test/engine/index/index-keys.test.ts' }],
  },
  {
    name: 'indexes: stale index of signatures',
    file: 'src/engine/index/record-keys.ts',
    edits: [
      {
        find: '    previous.context.signature === next.context.signature &&\n',
        replace: '',
      },
    ],
    tests: [{ file: 'test/engine/index/index-keys.test.ts' }],
  },
  {
    name: 'indexes: stale index of what is under way',
    file: 'src/engine/index/record-keys.ts',
    edits: [
      {
        find: '    reserves(previous) === reserves(next) &&\n',
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
        find: '    isRevocable(previous) === isRevocable(next) &&\n',
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
        find: '    isWaiting(previous) === isWaiting(next) &&\n',
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
        find: '    mayAskSigners(previous) === mayAskSigners(next) &&\n',
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
        find: ' &&\n    isUnsigned(previous) === isUnsigned(next)',
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
        find: 'keys: apiKeyKeys, isSame: isSameState',
        replace: 'keys: apiKeyKeys, isSame: always',
      },
    ],
    tests: [{ file: 'test/engine/index/index-keys.test.ts' }],
  },
  {
    name: 'indexes: stale index of countersignatures',
    file: 'src/engine/index/record-keys.ts',
    edits: [
      {
        find: 'keys: countersignatureKeys, isSame: isSameState',
        replace: 'keys: countersignatureKeys, isSame: always',
      },
    ],
    tests: [{ file: 'test/engine/index/index-keys.test.ts' }],
  },
  {
    name: 'indexes: stale index of plans',
    file: 'src/engine/index/record-keys.ts',
    edits: [
      {
        find: 'keys: planKeys, isSame: (a, b) => a.context.steps === b.context.steps',
        replace: 'keys: planKeys, isSame: always',
      },
    ],
    tests: [{ file: 'test/engine/index/index-keys.test.ts' }],
  },
  {
    name: 'indexes: stale index of loans',
    file: 'src/engine/index/record-keys.ts',
    edits: [
      {
        find: 'keys: loanKeys, isSame: never',
        replace: 'keys: loanKeys, isSame: always',
      },
    ],
    tests: [{ file: 'test/engine/index/index-keys.test.ts' }],
  },
  {
    name: 'indexes: stale index of strategies',
    file: 'src/engine/index/record-keys.ts',
    edits: [
      {
        find: 'keys: strategyKeys, isSame: never',
        replace: 'keys: strategyKeys, isSame: always',
      },
    ],
    tests: [{ file: 'test/engine/index/index-keys.test.ts' }],
  },
  {
    name: 'indexes: closed record found by its address',
    file: 'src/engine/index/record-keys.ts',
    edits: [
      {
        find: "    (value === 'closed') === (next.value === 'closed') &&\n",
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
