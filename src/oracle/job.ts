// What a definition is once it has been checked: jobs of tasks, with every default filled in.
import type { Decimal } from './decimal.ts'
import type { Path } from './json-path.ts'
import type { Pattern } from './pattern.ts'

/** Names what is refused: the job, the task and the rule. */
export class JobRefused extends Error {
  override readonly name = 'JobRefused'
}

export const LIMITS = {
  /** Of the text of the whole definition, UTF-16 units. */
  definitionLength: 32_768,
  jobs: 16,
  /** Tasks of one job, those of its subtasks and subjobs included. */
  tasks: 64,
  /** Of tasks within tasks. */
  depth: 8,
  /** Requests of a whole definition. */
  httpTasks: 8,
  headers: 16,
  /** Of one answer, bytes. */
  answerBytes: 1_048_576,
  requestMs: 5_000,
  /** Of everything together. */
  totalMs: 15_000,
  /** Of a text that variables were put into, UTF-16 units. */
  textLength: 65_536,
  cacheItems: 32,
  mappings: 256,
  weight: 100,
} as const

export interface Job {
  readonly tasks: readonly Task[]
  /** Its result counts so many times in a median. */
  readonly weight: number
}

/** A value that a text says (`${NAME}` is replaced) or a job finds. */
export type Source = { readonly text: string } | { readonly job: Job }
export type Operand = Source | { readonly number: Decimal }
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
  /** `path` is null where it holds variables: it is read when they are known. */
  | { readonly kind: 'jsonParseTask'; readonly text: string; readonly path: Path | null; readonly aggregation: Aggregation }
  | { readonly kind: 'regexExtractTask'; readonly pattern: Pattern; readonly group: number }
  | {
      readonly kind: 'stringMapTask'
      readonly mappings: readonly { readonly key: string; readonly value: string }[]
      readonly fallback: string | null
      readonly caseSensitive: boolean
      readonly input: string | null
    }
  | { readonly kind: 'valueTask'; readonly value: { readonly number: Decimal } | { readonly text: string; readonly numeric: boolean } }
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
      readonly lower: Source | null
      readonly upper: Source | null
      readonly onExceedsLower: Source | null
      readonly onExceedsUpper: Source | null
    }
  | { readonly kind: 'conditionalTask'; readonly attempt: Job; readonly onFailure: Job }
  | {
      readonly kind: 'comparisonTask'
      readonly operation: 'EQ' | 'GT' | 'LT'
      /** null: the current value. */
      readonly lhs: Source | null
      readonly rhs: Source
      readonly onTrue: Source
      readonly onFalse: Source
      readonly onFailure: Source | null
    }
  | { readonly kind: 'cacheTask'; readonly items: readonly { readonly name: string; readonly job: Job }[] }
  | { readonly kind: 'unixTimeTask'; readonly offset: Decimal }

export type Task = TaskBody & {
  /** Where it stands, such as `task 2 (medianTask), member 1, task 1 (jsonParseTask)`. */
  readonly place: string
}

export type TaskKind = TaskBody['kind']
