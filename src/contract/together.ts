// Reports the problems of all independent parts of a request at once: an operation resolves and checks the members that
// do not depend on each other as parts of one `together`.
import { RpcError, TransportError } from '../rpc/rpc-error.ts'
import { type Problem, Refusal } from './refusal.ts'

/** Statuses of problems of the body. Any other refusal is about the caller or the service, and is reported alone. */
const STATUSES_OF_BODIES: ReadonlySet<number> = new Set([400, 404, 409])
/** With so many problems of one request, its other parts are not judged. */
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
  let refused: JoinedProblems | null = null
  for (let index = 0; index < items.length && refused?.isFull !== true; index += 1) {
    try {
      results.push(part(items[index]!, index))
    } catch (error) {
      if (refused === null) refused = JoinedProblems.of(error)
      else if (!refused.add(error)) break
    }
  }
  if (refused !== null) throw refused.refusal()
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

/** The problems of one request. The refusal is built once: building one for each problem would take long for many. */
class JoinedProblems {
  readonly #first: Refusal
  readonly #problems: Problem[]
  readonly #known: Set<string>

  private constructor(first: Refusal) {
    this.#first = first
    this.#problems = [...first.problems]
    this.#known = new Set(first.problems.map(identityOf))
  }

  /** Throws the error if it is not a refusal that is about the body. */
  static of(error: unknown): JoinedProblems {
    if (!isOfBody(error)) throw error
    return new JoinedProblems(error)
  }

  /** True: the parts behind it are not judged. */
  get isFull(): boolean {
    return this.#problems.length >= MAX_PROBLEMS
  }

  /**
   * Adds the problems of another part. False: a refusal that is not about the body, behind which no part is judged.
   * Throws what is not a refusal, except that the cluster did not answer: the body is wrong in any case.
   */
  add(error: unknown): boolean {
    if (error instanceof TransportError || error instanceof RpcError) return true
    if (!(error instanceof Refusal)) throw error
    if (!isOfBody(error)) return false
    const further = error.problems.filter((problem) => !this.#known.has(identityOf(problem)))
    this.#problems.push(...further.slice(0, Math.max(0, MAX_PROBLEMS - this.#problems.length)))
    for (const problem of further) this.#known.add(identityOf(problem))
    return true
  }

  refusal(): Refusal {
    const { status, problems, retryAfterSeconds } = this.#first
    if (this.#problems.length === problems.length) return this.#first
    return new Refusal(status, this.#problems, retryAfterSeconds)
  }
}

/** False of a subclass: it says more than its problems do, such as the record to compare with the chain. */
function isOfBody(error: unknown): error is Refusal {
  return error instanceof Refusal && error.constructor === Refusal && STATUSES_OF_BODIES.has(error.status)
}

function identityOf({ code, pointer, message }: Problem): string {
  return JSON.stringify([code, pointer, message])
}

function rethrow(error: unknown): never {
  throw error
}
