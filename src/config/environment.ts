// The only place that reads the environment of the process.

export type Environment = Readonly<Record<string, string | undefined>>

const OURS = /^HOLDFAST_/i

const taken: Record<string, string | undefined> = {}

/**
 * The variables that are meant for this service, whatever their case: a misspelt one must be noticed. They are taken out of the process's
 * own environment, so that nothing else in it reads keys there; the system keeps showing in /proc what the process was started with.
 */
export function readEnvironment(): Environment {
  for (const [name, value] of Object.entries(process.env)) {
    if (!OURS.test(name)) continue
    taken[name] = value
    Reflect.deleteProperty(process.env, name)
  }
  return { ...taken }
}

/** What a child process may see: everything but our own variables, which hold keys. A child gets its settings by argument. */
export function childEnvironment(): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !OURS.test(name)))
}
