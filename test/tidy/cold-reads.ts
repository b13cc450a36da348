// Rows that the store may have to fetch are read where the read can be repeated, and outside effects follow a durable
// commit. Every reader is named here with the code that repeats it; other files may not read.
import ts from 'typescript'
import { nodesOf, treeOf } from './imports.ts'
import { isCode, isProduct, type Rule, type Source } from './tree.ts'

const REQUEST = 'runs in a request, which `Performer` begins again before it has changed anything'
const ATTEMPT = 'runs in an attempt of `runAttempts`'
const ITSELF = 'repeats its own reads'
const CALLER = 'its callers repeat it'

const READERS: Readonly<Record<string, string>> = {
  'src/cli/inspect.ts': ITSELF,
  'src/engine/commits.ts': CALLER,
  'src/engine/engine.ts': CALLER,
  'src/engine/eviction/cold-store.ts': CALLER,
  'src/engine/eviction/eviction.ts': ITSELF,
  'src/engine/settlement/carry-out.ts': CALLER,
  'src/engine/settlement/chain-facts.ts': ITSELF,
  'src/engine/settlement/recovery.ts': ITSELF,
  'src/engine/settlement/settlement.ts': CALLER,
  'src/engine/settlement/take-message.ts': 'the outbox repeats it',
  'src/keys/open.ts': ITSELF,
  'src/keys/rewrap.ts': ITSELF,
  'src/keys/sealed-rows.ts': CALLER,
  'src/operations/admin/screening.ts': REQUEST,
  'src/operations/authorization/limits/approvable.ts': REQUEST,
  'src/operations/authorization/screening/ask.ts': ITSELF,
  'src/operations/background/lane-review.ts': ATTEMPT,
  'src/operations/background/plan-driver.ts': ITSELF,
  'src/operations/batches/approve-batch.ts': REQUEST,
  'src/operations/batches/record.ts': REQUEST,
  'src/operations/context/serving.ts': REQUEST,
  'src/operations/distributions/driver.ts': ITSELF,
  'src/operations/distributions/record.ts': CALLER,
  'src/operations/instruments/logo.ts': REQUEST,
  'src/operations/loans/named.ts': REQUEST,
  'src/operations/lookup/awaited-owners.ts': CALLER,
  'src/operations/payment-requests/cancel.ts': REQUEST,
  'src/operations/payment-requests/payer-view.ts': ITSELF,
  'src/operations/payment-requests/poll.ts': ITSELF,
  'src/operations/pending-changes/record.ts': REQUEST,
  'src/operations/reconcile/cut.ts': 'reconcile.ts repeats it',
  'src/operations/reconcile/moving.ts': 'reconcile.ts repeats it',
  'src/operations/schedules/driver.ts': ITSELF,
  'src/operations/schedules/record.ts': REQUEST,
  'src/operations/signing/attest.ts': REQUEST,
  'src/operations/signing/cancel.ts': REQUEST,
  'src/operations/signing/explain.ts': REQUEST,
  'src/operations/signing/sign-recorded.ts': ATTEMPT,
  'src/operations/signing/ask-owning-cell.ts': REQUEST,
  'src/operations/signing/status.ts': REQUEST,
  'src/operations/transactions/perform.ts': ITSELF,
  'src/operations/transactions/countersign/countersign.ts': ATTEMPT,
  'src/operations/transactions/idempotency.ts': CALLER,
  'src/operations/transactions/unique-message.ts': ATTEMPT,
  'src/operations/transactions/submit.ts': ATTEMPT,
  'src/operations/transactions/signing/owners-elsewhere.ts': ATTEMPT,
  'src/operations/transactions/known-failures.ts': ATTEMPT,
  'src/operations/transactions/nonces/free.ts': REQUEST,
  'src/operations/transactions/nonces/void.ts': CALLER,
  'src/operations/transactions/plans/send-step.ts': CALLER,
  'src/operations/transactions/signing/answers.ts': ITSELF,
  'src/operations/transactions/signing/owner-as-remote-signer.ts': CALLER,
  'src/operations/transactions/signing/signing-queue.ts': ITSELF,
  'src/operations/transactions/signing/held.ts': CALLER,
  'src/operations/transactions/signing/withheld.ts': CALLER,
  'src/operations/transactions/signing/named.ts': ATTEMPT,
  'src/operations/transactions/signing/send.ts': ATTEMPT,
  'src/operations/views/read-models/batch.ts': CALLER,
  'src/operations/views/read-models/pending-change.ts': CALLER,
  'src/operations/views/read-models/plan.ts': CALLER,
  'src/operations/views/read-models/transaction.ts': CALLER,
  'src/operations/webhooks/secrets.ts': CALLER,
}

/** Files that catch `NotAtHand`. Everywhere else it passes through, up to one of them. */
const RUNNERS: Readonly<Record<string, string>> = {
  'snapshots/at-hand.ts': 'the runner',
  'src/cli/check-rows.ts': 'no problem of the row',
  'src/engine/eviction/cold-store.ts': 'learns of cold records what was fetched',
  'src/engine/eviction/eviction.ts': 'evicts the others meanwhile',
  'src/engine/outbox/outbox.ts': 'keeps the order of messages',
  'src/engine/settlement/chain-facts.ts': 'keeps the order of facts',
  'src/keys/sealed-rows.ts': 'remembers keys that commits need',
  'src/operations/reconcile/reconcile.ts': 'writes the other records meanwhile',
  'src/operations/transactions/attempt.ts': 'the runner of attempts',
  'src/operations/transactions/idempotency.ts': 'names both rows at once',
  'src/operations/transactions/perform.ts': 'lets no request with the same key pass meanwhile',
  'src/operations/transactions/signing/signing-queue.ts': 'answers a question that cannot wait',
}

/** What an attempt lacks: one file collects it and repeats the attempt. */
const NEEDS = new Set(['Needs', 'DebitsNotRecalled'])
const GATHERER = 'src/operations/transactions/attempt.ts'

const ROWS = new Set(['idempotency', 'transactionOfMessage', 'payload', 'secret', 'file', 'old', 'alias'])
const RECORDS = new Set(['byId', 'bySignature', 'byPayId', 'byPaymentReference'])
const STORES = new Set(['store', '#store'])

export const coldReads: Rule = (tree) =>
  tree.files.filter((file) => isCode(file) && isProduct(file)).flatMap((file) => complaintsOf(file))

function complaintsOf(file: Source): string[] {
  if (!file.path.startsWith('src/') && !(file.path in RUNNERS)) return []
  const nodes = [...nodesOf(treeOf(file))]
  const reads = nodes.some(isColdRead)
  const catches = nodes.some((node) => caughtBy(node) === 'NotAtHand')
  const steers = nodes.flatMap((node) => caughtBy(node) ?? []).filter((name) => NEEDS.has(name))
  return [
    ...(reads && !(file.path in READERS) ? [`${file.path} reads rows that may have to be fetched first`] : []),
    ...(file.path === GATHERER ? [] : steers.map((name) => `${file.path} catches ${name} past attempt.ts`)),
    ...(catches && !(file.path in RUNNERS) ? [`${file.path} catches NotAtHand past the runners`] : []),
    ...(!reads && file.path in READERS ? [`${file.path} needs no place among the readers of cold-reads.ts`] : []),
    ...(!catches && file.path in RUNNERS ? [`${file.path} needs no place among the runners of cold-reads.ts`] : []),
  ]
}

function isColdRead(node: ts.Node): boolean {
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return false
  const { expression, name } = node.expression
  const of = nameOf(expression)
  return (
    (ROWS.has(name.text) && of !== null && STORES.has(of)) ||
    (name.text === 'payload' && of === 'engine') ||
    (RECORDS.has(name.text) && of === 'directory')
  )
}

/** The class that an error is compared with. */
function caughtBy(node: ts.Node): string | null {
  if (!ts.isBinaryExpression(node) || node.operatorToken.kind !== ts.SyntaxKind.InstanceOfKeyword) return null
  return ts.isIdentifier(node.right) ? node.right.text : null
}

/** The last name of the expression whose member is called; of one out of `clusters`, `cluster`. */
function nameOf(node: ts.Expression): string | null {
  if (ts.isIdentifier(node)) return node.text
  if (ts.isPropertyAccessExpression(node)) return node.name.text
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return null
  return node.expression.name.text === 'get' && nameOf(node.expression.expression) === 'clusters' ? 'cluster' : null
}

/** Sends and requests. `forget` and `checkNow` change nothing outside. */
const EFFECTS: Readonly<Record<string, ReadonlySet<string>>> = {
  cluster: new Set(['submit', 'watch']),
  access: new Set(['submit', 'watch']),
  link: new Set(['submit', 'watch']),
  signingQueue: new Set(['ask']),
}
const BEFORE_ANY_WORK: ReadonlySet<string> = new Set(['src/engine/settlement/recovery.ts'])

/** A commit decides about an outside effect, and comes before it. */
export const effectsAfterCommit: Rule = (tree) =>
  tree.files
    .filter(
      (file) => isCode(file) && /^src\/(?:engine|operations)\//.test(file.path) && !BEFORE_ANY_WORK.has(file.path),
    )
    .flatMap((file) =>
      [...nodesOf(treeOf(file))]
        .filter((node) => isEffect(node) && !isAfterCommit(node))
        .map((node) => `${file.path} has an effect that does not follow a commit: ${node.getText().split('(')[0]!}`),
    )

function isEffect(node: ts.Node): boolean {
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return false
  const of = nameOf(node.expression.expression)
  return of !== null && EFFECTS[of]?.has(node.expression.name.text) === true
}

function isAfterCommit(node: ts.Node): boolean {
  for (let at = node.parent; !ts.isSourceFile(at); at = at.parent) {
    if (!ts.isCallExpression(at) || !ts.isPropertyAccessExpression(at.expression)) continue
    if (at.expression.name.text === 'afterCommit') return true
  }
  return false
}
