// Runs one validated job. Has no I/O of its own: requests and the clock are parameters. Every failure is a TaskFailed
// that names the task.
import type { JobAnswer, JobRequest } from '../contract/market-data.ts'
import {
  compare,
  digitsOfPower,
  divide,
  median,
  mean,
  multiply,
  NotANumber,
  ofInteger,
  round,
  subtract,
  type Decimal,
} from './decimal.ts'
import { numberIn, numberOf, TaskFailed, currentText, type Current } from './current.ts'
import { LIMITS, type Job, type ValueSource, type Task } from './job.ts'
import { JsonMalformed, parseJson, type Json } from './json.ts'
import { PathRefused } from './json-path.ts'
import { PatternRefused } from './pattern.ts'
import { operate, select, type TaskOf } from './steps.ts'
import { JSON_CHARACTER, POWER_DIGIT, SORTED_VALUE, type WorkBudget } from './work.ts'

/** The I/O of a job. `fetch` follows no redirects, observes its limits and never rejects. */
export interface World {
  readonly fetch: (request: JobRequest) => Promise<JobAnswer>
  readonly unixSeconds: () => number
  /** Monotonic milliseconds. */
  readonly elapsedMs: () => number
  /** Runs the callback in a later turn of the event loop. */
  readonly soon: (callback: () => void) => void
}

type Variables = Map<string, string>
type ArithmeticTask = TaskOf<'addTask' | 'subtractTask' | 'multiplyTask' | 'divideTask' | 'powTask'>

const JSON_DEPTH = 64
/** Units of work for each task, beside those of what it computes. */
const TASK_WORK = 100
/** Each task may read the whole text, which costs a unit for this many characters. */
const CHARACTERS_OF_A_UNIT = 16
const VARIABLE = /\$\{([^}]*)\}/g

export class JobRun {
  readonly #world: World
  readonly #until: number
  readonly #work: WorkBudget
  /** The last parsed text: a text is often read several times in a row. */
  #read: { readonly text: string; readonly json: Json } | null = null

  /**
   * @param until on the clock of the world: later tasks fail
   * @param work shared by the jobs of one execution
   */
  constructor(world: World, until: number, work: WorkBudget) {
    this.#world = world
    this.#until = until
    this.#work = work
  }

  /** Rejects with TaskFailed. */
  async run(job: Job): Promise<Current> {
    return await this.#job(job, null, new Map())
  }

  async #job({ tasks }: Job, start: Current, variables: Variables): Promise<Current> {
    let current = start
    for (const task of tasks) {
      try {
        const length = current !== null && 'text' in current ? current.text.length : 0
        await this.#work.spend(TASK_WORK + length / CHARACTERS_OF_A_UNIT)
        if (this.#world.elapsedMs() >= this.#until) throw new TaskFailed('it takes too long')
        current = await this.#task(task, current, variables)
      } catch (error) {
        throw withPlace(task, error)
      }
    }
    return current
  }

  async #task(task: Task, current: Current, variables: Variables): Promise<Current> {
    switch (task.kind) {
      case 'httpTask':
        return await this.#fetch(task, variables)
      case 'jsonParseTask':
        return await this.#select(task, currentText(current), variables)
      case 'regexExtractTask':
        return await this.#extract(task, currentText(current))
      case 'stringMapTask':
        return mapText(task, task.input === null ? currentText(current) : fillIn(task.input, variables), variables)
      case 'valueTask':
        return constantOf(task, variables)
      case 'addTask':
      case 'subtractTask':
      case 'multiplyTask':
      case 'divideTask':
      case 'powTask':
        return await this.#calculate(task, current, variables)
      case 'medianTask':
        return { number: this.#median(task, await this.#members(task.members, current, variables)) }
      case 'meanTask':
      case 'minTask':
      case 'maxTask':
        return { number: aggregate(task.kind, await this.#members(task.members, current, variables)) }
      case 'roundTask':
        return { number: round(numberOf(current), task.decimals, task.direction) }
      case 'boundTask':
        return await this.#bound(task, current, variables)
      case 'conditionalTask':
        return await this.#attempt(
          () => this.#job(task.attempt, current, variables),
          () => this.#job(task.onFailure, current, variables),
        )
      case 'comparisonTask':
        return await this.#compare(task, current, variables)
      case 'cacheTask':
        await this.#cache(task, current, variables)
        return current
      case 'unixTimeTask':
        return { number: subtract(ofInteger(this.#world.unixSeconds()), task.offset) }
    }
  }

  async #fetch(task: TaskOf<'httpTask'>, variables: Variables): Promise<Current> {
    const { method, body } = task
    const url = fillIn(task.url, variables)
    const headers = Object.fromEntries(
      task.headers.map(({ key, value }) => [key, checkPrintable(fillIn(value, variables))]),
    )
    const timeoutMs = Math.min(LIMITS.requestMs, Math.ceil(this.#until - this.#world.elapsedMs()))
    const answer = await this.#world.fetch({
      url,
      method,
      headers,
      body: body === null ? null : fillIn(body, variables),
      maxBytes: LIMITS.answerBytes,
      timeoutMs,
    })
    if (!answer.ok) throw new TaskFailed(answer.reason)
    if (answer.status < 200 || answer.status >= 300) throw new TaskFailed(`the host answers ${answer.status}`)
    try {
      return { text: new TextDecoder('utf-8', { fatal: true }).decode(answer.body) }
    } catch {
      throw new TaskFailed('the answer is no UTF-8 text')
    }
  }

  async #calculate(task: ArithmeticTask, current: Current, variables: Variables): Promise<Current> {
    const { kind, operand } = task
    const other = 'number' in operand ? operand.number : numberOf(await this.#source(operand, current, variables))
    if (kind === 'powTask') await this.#work.spend(digitsOfPower(numberOf(current), other) * POWER_DIGIT)
    return { number: operate(kind, numberOf(current), other) }
  }

  async #cache({ items }: TaskOf<'cacheTask'>, current: Current, variables: Variables): Promise<void> {
    for (const { name, job } of items)
      variables.set(name, checkLength(currentText(await this.#job(job, current, variables))))
  }

  async #select(task: TaskOf<'jsonParseTask'>, text: string, variables: Variables): Promise<Current> {
    const path = task.path === null ? fillIn(task.text, variables) : null
    const json = await this.#json(text)
    await this.#work.spend(0)
    return select(json, task, path, (units) => this.#work.charge(units))
  }

  async #json(text: string): Promise<Json> {
    await this.#work.spend(0)
    // Looked up in the turn of this member: the members of a task read the same text.
    if (this.#read?.text === text) return this.#read.json
    this.#work.charge(text.length * JSON_CHARACTER)
    const json = parseJson(text, { maxDepth: JSON_DEPTH, duplicates: 'last' })
    this.#read = { text, json }
    return json
  }

  async #extract({ pattern, group }: TaskOf<'regexExtractTask'>, text: string): Promise<Current> {
    await this.#work.spend(pattern.workOn(text))
    const found = pattern.extract(text, group)
    if (found === null) throw new TaskFailed('the pattern is not found')
    return { text: found }
  }

  /**
   * Runs all members concurrently, each with variables of its own: a member that hangs does not take time from the
   * others.
   */
  async #members(jobs: readonly Job[], current: Current, variables: Variables): Promise<(Decimal | TaskFailed)[]> {
    return await Promise.all(
      jobs.map(async (job) => {
        try {
          return numberOf(await this.#job(job, current, new Map(variables)))
        } catch (error) {
          if (error instanceof TaskFailed) return error
          throw error
        }
      }),
    )
  }

  #median(
    { members, minSuccessful, maxRangePercent }: TaskOf<'medianTask'>,
    results: readonly (Decimal | TaskFailed)[],
  ): Decimal {
    const values = results.flatMap((each, index) =>
      each instanceof TaskFailed ? [] : Array<Decimal>(members[index]!.weight).fill(each),
    )
    const succeeded = results.filter((each) => !(each instanceof TaskFailed)).length
    if (succeeded < minSuccessful) {
      const first = results.find((each) => each instanceof TaskFailed)
      throw new TaskFailed(
        `${succeeded} of ${results.length} members succeed, and ${minSuccessful} must (${(first as TaskFailed).message})`,
      )
    }
    this.#work.charge(values.length * SORTED_VALUE)
    const middle = median(values)
    if (maxRangePercent === null) return middle
    const sorted = values.toSorted(compare)
    const range = subtract(sorted.at(-1)!, sorted[0]!)
    if (range.units === 0n) return middle
    const size = middle.units < 0n ? { ...middle, units: -middle.units } : middle
    if (size.units === 0n || compare(divide(multiply(range, ofInteger(100)), size), maxRangePercent) > 0)
      throw new TaskFailed('the members are further apart than maxRangePercent')
    return middle
  }

  async #bound(task: TaskOf<'boundTask'>, current: Current, variables: Variables): Promise<Current> {
    const value = numberOf(current)
    const { lower, upper, onExceedsLower, onExceedsUpper } = task
    if (lower !== null && compare(value, numberOf(await this.#source(lower, current, variables))) < 0) {
      if (onExceedsLower === null) throw new TaskFailed('the value is below the lower bound')
      return { number: numberOf(await this.#source(onExceedsLower, current, variables)) }
    }
    if (upper !== null && compare(value, numberOf(await this.#source(upper, current, variables))) > 0) {
      if (onExceedsUpper === null) throw new TaskFailed('the value is above the upper bound')
      return { number: numberOf(await this.#source(onExceedsUpper, current, variables)) }
    }
    return { number: value }
  }

  async #compare(task: TaskOf<'comparisonTask'>, current: Current, variables: Variables): Promise<Current> {
    const { operation, lhs, rhs, onTrue, onFalse, onFailure } = task
    const choose = async (): Promise<ValueSource> => {
      const left = numberOf(lhs === null ? current : await this.#source(lhs, current, variables))
      const order = compare(left, numberOf(await this.#source(rhs, current, variables)))
      const holds = operation === 'EQ' ? order === 0 : operation === 'GT' ? order > 0 : order < 0
      return holds ? onTrue : onFalse
    }
    const outcome = onFailure === null ? await choose() : await this.#attempt(choose, () => Promise.resolve(onFailure))
    return await this.#source(outcome, current, variables)
  }

  async #source(source: ValueSource, current: Current, variables: Variables): Promise<Current> {
    return 'job' in source ? await this.#job(source.job, current, variables) : { text: fillIn(source.text, variables) }
  }

  async #attempt<T>(first: () => Promise<T>, otherwise: () => Promise<T>): Promise<T> {
    try {
      return await first()
    } catch (error) {
      if (error instanceof TaskFailed) return await otherwise()
      throw error
    }
  }
}

/** The mean, minimum or maximum of members that must all succeed. */
function aggregate(kind: 'meanTask' | 'minTask' | 'maxTask', results: readonly (Decimal | TaskFailed)[]): Decimal {
  const values = results.map((each) => {
    if (each instanceof TaskFailed) throw each
    return each
  })
  if (kind === 'meanTask') return mean(values)
  const sorted = values.toSorted(compare)
  return (kind === 'minTask' ? sorted[0] : sorted.at(-1))!
}

/** Names the task in the failure; the innermost task has already done so. */
function withPlace({ place }: Task, error: unknown): unknown {
  if (error instanceof TaskFailed) return error.at(place)
  if (error instanceof JsonMalformed) return new TaskFailed(`the value is no JSON: ${error.message}`, place)
  const known = error instanceof NotANumber || error instanceof PathRefused || error instanceof PatternRefused
  return known ? new TaskFailed(error.message, place) : error
}

function mapText(
  { mappings, fallback, caseSensitive }: TaskOf<'stringMapTask'>,
  input: string,
  variables: Variables,
): Current {
  const folded = (text: string): string => (caseSensitive ? text : text.toLowerCase())
  const wanted = folded(input)
  const found = mappings.find(({ key }) => folded(key) === wanted)?.value ?? fallback
  if (found === null) throw new TaskFailed('no mapping is for this value, and there is no defaultValue')
  return { text: fillIn(found, variables) }
}

function constantOf({ value }: TaskOf<'valueTask'>, variables: Variables): Current {
  if ('number' in value) return value
  const text = fillIn(value.text, variables)
  if (!value.numeric) return { text }
  const number = numberIn(text)
  if (number === null) throw new TaskFailed('big is no number')
  return { number }
}

/** Replaces every `${NAME}` by the text cached under that name. */
function fillIn(text: string, variables: Variables): string {
  // Counted while it grows: a short text can name a long variable thousands of times.
  let length = text.length
  const result = text.replace(VARIABLE, (whole, name: string) => {
    const value = variables.get(name)
    if (value === undefined) throw new TaskFailed('a variable is not cached at this point')
    length += value.length - whole.length
    if (length > LIMITS.textLength + text.length) throw tooLong()
    return value
  })
  return checkLength(result)
}

function checkLength(text: string): string {
  if (text.length > LIMITS.textLength) throw tooLong()
  return text
}

function tooLong(): TaskFailed {
  return new TaskFailed(`a text is longer than ${LIMITS.textLength} characters`)
}

function checkPrintable(text: string): string {
  if (!/^[\t\x20-\x7e]*$/.test(text)) throw new TaskFailed('a header holds what is not printable')
  return text
}
