// `npm run bench`: runs suites one after the other, prints each as a table, and writes bench/results/<date>.json.
// Exits with code 1 if a suite did not do the work that it measured.
import { mkdirSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readArguments } from '../test/arguments.ts'
import { readCommandLine, USAGE } from './options.ts'
import { machine, table, writeCharts, writeResults } from './report.ts'
import type { SuiteResult } from './suite.ts'
import { suitesOf } from './suites.ts'

const PROFILED = new Set(['transfers', 'details', 'accounts', 'submission', 'query', 'loans'])

async function main(): Promise<void> {
  const { suites: names, profile, ...rest } = readArguments(USAGE, readCommandLine)
  const suites = suitesOf(names)
  const resultsDir = join(import.meta.dirname, 'results')
  mkdirSync(resultsDir, { recursive: true })
  const startedAt = new Date()
  const about = machine(tmpdir(), rest.node)
  console.log(
    Object.entries(about)
      .map(([name, value]) => `${name} ${value}`)
      .join(' · '),
  )

  const results: SuiteResult[] = []
  const leftOut: { readonly suite: string; readonly why: string }[] = []
  for (const suite of suites) {
    console.log(`\n${suite.name}: ${suite.about}`)
    const why = suite.missing?.() ?? null
    if (why !== null) {
      if (names.includes(suite.name)) throw new Error(`${suite.name} cannot be run: ${why}`)
      console.log(`  skipped: ${why}`)
      leftOut.push({ suite: suite.name, why })
      continue
    }
    const profileDir =
      profile && PROFILED.has(suite.name) ? mkdtempSync(join(resultsDir, `${suite.name}-profile-`)) : null
    const result = await suite.run({ ...rest, profileDir, note: (line) => console.log(`  ${line}`) })
    console.log(table(result))
    results.push(result)
  }
  for (const path of writeCharts(resultsDir, startedAt, results)) console.log(`drawn to ${path}`)
  console.log(
    `written to ${writeResults(resultsDir, startedAt, { machine: about, options: { ...rest, profile }, results, leftOut })}`,
  )
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? `bench: ${error.stack ?? error.message}` : error)
  process.exitCode = 1
})
