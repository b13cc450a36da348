// The work of a timer has no caller: what it throws would end the process, and so would a promise of it that rejects.
// Every file of the operations that sets one is named here with who receives what its work throws.
import ts from 'typescript'
import { nodesOf, treeOf } from './imports.ts'
import { isCode, type Rule, type Source } from './tree.ts'

const BACKGROUND = '`BackgroundWork`'
const OPERATION = '`operationResult`, around all that can fail'
const OWN = 'catches its own'
const NOTHING = 'only settles a promise'

const SETTERS: Readonly<Record<string, string>> = {
  'src/operations/admin/refusals.ts': OWN,
  'src/operations/background/listener.ts': OWN,
  'src/operations/background/plan-driver.ts': BACKGROUND,
  'src/operations/background/reconciliation.ts': OWN,
  'src/operations/batches/driver.ts': BACKGROUND,
  'src/operations/context/background-work.ts': '`whenAtHand`',
  'src/operations/context/outbound/shares.ts': NOTHING,
  'src/operations/distributions/driver.ts': BACKGROUND,
  'src/operations/market-data/refresher.ts': OPERATION,
  'src/operations/nonces/maintainer.ts': OPERATION,
  'src/operations/schedules/driver.ts': BACKGROUND,
  'src/operations/transactions/signing/lent-keys.ts': NOTHING,
  'src/operations/transactions/signing/signing-queue.ts': '`whenAtHand`',
  'src/operations/webhooks/delivery-worker.ts': OWN,
}

export const timers: Rule = (tree) =>
  tree.files
    .filter((file) => isCode(file) && file.path.startsWith('src/operations/'))
    .flatMap((file) => {
      const sets = setsTimer(file)
      if (sets === file.path in SETTERS) return []
      return [`${file.path} ${sets ? 'sets timers that timers.ts does not name' : 'needs no place in timers.ts'}`]
    })

function setsTimer(file: Source): boolean {
  return [...nodesOf(treeOf(file))].some(
    (node) =>
      ts.isCallExpression(node) &&
      ts.isPropertyAccessExpression(node.expression) &&
      /^(?:soon|setTimeout)$/.test(node.expression.name.text),
  )
}
