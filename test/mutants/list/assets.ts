// Rules of asset management: approvals, batches, schedules, distributions, payment requests, movements and deliveries.
import { mutantOf, type Mutant, type MutantTest } from '../mutant.ts'

const mutant = mutantOf('assets')

const PERSONS: MutantTest = { file: 'test/machines/approval-policy.test.ts', name: 'count each person once' }
const SCHEDULE: MutantTest = { file: 'test/machines/schedule.test.ts', name: 'attempts no occurrence twice' }
const REQUEST = 'test/machines/payment-request.test.ts'
const QUEUE: MutantTest = { file: 'test/operations/webhooks/queue.test.ts', name: 'in order per resource' }
const IN_ORDER = 'test/operations/batches/in-order.test.ts'
const CHECKS = 'test/e2e/payouts/batch-checks.test.ts'
const MOVEMENTS = 'test/engine/movements/movements.test.ts'
const FLOWS = 'src/operations/statements/flows.ts'
const PAYMENTS = 'test/e2e/payouts/statement-payments.test.ts'

export const ASSETS: readonly Mutant[] = [
  mutant(
    'one person approving twice',
    'machines/approval.ts',
    ['persons.add(personOf(keyId, entry))', 'persons.add(keyId)'],
    PERSONS,
  ),
  mutant(
    'requester approving with another of its keys',
    'machines/approval.ts',
    [' && !own.has(personOf(keyId, entry))) persons', ') persons'],
    PERSONS,
  ),
  mutant(
    'approval that covers limits exceeded after it',
    'machines/approval.ts',
    ['if (covered <= index || requesters', 'if (requesters'],
    { file: 'test/machines/approval.test.ts' },
  ),
  mutant(
    'release of a policy that takes effect at once',
    'machines/approval-policy.ts',
    ['Date.parse(at) + RELEASE_DELAY_MS', 'Date.parse(at)'],
    { file: 'test/machines/approval-policy.test.ts', name: 'released only after the delay' },
  ),
  mutant(
    'pending change applied without its approvals',
    'machines/pending-change.ts',
    ["  if (!isApproved(context.approval)) return refuse('APPROVAL_REQUIRED', 'the change waits for approval')\n", ''],
    { file: 'test/machines/pending-change.test.ts', name: 'with its approvals, or never' },
  ),
  mutant(
    'item of a batch begun while the batch is being cancelled',
    'machines/batch.ts',
    [
      "  args.context.sweep === null\n    ? counting<On<'command.begin'>>",
      "  args.context.items > 0\n    ? counting<On<'command.begin'>>",
    ],
    { file: 'test/machines/batch.test.ts', name: 'while it is being cancelled' },
  ),
  mutant(
    'batch that counts more items than it has',
    'machines/batch.ts',
    ['if (items < 0 || counts[from] < items) return null', 'if (items < 0) return null'],
    { file: 'test/machines/batch.test.ts', name: 'never loses or adds an item' },
  ),
  mutant(
    'item of a batch ended by the transaction of another',
    'machines/batch-item.ts',
    ['    event.transactionId === context.transactionId\n', "    event.transactionId !== ''\n"],
    { file: 'test/machines/batch.test.ts' },
    { file: 'test/machines/answers.test.ts' },
  ),
  mutant(
    'occurrence of a schedule attempted twice',
    'machines/schedule.ts',
    ['if (planned === null || skipped < 0) return', 'if (planned === null) return'],
    SCHEDULE,
  ),
  mutant(
    'schedule whose next occurrence is not later',
    'machines/schedule.ts',
    ['  if (!isAfter(event.next, event.number, planned.at))\n', '  if (event.number < 0)\n'],
    SCHEDULE,
  ),
  mutant(
    'schedule that runs more often than its limit',
    'machines/schedule.ts',
    ['maxRuns !== null && runs + 1 >= maxRuns ? null : event.next', 'maxRuns === 0 && runs > 0 ? null : event.next'],
    SCHEDULE,
  ),
  mutant(
    'part of a distribution rounded up',
    'machines/distribution-parts.ts',
    [
      'const amount = (own * numerator) / denominator',
      'const amount = (own * numerator + denominator - 1n) / denominator',
    ],
    { file: 'test/machines/distribution-parts.test.ts' },
  ),
  mutant(
    'final payment of a payment request taken back',
    'machines/payment-request.ts',
    ["  if (!isKept) return refuse('FINAL_PAYMENT_MISSING', 'a final payment cannot disappear')\n", ''],
    { file: REQUEST, name: 'but not a final one' },
    { file: REQUEST, name: 'keeps final payments' },
  ),
  mutant(
    'late payment counted for a payment request',
    'machines/payment-request.ts',
    ['payments.filter(({ late }) => !late).reduce(', 'payments.reduce('],
    { file: REQUEST, name: 'the state of the payments in time' },
  ),
  mutant(
    'movement of a dropped fork listed with its reversal',
    'src/engine/movements/history.ts',
    ["each.cause !== 'undone' && !isReversed(each, reversals)", "each.cause !== 'undone'"],
    { file: MOVEMENTS, name: 'add up to the balance at any instant' },
  ),
  mutant(
    'movement that is final before its transaction',
    'src/engine/movements/finality.ts',
    ['Math.min(next, oldest, this.#recent', 'Math.min(next, Math.max(next, oldest), this.#recent'],
    { file: MOVEMENTS, name: 'become final with their transaction' },
  ),
  mutant(
    'delivery of a webhook that overtakes a failed one of its resource',
    'src/operations/webhooks/queue.ts',
    ['!before.has(resource) && !this.#deferred.has(resource)', '!before.has(resource)'],
    QUEUE,
  ),
  mutant(
    'delivery of a webhook beside an unanswered one of its resource',
    'src/operations/webhooks/queue.ts',
    ["queued.state === 'ready' && !before.has(resource) &&", "queued.state === 'ready' &&"],
    QUEUE,
  ),
  mutant(
    'an unreadable transaction hides the payments beside it',
    'src/operations/payment-requests/poll.ts',
    ['    if (!isOfTransaction) throw error\n', '    if (isOfTransaction) throw error\n'],
    { file: 'test/operations/payment-requests/poll.test.ts', name: 'passes over' },
  ),
  mutant(
    'a payment that cannot be read again is taken back',
    'src/operations/payment-requests/poll.ts',
    ['if (paid === undefined) return failed ?', 'if (paid === undefined) return !failed ?'],
    { file: 'test/operations/payment-requests/poll.test.ts', name: 'keeps a recorded payment' },
  ),
  mutant(
    'one payment counted for each request that it names',
    'src/operations/payment-requests/poll.ts',
    ['    rest -= share\n', ''],
    { file: 'test/e2e/payouts/payment-requests.test.ts', name: 'shares what one transaction pays' },
  ),
  mutant(
    'a payment behind the newest transactions of its reference key',
    'src/rpc/cluster.ts',
    ['if (page.length < HISTORY_PAGE) return history', 'if (page.length <= HISTORY_PAGE) return history'],
    { file: 'test/operations/payment-requests/poll.test.ts', name: 'is found behind more of them' },
    { file: 'test/operations/payment-requests/poll.test.ts', name: 'stays recorded when they land' },
  ),
  mutant(
    'a payment taken back because a poll does not list as far',
    'src/operations/payment-requests/poll.ts',
    ['slot > finalSlot || slot >= reach', 'slot > finalSlot'],
    { file: 'test/operations/payment-requests/poll.test.ts', name: 'and stays recorded meanwhile' },
  ),
  mutant(
    'everything after an unreadable transaction listed again by each poll',
    'src/operations/payment-requests/poll.ts',
    ['known.has(key) || unreadable.has(key))) return', 'known.has(key))) return'],
    { file: 'test/operations/payment-requests/poll.test.ts', name: 'is read again, without what came after it' },
  ),
  mutant(
    'a tenant that had its turn is first again',
    'src/submission/tenant-turns.ts',
    ['this.#tenants.delete(tenant)', 'if (items.length === 0) this.#tenants.delete(tenant)'],
    {
      file: 'test/operations/payment-requests/watcher.test.ts',
      name: 'gives a tenant its turn while others have more',
    },
  ),
  mutant(
    'one tenant polls payment requests until none of others is polled',
    'src/operations/payment-requests/watcher.ts',
    ['this.#pollsOfTenant(tenant) < MAX_AT_ONCE_OF_TENANT', 'this.#pollsOfTenant(tenant) < MAX_AT_ONCE'],
    { file: 'test/operations/payment-requests/watcher.test.ts', name: 'while another has more than it may poll' },
  ),
  mutant(
    'distributions of one tenant are continued until none of others is',
    'src/operations/distributions/driver.ts',
    ['take((tenant) => !this.#running.has(tenant))', 'take(() => this.#running.size === 0)'],
    { file: 'test/operations/distributions/turns.test.ts', name: 'while the chain does not answer for another' },
  ),
  mutant(
    'items made for a disabled key',
    'src/operations/batches/make-items.ts',
    ["    checkCreator(platform, context.requester, 'batch')\n", ''],
    { file: 'test/e2e/payouts/batches.test.ts', name: 'fail once the key that requested them is disabled' },
  ),
  mutant(
    'items that create the same account pass the check',
    'src/operations/batches/taken.ts',
    ['else if (holder !== index &&', 'else if (holder > index &&'],
    { file: CHECKS, name: 'conflicts between items' },
  ),
  mutant(
    'items conflict only with those that are tried together',
    'src/operations/batches/taken.ts',
    ['    const refusals = new Map', '    this.#holders.clear()\n    const refusals = new Map'],
    { file: CHECKS, name: 'beyond those that are tried together' },
  ),
  mutant(
    'transactions of a batch that stops on a failure are under way together',
    'src/operations/batches/driver.ts',
    ['const most = stopOnFailure ? 1 : MAX_UNDER_WAY', 'const most = MAX_UNDER_WAY'],
    { file: IN_ORDER, name: 'makes one transaction after the other' },
  ),
  mutant(
    'one making of items in order makes several transactions',
    'src/operations/batches/pack.ts',
    ['    if (this.#transactions.length > 0) return []\n', ''],
    { file: IN_ORDER, name: 'makes one transaction after the other' },
  ),
  mutant(
    'an item without a transaction is made before an earlier one',
    'src/operations/batches/pack.ts',
    ['!this.#inOrder || this.#isTurnOf(made)', '!this.#inOrder || made.length > 0'],
    { file: IN_ORDER, name: 'before it makes one that needs none' },
  ),
  mutant(
    'an item that must be made later loses its place',
    'src/operations/batches/driver.ts',
    ['run.queue?.unshift(...left, ...later)', 'run.queue?.push(...left, ...later)'],
    { file: IN_ORDER, name: 'while one has to be made later' },
  ),
  mutant(
    'several items fail for a disabled key although the first stops the batch',
    'src/operations/batches/make-items.ts',
    ['const end = inOrder ? 1 : items.length', 'const end = items.length'],
    { file: IN_ORDER, name: 'fails one item only' },
  ),
  mutant(
    'items made after a transaction that has failed but whose items have not',
    'src/operations/batches/driver.ts',
    ['    return isFailing && this.#itemsUnderWay(transaction).length > 0\n', '    return false\n'],
    { file: IN_ORDER, name: 'up to the bad one' },
  ),
  mutant(
    'items made while nothing is sent',
    'src/operations/batches/driver.ts',
    ['if (isSendingSuspended(this.#platform, batch, batch.context.organization)) {', 'if (!isSendingSuspended) {'],
    { file: 'test/e2e/payouts/batches.test.ts', name: 'wait while nothing of the organization is sent' },
  ),
  mutant(
    'occurrences made while nothing is sent',
    'src/operations/schedules/record-occurrence.ts',
    ['if (isSendingSuspended(platform, schedule, schedule.context.organization)) return false', ''],
    {
      file: 'test/e2e/payouts/schedules.test.ts',
      name: 'makes up for the occurrences that came while nothing of its organization was sent',
    },
  ),
  mutant(
    'schedules of some tenants take all attempts',
    'src/operations/schedules/driver.ts',
    ['this.#underWayOf(tenant) < MAX_OF_TENANT)', "tenant !== 'OTHER' || this.#attempts.size === 0)"],
    { file: 'test/operations/schedules/turns.test.ts', name: 'gives a tenant its turn while others have more due' },
  ),
  mutant(
    'second approval of a transaction that has gone on',
    'src/operations/signing/approve.ts',
    ['  checkNotGiven(keyId, approval)\n', ''],
    {
      file: 'test/e2e/limits/approvals.test.ts',
      name: 'an approval is given once, by another key, and only by the named approvers',
    },
  ),
  mutant(
    'payments of a transaction are one line of a statement',
    FLOWS,
    ['if (first === undefined ||', 'if (payments.length > 1 || first === undefined ||'],
    { file: PAYMENTS, name: 'is a line for each payee, with its amount and reference' },
    { file: PAYMENTS, name: 'any batch is its payments in the order of the items' },
  ),
  mutant(
    'fee of several payments is in no line of a statement',
    FLOWS,
    ['  if (rest === 0n && costs === 0n) return payments', '  return payments'],
    { file: 'test/operations/statements/flows.test.ts', name: 'add up to it, whatever the message says' },
    { file: PAYMENTS, name: 'has its fee in a line of its own' },
  ),
  mutant(
    'a reference that items of a batch share is that of all of them',
    'src/operations/batches/merge.ts',
    ['references.length === 0 || references.length === drafts.length', 'references.length >= 0'],
    { file: PAYMENTS, name: 'where items share a reference or have none' },
  ),
]
