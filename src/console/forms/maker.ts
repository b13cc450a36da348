// Makes something with one request: it is checked first, then sent unchanged. A request whose outcome is unknown can
// only be repeated as it is, so that it has one effect, however often it is sent.
import { dryRun, newKey, RequestRefused, type Answer } from '../api.ts'
import { abandon, isAnswer, order } from '../orders.ts'
import type { ResolvedRecord } from './form-lookups.ts'

/** A record that the request names, as it was found, and the label of its field. */
export interface ReferencedRecord {
  readonly label: string
  readonly shown: ResolvedRecord['shown']
}

export interface Content {
  readonly itemData: object
  readonly meant: readonly ReferencedRecord[]
}

export interface Request {
  readonly method: 'POST' | 'PATCH'
  /** Without `/api/v1`. */
  readonly path: string
  readonly hasDryRun: boolean
  /** false: the first attempt sends the request. */
  readonly isCheckedFirst: boolean
  readonly feePayer: string | null
  readonly content: () => Promise<Content> | Content
}

interface Checked extends Content {
  readonly idempotencyKey: string
  readonly estimate: Answer | null
}

interface State {
  readonly checked: Checked | null
  readonly error: unknown
  /** A check or the request is under way. */
  readonly busy: boolean
  /** The request is under way, or its outcome is unknown: no field can be changed. */
  readonly isFixed: boolean
  /** It was sent, and may have had its effect: see `orders.ts`. */
  readonly isUnsure: boolean
  /** The answer to the request. */
  readonly made: Answer | null
}

const NOTHING: State = { checked: null, error: null, busy: false, isFixed: false, isUnsure: false, made: null }

export class Maker {
  #state = NOTHING
  /** Counts the changes: the result of a check that began before the last of them is dropped. */
  #changes = 0
  readonly #tell: (state: State) => void

  constructor(tell: (state: State) => void) {
    this.#tell = tell
  }

  get state(): State {
    return this.#state
  }

  /** Applies a change of a field, unless the request is fixed. What was checked is no longer what would be sent. */
  change(apply: () => void): void {
    if (this.#state.isFixed) return
    apply()
    this.restart()
  }

  /** Leaves the request, also one whose outcome is unknown, but none that is under way. */
  restart(): void {
    if (this.#state.isFixed && this.#state.busy) return
    this.leave()
    this.#become(NOTHING)
  }

  /** No check that is under way is followed by a request, and what was sent is repeated elsewhere. */
  leave(): void {
    this.#changes += 1
    const { checked } = this.#state
    if (checked !== null) abandon(checked.idempotencyKey)
  }

  /** Checks the request, or sends the checked one. Does nothing while either is under way. */
  async attempt(request: Request): Promise<void> {
    if (this.#state.busy) return
    const before = this.#changes
    const { checked } = this.#state
    this.#become({ ...this.#state, busy: true, error: null, isFixed: checked !== null })
    try {
      const next = checked ?? (await checkOf(request))
      if (this.#changes !== before) return
      this.#become({ ...this.#state, checked: next })
      if (checked !== null || !request.isCheckedFirst) await this.#send(request, next)
    } catch (error) {
      if (this.#changes !== before) return
      this.#become({ ...this.#state, error })
    }
    this.#become({ ...this.#state, busy: false })
  }

  async #send({ method, path, feePayer }: Request, { itemData, idempotencyKey }: Checked): Promise<void> {
    this.#become({ ...this.#state, isFixed: true })
    try {
      const made = await order(method, path, itemData, { idempotencyKey, feePayer })
      this.#become({ ...this.#state, made, isFixed: false, isUnsure: false })
    } catch (error) {
      const isUnsure = !isAnswer(error, this.#state.isUnsure)
      // Only after this refusal is the next attempt another request.
      const isRefused = !isUnsure && error instanceof RequestRefused && error.status === 400
      const checked = isRefused ? null : this.#state.checked
      this.#become({ ...this.#state, checked, isFixed: isUnsure, isUnsure })
      throw error
    }
  }

  #become(state: State): void {
    this.#state = state
    this.#tell(state)
  }
}

async function checkOf({ method, path, hasDryRun, feePayer, content }: Request): Promise<Checked> {
  const { itemData, meant } = await content()
  const estimate = hasDryRun ? await dryRun(method, path, itemData, feePayer).catch(needsNone) : null
  return { itemData, meant, idempotencyKey: newKey(), estimate }
}

/** Some requests of an endpoint make no transaction: there is nothing to estimate, and it costs nothing. */
function needsNone(error: unknown): Answer {
  if (error instanceof RequestRefused && error.problems.some(({ code }) => code === 'DRY_RUN_WITHOUT_TRANSACTION'))
    return { transactionsCount: 0 }
  throw error
}
