// Rights and states that operations require.
import type { Mutant } from '../mutant.ts'

export const OPERATIONS: readonly Mutant[] = [
  {
    name: 'operations: every reservation taken as thawing',
    file: 'src/operations/transactions/submit.ts',
    edits: [
      {
        find: "const thawing = facts.some(({ event }) => event.type === 'chain.thawed')",
        replace: 'const thawing = true',
      },
    ],
    tests: [{ file: 'test/operations/transactions/reserve.test.ts' }],
  },
  {
    name: 'operations: records of a request that are not found anew after a change',
    file: 'src/operations/lookup/request-records.ts',
    edits: [{ find: 'if (this.#changes === changes) return', replace: 'return' }],
    tests: [{ file: 'test/operations/lookup/request-records.test.ts' }],
  },
  {
    name: 'operations: lookup of an own record that ignores the organization',
    file: 'src/operations/lookup/own.ts',
    edits: [
      {
        find: ' || state.context.organization !== call.organization',
        replace: '',
      },
    ],
    tests: [{ file: 'test/operations/lookup/resolve.test.ts', name: 'a record to be changed' }],
  },
  {
    name: 'operations: lookup of an own record that ignores the tenant',
    file: 'src/operations/lookup/own.ts',
    edits: [
      {
        find: 'state.tenant !== call.tenant || ',
        replace: '',
      },
    ],
    tests: [{ file: 'test/operations/lookup/resolve.test.ts', name: 'a record to be changed' }],
  },
  {
    name: 'operations: lookup in the own tenant that ignores the organization',
    file: 'src/operations/lookup/whose-records.ts',
    edits: [
      {
        find: "return organization === null || context.organization === organization ? 'OWN_ORGANIZATION' : 'OWN_TENANT'",
        replace: "return 'OWN_ORGANIZATION'",
      },
    ],
    tests: [{ file: 'test/operations/lookup/resolve.test.ts', name: 'belongs to the requesting organization' }],
  },
  {
    name: 'operations: record of another organization of the tenant that is shown',
    file: 'src/operations/lookup/party.ts',
    edits: [
      {
        find: 'return (state.tenant === call.tenant && state.context.organization === call.organization) || state',
        replace: 'return state.tenant === call.tenant || state',
      },
    ],
    tests: [{ file: 'test/operations/lookup/resolve.test.ts', name: 'never belongs to another organization' }],
  },
  {
    name: 'operations: signature of a remote signer that is not verified',
    file: 'src/operations/transactions/signing/signing-queue.ts',
    edits: [
      { find: 'verifySignature(message, answer.signature, address)) return answer', replace: 'true) return answer' },
    ],
    tests: [{ file: 'test/operations/signing/remote.test.ts', name: 'its answers are verified' }],
  },
  {
    name: 'operations: remote signer that is asked before the request is durable',
    file: 'src/operations/transactions/submit.ts',
    edits: [
      {
        find: 'if (waits) unit.afterCommit(() => platform.signingQueue.ask(entry))',
        replace: 'if (waits) queueMicrotask(() => platform.signingQueue.ask(entry))',
      },
    ],
    tests: [{ file: 'test/operations/signing/remote.test.ts', name: 'before the first write is on disk' }],
  },
  {
    name: 'operations: observation of the chain applied up to the fact that is rejected',
    file: 'src/operations/reconcile/fold.ts',
    edits: [{ find: '      unit.discard()\n', replace: '' }],
    tests: [{ file: 'test/operations/background/changed-meanwhile.test.ts' }],
  },
  {
    name: 'operations: lapse that is not tried again once it was rejected',
    file: 'src/operations/background/lapse.ts',
    edits: [{ find: '    this.#insert({ id, dueAt: now + AGAIN_MS })', replace: '' }],
    tests: [{ file: 'test/operations/background/changed-meanwhile.test.ts' }],
  },
  {
    name: 'operations: warning about the end of a round',
    file: 'src/operations/webhooks/dispatcher.ts',
    edits: [{ find: "if (code !== 'DISABLED' && code !== 'ROUND_OVER')", replace: '' }],
    tests: [{ file: 'test/operations/background/changed-meanwhile.test.ts' }],
  },
  {
    name: 'operations: measures of a landing whose rejection is no outcome',
    file: 'src/engine/settlement/settlement.ts',
    edits: [
      {
        find: "unit.trySend<'transaction'>(entry, event))",
        replace: "(unit.send<'transaction'>(entry, event), null))",
      },
    ],
    tests: [{ file: 'test/operations/background/changed-meanwhile.test.ts' }],
  },
  {
    name: 'operations: items that a stopped batch makes all the same',
    file: 'src/operations/batches/pack.ts',
    edits: [{ find: '    unit.discard()\n', replace: '' }],
    tests: [{ file: 'test/operations/batches/make-items.test.ts' }],
  },
  {
    name: 'operations: items that their batch does not take, and that nothing makes later',
    file: 'src/operations/batches/make-items.ts',
    edits: [{ find: '...pack.left, ', replace: '' }],
    tests: [{ file: 'test/operations/batches/make-items.test.ts' }],
  },
  {
    name: 'operations: transaction that is reported although its batch was stopped',
    file: 'src/operations/batches/pack.ts',
    edits: [{ find: 'if (!this.#planned.some(({ member: { item } }) => this.#left.has(item))) ', replace: '' }],
    tests: [{ file: 'test/operations/batches/make-items.test.ts' }],
  },
  {
    name: 'operations: callback whose signature is ignored instead of refused',
    file: 'src/operations/transactions/signing/signing-queue.ts',
    edits: [{ find: "      return 'invalid'\n", replace: '      return false\n' }],
    tests: [{ file: 'test/e2e/transactions/remote-signers.test.ts', name: 'is completed by a callback' }],
  },
]
