// Tries mutants one after the other, each job on its own copy of the project.
import type { Mutant, TrialResult } from './mutant.ts'
import { ProjectCopy } from './project-copy.ts'
import { tryMutant } from './trial.ts'

export async function tryAll(
  mutants: readonly Mutant[],
  jobs: number,
  tell: (result: TrialResult) => void,
): Promise<TrialResult[]> {
  const queue = [...mutants]
  const results: TrialResult[] = []
  const work = async (): Promise<void> => {
    const copy = new ProjectCopy()
    try {
      for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
        const result = await tryMutant(copy, next)
        results.push(result)
        tell(result)
      }
    } finally {
      copy.remove()
    }
  }
  await Promise.all(Array.from({ length: Math.min(jobs, mutants.length) }, work))
  return results
}
