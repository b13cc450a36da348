// Reports the problems of all independent parts of a request at once: an operation resolves and checks the members that
// do not depend on each other as parts of one `together`.
import { type Problem, Refusal } from './refusal.ts'

/** Statuses of problems of the body. Any other refusal is about the caller or the service, and is reported alone. */
const STATUSES_OF_BODIES: ReadonlySet<number> = new Set([400, 404, 409])
/** Further problems of one request are not reported. */
const MAX_PROBLEMS = 100

type Parts = readonly (() => unknown)[]
type Results<P extends Parts> = { -readonly [At in keyof P]: ReturnType<P[At]> }
type AwaitedResults<P extends Parts> = { -readonly [At in keyof P]: Awaited<ReturnType<P[At]>> }

/**
 * The results of all parts, in order. If parts are refused, throws one refusal with the problems of all of them and the
 * status of the first. Throws at once what is not a refusal, and a first refusal that is not about the body. A later
 * one (a right that is missing, say) ends the search: parts behind it are not judged for a caller without that right.
 */
export function together<const P extends Parts>(...parts: P): Results<P> {
  return eachTogether(parts, (part) => part()) as Results<P>
}

/** As `together`, with one part for each item. */
export function eachTogether<Item, Result>(
  items: readonly Item[],
  part: (item: Item, index: number) => Result,
): Result[] {
  const results: Result[] = []
  let refused: Refusal | null = null
  for (let index = 0; index < items.length; index += 1) {
    try {
      results.push(part(items[index]!, index))
    } catch (error) {
      refused = joined(refused, error)
      if (!isOfBody(error)) break
    }
  }
  if (refused !== null) throw refused
  return results
}

/** As `together`; the parts run at the same time. */
export async function togetherAsync<const P extends Parts>(...parts: P): Promise<AwaitedResults<P>> {
  const settled = await Promise.allSettled(parts.map(async (part) => await part()))
  return eachTogether(settled, (each) => {
    if (each.status === 'rejected') throw each.reason
    return each.value
  }) as AwaitedResults<P>
}

/**
 * The result of one part. Only if it is refused, the others run too, and their problems are reported with its own. For
 * parts that the operation runs later anyway: success costs nothing.
 */
export function alongWith<Result>(part: () => Result, ...others: Parts): Result {
  try {
    return part()
  } catch (error) {
    return together(() => rethrow(error), ...others)[0]
  }
}

/** As `alongWith`. */
export async function alongWithAsync<Result>(part: () => Promise<Result>, ...others: Parts): Promise<Result> {
  try {
    return await part()
  } catch (error) {
    return (await togetherAsync(() => rethrow(error), ...others))[0]
  }
}

/** The refusal with the problems of `other`, if both are about the body. */
function withProblemsOf(refusal: Refusal, other: Refusal): Refusal {
  if (!isOfBody(refusal) || !isOfBody(other)) return refusal
  const { status, problems, retryAfterSeconds } = refusal
  const further = other.problems.filter((problem) => !problems.some((each) => isSame(each, problem)))
  const all = [...problems, ...further].slice(0, Math.max(MAX_PROBLEMS, problems.length))
  return all.length === problems.length ? refusal : new Refusal(status, all, retryAfterSeconds)
}

function joined(refused: Refusal | null, error: unknown): Refusal {
  if (!(error instanceof Refusal) || (refused === null && !isOfBody(error))) throw error
  return refused === null ? error : withProblemsOf(refused, error)
}

/** False of a subclass: it says more than its problems do, such as the record to compare with the chain. */
function isOfBody(error: unknown): boolean {
  return error instanceof Refusal && error.constructor === Refusal && STATUSES_OF_BODIES.has(error.status)
}

function isSame(a: Problem, b: Problem): boolean {
  return a.code === b.code && a.pointer === b.pointer && a.message === b.message
}

function rethrow(error: unknown): never {
  throw error
}
