// Wraps a value that must not reach a log, an error or a dump by accident: only `reveal` returns it.
import { inspect } from 'node:util'

const SHOWN = '[secret]'

export class Secret<T> {
  readonly #value: T

  constructor(value: T) {
    this.#value = value
  }

  reveal(): T {
    return this.#value
  }

  toString(): string {
    return SHOWN
  }

  toJSON(): string {
    return SHOWN
  }

  [inspect.custom](): string {
    return SHOWN
  }
}
