// An answer that is written piece by piece, as fast as the client reads it, and never held in memory as a whole.

export interface StreamedAnswer {
  /** Media type with its charset. */
  readonly type: string
  /** Suggested name of the file; null: none. */
  readonly fileName: string | null
  /** An error ends the answer visibly incomplete. */
  readonly pieces: AsyncIterable<string>
}
