// Which errors say that stored rows cannot be read: they are damaged, or of a newer release.

/** Errors of the store about rows that were written and cannot be read. */
const DAMAGE = new Set(['CorruptRow', 'MissingRow', 'DamagedLog', 'DamagedDirectory'])
const NEWER = new Set(['UnknownSchema', 'UnknownSnapshot'])
const MAX_CAUSES = 10

export const isDamage = ({ name, message }: Error): boolean => DAMAGE.has(name) || /\bCorruption: /.test(message)

/** True if this error or one of its causes says so. */
export const isUnreadable = (error: unknown): boolean =>
  causesOf(error).some((cause) => isDamage(cause) || NEWER.has(cause.name))

/** The error and its causes, the outermost first. */
export function causesOf(error: unknown): Error[] {
  const causes: Error[] = []
  for (let cause = error; cause instanceof Error && causes.length < MAX_CAUSES; cause = cause.cause) causes.push(cause)
  return causes
}
