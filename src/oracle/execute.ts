// Executes a definition: all jobs at once, combined into one value. At least half of the jobs, rounded up, must
// succeed: a feed made of five sources must not continue with one of them.
import { isRatingText } from '../../machines/feed-text.ts'
import type { DataKind, Execution, JobResult } from '../contract/market-data.ts'
import { median, NotANumber, printDecimal, type Decimal } from './decimal.ts'
import { numberOf, TaskFailed, currentText, type Current } from './current.ts'
import type { Definition } from './definition.ts'
import { LIMITS, type Job } from './job.ts'
import { JobRun, type World } from './run.ts'
import { WorkBudget } from './work.ts'

type Result = { readonly value: Decimal | string } | { readonly error: string }

/** Never rejects because of a job or a host. */
export async function execute({ jobs }: Definition, kind: DataKind, world: World): Promise<Execution> {
  const until = world.elapsedMs() + LIMITS.totalMs
  const work = new WorkBudget({ elapsed: world.elapsedMs, soon: world.soon })
  const results = await Promise.all(
    jobs.map((job, index) => resultOf(job, `job ${index + 1}`, kind, new JobRun(world, until, work))),
  )
  return { ...combined(jobs, results, kind), jobs: results.map(shown) }
}

async function resultOf(job: Job, name: string, kind: DataKind, run: JobRun): Promise<Result> {
  try {
    return { value: valueOf(await run.run(job), kind) }
  } catch (error) {
    if (!(error instanceof TaskFailed)) throw error
    return { error: error.at(name).message }
  }
}

function valueOf(current: Current, kind: DataKind): Decimal | string {
  if (kind === 'PRICE') {
    if (current !== null && 'text' in current && current.text.length > 400)
      throw new TaskFailed('the result is no number')
    return numberOf(current)
  }
  const text = currentText(current).trim()
  if (!isRatingText(text)) throw new TaskFailed('the result is no rating: 1 to 40 characters of ASCII without |')
  return text
}

function shown(result: Result): JobResult {
  if ('error' in result) return { succeeded: false, value: null, error: result.error }
  return { succeeded: true, value: printed(result.value), error: null }
}

const printed = (value: Decimal | string): string => (typeof value === 'string' ? value : printDecimal(value))

function combined(
  jobs: readonly Job[],
  results: readonly Result[],
  kind: DataKind,
): Pick<Execution, 'value' | 'error'> {
  // A weight is of a median only: a rating is that of more than half of the jobs that succeed.
  const found = results.flatMap((result, index) =>
    'value' in result ? Array<Decimal | string>(kind === 'PRICE' ? jobs[index]!.weight : 1).fill(result.value) : [],
  )
  const succeeded = results.filter((result) => 'value' in result).length
  const needed = Math.ceil(jobs.length / 2)
  if (succeeded < needed) {
    const reasons = results.flatMap((result) => ('error' in result ? [result.error] : []))
    const count = jobs.length === 1 ? '' : `${succeeded} of ${jobs.length} jobs succeed, and ${needed} must: `
    return { value: null, error: `${count}${reasons.join('; ')}` }
  }
  return kind === 'PRICE' ? priced(found as readonly Decimal[]) : agreed(found as readonly string[])
}

function priced(values: readonly Decimal[]): Pick<Execution, 'value' | 'error'> {
  try {
    return { value: printDecimal(median(values)), error: null }
  } catch (error) {
    if (error instanceof NotANumber) return { value: null, error: error.message }
    throw error
  }
}

/** The value of more than half of them. */
function agreed(texts: readonly string[]): Pick<Execution, 'value' | 'error'> {
  const majority = texts.find((text) => texts.filter((each) => each === text).length * 2 > texts.length)
  return majority === undefined
    ? { value: null, error: 'the jobs disagree about the rating' }
    : { value: majority, error: null }
}
