// An independent reader decodes the drawings of the encoder: all versions, all masks, any text.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { encodeQr } from '../../src/qr/encode.ts'
import { penaltyOf } from '../../src/qr/matrix.ts'
import { qrSvg } from '../../src/qr/svg.ts'
import { decodeQr } from './decoder.ts'

const VERSIONS = Array.from({ length: 40 }, (_, index) => index + 1)
const MASKS = Array.from({ length: 8 }, (_, index) => index)
/** Bytes of each version at level M, from the standard. */
const BYTES: Readonly<Record<number, number>> = {
  1: 14,
  2: 26,
  5: 84,
  6: 106,
  7: 122,
  9: 180,
  10: 213,
  20: 666,
  27: 1_125,
  40: 2_331,
}

describe('a QR code', () => {
  it.each(VERSIONS)('of version %i can be decoded with each mask', (leastVersion) => {
    for (const mask of MASKS) {
      const text = `solana:${'x'.repeat(leastVersion === 1 ? 5 : 12)}${mask}`
      expect(decodeQr(encodeQr(text, { leastVersion, mask }))).toEqual({ text, version: leastVersion, mask })
    }
  })

  it.each(Object.entries(BYTES))('of version %s holds exactly %i bytes', (version, bytes) => {
    expect(decodeQr(encodeQr('a'.repeat(bytes)))).toMatchObject({ text: 'a'.repeat(bytes), version: Number(version) })
    if (Number(version) === 40) expect(() => encodeQr('a'.repeat(bytes + 1))).toThrow(RangeError)
    else expect(decodeQr(encodeQr('a'.repeat(bytes + 1))).version).toBe(Number(version) + 1)
  })

  it('of any text can be decoded, with the mask of the lowest penalty', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (text) => {
        const matrix = encodeQr(text)
        const { mask, text: read } = decodeQr(matrix)
        expect(read).toBe(text)
        const penalties = MASKS.map((each) => penaltyOf(encodeQr(text, { mask: each })))
        expect(penalties[mask]).toBe(Math.min(...penalties))
      }),
      { numRuns: 30 },
    )
  })

  it('is drawn as one path with a margin', () => {
    const matrix = encodeQr('solana:abc')
    const darkModules = [...qrSvg('solana:abc').matchAll(/M(\d+) (\d+)h1/g)].map(
      ([, x, y]) => `${Number(x) - 4} ${Number(y) - 4}`,
    )
    expect(darkModules).toEqual(matrix.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`${x} ${y}`] : []))))
    expect(qrSvg('solana:abc')).toContain(`viewBox="0 0 ${matrix.length + 8} ${matrix.length + 8}"`)
  })
})
