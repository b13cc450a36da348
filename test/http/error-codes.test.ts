// The list of codes in the documentation equals the codes in the sources.
import { describe, expect, it } from 'vitest'
import ts from 'typescript'
import { ERROR_CODES } from '../../src/contract/error-codes.ts'
import { nodesOf, treeOf } from '../tidy/imports.ts'
import { repository, type Source } from '../tidy/tree.ts'

const CODE = /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*$/
/** Calls that create refusals, in the front end, the operations and the machines. */
const MAKERS = new Set(['badRequest', 'forbidden', 'notFound', 'conflict', 'never', 'refuse', 'KeyPlaceError'])
const LIST = 'src/contract/error-codes.ts'

const sources = repository().files.filter(
  ({ path }) => /^(?:src|machines)\/.*\.ts$/.test(path) && !path.endsWith('.d.ts') && path !== LIST,
)

function codesOf(file: Source): string[] {
  return [...nodesOf(treeOf(file))].flatMap(textsOf).filter((text) => CODE.test(text))
}

/** Possible codes: the arguments of the functions that create refusals, and the code of a problem. */
function textsOf(node: ts.Node): string[] {
  if (ts.isCallExpression(node) || ts.isNewExpression(node)) {
    const isMaker = MAKERS.has(node.expression.getText())
    return isMaker
      ? [...(node.arguments ?? [])].flatMap((each) => (ts.isStringLiteralLike(each) ? [each.text] : []))
      : []
  }
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
