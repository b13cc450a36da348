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

/** An error of listening, in terms of the settings. */
export function portError({ host, port }: { host: string; port: number }, error: NodeJS.ErrnoException): Error {
  const { code } = error
  if (code === 'EADDRINUSE')
    return new SettingsError([`HOLDFAST_PORT ${port} on ${host} is taken: another process listens there`])
  if (code === 'EACCES') return new SettingsError([`HOLDFAST_PORT ${port} on ${host} may not be used by this user`])
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return new SettingsError([`HOLDFAST_HOST ${host} is not an address of this machine`])
  return error
}
