// An independent reader decodes the pictures: all versions that hold a URL, any text.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { qrSvg } from '../../src/qr/svg.ts'
import { decodeQr } from './decoder.ts'

const MARGIN = 4
/** Bytes that each version holds at level M, from the standard. */
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

/** Fills the rectangles of the dark path; fails on anything else in the picture. */
function modulesOf(svg: string): boolean[][] {
  const [, size, path] = /^<svg [^>]*viewBox="0 0 (\d+) \1"[^>]*>.*<path fill="#000" d="([^"]*)"\/><\/svg>$/.exec(svg)!
  const grid = Array.from({ length: Number(size) }, () => new Array<boolean>(Number(size)).fill(false))
  const rectangles = [...path!.matchAll(/M(\d+) (\d+)h(\d+)v1h-(\d+)z/g)]
  expect(rectangles.map(([text]) => text).join('')).toBe(path)
  for (const [, x, y, width, back] of rectangles) {
    expect(back).toBe(width)
    for (let at = 0; at < Number(width); at += 1) grid[Number(y)]![Number(x) + at] = true
  }
  return grid
}

const isInside = (at: number, { length }: { length: number }): boolean => at >= MARGIN && at < length - MARGIN

function read(svg: string): ReturnType<typeof decodeQr> {
  const grid = modulesOf(svg)
  const margin = grid.flatMap((row, y) => row.filter((_, x) => !isInside(x, row) || !isInside(y, grid)))
  expect(margin).not.toContain(true)
  return decodeQr(grid.slice(MARGIN, -MARGIN).map((row) => row.slice(MARGIN, -MARGIN)))
}

describe('a QR code', () => {
  it.each(Object.entries(BYTES))('of version %s holds exactly %i bytes', (version, bytes) => {
    expect(read(qrSvg('a'.repeat(bytes)))).toMatchObject({ text: 'a'.repeat(bytes), version: Number(version) })
    if (Number(version) === 40) expect(() => qrSvg('a'.repeat(bytes + 1))).toThrow()
    else expect(read(qrSvg('a'.repeat(bytes + 1))).version).toBe(Number(version) + 1)
  })

  it('of any text can be decoded', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (text) => {
        expect(read(qrSvg(text)).text).toBe(text)
      }),
      { numRuns: 100 },
    )
  })
})
