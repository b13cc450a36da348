// No control flow by exception: an operation throws what ends its request, and `Needs` what its attempt lacks; what a
// record rejects in the background is a value (`UnitOfWork.trySend`), and so is the end of an operation whose caller
// continues (`operationResult`). Every class of error that the operations and the engine declare, and every file of
// them that asks for the class of one, is named here with its reason; a file that is not named may not.
import ts from 'typescript'
import { nodesOf, treeOf } from './imports.ts'
import { isCode, type Rule, type Source, type Tree } from './tree.ts'

/** Classes of errors of the operations. */
const DECLARED: Readonly<Record<string, string>> = {
  Needs: 'what an attempt lacks, caught inside `runAttempts`',
  OutdatedRefusal: 'a refusal, which `runAttempts` verifies on the chain',
  Shortage: 'a refusal, which `runAttempts` verifies on the chain',
  OutboundRefused: 'what a request to a host of a client ended with',
  OutboundFailed: 'what a request to a host of a client ended with',
}

/** What the operations throw besides. */
const THROWN: ReadonlySet<string> = new Set([
  'Error',
  'TypeError',
  'Refusal',
  'OwnedByOtherCell',
  'ServedByOtherCell',
  'FormatError',
  'SettingsError',
])

/** Classes of errors of the engine. */
const DECLARED_BY_ENGINE: Readonly<Record<string, string>> = {
  CommandRejected: 'a refusal, of a unit of work whose caller is a request',
  DebitsNotRecalled: 'what an attempt lacks, caught inside `runAttempts`',
  ForeignTenant: 'a defect',
  OwnedByOtherCell: 'a refusal, or a defect',
  QueryRefused: 'a refusal',
  RecordFailed: 'a defect of one record',
  UnknownMessageItem: 'from a newer release',
  UnknownSnapshot: 'from a newer release',
}

/** What the engine throws besides. */
const THROWN_BY_ENGINE: ReadonlySet<string> = new Set(['Error', 'TypeError', 'MessageTaken', 'MissingRow'])

interface Area {
  readonly folder: string
  readonly declared: Readonly<Record<string, string>>
  readonly thrown: ReadonlySet<string>
}

const AREAS: readonly Area[] = [
  { folder: 'src/operations/', declared: DECLARED, thrown: THROWN },
  { folder: 'src/engine/', declared: DECLARED_BY_ENGINE, thrown: THROWN_BY_ENGINE },
]

/** Malformed data and answers from outside: their reader decides what they mean. */
const FROM_OUTSIDE: ReadonlySet<string> = new Set([
  'FormatError',
  'KeyPlaceError',
  'OutboundFailed',
  'OutboundRefused',
  'QueryRefused',
  'ReadUnanswered',
  'RecipientError',
  'RpcError',
  'TransportError',
])
/** `cold-reads.ts` says who may catch these. */
const HELD_ELSEWHERE: ReadonlySet<string> = new Set(['NotAtHand', 'DebitsNotRecalled'])

const WORDS = 'refuses in words that say nothing of another tenant, or point to what the caller sent'

const CATCHERS: Readonly<Record<string, string>> = {
  'src/engine/settlement/chain-facts.ts': 'a defect of one record holds up no fact of another',
  'src/operations/batches/record.ts': 'a defect of one item holds up no other item of its batch',
  'src/operations/context/as-refusal.ts': 'turns it into the refusal of the request, or into a result',
  'src/operations/transactions/attempt.ts': 'the attempt',
  'src/operations/instruments/creation-advice.ts': WORDS,
  'src/operations/loans/change-draft.ts': WORDS,
  'src/operations/authorization/limits/hidden-rules.ts': WORDS,
  'src/operations/authorization/destinations/of-owner.ts': WORDS,
  'src/operations/transactions/signing/send.ts': 'the reason why a complete transaction waits for Submit',
  'src/operations/transactions/signing/owner-as-remote-signer.ts':
    'the refusal of another cell is the answer of its signer',
}

export const exceptions: Rule = (tree) => {
  const errors = errorClasses(tree)
  return tree.files
    .filter(isCode)
    .flatMap((file) =>
      AREAS.filter(({ folder }) => file.path.startsWith(folder)).flatMap((area) => complaintsOf(file, errors, area)),
    )
}

function complaintsOf(
  file: Source,
  errors: ReadonlySet<string>,
  { declared: declarable, thrown: throwable }: Area,
): readonly string[] {
  const complaints = new Set<string>()
  let catches = false
  for (const node of nodesOf(treeOf(file))) {
    const declared = ts.isClassDeclaration(node) ? (node.name?.text ?? '') : ''
    if (errors.has(declared) && !(declared in declarable))
      complaints.add(`${file.path} declares an error: ${declared}. What is no refusal is an outcome`)
    const thrownError =
      ts.isThrowStatement(node) && ts.isNewExpression(node.expression) ? node.expression.expression : null
    if (thrownError !== null && !throwable.has(thrownError.getText()) && !(thrownError.getText() in declarable))
      complaints.add(`${file.path} throws ${thrownError.getText()}`)
    const caught = caughtClass(node)
    if (!errors.has(caught) || FROM_OUTSIDE.has(caught) || HELD_ELSEWHERE.has(caught)) continue
    catches = true
    if (!(file.path in CATCHERS)) complaints.add(`${file.path} asks whether an error is a ${caught}`)
  }
  if (file.path in CATCHERS && !catches) complaints.add(`${file.path} needs no place among the files of exceptions.ts`)
  return [...complaints]
}

/** The class that an error is compared with. */
function caughtClass(node: ts.Node): string {
  if (!ts.isBinaryExpression(node) || node.operatorToken.kind !== ts.SyntaxKind.InstanceOfKeyword) return ''
  return node.right.getText()
}

/** Names of the product's own classes below `Error`. */
function errorClasses(tree: Tree): ReadonlySet<string> {
  const parents = new Map<string, string>()
  for (const file of tree.files.filter((each) => isCode(each) && /^(?:src|snapshots|machines)\//.test(each.path)))
    for (const [, name, parent] of file.text.matchAll(/\bclass (\w+)(?:<[^{]*>)? extends (\w+)/g))
      parents.set(name!, parent!)
  const isError = (name: string | undefined): boolean =>
    name !== undefined && (name === 'Error' || isError(parents.get(name)))
  return new Set([...parents.keys()].filter(isError))
}
