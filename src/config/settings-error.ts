// Prevents a start: one or more settings are unknown, malformed, or contradict what is stored.
import { EXIT_CODES } from './exit-codes.ts'

/** Each of `problems` begins with the setting and never contains a secret value. */
export class SettingsError extends Error {
  readonly exitCode = EXIT_CODES.settings
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(problems.join('\n'))
    this.name = 'SettingsError'
    this.problems = problems
  }
}
