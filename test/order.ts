// Order of the test files. Those that take longest must not be the last to begin, those that wait for a chain run
// beside those that compute, and files that share a process follow each other: a worker ends its process when the next
// file wants one of its own, and another one would load the service again.
import { BaseSequencer, type TestSpecification, type TestSequencerConstructor } from 'vitest/node'

export interface Order {
  /** Parts of the paths of those that take longest, the longest first. */
  readonly longest: readonly string[]
  /** Parts of the paths of those that wait more than they compute. */
  readonly waiting: readonly string[]
}

export function createSequencer({ longest, waiting }: Order): TestSequencerConstructor {
  const among = (parts: readonly string[], { moduleId }: TestSpecification): number => {
    const position = parts.findIndex((part) => moduleId.includes(part))
    return position < 0 ? parts.length : position
  }
  const alone = ({ project }: TestSpecification): boolean => project.config.isolate
  return class extends BaseSequencer {
    override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
      const sorted = (await super.sort(files)).toSorted((a, b) => among(longest, a) - among(longest, b))
      const shared = sorted.filter((file) => !alone(file))
      const first = shared.filter((file) => among(longest, file) < longest.length)
      const rest = shared.filter((file) => !first.includes(file))
      const waits = (file: TestSpecification): boolean => among(waiting, file) < waiting.length
      return [
        ...sorted.filter(alone),
        ...first,
        ...interleave(
          rest.filter(waits),
          rest.filter((file) => !waits(file)),
        ),
      ]
    }
  }
}

/** Both in their order, each spread evenly over the whole. */
function interleave<T>(one: readonly T[], other: readonly T[]): T[] {
  const places = [one, other].flatMap((all) => all.map((item, index) => ({ item, place: (index + 0.5) / all.length })))
  return places.toSorted((a, b) => a.place - b.place).map(({ item }) => item)
}
