// Rights and states that operations require.
import type { Mutant } from '../mutant.ts'

export const OPERATIONS: readonly Mutant[] = [
  {
    name: 'operations: parts of a request judged behind a right that is missing',
    file: 'src/contract/together.ts',
    edits: [{ find: 'if (!isOfBody(error)) return false', replace: 'if (!isOfBody(error)) return true' }],
    tests: [{ file: 'test/contract/together.test.ts' }],
  },
  {
    name: 'operations: shortage reported with the problems of a body, without a look at the chain',
    file: 'src/contract/together.ts',
    edits: [{ find: 'error.constructor === Refusal && ', replace: '' }],
    tests: [{ file: 'test/contract/together.test.ts' }],
  },
  {
    name: 'operations: the outcome of another cell replaces that of an idempotency key',
    file: 'src/engine/settlement/take-message.ts',
    edits: [{ find: 'if (engine.store.idempotency(to, cluster, scope) === undefined)', replace: "if (scope !== '')" }],
    tests: [{ file: 'test/engine/outbox/taken-messages.test.ts' }],
  },
  {
    name: 'operations: nonce account closed before its last transaction has ended',
    file: 'src/operations/accounts/inactivate.ts',
    edits: [{ find: 'if (user === undefined) return', replace: 'if (user === undefined || lease === null) return' }],
    tests: [{ file: 'test/e2e/transactions/closing-nonces.test.ts', name: 'last transaction is not proven' }],
  },
  {
    name: 'operations: wallet kept open by nonce accounts of another organization',
    file: 'src/engine/settlement/needed-wallets.ts',
    edits: [{ find: ' && [tenant, context.organization].includes(nonce.organization)', replace: '' }],
    tests: [{ file: 'test/e2e/transactions/closing-nonces.test.ts', name: 'keep no wallet open' }],
  },
  {
    name: 'operations: an account is paid while a signed message closes it',
    file: 'src/operations/authorization/limits/enforce.ts',
    edits: [{ find: '  checkNothingGivenToClosing(inputs)\n', replace: '' }],
    tests: [{ file: 'test/e2e/accounts/closing-accounts.test.ts', name: 'refuses what would be' }],
  },
  {
    name: 'operations: payments kept out by a message without the key of the account',
    file: 'src/operations/authorization/closing-accounts.ts',
    edits: [{ find: 'each.effects?.some(withdraws)', replace: 'each.effects !== null && withdraws.length > 0' }],
    tests: [{ file: 'test/e2e/accounts/closing-accounts.test.ts', name: 'keeps no payment from the account' }],
  },
  {
    name: 'operations: a closing that waited is signed although a position belongs to the account',
    file: 'src/operations/signing/sign-recorded.ts',
    edits: [
      {
        find: '    hidingRules(call, tenant, () => checkClosedNotInUse(platform, fixed, effects, pointer))\n',
        replace: '',
      },
    ],
    tests: [{ file: 'test/e2e/accounts/closing-accounts.test.ts', name: 'refuses the signature once' }],
  },
  {
    name: 'operations: an account that was paid meanwhile is closed',
    file: 'src/engine/settlement/needed-wallets.ts',
    edits: [{ find: 'if (BigInt(lamports.balance) > 0n) return true', replace: '' }],
    tests: [{ file: 'test/e2e/accounts/closing-accounts.test.ts', name: 'it stays active' }],
  },
  {
    name: 'operations: a wallet that owns tokens is closed with its creation',
    file: 'src/engine/settlement/needed-wallets.ts',
    edits: [{ find: '    ...belongingsOf(index, wallet),\n', replace: '' }],
    tests: [{ file: 'test/e2e/accounts/creations-given-up.test.ts', name: 'signs for the tokens' }],
  },
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
    file: 'src/operations/reconcile/record-facts.ts',
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
    name: 'operations: items that wait for one of their transaction whose simulation fails',
    file: 'src/operations/batches/pack.ts',
    edits: [{ find: "code === 'SIMULATION_FAILED'", replace: "code === ''" }],
    tests: [{ file: 'test/operations/batches/make-items.test.ts', name: 'simulation of their shared transaction' }],
  },
  {
    name: 'operations: items that are tried again before the others',
    file: 'src/operations/batches/driver.ts',
    edits: [{ find: 'run.queue?.push(...left)', replace: 'run.queue = null' }],
    tests: [{ file: 'test/operations/batches/make-items.test.ts', name: 'tried again behind the others' }],
  },
  {
    name: 'operations: items that wait for a broken one of their batch',
    file: 'src/operations/batches/record.ts',
    edits: [{ find: 'failures.set(id, error)', replace: 'throw error' }],
    tests: [{ file: 'test/operations/background/broken-record.test.ts', name: 'beside broken ones' }],
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
  {
    name: 'operations: owed rent kept by a transaction made elsewhere',
    file: 'src/operations/signing/foreign.ts',
    edits: [{ find: '  checkRentReturned(', replace: '  if (call.dryRun) checkRentReturned(' }],
    tests: [{ file: 'test/trust/payments/owed-rent.test.ts', name: 'whoever made the transaction' }],
  },
  {
    name: 'operations: owed rent kept by an own operation',
    file: 'src/operations/transactions/evaluate-message.ts',
    edits: [{ find: '  checkRentReturned(', replace: '  if (call.dryRun) checkRentReturned(' }],
    tests: [{ file: 'test/trust/payments/refunds.test.ts', name: 'control: without an excess' }],
  },
  {
    name: 'operations: owed rent that returns once for two accounts',
    file: 'src/operations/authorization/rent-return.ts',
    edits: [{ find: 'this.#left.set(key, left - taken)', replace: 'this.#left.set(key, left)' }],
    tests: [
      { file: 'test/trust/payments/owed-rent.test.ts', name: 'of two positions' },
      { file: 'test/trust/payments/owed-rent.test.ts', name: 'of two nonce accounts' },
    ],
  },
  {
    name: 'operations: owed rent of a nonce account taken by the second of two withdrawals',
    file: 'src/operations/authorization/rent-return.ts',
    edits: [{ find: 'BigInt(balance) - BigInt(reserved) - (', replace: 'BigInt(balance) - (' }],
    tests: [{ file: 'test/trust/payments/owed-rent.test.ts', name: 'of a nonce account' }],
  },
  {
    name: 'operations: owed rent sent away by a transaction that was signed before',
    file: 'src/operations/transactions/signing/send.ts',
    edits: [{ find: '  checkRent(platform, transaction)\n', replace: '' }],
    tests: [{ file: 'test/trust/payments/owed-rent.test.ts', name: 'signed before the account was opened' }],
  },
  {
    name: 'operations: owed rent handed to an outside authority',
    file: 'src/operations/authorization/rent.ts',
    edits: [{ find: '    checkNotHandedOn(effect, call, directory, control)\n', replace: '' }],
    tests: [{ file: 'test/trust/payments/owed-rent.test.ts', name: 'not handed to an authority' }],
  },
  {
    name: 'operations: question to a remote signer dropped before its answer is stored',
    file: 'src/operations/transactions/signing/signing-queue.ts',
    edits: [{ find: '      if (!this.#stopped) this.#later(question)', replace: '      this.#drop(question)' }],
    tests: [{ file: 'test/operations/signing/lost-answer.test.ts' }],
  },
  {
    name: 'operations: work of a timer that throws what a broken record throws',
    file: 'snapshots/at-hand.ts',
    edits: [{ find: '      onError(error)\n      return\n', replace: '      throw error\n' }],
    tests: [{ file: 'test/operations/background/broken-record.test.ts' }],
  },
  {
    name: 'operations: end of a batch item in a bare callback',
    file: 'src/operations/batches/driver.ts',
    edits: [
      {
        find: 'this.#clock.soon(() => this.#settleSafely(transaction))',
        replace: 'this.#clock.soon(() => this.#settle(transaction))',
      },
    ],
    tests: [{ file: 'test/operations/background/broken-record.test.ts' }],
  },
  {
    name: 'operations: broken record tried again without a growing pause',
    file: 'src/operations/context/background-work.ts',
    edits: [{ find: 'before === undefined ? FIRST_PAUSE_MS', replace: 'before?.pauseMs !== 0 ? FIRST_PAUSE_MS' }],
    tests: [{ file: 'test/operations/background/broken-record.test.ts' }],
  },
  {
    name: 'operations: measurement whose failure nobody receives',
    file: 'src/operations/transactions/measure.ts',
    edits: [
      {
        find: "      this.#log.warn({ err: error, transactionId: id }, 'the facts",
        replace: "      if (id !== '') throw error\n      this.#log.warn({ err: error, transactionId: id }, 'the facts",
      },
    ],
    tests: [{ file: 'test/operations/background/broken-record.test.ts' }],
  },
  {
    name: 'operations: batch written for a distribution that cannot note it',
    file: 'src/operations/distributions/driver.ts',
    edits: [
      {
        find: "      if (!this.#accepts(entry, { type: 'command.pay', batchId: '', place })) return\n",
        replace: '',
      },
    ],
    tests: [{ file: 'test/operations/distributions/broken-distribution.test.ts' }],
  },
  {
    name: 'operations: broken account that stops the reconciliation of others',
    file: 'src/operations/reconcile/reconcile.ts',
    edits: [
      { find: '      if (!this.#patient) throw error\n', replace: "      if (entry.head.id !== '') throw error\n" },
    ],
    tests: [{ file: 'test/operations/background/broken-record.test.ts' }],
  },
  {
    name: 'operations: a late signature sends whatever has been frozen or blocked',
    file: 'src/operations/transactions/signing/answers.ts',
    edits: [{ find: 'held: held || reason !== null,', replace: 'held,' }],
    tests: [
      { file: 'test/e2e/transactions/remote-late.test.ts', name: 'is not sent while the account that pays is frozen' },
    ],
  },
  {
    name: 'operations: a resumed lane sends whatever has been frozen or blocked',
    file: 'src/operations/background/lane-review.ts',
    edits: [{ find: 'if (reason === null) access', replace: "if (reason !== '') access" }],
    tests: [
      {
        file: 'test/e2e/transactions/resumed.test.ts',
        name: 'is not sent on resumption to an address that was blocked, and a cancellation frees what it holds',
      },
    ],
  },
  {
    name: 'operations: what is requested of an ended transaction judged before its state',
    file: 'src/operations/signing/sign-recorded.ts',
    edits: [{ find: "  checkNotEnded(transaction, '/itemData')\n", replace: '' }],
    tests: [{ file: 'test/e2e/transactions/ended-transactions.test.ts', name: 'has ended when its source is frozen' }],
  },
  {
    name: 'operations: bytes that are no request refused before the answer in front of them',
    file: 'src/http/raw-refusals.ts',
    edits: [{ find: "else response.once('finish', next)", replace: 'else setImmediate(next)' }],
    tests: [{ file: 'test/http/raw-refusals.test.ts', name: 'comes before the refusal of what follows its request' }],
  },
  {
    name: 'operations: a body that is no HTTP refused before the answer to an earlier request',
    file: 'src/http/raw-refusals.ts',
    edits: [{ find: 'else if (response.socket === null)', replace: 'else if (response.destroyed)' }],
    tests: [{ file: 'test/http/raw-refusals.test.ts', name: 'comes before the refusal of what follows its request' }],
  },
  {
    name: 'operations: a named authority is not checked where nothing changes',
    file: 'src/operations/instruments/update.ts',
    edits: [{ find: '    checkNamedSigners(context, named().state, signers)\n', replace: '' }],
    tests: [{ file: 'test/e2e/instruments/instrument-refusals.test.ts', name: 'also if nothing changes on chain' }],
  },
  {
    name: 'operations: a rotation is replayed as it was',
    file: 'src/operations/transactions/perform.ts',
    edits: [{ find: 'if (webhook !== undefined) {', replace: "if (webhook === '') {" }],
    tests: [{ file: 'test/e2e/transactions/idempotency.test.ts', name: 'shows until when the previous secret' }],
  },
  {
    name: 'operations: a requested compute unit limit is raised to make the message new',
    file: 'src/operations/transactions/compose.ts',
    edits: [{ find: 'budget.unitLimit !== null && budget.simulated !== true', replace: 'false' }],
    tests: [{ file: 'test/e2e/transactions/equal-requests.test.ts', name: 'keeps a limit of' }],
  },
  {
    name: 'operations: a full message refused that equals another',
    file: 'src/operations/transactions/compose.ts',
    edits: [{ find: 'if (isTooLarge && below === 0)', replace: 'if (isTooLarge)' }],
    tests: [{ file: 'test/e2e/transactions/equal-requests.test.ts', name: 'no room for another instruction' }],
  },
  {
    name: 'operations: money of another organization reserved before it has signed',
    file: 'src/operations/transactions/unreserved.ts',
    edits: [{ find: 'holder) !== fixed.organization', replace: 'holder) === null' }],
    tests: [{ file: 'test/trust/siblings/pledges.test.ts', name: 'reserves nothing on that account' }],
  },
  {
    name: 'operations: amounts reserved again with a later signature',
    file: 'src/operations/transactions/submit.ts',
    edits: [{ find: '(!ourSignature || before.includes(record))', replace: '(!ourSignature || before.length >= 0)' }],
    tests: [{ file: 'test/trust/siblings/pledges.test.ts', name: 'is paid once' }],
  },
  {
    name: 'operations: a fee payer left below the rent-exempt minimum is taken',
    file: 'src/operations/transactions/submit.ts',
    edits: [{ find: 'if (covered) checkRestOfFee(records, fixed)\n', replace: '' }],
    tests: [{ file: 'test/e2e/transactions/rent-of-payers.test.ts', name: 'refuses a named fee payer' }],
  },
]
