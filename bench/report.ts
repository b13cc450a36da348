// The output of results: a table per suite with median and spread, a JSON file with every round, a picture of each
// curve.
import { execFileSync } from 'node:child_process'
import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { cpus, loadavg } from 'node:os'
import { join } from 'node:path'
import { drawChart } from './chart/draw.ts'
import { median, spread } from './measure/stats.ts'
import type { Figure, SuiteResult } from './suite.ts'

const SYNCS = 200
/** Values in a row of the table; the file has all. */
const MOST_SHOWN = 12

/** Conditions of the figures besides the code. `fdatasync us` is the median of small appends in `dir`. */
export function machine(dir: string, node: string): Readonly<Record<string, string | number>> {
  const processors = cpus()
  return {
    cpus: processors.length,
    model: processors[0]?.model.trim() ?? 'unknown',
    node: execFileSync(node, ['--version'], { encoding: 'utf8' }).trim(),
    load: loadavg()[0]!.toFixed(2),
    'fdatasync us': Math.round(medianSyncUs(dir)),
  }
}

function medianSyncUs(parent: string): number {
  const dir = mkdtempSync(join(parent, 'holdfast-bench-'))
  const file = openSync(join(dir, 'sync'), 'a')
  try {
    return median(
      Array.from({ length: SYNCS }, () => {
        const startedAt = performance.now()
        writeSync(file, 'x'.repeat(1000))
        fdatasyncSync(file)
        return (performance.now() - startedAt) * 1000
      }),
    )
  } finally {
    closeSync(file)
    rmSync(dir, { recursive: true })
  }
}

export function table({ figures, checks, profile }: SuiteResult): string {
  const rows = [['', 'median', 'lowest', 'highest', 'spread', 'rounds'], ...figures.map(rowOf)]
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)))
  const lines = rows.map((row) => {
    const cells = row.map((cell, column) =>
      column === 0 || column === 5 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!),
    )
    return `  ${cells.join('  ').trimEnd()}`
  })
  return ['', ...lines, '', ...checks.map((check) => `  checked: ${check}`), ...profile].join('\n')
}

function rowOf({ name, unit, values }: Figure): string[] {
  const shown = (value: number) => value.toFixed(value >= 100 ? 0 : value >= 10 ? 1 : 2)
  const range = [Math.min(...values), Math.max(...values)].map(shown)
  const shownRounds = values.length > MOST_SHOWN ? `${values.length} values` : values.map(shown).join(' ')
  return [`${name}, ${unit}`, shown(median(values)), ...range, `${(spread(values) * 100).toFixed(0)}%`, shownRounds]
}

const stem = (dir: string, startedAt: Date): string =>
  join(dir, startedAt.toISOString().slice(0, 19).replaceAll(':', '-'))

/** Paths of the files, named after the start and the chart. */
export function writeCharts(dir: string, startedAt: Date, results: readonly SuiteResult[]): string[] {
  return results
    .flatMap(({ charts = [] }) => charts)
    .map((chart) => {
      const path = `${stem(dir, startedAt)}-${chart.name}.svg`
      writeFileSync(path, drawChart(chart))
      return path
    })
}

/** Path of the file, named after the start. */
export function writeResults(dir: string, startedAt: Date, content: object): string {
  const path = `${stem(dir, startedAt)}.json`
  writeFileSync(path, `${JSON.stringify({ startedAt: startedAt.toISOString(), ...content }, null, 2)}\n`)
  return path
}
