// Parses a definition: the JSON of one job, or of an array of jobs. Strict; a rejection names the cause.
import { hash } from 'node:crypto'
import { Fields, printable } from './fields.ts'
import { JobRefused, LIMITS, type Job, type Task, type TaskKind } from './job.ts'
import { canonicalText, JsonMalformed, JsonNumber, parseJson, type Json } from './json.ts'
import { TASKS, type NestedReaders } from './task-fields.ts'

export interface Definition {
  readonly jobs: readonly Job[]
  /** Maximum number of requests of one execution. */
  readonly requests: number
  /** First 32 hex digits of the SHA-256 of its canonical JSON (RFC 8785). A feed publishes it to identify its jobs. */
  readonly hash: string
}

/** Tasks of the format that are not supported here. Others exist, and are rejected as unknown. */
const UNSUPPORTED: ReadonlySet<string> = new Set([
  'cronParseTask',
  'sysclockOffsetTask',
  'websocketTask',
  'oracleTask',
  'twapTask',
  'ewmaTask',
  'vwapTask',
  'historyFunctionTask',
  'solanaAccountDataFetchTask',
  'anchorFetchTask',
  'splTokenParseTask',
  'bufferLayoutParseTask',
  'jupiterSwapTask',
  'lpExchangeRateTask',
  'llmTask',
  'secretsTask',
])

const DOUBLE_DIGITS = 15
const JSON_DEPTH = 64

/** Throws JobRefused. */
export function parseDefinition(text: string): Definition {
  if (text.length > LIMITS.definitionLength)
    throw new JobRefused(`the definition is longer than ${LIMITS.definitionLength} characters`)
  const json = parsed(text)
  checkTexts(json)
  const jobs = Array.isArray(json) ? (json as readonly Json[]) : [json]
  if (jobs.length === 0) throw new JobRefused('the definition holds no job')
  if (jobs.length > LIMITS.jobs) throw new JobRefused(`the definition holds more than ${LIMITS.jobs} jobs`)
  const requests = { made: 0 }
  return {
    jobs: jobs.map((job, index) => new JobReader(requests).job(job, `job ${index + 1}`, 0, true)),
    requests: requests.made,
    hash: hash('sha256', canonicalText(json), 'hex').slice(0, 32),
  }
}

function parsed(text: string): Json {
  try {
    return parseJson(text, { maxDepth: JSON_DEPTH, duplicates: 'refuse' })
  } catch (error) {
    throw error instanceof JsonMalformed ? new JobRefused(`the definition is no JSON: ${error.message}`) : error
  }
}

/** Rejects values without a canonical form: numbers that a double cannot represent, and lone surrogates. */
function checkTexts(value: Json): void {
  if (value instanceof JsonNumber) {
    const digits = value.text
      .replace(/[eE].*$/, '')
      .replace(/[-.]/g, '')
      .replace(/^0+|0+$/g, '')
    const exact =
      digits.length <= DOUBLE_DIGITS &&
      Number.isFinite(Number(value.text)) &&
      (digits === '' || Number(value.text) !== 0)
    if (!exact)
      throw new JobRefused(`a number of more than ${DOUBLE_DIGITS} digits, or out of range: send it as a string (big)`)
  } else if (typeof value === 'string') {
    if (/\p{Surrogate}/u.test(value)) throw new JobRefused('a string holds half a surrogate pair')
  } else if (Array.isArray(value)) for (const each of value as readonly Json[]) checkTexts(each)
  else if (value instanceof Map) {
    for (const [name, member] of value as ReadonlyMap<string, Json>) {
      checkTexts(name)
      checkTexts(member)
    }
  }
}

/** Reads one job with all nested tasks. */
class JobReader {
  #tasks = 0
  /** Counted over all jobs of the definition. */
  readonly #requests: { made: number }

  constructor(requests: { made: number }) {
    this.#requests = requests
  }

  /** Weights apply only where several jobs are combined. */
  job(value: Json, place: string, depth: number, weighted: boolean): Job {
    const fields = new Fields(value, place)
    const weight = weighted ? (fields.integer('weight', 0, LIMITS.weight) ?? 1) : 1
    const tasks = fields.array('tasks')
    fields.end()
    if (tasks === undefined || tasks.length === 0) throw fields.refuse('tasks are required')
    return this.#job(tasks, place, depth, Math.max(1, weight))
  }

  #job(values: readonly Json[], place: string, depth: number, weight = 1): Job {
    return { tasks: values.map((each, index) => this.#task(each, `${place}, task ${index + 1}`, depth + 1)), weight }
  }

  #task(value: Json, place: string, depth: number): Task {
    this.#tasks += 1
    if (this.#tasks > LIMITS.tasks) throw new JobRefused(`${place}: a job has at most ${LIMITS.tasks} tasks`)
    if (depth > LIMITS.depth) throw new JobRefused(`${place}: tasks are nested at most ${LIMITS.depth} deep`)
    const fields = new Fields(value, place)
    const [name, ...others] = fields.names
    if (name === undefined || others.length > 0)
      throw fields.refuse(`a task has exactly one member, and this one has ${fields.names.length}`)
    if (!Object.hasOwn(TASKS, name)) {
      throw fields.refuse(
        `${printable(name)} is ${UNSUPPORTED.has(name) ? 'not supported' : 'no task that is known here'}`,
      )
    }
    const members = new Fields(fields.take(name) ?? null, `${place} (${name})`)
    const body = TASKS[name as TaskKind](members, this.#nested(depth, place))
    members.end()
    return { ...body, place: members.place }
  }

  #nested(depth: number, place: string): NestedReaders {
    return {
      job: (value, inner) => this.job(value, inner, depth, false),
      weightedJob: (value, inner) => this.job(value, inner, depth, true),
      tasks: (values, inner) => this.#job(values, inner, depth),
      task: (value, inner) => ({ tasks: [this.#task(value, inner, depth + 1)], weight: 1 }),
      request: () => {
        this.#requests.made += 1
        if (this.#requests.made <= LIMITS.httpTasks) return
        throw new JobRefused(
          `${place}: a definition makes at most ${LIMITS.httpTasks} requests (httpTask), all its jobs together`,
        )
      },
    }
  }
}
