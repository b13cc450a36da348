// The interface is defined once, in the schemas of src/contract. Operations and read models return the types inferred
// from them, so that the compiler compares each answer with the document; and no type repeats a schema.
import ts from 'typescript'
import { nodesOf, treeOf } from './imports.ts'
import { isCode, type Rule, type Source } from './tree.ts'

const DATA = 'data that is stored and read again; no part of an answer'
const EVENT = 'changed members of an event, of any record'
const STORED = 'item data of a request, as it was stored'
const QUERY = 'the query of the engine below the contract, which its own compiler validates'

/** Files with functions that return JSON of any shape, with the reason. */
const ANY_JSON: Readonly<Record<string, string>> = {
  'src/operations/distributions/create-distribution.ts': DATA,
  'src/operations/distributions/terms.ts': DATA,
  'src/operations/events/account-changes.ts': EVENT,
  'src/operations/events/holding-changes.ts': EVENT,
  'src/operations/events/loan-events.ts': EVENT,
  'src/operations/events/transaction-events.ts': EVENT,
  'src/operations/events/events-of-change.ts': EVENT,
  'src/operations/authorization/policies/changes.ts': DATA,
  'src/operations/authorization/screening/question.ts': 'the question to a screening service',
  'src/operations/instruments/update-draft.ts': DATA,
  'src/operations/lookup-tables/step-draft.ts': DATA,
  'src/operations/transactions/perform.ts': 'renders the answer of any write',
  'src/operations/views/explain/checks.ts': 'effects of any instruction, as the instruction table derives them',
  'src/operations/views/read-models/item-data.ts': STORED,
}

/** Files with types of requests that no schema infers, with the reason. */
const BY_HAND: Readonly<Record<string, string>> = {
  'src/operations/events/fetch-events.ts': 'parameters of a GET, which have no body',
  'src/operations/instruments/holders.ts': QUERY,
  'src/operations/nonces/fetch.ts': QUERY,
  'src/operations/views/fetch-bulk.ts': QUERY,
}

export const contract: Rule = ({ files }) => {
  const code = files.filter(isCode)
  const operations = code.filter(({ path }) => path.startsWith('src/operations/'))
  const anyJson = operations.filter(returnsAnyJson).map(({ path }) => path)
  const byHand = operations.filter(declaresInput).map(({ path }) => path)
  return [
    ...anyJson.filter((path) => !(path in ANY_JSON)).map((path) => `${path} returns JSON of any shape`),
    ...operations.filter(readsUntyped).map(({ path }) => `${path} has a read without the type of its answer`),
    ...byHand.filter((path) => !(path in BY_HAND)).map((path) => `${path} declares the type of a request by hand`),
    ...code.filter(declaresMembers).map(({ path }) => `${path} declares by hand what a schema infers`),
    ...stale(operations, ANY_JSON, anyJson),
    ...stale(operations, BY_HAND, byHand),
  ]
}

/** An unused exception would allow a later violation. */
function stale(
  files: readonly Source[],
  exceptions: Readonly<Record<string, string>>,
  needed: readonly string[],
): readonly string[] {
  return files
    .filter(({ path }) => path in exceptions && !needed.includes(path))
    .map(({ path }) => `${path} needs no exception of contract.ts any more`)
}

const ANY = new Set(['JsonObject', 'JsonValue'])

/** A function whose result is `JsonObject`, or contains it: a promise, a list, an alternative. */
function returnsAnyJson(file: Source): boolean {
  if (!file.text.includes('Json')) return false
  return [...nodesOf(treeOf(file))].some(
    (node) => ts.isFunctionLike(node) && node.type !== undefined && isAny(node.type),
  )
}

function isAny(type: ts.TypeNode): boolean {
  if (ts.isTypeReferenceNode(type)) {
    const name = type.typeName.getText()
    if (ANY.has(name)) return true
    return ['Promise', 'Readonly'].includes(name) && type.typeArguments?.some(isAny) === true
  }
  if (ts.isUnionTypeNode(type)) return type.types.some(isAny)
  if (ts.isArrayTypeNode(type)) return isAny(type.elementType)
  if (ts.isTypeOperatorNode(type)) return isAny(type.type)
  return false
}

/** `Read<Input>`: the route would compare nothing. */
function readsUntyped(file: Source): boolean {
  return treeOf(file).statements.some(
    (statement) =>
      ts.isVariableStatement(statement) &&
      statement.declarationList.declarations.some(
        ({ type }) =>
          type !== undefined &&
          ts.isTypeReferenceNode(type) &&
          type.typeName.getText() === 'Read' &&
          type.typeArguments?.length === 1,
      ),
  )
}

function declaresInput(file: Source): boolean {
  return treeOf(file).statements.some(
    (statement) => ts.isInterfaceDeclaration(statement) && isExported(statement) && /Input$/.test(statement.name.text),
  )
}

/**
 * An exported type beside the schemas whose members are written out: text, numbers, literals. Generic types are what a
 * schema cannot be.
 */
function declaresMembers(file: Source): boolean {
  if (!file.path.startsWith('src/contract/schemas/')) return false
  return treeOf(file).statements.some((statement) => {
    if (!isExported(statement)) return false
    if (ts.isInterfaceDeclaration(statement))
      return statement.typeParameters === undefined && statement.members.some(isWrittenOut)
    return (
      ts.isTypeAliasDeclaration(statement) &&
      ts.isTypeLiteralNode(statement.type) &&
      statement.type.members.some(isWrittenOut)
    )
  })
}

function isWrittenOut(member: ts.TypeElement): boolean {
  if (!ts.isPropertySignature(member) || member.type === undefined) return true
  const plain = (type: ts.TypeNode): boolean =>
    ts.isUnionTypeNode(type)
      ? type.types.every(plain)
      : !ts.isTypeReferenceNode(type) && !ts.isIndexedAccessTypeNode(type)
  return plain(member.type)
}

function isExported(node: ts.Statement): boolean {
  return (
    ts.canHaveModifiers(node) &&
    ts.getModifiers(node)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true
  )
}
