// A tenant is the unit of ownership: operations hold no actors, and rows of another tenant are in the same batch for a
// signature of its keys, and for the idempotency and audit rows of a caller who signs or attests another tenant's
// transaction. (The unit of work itself refuses events to records of another tenant.)
import ts from 'typescript'
import { nodesOf, treeOf } from './imports.ts'
import { isCode, type Rule } from './tree.ts'

const COUNTERSIGNING = new Set([
  'src/operations/signing/attest.ts',
  'src/operations/transactions/countersign/countersign.ts',
  'src/operations/signing/sign-recorded.ts',
  'src/operations/transactions/signing/answers.ts',
])
const ACTORS = new Set(['awake', 'actor', 'sleep'])

export const tenants: Rule = (tree) =>
  tree.files
    .filter(
      (file) =>
        isCode(file) &&
        ['src/operations', 'src/http', 'src/lending', 'src/oracle'].some((folder) =>
          file.path.startsWith(`${folder}/`),
        ),
    )
    .flatMap((file) => {
      const complaints = new Set<string>()
      for (const node of nodesOf(treeOf(file))) {
        if (!ts.isPropertyAccessExpression(node)) continue
        const { text } = node.name
        if (text === 'alongside' && !COUNTERSIGNING.has(file.path))
          complaints.add(`${file.path} takes another tenant's commit along`)
        if (ACTORS.has(text)) complaints.add(`${file.path} has an actor in its hands: ${text}`)
      }
      return [...complaints]
    })
