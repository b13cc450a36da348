// A command failed for a known reason. The message is complete without a stack trace; the exit code is for scripts.
import { EXIT_CODES } from '../config/exit-codes.ts'

export class CommandFailed extends Error {
  override readonly name = 'CommandFailed'
  readonly exitCode: number

  constructor(message: string, exitCode: number = EXIT_CODES.failure) {
    super(message)
    this.exitCode = exitCode
  }
}
