// Comma-separated values: the parsed values equal the written ones, no text cell is a formula, and numbers stay
// numbers.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CsvError, parseCsv } from '../../../src/import-files/csv.ts'
import { numberCell, textCell } from '../../../src/operations/statements/csv.ts'

const nasty = fc.oneof(fc.stringMatching(/^[=+@\-\t\r\n",;' a1]{0,8}$/), fc.string({ unit: 'grapheme', maxLength: 12 }))
const FORMULA = /^[=+\-@\t\r\n]/

describe('cells', () => {
  it('are parsed as written, except for the apostrophe before a formula', () => {
    fc.assert(
      fc.property(fc.array(fc.array(nasty, { minLength: 2, maxLength: 5 }), { maxLength: 6 }), (rows) => {
        const text = rows.map((cells) => `${cells.map(textCell).join(',')}\r\n`).join('')
        const expected = rows.map((cells) => cells.map((cell) => (FORMULA.test(cell) ? `'${cell}` : cell)))
        const read = parseCsv(text)
        expect(read.map(({ cells }) => cells)).toEqual(expected)
        for (const { cells } of read) for (const cell of cells) expect(cell).not.toMatch(FORMULA)
      }),
      { numRuns: 2_000 },
    )
  })

  it.each(['0', '-1.5', '123456789012345678.000000001'])('of numbers accept: %s', (number) => {
    expect(numberCell(number)).toBe(number)
  })

  it.each(['=1', '+1', '1e5', '', '1,5', '-'])('of numbers refuse: %s', (text) => {
    expect(() => numberCell(text)).toThrow(TypeError)
  })
})

describe('reading', () => {
  it('names the line of an error', () => {
    const line = (text: string): number => {
      try {
        parseCsv(text)
      } catch (error) {
        if (error instanceof CsvError) return error.line
      }
      return 0
    }
    expect(line('a,b\n"c')).toBe(2)
    expect(line('a,b\n"c\nd"e,f')).toBe(3)
    expect(line('a\r\nb\rc')).toBe(2)
    expect(line('a\n\nb"c')).toBe(3)
  })

  it('accepts both line endings, skips empty lines and the byte order mark, and numbers each row by line', () => {
    expect(parseCsv('\uFEFFa,b\r\n\r\n"c\nd",\ne,f')).toEqual([
      { line: 1, cells: ['a', 'b'] },
      { line: 3, cells: ['c\nd', ''] },
      { line: 5, cells: ['e', 'f'] },
    ])
  })
})
