// The list of codes in the documentation equals the codes in the sources.
import { describe, expect, it } from 'vitest'
import ts from 'typescript'
import { ERROR_CODES } from '../../src/contract/error-codes.ts'
import { nodesOf, treeOf } from '../tidy/imports.ts'
import { repository, type Source } from '../tidy/tree.ts'

const CODE = /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*$/
/** Calls that create refusals, in the front end, the operations and the machines. */
const MAKERS = new Set([
  ...['badRequest', 'forbidden', 'notFound', 'conflict', 'never', 'refuse', 'KeyPlaceError'],
  ...['frontRefusal', 'asType'],
])
/** A constant and a type that are codes. */
const INTERNAL = 'INTERNAL_CODE'
const OF_AMOUNTS = 'AmountProblem'
const LIST = 'src/contract/error-codes.ts'

const sources = repository().files.filter(
  ({ path }) => /^(?:src|machines)\/.*\.ts$/.test(path) && !path.endsWith('.d.ts') && path !== LIST,
)

function codesOf(file: Source): string[] {
  return [...nodesOf(treeOf(file))].flatMap(textsOf).filter((text) => CODE.test(text))
}

/**
 * Possible codes: the arguments of the functions that create refusals, the code of a problem, a code before its message
 * in a list, and the constant and type above.
 */
function textsOf(node: ts.Node): string[] {
  if (ts.isCallExpression(node) || ts.isNewExpression(node)) {
    const isMaker = MAKERS.has(node.expression.getText())
    return isMaker
      ? [...(node.arguments ?? [])].flatMap((each) => (ts.isStringLiteralLike(each) ? [each.text] : []))
      : []
  }
  if (ts.isArrayLiteralExpression(node))
    return node.elements.flatMap((each, index) =>
      ts.isStringLiteralLike(each) && isMessage(node.elements[index + 1]) ? [each.text] : [],
    )
  if (ts.isVariableDeclaration(node) && node.name.getText() === INTERNAL)
    return node.initializer !== undefined && ts.isStringLiteralLike(node.initializer) ? [node.initializer.text] : []
  if (ts.isTypeAliasDeclaration(node) && node.name.text === OF_AMOUNTS)
    return [...nodesOf(node)].flatMap((each) => (ts.isStringLiteral(each) ? [each.text] : []))
  if (!ts.isObjectLiteralExpression(node)) return []
  const members = new Map(
    node.properties
      .filter((each) => ts.isPropertyAssignment(each))
      .map(({ name, initializer }) => [name.getText(), initializer]),
  )
  const code = members.get('code')
  const isProblem = ['message', 'detail', 'retryable'].some((name) => members.has(name))
  return code !== undefined && ts.isStringLiteralLike(code) && isProblem ? [code.text] : []
}

function isMessage(node: ts.Node | undefined): boolean {
  if (node !== undefined && ts.isConditionalExpression(node)) return isMessage(node.whenTrue)
  return (
    node !== undefined && (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)) && / /.test(node.getText())
  )
}

describe('the error codes', () => {
  const usedCodes = new Set(sources.flatMap(codesOf))

  it('are all documented', () => {
    expect(usedCodes.size).toBeGreaterThan(200)
    expect(
      [...usedCodes].filter((code) => ERROR_CODES[code] === undefined),
      `say what they mean in ${LIST}`,
    ).toEqual([])
  })

  it('are all used', () => {
    const text = sources.map((file) => file.text).join('\n')
    expect(Object.keys(ERROR_CODES).filter((code) => !text.includes(`'${code}'`))).toEqual([])
  })

  it('are sorted, each with a sentence', () => {
    expect(Object.keys(ERROR_CODES)).toEqual(Object.keys(ERROR_CODES).toSorted((a, b) => (a < b ? -1 : 1)))
    for (const about of Object.values(ERROR_CODES)) expect(about).toMatch(/^[A-Z].*\.$/)
  })
})
