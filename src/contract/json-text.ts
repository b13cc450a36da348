// An answer whose JSON text is at hand: to make the objects of many rows and serialize them takes longer than to write
// their text.

export class JsonText<Model> {
  readonly text: string
  /** The type of what the text says; never set. */
  declare readonly model: Model

  constructor(text: string) {
    this.text = text
  }
}

/** The JSON text of an answer. */
export function jsonOf(answer: unknown): string {
  return answer instanceof JsonText ? answer.text : JSON.stringify(answer)
}
