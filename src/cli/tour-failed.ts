// Something on the walk, or in an answer of the service, was not as expected. The message says all there is to know.
import { EXIT_CODES } from '../config/exit-codes.ts'

export class TourFailed extends Error {
  readonly exitCode = EXIT_CODES.failure

  constructor(message: string) {
    super(message)
    this.name = 'TourFailed'
  }
}
