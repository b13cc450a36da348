// Plain lines for people, with colours only on a terminal.

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
