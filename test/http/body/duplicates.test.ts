// A body that names a member twice is refused: which of the two amounts would be paid is nobody's guess to make.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Refusal } from '../../../src/contract/refusal.ts'
import { parseBody } from '../../../src/http/body/parse.ts'

function problemOf(text: string): unknown {
  try {
    parseBody(Buffer.from(text))
    return null
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return error.problems
  }
}

const refused = (what: string): unknown => [
  { code: 'MALFORMED_JSON', message: `${what} is given twice`, pointer: '', retryable: false },
]

describe('a member that is given twice', () => {
  it.each([
    ['amount', '{"itemData":{"amount":1,"amount":2}}'],
    ['amount', '{"itemData":{"amount":1,"am\\u006funt":2}}'],
    ['itemData', '{"itemData":{"amount":1},"itemData":{"amount":2}}'],
    ['b', '[{"a":[{"b":"x:y","b":null}]}]'],
    ['amount', '{"itemData":{"amount":1.234567890123456789,"amount":2}}'],
  ])('is named: %s in %s', (name, text) => {
    expect(problemOf(text)).toEqual(refused(`the member "${name}"`))
  })

  it.each([
    ['its values are equal', '{"itemData":{"amount":1,"amount":1}}'],
    ['its values are equal, and another number is long', '{"amount":1,"amount":1,"b":1.234567890123456789}'],
    ['the body is too large to find its place', `{"memo":"${'x'.repeat(20_000)}","memo":""}`],
  ])('is not named if %s', (_why, text) => {
    expect(problemOf(text)).toEqual(refused('a member of the body'))
  })

  it('is the only reason to refuse JSON of few levels', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), fc.string(), fc.boolean(), (each, name, isTwice) => {
        const members = `${JSON.stringify(name)}:${JSON.stringify(each)}`
        const text = isTwice ? `{${members},${members}}` : `{${members}}`
        expect(problemOf(text)).toEqual(isTwice ? refused('a member of the body') : null)
      }),
    )
  })
})
