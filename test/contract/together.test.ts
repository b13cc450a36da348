// The problems of independent parts are joined in order, and nothing else is swallowed.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { Refusal } from '../../src/contract/refusal.ts'
import { TransportError } from '../../src/rpc/rpc-error.ts'
import { alongWith, alongWithAsync, eachTogether, together, togetherAsync } from '../../src/contract/together.ts'

/** A refusal that says more than its problems do. */
class Shortage extends Refusal {}

type Part =
  | { readonly kind: 'value' }
  | { readonly kind: 'refusal'; readonly status: number; readonly codes: readonly string[] }
  | { readonly kind: 'subclass'; readonly codes: readonly string[] }
  | { readonly kind: 'error' }

const BODY = [400, 404, 409]
const CALLER = [401, 403, 429, 503]
const codes = fc.array(fc.constantFrom('A', 'B', 'C', 'D'), { minLength: 1, maxLength: 3 })
const part: fc.Arbitrary<Part> = fc.oneof(
  { weight: 4, arbitrary: fc.constant({ kind: 'value' as const }) },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('refusal' as const),
      status: fc.constantFrom(...BODY, 400, 400, ...CALLER),
      codes,
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('subclass' as const), codes }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'error' as const }) },
)

const problem = (code: string) => ({ code, message: code, pointer: `/${code}`, retryable: false })

/** The part as a function, and what it throws. */
function runnable(one: Part, index: number): { readonly run: () => number; readonly thrown: Error | null } {
  const thrown =
    one.kind === 'value'
      ? null
      : one.kind === 'error'
        ? new TypeError(`defect ${index}`)
        : one.kind === 'subclass'
          ? new Shortage(400, one.codes.map(problem))
          : new Refusal(one.status, one.codes.map(problem))
  const run = (): number => {
    if (thrown !== null) throw thrown
    return index
  }
  return { run, thrown }
}

/** The outcome of the parts, judged one after the other: the results, the one thing thrown, or status and codes. */
function expectedOf(parts: readonly ReturnType<typeof runnable>[]) {
  let first: Refusal | null = null
  const joined: string[] = []
  for (const { thrown } of parts) {
    if (thrown === null) continue
    if (!(thrown instanceof Refusal)) return { thrown }
    const isOfBody = !(thrown instanceof Shortage) && BODY.includes(thrown.status)
    if (!isOfBody && first === null) return { thrown }
    if (!isOfBody) break
    first ??= thrown
    // A refusal by itself may repeat a problem; none is repeated by another.
    const known = [...joined]
    joined.push(...thrown.problems.map(({ code }) => code).filter((code) => !known.includes(code)))
  }
  if (first === null) return { results: parts.map((_, index) => index) }
  return { status: first.status, joined }
}

function outcomeOf(run: () => unknown) {
  try {
    return { results: run() }
  } catch (error) {
    return { error }
  }
}

async function outcomeOfAsync(run: () => Promise<unknown>) {
  try {
    return { results: await run() }
  } catch (error) {
    return { error }
  }
}

function check(outcome: { results?: unknown; error?: unknown }, expected: ReturnType<typeof expectedOf>): void {
  if ('results' in expected) expect(outcome).toEqual({ results: expected.results })
  else if ('thrown' in expected) expect(outcome.error).toBe(expected.thrown)
  else {
    const { status, problems } = outcome.error as Refusal
    expect({ status, joined: problems.map(({ code }) => code) }).toEqual(expected)
  }
}

it('joins the problems of all parts in order, and rethrows what is not about the body', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(part, { maxLength: 6 }), async (parts) => {
      const made = parts.map(runnable)
      const expected = expectedOf(made)
      const runs = made.map(({ run }) => run)
      check(
        outcomeOf(() => together(...runs)),
        expected,
      )
      check(
        outcomeOf(() => eachTogether(runs, (run) => run())),
        expected,
      )
      check(await outcomeOfAsync(() => togetherAsync(...runs)), expected)
    }),
  )
})

it('runs the others only if the first is refused', async () => {
  await fc.assert(
    fc.asyncProperty(part, fc.array(part, { maxLength: 4 }), async (first, others) => {
      const made = [first, ...others].map(runnable)
      const [head, ...rest] = made.map(({ run }) => run)
      let ran = 0
      const counted = rest.map((run) => () => {
        ran += 1
        return run()
      })
      const expected = first.kind === 'value' ? { results: 0 } : expectedOf(made)
      const outcome = outcomeOf(() => alongWith(head!, ...counted))
      const asynchronous = await outcomeOfAsync(() => alongWithAsync(async () => Promise.resolve(head!()), ...rest))
      if (first.kind === 'value') {
        expect([outcome, asynchronous, ran]).toEqual([{ results: 0 }, { results: 0 }, 0])
        return
      }
      check(outcome, expected as ReturnType<typeof expectedOf>)
      check(asynchronous, expected as ReturnType<typeof expectedOf>)
    }),
  )
})

it('judges no part behind a right that is missing', () => {
  let ran = false
  const refuse = (status: number) => () => {
    throw new Refusal(status, [problem('A')])
  }
  const behind = (): void => {
    ran = true
  }
  const { error } = outcomeOf(() => together(refuse(400), refuse(403), behind)) as { error: Refusal }
  expect([error.status, error.problems.length, ran]).toEqual([400, 1, false])
})

it('reports at most a hundred problems', () => {
  const many = Array.from({ length: 300 }, (_, index) => index)
  const { error } = outcomeOf(() =>
    eachTogether(many, (index) => {
      throw new Refusal(400, [problem(String(index))])
    }),
  ) as { error: Refusal }
  expect(error.problems.map(({ code }) => Number(code))).toEqual(many.slice(0, 100))
})

it('judges no further parts once a hundred problems are known', () => {
  let judged = 0
  const outcome = outcomeOf(() =>
    eachTogether(Array.from({ length: 5_000 }), (_, index) => {
      judged += 1
      throw new Refusal(400, [problem(`P${index}`)])
    }),
  )
  expect([judged, (outcome.error as Refusal).problems.length]).toEqual([100, 100])
})

it('reports a wrong body also if the cluster does not answer for another part', async () => {
  const refused = new Refusal(400, [problem('A')])
  const silent = new TransportError('TIMEOUT', 'no answer')
  const refuses = (): never => {
    throw refused
  }
  expect((await outcomeOfAsync(() => togetherAsync(refuses, () => Promise.reject(silent)))).error).toBe(refused)
  expect((await outcomeOfAsync(() => togetherAsync(() => Promise.reject(silent), refuses))).error).toBe(silent)
})
