// Prints plain lines for people, with colours only on a terminal, and handles output that cannot be written.
import { CodedError } from '../config/coded-error.ts'
import { EXIT_CODES } from '../config/exit-codes.ts'
import { fail } from './failure.ts'

const COLOURS = { bold: 1, green: 32, red: 31, dim: 2 } as const

export type Colour = keyof typeof COLOURS

export class Printer {
  readonly #out: NodeJS.WriteStream

  constructor(out: NodeJS.WriteStream = process.stdout) {
    this.#out = out
  }

  line(text: string, colour?: Colour): void {
    // `isTTY` is undefined, not false, on a pipe.
    const coloured = colour !== undefined && this.#out.isTTY
    this.#out.write(coloured ? `\u001b[${COLOURS[colour]}m${text}\u001b[0m\n` : `${text}\n`)
  }

  /** An indented detail of the step above. */
  detail(name: string, value: string): void {
    this.line(`   ${name.padEnd(12)}${value}`)
  }
}

/**
 * Ends the process on a full disk: `console.log` alone would ignore it, and a new API key, which is printed once, would
 * be lost. A reader that has seen enough (`head`) ends nothing: the work is completed.
 */
export function watchOutput(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') return
    fail(new CodedError(`the output could not be written: ${error.message}`, EXIT_CODES.failedWrite, error))
  })
}
