// What must be closed again if a cell cannot be opened, so that its process can continue without it.
import { isUnreadable } from '../config/unreadable.ts'
import { CellUnreadable } from '../nodes/errors.ts'

export class Undo {
  readonly #steps: (() => unknown)[] = []

  /** Steps run in reverse order. */
  add(step: () => unknown): void {
    this.#steps.push(step)
  }

  /** Adds the stop of a part, and returns the part. */
  stopping<Part extends { stop(): unknown }>(part: Part): Part {
    this.add(() => part.stop())
    return part
  }

  /**
   * The error to throw: `CellUnreadable` if rows cannot be read and every step has succeeded. After other errors the
   * process ends, and no step runs.
   */
  async after(error: unknown): Promise<unknown> {
    if (!(error instanceof Error && (isUnreadable(error) || isUnexpectedForm(error)))) return error
    try {
      for (const step of this.#steps.toReversed()) await step()
    } catch (failure) {
      return new AggregateError([error, failure], error.message, { cause: error })
    }
    return new CellUnreadable(error)
  }
}

/** What reads a row that is JSON, but lacks members, throws such an error. */
function isUnexpectedForm(error: Error): boolean {
  return error instanceof TypeError || error instanceof RangeError
}
