/** The one error for malformed bytes or text from outside. The parsers of this folder throw no other error. */
export type FormatCode =
  | 'ADDRESS_MALFORMED'
  | 'MALFORMED'
  | 'VERSION_UNSUPPORTED'
  | 'LOOKUP_UNRESOLVED'
  | 'LAYOUT_MALFORMED'
  | 'TOO_MANY_ACCOUNTS'

export class FormatError extends Error {
  readonly code: FormatCode

  constructor(code: FormatCode, message: string) {
    super(message)
    this.name = 'FormatError'
    this.code = code
  }
}
