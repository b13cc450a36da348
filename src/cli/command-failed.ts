// A command that cannot do what it was asked to. The message says all there is to know, the code what a script may act on.
import { EXIT_CODES } from '../config/exit-codes.ts'

export class CommandFailed extends Error {
  override readonly name = 'CommandFailed'
  readonly exitCode: number

  constructor(message: string, exitCode: number = EXIT_CODES.failure) {
    super(message)
    this.exitCode = exitCode
  }
}
