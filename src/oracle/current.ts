// The value of a job between two tasks: null, a text, or a number; and the failure of a task.
import { NotANumber, parseDecimal, printDecimal, type Decimal } from './decimal.ts'

export type Current = { readonly text: string } | { readonly number: Decimal } | null

/** A task failed. The message may be shown to the client: it never quotes a response of a host. */
export class TaskFailed extends Error {
  override readonly name = 'TaskFailed'
  /** The task that failed; null until it is known. */
  readonly place: string | null

  constructor(reason: string, place: string | null = null) {
    super(place === null ? reason : `${place}: ${reason}`)
    this.place = place
  }

  /** Adds the place; the place of the innermost task is kept. */
  at(place: string): TaskFailed {
    return this.place === null ? new TaskFailed(this.message, place) : this
  }
}

export function currentText(current: Current): string {
  if (current === null) throw new TaskFailed('there is no value yet')
  return 'text' in current ? current.text : printDecimal(current.number)
}

export function numberOf(current: Current): Decimal {
  if (current === null) throw new TaskFailed('there is no value yet')
  if ('number' in current) return current.number
  const number = numberIn(current.text)
  if (number === null) throw new TaskFailed('the value is no number')
  return number
}

/** Null if the text is not a number. Throws TaskFailed if it is out of range. */
export function numberIn(text: string): Decimal | null {
  try {
    return parseDecimal(text.trim())
  } catch (error) {
    throw error instanceof NotANumber ? new TaskFailed(error.message) : error
  }
}
