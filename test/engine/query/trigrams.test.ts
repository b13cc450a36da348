// The trigram index: no text that contains the substring is missing, for any distances between its texts. Texts that
// lack one of its trigrams are omitted, unless that check takes longer than the comparison.
import { describe, expect, it } from 'vitest'
import { FIRST_CODE } from '../../../src/engine/query/dictionary.ts'
import type { SlicedJob } from '../../../src/engine/query/slices.ts'
import { Trigrams } from '../../../src/engine/query/trigrams.ts'

const TEXTS = 60_000

function result<T>(job: SlicedJob<T>): { readonly value: T; readonly steps: number } {
  for (let steps = 0; ; steps += 1) {
    const { done, value } = job.next()
    if (done === true) return { value, steps }
  }
}

function indexOf(textOf: (code: number) => string, few = 0) {
  const texts = Array.from({ length: TEXTS }, (_, code) => (code < FIRST_CODE ? '' : textOf(code)))
  const trigrams = new Trigrams(FIRST_CODE, few)
  result(trigrams.catchUp(texts))
  const containing = (piece: string): number[] => [...texts.keys()].filter((code) => texts[code]!.includes(piece))
  return { texts, containing, find: (piece: string) => result(trigrams.candidates(piece)) }
}

describe('candidates of a text search', () => {
  it('are all texts that contain the substring, in dense and sparse lists', () => {
    // Differences of one, two and three bytes, at the first and at the last text.
    const markedCodes = new Set([FIRST_CODE, FIRST_CODE + 1, 200, 327, 328, 456, 17_000, 33_384, 49_769, TEXTS - 1])
    const { find, containing } = indexOf((code) => (markedCodes.has(code) ? `zqxw ${code}` : `other ${code}`))
    expect([...find('zqxw').value]).toEqual(containing('zqxw'))
    expect([...find('zqx').value]).toEqual([...markedCodes])
    expect(find('zqxq').value).toHaveLength(0)
  })

  it('contain every trigram of the substring', () => {
    const { find, containing } = indexOf((code) => `n${String(Math.imul(code, 7919) >>> 0).padStart(10, '0')}`)
    for (const piece of ['1234', '0071', '98765', '47', 'n000'].filter(({ length }) => length > 2)) {
      const { value } = find(piece)
      const exact = containing(piece)
      expect([...value].filter((code, at) => at > 0 && value[at - 1]! >= code)).toEqual([])
      expect(exact.filter((code) => !value.includes(code))).toEqual([])
      expect(value.length).toBeLessThan(exact.length + 60)
    }
  })

  it('are read in steps', () => {
    const { find } = indexOf(() => 'the same in all')
    const { value, steps } = find('same')
    expect(value).toHaveLength(TEXTS - FIRST_CODE)
    expect(steps).toBeGreaterThan(8)
  })

  it('skip the comparison with a much longer list', () => {
    const { find, containing } = indexOf((code) => (code % 3_000 === 0 ? `abcd ${code}` : `bcd ${code}`))
    expect([...find('abcd').value]).toEqual(containing('abcd'))
    expect(find('abcd').steps).toBeLessThan(4)
  })
})
