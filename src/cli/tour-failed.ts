// A step of `tour` or an answer of the service was not as expected. The message is complete without a stack trace.
import { EXIT_CODES } from '../config/exit-codes.ts'

export class TourFailed extends Error {
  readonly exitCode = EXIT_CODES.failure

  constructor(message: string) {
    super(message)
    this.name = 'TourFailed'
  }
}
