// The runner of mutants, tested with mutants for this purpose; and a fixed choice of the list. `npm run mutants` tries
// all.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MUTANTS } from './list.ts'
import type { Mutant } from './mutant.ts'
import { optionsOf } from './options.ts'
import { misfit, ProjectCopy } from './project-copy.ts'
import { tryMutant } from './trial.ts'

const ROOT = join(import.meta.dirname, '..', '..')

/**
 * Money would be lost or paid twice by each, and a test of the state machines or of the engine sees it within seconds.
 */
const CHOSEN = [
  'store: commit acknowledged while another is being written',
  'chain: proof that overrules what was seen meanwhile',
  'chain: bytes sent after a restart before the history was asked',
  'engine: restart that sends what waits for Submit',
  'engine: window a second too short',
  'indexes: stale index of free nonces',
  'machines: one key attesting twice',
  'machines: loan taken back out of order',
]

const TEST = 'test/machines/book.test.ts'
const madeUp = (find: string, replace: string, name?: string): Mutant => ({
  name: 'made up',
  file: 'machines/book.ts',
  edits: [{ find, replace }],
  tests: [name === undefined ? { file: TEST } : { file: TEST, name }],
})
const GUARD = 'if (covered && free < units)'

describe('the list of mutants', () => {
  it('has unique names', () => {
    expect(new Set(MUTANTS.map(({ name }) => name)).size).toBe(MUTANTS.length)
  })

  it('applies to the present code, and each entry changes it', () => {
    expect(MUTANTS.flatMap((mutant) => misfit(mutant) ?? [])).toEqual([])
    expect(MUTANTS.filter(({ edits }) => edits.some(({ find, replace }) => find === replace))).toEqual([])
  })

  it('names tests that exist', () => {
    const tests = MUTANTS.flatMap((mutant) => mutant.tests)
    const missingTests = tests.filter(({ file, name = '' }) => !readFileSync(join(ROOT, file), 'utf8').includes(name))
    expect(missingTests).toEqual([])
  })
})

describe('options', () => {
  it('select by name and by part, and every mutant is in one part', () => {
    const names = (...args: string[]): string[] => optionsOf(args, MUTANTS).chosen.map(({ name }) => name)
    expect(names()).toHaveLength(MUTANTS.length)
    expect(names('--only', CHOSEN[0]!)).toEqual([CHOSEN[0]])
    expect([1, 2, 3].flatMap((part) => names('--part', `${part}/3`)).sort()).toEqual(names().sort())
    for (const args of [
      ['--only', 'none such'],
      ['--part', '0/3'],
      ['--part', '4/3'],
      ['--part', 'x'],
      ['--jobs', '0'],
    ]) {
      expect(() => optionsOf(args, MUTANTS)).toThrow()
    }
  })
})

describe('a mutant', () => {
  let copy: ProjectCopy

  beforeAll(() => {
    copy = new ProjectCopy()
  })
  afterAll(() => {
    copy.remove()
    expect(existsSync(copy.root)).toBe(false)
  })

  it('that changes nothing survives, one that breaks a test is caught, and the project is unchanged', async () => {
    const original = readFileSync(join(ROOT, 'machines/book.ts'), 'utf8')
    const name = 'reserves at most what is available'
    expect(await tryMutant(copy, madeUp(GUARD, GUARD, name))).toMatchObject({ verdict: 'survived' })
    const caught = await tryMutant(copy, madeUp(GUARD, 'if (covered && free < 0n)', name))
    expect([caught.verdict, caught.detail]).toEqual(['caught', expect.stringContaining(name)])
    for (const root of [ROOT, copy.root]) expect(readFileSync(join(root, 'machines/book.ts'), 'utf8')).toBe(original)
  })

  it('without its text or test no longer applies, and one that cannot be loaded did not run', async () => {
    const verdicts = []
    for (const mutant of [
      madeUp('no such text', ''),
      madeUp('return', 'throw'),
      { ...madeUp(GUARD, GUARD), file: 'machines/none.ts' },
      { ...madeUp(GUARD, GUARD), tests: [] },
      madeUp(GUARD, GUARD, 'no such test'),
      madeUp(GUARD, 'if ('),
    ])
      verdicts.push((await tryMutant(copy, mutant)).verdict)
    expect(verdicts).toEqual([...Array.from({ length: 5 }, () => 'no longer applies'), 'did not run'])
  })

  it.each(CHOSEN)('%s', async (name) => {
    const mutant = MUTANTS.find((each) => each.name === name)
    expect(mutant === undefined ? 'not in the list' : (await tryMutant(copy, mutant)).verdict).toBe('caught')
  })
})
