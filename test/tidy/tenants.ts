// A tenant is the unit of ownership: operations have no access to actors, and the commit of another tenant is included
// for a signature of its keys and for nothing else. (That a unit of work changes no record of another tenant is checked
// by itself.)
import ts from 'typescript'
import { nodesOf, parsed } from './imports.ts'
import { isCode, type Rule } from './tree.ts'

/** And for an attestation of an operator about a transaction of any tenant. */
const COUNTERSIGNING = new Set([
  'src/operations/signing/attest.ts',
  'src/operations/transactions/countersign/countersign.ts',
  'src/operations/signing/kept.ts',
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
      const found = new Set<string>()
      for (const node of nodesOf(parsed(file))) {
        if (!ts.isPropertyAccessExpression(node)) continue
        const { text } = node.name
        if (text === 'alongside' && !COUNTERSIGNING.has(file.path))
          found.add(`${file.path} takes another tenant's commit along`)
        if (ACTORS.has(text)) found.add(`${file.path} has an actor in its hands: ${text}`)
      }
      return [...found]
    })
