/** An error that ends the process with an exit code of its own. */
export class CodedError extends Error {
  override readonly name = 'CodedError'
  readonly exitCode: number

  constructor(message: string, exitCode: number, cause?: unknown) {
    super(message, { cause })
    this.exitCode = exitCode
  }
}
