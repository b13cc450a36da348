// Parses the members of each task of the Switchboard job format, one function per task. Tasks of the format that this
// interpreter does not implement are rejected as unsupported.
import { ofInteger, parseDecimal, ZERO_DECIMAL } from './decimal.ts'
import { Fields } from './fields.ts'
import {
  LIMITS,
  type Aggregation,
  type Direction,
  type Job,
  type Operand,
  type ValueSource,
  type TaskBody,
  type TaskKind,
} from './job.ts'
import type { Json } from './json.ts'
import { parsePath, PathRefused } from './json-path.ts'
import { compilePattern, PatternRefused } from './pattern.ts'

/** Reads jobs nested in a task; their tasks count as tasks of the enclosing job. */
export interface NestedReaders {
  readonly job: (value: Json, place: string) => Job
  /** A job that may have a weight. */
  readonly weightedJob: (value: Json, place: string) => Job
  readonly tasks: (values: readonly Json[], place: string) => Job
  /** A single task as a job. */
  readonly task: (value: Json, place: string) => Job
  readonly request: () => void
}

type Read = (fields: Fields, nested: NestedReaders) => TaskBody

const METHODS = {
  METHOD_UNKOWN: 'GET',
  METHOD_UNKNOWN: 'GET',
  METHOD_GET: 'GET',
  METHOD_POST: 'POST',
  0: 'GET',
  1: 'GET',
  2: 'POST',
} as const
const AGGREGATIONS: Readonly<Record<string, Aggregation>> = {
  NONE: 'NONE',
  MIN: 'MIN',
  MAX: 'MAX',
  SUM: 'SUM',
  MEAN: 'MEAN',
  MEDIAN: 'MEDIAN',
  0: 'NONE',
  1: 'MIN',
  2: 'MAX',
  3: 'SUM',
  4: 'MEAN',
  5: 'MEDIAN',
}
const DIRECTIONS: Readonly<Record<string, Direction>> = {
  METHOD_ROUND_UP: 'UP',
  METHOD_ROUND_DOWN: 'DOWN',
  0: 'UP',
  1: 'DOWN',
}
const OPERATIONS = {
  EQ: 'EQ',
  GT: 'GT',
  LT: 'LT',
  OPERATION_EQ: 'EQ',
  OPERATION_GT: 'GT',
  OPERATION_LT: 'LT',
  0: 'EQ',
  1: 'GT',
  2: 'LT',
} as const

const VARIABLE = /\$\{/
const VARIABLE_NAME = /^[A-Z0-9_]{1,64}$/
const HEADER_NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,64}$/
const HEADER_VALUE = /^[\t\x20-\x7e]{0,2048}$/
/** Headers that belong to the connection, or claim to speak for another party. */
const HEADERS_KEPT =
  /^(?:host|connection|content-length|transfer-encoding|te|trailer|upgrade|expect|keep-alive|accept-encoding|proxy-.*|forwarded|x-forwarded-.*)$/i
const MAX_DECIMALS = 60

function httpTask(fields: Fields, nested: NestedReaders): TaskBody {
  nested.request()
  const url = fields.required('url')
  if (url.length > 2_048) throw fields.refuse('url is longer than 2048 characters')
  if (!VARIABLE.test(url) && !/^https?:$/.test(protocolOf(url))) throw fields.refuse('url must be an http or https URL')
  const method = fields.enumerated('method', METHODS) ?? 'GET'
  const headers = (fields.array('headers') ?? []).map((each, index) => {
    const header = new Fields(each, `${fields.place}, header ${index + 1}`)
    const [key, value] = [header.required('key'), header.string('value') ?? '']
    header.end()
    if (!HEADER_NAME.test(key)) throw header.refuse('key is no name of a header')
    if (HEADERS_KEPT.test(key)) throw header.refuse(`${key} cannot be set`)
    if (!HEADER_VALUE.test(value)) throw header.refuse('value must be printable')
    return { key, value }
  })
  if (headers.length > LIMITS.headers) throw fields.refuse(`more than ${LIMITS.headers} headers`)
  const body = fields.string('body') ?? null
  if (body !== null && method === 'GET') throw fields.refuse('a GET has no body')
  return { kind: 'httpTask', url, method, headers, body }
}

function protocolOf(url: string): string {
  return URL.canParse(url) ? new URL(url).protocol : ''
}

function jsonParseTask(fields: Fields): TaskBody {
  const text = fields.required('path')
  const aggregation = fields.enumerated('aggregationMethod', AGGREGATIONS) ?? 'NONE'
  try {
    return { kind: 'jsonParseTask', text, path: VARIABLE.test(text) ? null : parsePath(text), aggregation }
  } catch (error) {
    throw error instanceof PathRefused ? fields.refuse(`path: ${error.message}`) : error
  }
}

function regexExtractTask(fields: Fields): TaskBody {
  const text = fields.required('pattern')
  const group = fields.integer('groupNumber', 0, 100) ?? 0
  try {
    const pattern = compilePattern(text)
    if (group > pattern.groups)
      throw fields.refuse(`groupNumber ${group} is not in the pattern, which has ${pattern.groups} groups`)
    return { kind: 'regexExtractTask', pattern, group }
  } catch (error) {
    throw error instanceof PatternRefused ? fields.refuse(error.message) : error
  }
}

function stringMapTask(fields: Fields): TaskBody {
  const mappings = (fields.array('mappings') ?? []).map((each, index) => {
    const mapping = new Fields(each, `${fields.place}, mapping ${index + 1}`)
    const [key, value] = [mapping.string('key'), mapping.string('value')]
    mapping.end()
    if (key === undefined || value === undefined) throw mapping.refuse('key and value are required')
    return { key, value }
  })
  if (mappings.length > LIMITS.mappings) throw fields.refuse(`more than ${LIMITS.mappings} mappings`)
  const fallback = fields.string('defaultValue') ?? null
  if (mappings.length === 0 && fallback === null) throw fields.refuse('mappings are required')
  return {
    kind: 'stringMapTask',
    mappings,
    fallback,
    caseSensitive: fields.boolean('caseSensitive') ?? true,
    input: fields.string('input') ?? null,
  }
}

function valueTask(fields: Fields): TaskBody {
  const field = fields.atMostOne('value', 'big', 'hex', 'utf8', 'aggregatorPubkey')
  switch (field) {
    case 'value':
      return { kind: 'valueTask', value: { number: fields.number('value') ?? ZERO_DECIMAL } }
    case 'big':
      return { kind: 'valueTask', value: { text: numberText(fields, 'big'), numeric: true } }
    case 'utf8':
      return { kind: 'valueTask', value: { text: fields.string('utf8') ?? '', numeric: false } }
    case 'hex': {
      const text = fields.required('hex')
      if (!/^(?:0x)?[0-9a-fA-F]{1,32}$/.test(text)) throw fields.refuse('hex must be 1 to 32 hexadecimal digits')
      const number = parseDecimal(BigInt(`0x${text.replace(/^0x/, '')}`).toString()) ?? ZERO_DECIMAL
      return { kind: 'valueTask', value: { number } }
    }
    case 'aggregatorPubkey':
      throw fields.refuse('aggregatorPubkey is not supported')
    default:
      throw fields.refuse('one of value, big, hex, utf8 is required')
  }
}

/** A number as text, or a text with a variable. */
function numberText(fields: Fields, name: string): string {
  const text = fields.required(name)
  if (!VARIABLE.test(text)) fields.decimal(name, text.trim())
  return text
}

function operation(kind: Extract<TaskBody, { readonly operand: Operand }>['kind']): Read {
  return (fields, nested) => {
    const field = fields.atMostOne('scalar', 'big', 'job', 'aggregatorPubkey')
    switch (field) {
      case 'scalar':
        return { kind, operand: { number: fields.number('scalar') ?? ZERO_DECIMAL } }
      case 'big':
        return { kind, operand: { text: numberText(fields, 'big') } }
      case 'job':
        if (kind === 'powTask') throw fields.refuse('job is not known here')
        return { kind, operand: { job: nested.job(fields.take('job') ?? null, `${fields.place}, job`) } }
      case 'aggregatorPubkey':
        throw fields.refuse('aggregatorPubkey is not supported')
      default:
        throw fields.refuse(`one of scalar, big${kind === 'powTask' ? '' : ', job'} is required`)
    }
  }
}

function members(fields: Fields, nested: NestedReaders, read = nested.job): readonly Job[] {
  const tasks = (fields.array('tasks') ?? []).map((each, index) =>
    nested.task(each, `${fields.place}, member ${index + 1}`),
  )
  const jobs = (fields.array('jobs') ?? []).map((each, index) => read(each, `${fields.place}, job ${index + 1}`))
  const all = [...tasks, ...jobs]
  if (all.length === 0) throw fields.refuse('tasks or jobs are required')
  return all
}

function medianTask(fields: Fields, nested: NestedReaders): TaskBody {
  const all = members(fields, nested, nested.weightedJob)
  const minSuccessful = fields.integer('minSuccessfulRequired', 0, LIMITS.tasks) ?? 0
  if (minSuccessful > all.length) throw fields.refuse(`minSuccessfulRequired is more than its ${all.length} members`)
  const maxRangePercent = fields.numeric('maxRangePercent') ?? null
  if (maxRangePercent !== null && maxRangePercent.units < 0n)
    throw fields.refuse('maxRangePercent must not be negative')
  return { kind: 'medianTask', members: all, minSuccessful: Math.max(1, minSuccessful), maxRangePercent }
}

/** A job under `name`, or a value under the name followed by `Value`. */
function source(fields: Fields, nested: NestedReaders, name: string, numeric: boolean): ValueSource | null {
  const field = fields.atMostOne(name, `${name}Value`)
  if (field === undefined) return null
  if (field === name) return { job: nested.job(fields.take(name) ?? null, `${fields.place}, ${name}`) }
  return { text: numeric ? numberText(fields, field) : (fields.string(field) ?? '') }
}

function boundTask(fields: Fields, nested: NestedReaders): TaskBody {
  const of = (name: string): ValueSource | null => source(fields, nested, name, true)
  const [lower, upper] = [of('lowerBound'), of('upperBound')]
  const [onExceedsLower, onExceedsUpper] = [of('onExceedsLowerBound'), of('onExceedsUpperBound')]
  if (lower === null && upper === null) throw fields.refuse('a lower or an upper bound is required')
  if (lower === null && onExceedsLower !== null) throw fields.refuse('onExceedsLowerBound needs a lower bound')
  if (upper === null && onExceedsUpper !== null) throw fields.refuse('onExceedsUpperBound needs an upper bound')
  return { kind: 'boundTask', lower, upper, onExceedsLower, onExceedsUpper }
}

function conditionalTask(fields: Fields, nested: NestedReaders): TaskBody {
  const branch = (name: string): Job => {
    const values = fields.array(name)
    if (values === undefined || values.length === 0) throw fields.refuse(`${name} is required`)
    const [first] = values
    // Examples of the format nest a job here; the format's own tools ignore it.
    const asJob = values.length === 1 && first instanceof Map && first.has('tasks')
    return asJob
      ? nested.job(first as Json, `${fields.place}, ${name}`)
      : nested.tasks(values, `${fields.place}, ${name}`)
  }
  return { kind: 'conditionalTask', attempt: branch('attempt'), onFailure: branch('onFailure') }
}

function comparisonTask(fields: Fields, nested: NestedReaders): TaskBody {
  const of = (name: string, numeric: boolean): ValueSource | null => source(fields, nested, name, numeric)
  const needed = (name: string, numeric: boolean): ValueSource => {
    const found = of(name, numeric)
    if (found === null) throw fields.refuse(`${name} or ${name}Value is required`)
    return found
  }
  return {
    kind: 'comparisonTask',
    operation: fields.enumerated('op', OPERATIONS) ?? 'EQ',
    lhs: of('lhs', true),
    rhs: needed('rhs', true),
    onTrue: needed('onTrue', false),
    onFalse: needed('onFalse', false),
    onFailure: of('onFailure', false),
  }
}

function cacheTask(fields: Fields, nested: NestedReaders): TaskBody {
  const items = (fields.array('cacheItems') ?? []).map((each, index) => {
    const item = new Fields(each, `${fields.place}, item ${index + 1}`)
    const name = item.required('variableName')
    if (!VARIABLE_NAME.test(name)) throw item.refuse('variableName takes A to Z, 0 to 9 and _')
    const job = item.take('job')
    if (job === undefined) throw item.refuse('job is required')
    item.end()
    return { name, job: nested.job(job, `${item.place}, job`) }
  })
  if (items.length === 0) throw fields.refuse('cacheItems are required')
  if (items.length > LIMITS.cacheItems) throw fields.refuse(`more than ${LIMITS.cacheItems} items`)
  return { kind: 'cacheTask', items }
}

const several =
  (kind: 'meanTask' | 'minTask' | 'maxTask'): Read =>
  (fields, nested) => ({ kind, members: members(fields, nested) })

export const TASKS: Readonly<Record<TaskKind, Read>> = {
  httpTask,
  jsonParseTask,
  regexExtractTask,
  stringMapTask,
  valueTask,
  addTask: operation('addTask'),
  subtractTask: operation('subtractTask'),
  multiplyTask: operation('multiplyTask'),
  divideTask: operation('divideTask'),
  powTask: operation('powTask'),
  medianTask,
  meanTask: several('meanTask'),
  minTask: several('minTask'),
  maxTask: several('maxTask'),
  roundTask: (fields) => ({
    kind: 'roundTask',
    direction: fields.enumerated('method', DIRECTIONS) ?? 'UP',
    decimals: fields.integer('decimals', 0, MAX_DECIMALS) ?? 0,
  }),
  boundTask,
  conditionalTask,
  comparisonTask,
  cacheTask,
  unixTimeTask: (fields) => ({
    kind: 'unixTimeTask',
    offset: ofInteger(fields.integer('offset', -4_000_000_000, 4_000_000_000) ?? 0),
  }),
}
