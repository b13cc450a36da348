/** The one error thrown for bytes or text from outside that are not what they claim to be. Nothing else escapes the parsers of this folder. */
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
