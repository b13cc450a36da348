// The only file that reads the environment of the process.

export type Environment = Readonly<Record<string, string | undefined>>

const OURS = /^HOLDFAST_/i

const taken: Record<string, string | undefined> = {}

/**
 * Returns the variables of this service, in any case: a misspelt one must be noticed. Removes them from the process
 * environment, so that no other code reads keys there; the system still shows the initial environment in /proc.
 */
export function readEnvironment(): Environment {
  for (const [name, value] of Object.entries(process.env)) {
    if (!OURS.test(name)) continue
    taken[name] = value
    Reflect.deleteProperty(process.env, name)
  }
  return { ...taken }
}

/**
 * The environment for a child process: everything but the service's own variables, which contain keys. A child gets its
 * settings as an argument.
 */
export function childEnvironment(): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !OURS.test(name)))
}
