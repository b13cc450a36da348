// A copy of the project in which mutants are planted: the working tree itself is never changed.
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Mutant } from './mutant.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const COPIED = [
  'machines',
  'snapshots',
  'src',
  'test',
  'bench',
  'README.md',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'vitest.config.ts',
]
const LEFT_OUT = ['bench/results', 'test/ui/screenshots'].map((path) => join(ROOT, path))

/** Thrown when the text of a mutant is not in its file exactly once. */
export class NoLongerApplies extends Error {
  override readonly name = 'NoLongerApplies'
}

/** The text of the file with the mutant. Throws `NoLongerApplies`. */
export function applyMutant(mutant: Mutant, root = ROOT): string {
  const path = join(root, mutant.file)
  if (!existsSync(path)) throw new NoLongerApplies(`${mutant.file} does not exist`)
  return mutant.edits.reduce(
    (text, { find, replace }) => {
      const parts = text.split(find)
      if (parts.length !== 2) throw new NoLongerApplies(`${mutant.file} has "${find}" ${parts.length - 1} times`)
      return parts.join(replace)
    },
    readFileSync(path, 'utf8'),
  )
}

/** The reason why the mutant does not fit the present project; null if it does. */
export function misfit(mutant: Mutant): string | null {
  try {
    applyMutant(mutant)
  } catch (error) {
    if (error instanceof NoLongerApplies) return error.message
    throw error
  }
  const missingTest = mutant.tests.find(({ file }) => !existsSync(join(ROOT, file)))
  if (missingTest !== undefined) return `${missingTest.file} does not exist`
  return mutant.tests.length === 0 ? 'no test is named' : null
}

export class ProjectCopy {
  readonly root: string

  /** Removed at the latest when the process exits. */
  constructor() {
    // The real path: where the temporary directory is a link, Vite would load modules under two names.
    this.root = realpathSync(mkdtempSync(join(tmpdir(), 'holdfast-mutants-')))
    process.once('exit', () => this.remove())
    for (const name of COPIED) {
      cpSync(join(ROOT, name), join(this.root, name), { recursive: true, filter: (path) => !LEFT_OUT.includes(path) })
    }
    symlinkSync(realpathSync(join(ROOT, 'node_modules')), join(this.root, 'node_modules'))
  }

  /** Plants the mutant while `work` runs. Throws `NoLongerApplies`. */
  async with<T>(mutant: Mutant, work: () => Promise<T>): Promise<T> {
    const path = join(this.root, mutant.file)
    const text = applyMutant(mutant, this.root)
    const original = readFileSync(path, 'utf8')
    writeFileSync(path, text)
    try {
      return await work()
    } finally {
      writeFileSync(path, original)
    }
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true })
  }
}
