// The types of a validated definition: jobs of tasks, with all defaults filled in.
import type { Decimal } from './decimal.ts'
import type { Path } from './json-path.ts'
import type { Pattern } from './pattern.ts'

/** Names the rejected job and task, and the rule. */
export class JobRefused extends Error {
  override readonly name = 'JobRefused'
}

export const LIMITS = {
  /** Of the text of the whole definition, UTF-16 units. */
  definitionLength: 32_768,
  jobs: 16,
  /** Tasks of one job, including those of nested jobs and tasks. */
  tasks: 64,
  /** Of nested tasks. */
  depth: 8,
  /** Requests of a whole definition. */
  httpTasks: 8,
  headers: 16,
  /** Of one response, bytes. */
  answerBytes: 1_048_576,
  requestMs: 5_000,
  /** Of the whole execution. */
  totalMs: 15_000,
  /** Of a text after the substitution of variables, UTF-16 units. */
  textLength: 65_536,
  cacheItems: 32,
  mappings: 256,
  weight: 100,
} as const

export interface Job {
  readonly tasks: readonly Task[]
  /** How many times its result counts in a median. */
  readonly weight: number
}

/** A value from a text (`${NAME}` is replaced) or from a job. */
export type ValueSource = { readonly text: string } | { readonly job: Job }
export type Operand = ValueSource | { readonly number: Decimal }
export type Direction = 'UP' | 'DOWN'
export type Aggregation = 'NONE' | 'MIN' | 'MAX' | 'SUM' | 'MEAN' | 'MEDIAN'

export type TaskBody =
  | {
      readonly kind: 'httpTask'
      readonly url: string
      readonly method: 'GET' | 'POST'
      readonly headers: readonly { readonly key: string; readonly value: string }[]
      readonly body: string | null
    }
  /** `path` is null if the text contains variables: it is then parsed at run time. */
  | {
      readonly kind: 'jsonParseTask'
      readonly text: string
      readonly path: Path | null
      readonly aggregation: Aggregation
    }
  | { readonly kind: 'regexExtractTask'; readonly pattern: Pattern; readonly group: number }
  | {
      readonly kind: 'stringMapTask'
      readonly mappings: readonly { readonly key: string; readonly value: string }[]
      readonly fallback: string | null
      readonly caseSensitive: boolean
      readonly input: string | null
    }
  | {
      readonly kind: 'valueTask'
      readonly value: { readonly number: Decimal } | { readonly text: string; readonly numeric: boolean }
    }
  | { readonly kind: 'addTask' | 'subtractTask' | 'multiplyTask' | 'divideTask' | 'powTask'; readonly operand: Operand }
  | {
      readonly kind: 'medianTask'
      readonly members: readonly Job[]
      readonly minSuccessful: number
      readonly maxRangePercent: Decimal | null
    }
  | { readonly kind: 'meanTask' | 'minTask' | 'maxTask'; readonly members: readonly Job[] }
  | { readonly kind: 'roundTask'; readonly direction: Direction; readonly decimals: number }
  | {
      readonly kind: 'boundTask'
      readonly lower: ValueSource | null
      readonly upper: ValueSource | null
      readonly onExceedsLower: ValueSource | null
      readonly onExceedsUpper: ValueSource | null
    }
  | { readonly kind: 'conditionalTask'; readonly attempt: Job; readonly onFailure: Job }
  | {
      readonly kind: 'comparisonTask'
      readonly operation: 'EQ' | 'GT' | 'LT'
      /** Null: the current value. */
      readonly lhs: ValueSource | null
      readonly rhs: ValueSource
      readonly onTrue: ValueSource
      readonly onFalse: ValueSource
      readonly onFailure: ValueSource | null
    }
  | { readonly kind: 'cacheTask'; readonly items: readonly { readonly name: string; readonly job: Job }[] }
  | { readonly kind: 'unixTimeTask'; readonly offset: Decimal }

export type Task = TaskBody & {
  /** Position in the definition, such as `task 2 (medianTask), member 1, task 1 (jsonParseTask)`. */
  readonly place: string
}

export type TaskKind = TaskBody['kind']
