// Order of the test files: those of the simulator take minutes each, and must not be the last to begin.
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const SLOWEST = '/test/sim/'

export class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const usual = await super.sort(files)
    const [slowest, others] = [true, false].map((slow) =>
      usual.filter(({ moduleId }) => moduleId.includes(SLOWEST) === slow),
    )
    return [...(slowest ?? []), ...(others ?? [])]
  }
}
