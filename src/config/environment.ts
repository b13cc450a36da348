// The only place that reads the environment of the process.

export type Environment = Readonly<Record<string, string | undefined>>

const OURS = /^HOLDFAST_/i

/** The variables that are meant for this service, whatever their case: a misspelt one must be noticed. */
export function readEnvironment(): Environment {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => OURS.test(name)))
}

/** What a child process may see: everything but our own variables, which hold keys. A child gets its settings by argument. */
export function childEnvironment(): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !OURS.test(name)))
}
