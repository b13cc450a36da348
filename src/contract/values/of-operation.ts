// Bodies whose members depend on their `operation`.
import { z } from 'zod'

/**
 * For a body without a valid `operation`, of which the union reports nothing else: also reports the problems of the
 * members that every operation has, so that all problems are reported at once.
 */
export function membersOfAny<T>(operations: readonly string[], common: z.ZodType): z.core.$ZodCheck<T> {
  const check = z.check<T>((payload) => {
    const value: unknown = payload.value
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return
    if (operations.includes((value as { readonly operation?: string }).operation ?? '')) return
    const { error } = common.safeParse(value, { reportInput: true })
    for (const issue of error?.issues ?? []) payload.issues.push({ ...issue, continue: true } as z.core.$ZodRawIssue)
  })
  check._zod.def.when = () => true
  return check
}
