// The output of a run: a picture of every curve, and a command line that refuses invalid arguments.
import { describe, expect, it } from 'vitest'
import { drawChart } from '../../bench/chart/draw.ts'
import { readCommandLine } from '../../bench/options.ts'
import { suitesOf } from '../../bench/suites.ts'
import type { Chart } from '../../bench/suite.ts'

const chart: Chart = {
  name: 'try',
  title: 'a < b & c',
  x: { title: 'records', scale: 'log' },
  panels: [
    {
      title: 'done/s',
      lines: [
        {
          name: 'one',
          points: [
            [1_000, 50],
            [10_000, 40],
            [1_000_000, 10],
          ],
        },
      ],
    },
    {
      title: 'p99, ms',
      lines: [
        {
          name: 'one',
          points: [
            [1_000, 1],
            [1_000_000, 3],
          ],
        },
        { name: 'other', points: [[1_000, 2]] },
      ],
    },
  ],
}

const points = (svg: string): number[][][] =>
  [...svg.matchAll(/<polyline points="([^"]*)"/g)].map(([, way]) =>
    way!.split(' ').map((each) => each.split(',').map(Number)),
  )

describe('a chart of the report', () => {
  it('places every point by its value: decades are equally far apart, and larger values are higher', () => {
    const [first, second, third] = points(drawChart(chart))
    const [[x1, y1], [x2, y2], [x3, y3]] = first as [[number, number], [number, number], [number, number]]
    expect((x3 - x1) / (x2 - x1)).toBeCloseTo(3, 1)
    expect((y3 - y1) / (y2 - y1)).toBeCloseTo(4, 1)
    expect(y3).toBeGreaterThan(y1)
    expect(second!.map(([x]) => x)).toEqual([x1, x3])
    expect(third).toHaveLength(1)
  })

  it('is a well-formed document for any labels and values', () => {
    const svg = drawChart(chart)
    expect(svg).toContain('a &lt; b &amp; c')
    const flat = drawChart({
      ...chart,
      panels: [
        {
          title: 'still',
          lines: [
            {
              name: 'one',
              points: [
                [5, 0],
                [5, 0],
              ],
            },
          ],
        },
      ],
    })
    for (const each of [svg, flat]) {
      expect(each).toMatch(/^<svg [^]*<\/svg>\n$/)
      expect(each).not.toMatch(/NaN|Infinity|undefined/)
    }
  })
})

describe('the command line of the benchmarks', () => {
  it('runs every suite by name, and long suites only if they are named', () => {
    const suiteNames = [
      'machines',
      'store',
      'http',
      'submission',
      'query',
      'loans',
      'oracle',
      'scale',
      'transfers',
      'details',
      'soak',
      'runtimes',
    ]
    for (const name of suiteNames) expect(suitesOf([name]).length).toBeGreaterThan(0)
    for (const name of ['soak', 'runtimes']) expect(suitesOf([]).map((each) => each.name)).not.toContain(name)
    expect(() => suitesOf(['speed'])).toThrow(/speed is not a suite/)
  })

  it('refuses invalid arguments', () => {
    expect(readCommandLine(['soak', '--minutes', '90', '--load', '0.5'])).toMatchObject({
      suites: ['soak'],
      soakMs: 5_400_000,
      load: 0.5,
      records: null,
    })
    for (const words of [
      ['--load', '1.1'],
      ['--rounds', '1.5'],
      ['--records', '0'],
      ['--speed', '9'],
    ])
      expect(() => readCommandLine(words)).toThrow()
  })
})
