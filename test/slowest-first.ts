// Order of the test files: those that take longest must not be the last to begin.
import { BaseSequencer, type TestSpecification, type TestSequencerConstructor } from 'vitest/node'

/** @param slowest parts of their paths, the slowest first */
export function slowestFirst(slowest: readonly string[]): TestSequencerConstructor {
  const place = ({ moduleId }: TestSpecification): number => {
    const found = slowest.findIndex((part) => moduleId.includes(part))
    return found < 0 ? slowest.length : found
  }
  return class extends BaseSequencer {
    override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
      return (await super.sort(files)).toSorted((a, b) => place(a) - place(b))
    }
  }
}
