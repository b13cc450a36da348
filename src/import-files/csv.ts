// Reads comma-separated values (RFC 4180), strictly: what is not of that form is an error that names the line, never a
// guess. Lines may end with CR LF or LF. A byte order mark at the start is skipped.

export interface CsvRow {
  /** Line of the first cell, from 1. */
  readonly line: number
  readonly cells: readonly string[]
}

export class CsvError extends Error {
  override readonly name = 'CsvError'
  readonly line: number

  constructor(line: number, problem: string) {
    super(`line ${line}: ${problem}`)
    this.line = line
  }
}

const BYTE_ORDER_MARK = '\uFEFF'

/** The rows of a text. Empty lines are skipped. Throws `CsvError`. */
export function parseCsv(text: string): CsvRow[] {
  const reader = new Reader(text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text)
  const rows: CsvRow[] = []
  while (!reader.isAtEnd) {
    const row = reader.row()
    if (row.cells.length > 1 || row.cells[0] !== '') rows.push(row)
  }
  return rows
}

class Reader {
  readonly #text: string
  #at = 0
  #line = 1

  constructor(text: string) {
    this.#text = text
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#text.length
  }

  row(): CsvRow {
    const line = this.#line
    const cells: string[] = []
    for (;;) {
      cells.push(this.#text[this.#at] === '"' ? this.#quoted() : this.#plain())
      if (this.#text[this.#at] === ',') {
        this.#at += 1
        continue
      }
      this.#endLine()
      return { line, cells }
    }
  }

  #plain(): string {
    const from = this.#at
    while (!this.isAtEnd && !',\r\n'.includes(this.#text[this.#at]!)) {
      if (this.#text[this.#at] === '"') throw new CsvError(this.#line, 'a quote within a cell that is not quoted')
      this.#at += 1
    }
    return this.#text.slice(from, this.#at)
  }

  #quoted(): string {
    const line = this.#line
    let cell = ''
    this.#at += 1
    for (;;) {
      const end = this.#text.indexOf('"', this.#at)
      if (end < 0) throw new CsvError(line, 'a quoted cell without its closing quote')
      const part = this.#text.slice(this.#at, end)
      this.#line += part.split('\n').length - 1
      cell += part
      this.#at = end + 1
      if (this.#text[this.#at] !== '"') break
      cell += '"'
      this.#at += 1
    }
    if (!this.isAtEnd && !',\r\n'.includes(this.#text[this.#at]!))
      throw new CsvError(this.#line, 'text after the closing quote of a cell')
    return cell
  }

  #endLine(): void {
    if (this.isAtEnd) return
    if (this.#text[this.#at] === '\r') {
      this.#at += 1
      if (this.#text[this.#at] !== '\n') throw new CsvError(this.#line, 'a carriage return without a line feed')
    }
    this.#at += 1
    this.#line += 1
  }
}
