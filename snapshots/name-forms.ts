// Names in the form of the table of names. Nearly every request looks up the same names again: those of the accounts
// that it uses. Escaping and hashing a name takes longer than looking it up in filters.
import { nameText } from './keys.ts'
import { hashesOf, type Hashes } from './seen-keys.ts'

export interface NameForm {
  /** As in the table of names. */
  readonly text: string
  /** Of the text. */
  readonly hashes: Hashes
}

const MAX_FORMS = 5_000

export class NameForms {
  readonly #forms = new Map<string, NameForm>()

  of(name: string): NameForm {
    const known = this.#forms.get(name)
    if (known !== undefined) return known
    if (this.#forms.size >= MAX_FORMS) this.#forms.clear()
    const text = nameText(name)
    const form = { text, hashes: hashesOf(text) }
    this.#forms.set(name, form)
    return form
  }
}
