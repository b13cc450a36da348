// The trial of one mutant: its tests run on the copy with the mutant in it, in a separate process.
import { spawn } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Mutant, MutantTest, TrialResult, Verdict } from './mutant.ts'
import { misfit, type ProjectCopy } from './project-copy.ts'

const MAX_MS = 300_000
/** Folders of tests with settings of their own: those that start PostgreSQL, and those with a browser. */
const WITH_SETTINGS = ['test/postgres/', 'test/ui/']
/** A mutant that makes a test hang is caught by the limit of that test. */
const TEST_MS = 60_000

interface Report {
  readonly testResults: readonly {
    readonly name: string
    readonly message: string
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[]
  }[]
}

type Outcome = Pick<TrialResult, 'verdict' | 'detail'>

export async function tryMutant(copy: ProjectCopy, mutant: Mutant): Promise<TrialResult> {
  const startedMs = performance.now()
  const why = misfit(mutant)
  const outcome: Outcome =
    why === null
      ? await copy.with(mutant, () => runTests(copy.root, mutant.tests))
      : { verdict: 'no longer applies', detail: why }
  return { mutant, ...outcome, ms: Math.round(performance.now() - startedMs) }
}

/** Tests of one file and one name at a time: vitest applies a name to every file of its run. */
async function runTests(root: string, tests: readonly MutantTest[]): Promise<Outcome> {
  let outcome: Outcome = { verdict: 'survived', detail: 'every named test passed' }
  for (const test of tests) {
    outcome = outcomeOf(await report(root, test), test)
    if (outcome.verdict !== 'survived') break
  }
  return outcome
}

function outcomeOf(testReport: Report | null, { file, name }: MutantTest): Outcome {
  if (testReport === null) return { verdict: 'did not run', detail: `${file}: no report within ${MAX_MS / 1000} s` }
  if (testReport.testResults.length === 0) return { verdict: 'did not run', detail: `${file}: nothing ran` }
  const all = testReport.testResults.flatMap(({ assertionResults }) => assertionResults)
  const failedTest = all.find(({ status }) => status === 'failed')
  if (failedTest !== undefined) return { verdict: 'caught', detail: `${file}: ${failedTest.fullName}` }
  if (all.some(({ status }) => status === 'passed')) return { verdict: 'survived', detail: 'every named test passed' }
  const brokenFile = testReport.testResults.find(({ message }) => message !== '')
  const verdict: Verdict = brokenFile === undefined ? 'no longer applies' : 'did not run'
  return {
    verdict,
    detail: brokenFile === undefined ? `${file} has no test named "${name ?? ''}"` : `${file}: ${brokenFile.message}`,
  }
}

async function report(root: string, { file, name }: MutantTest): Promise<Report | null> {
  const path = join(root, 'report.json')
  rmSync(path, { force: true })
  const nameFlags = name === undefined ? [] : ['-t', name.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)]
  const config = WITH_SETTINGS.filter((folder) => file.startsWith(folder)).map(
    (folder) => `--config=${folder}vitest.config.ts`,
  )
  const flags = [...config, '--bail=1', `--testTimeout=${TEST_MS}`, '--reporter=json', `--outputFile=${path}`]
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs')
  // A process group, so that the processes of a test end with it.
  const child = spawn(process.execPath, [vitest, 'run', file, ...nameFlags, ...flags], {
    cwd: root,
    detached: true,
    stdio: 'ignore',
    env: Object.fromEntries(
      Object.entries(process.env).filter(([key]) => !/^(?:VITEST|TEST|VITE_|NODE_ENV$|NODE_OPTIONS$)/.test(key)),
    ),
  })
  const timer = setTimeout(() => process.kill(-child.pid!, 'SIGKILL'), MAX_MS)
  await new Promise((resolve) => child.once('close', resolve))
  clearTimeout(timer)
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Report) : null
}
