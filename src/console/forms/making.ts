// Creates something in two steps: a dry run, then the same request unchanged. A second press of the button and a
// repetition after a lost answer have one effect.
import { useRef, useState } from 'preact/hooks'
import { dryRun, newKey, order, Refused, type Answer } from '../api.ts'

export interface Request {
  readonly method: 'POST' | 'PATCH'
  /** Without `/api/v1`. */
  readonly path: string
  /** false: the request is sent without a dry run. */
  readonly hasDryRun: boolean
  readonly feePayer: string | null
  body(): Promise<object> | object
}

interface Checked {
  readonly itemData: object
  readonly idempotencyKey: string
  readonly estimate: Answer | null
}

export interface Making {
  readonly estimate: Answer | null
  readonly isChecked: boolean
  readonly error: unknown
  readonly busy: boolean
  /** The answer to the request. */
  readonly made: Answer | null
  /** A field was changed: the checked request is no longer the one that would be sent. */
  readonly anew: () => void
  readonly submit: (event: Event) => void
}

export function useMaking(request: Request): Making {
  const [checked, setChecked] = useState<Checked | null>(null)
  const [error, setError] = useState<unknown>(null)
  const [busy, setBusy] = useState(false)
  const [made, setMade] = useState<Answer | null>(null)
  /** Counts the changes of fields: a request that was checked before one is not what the form shows. */
  const changes = useRef(0)
  const { method, path, hasDryRun, feePayer } = request

  const check = async (): Promise<Checked> => {
    const itemData = await request.body()
    const estimate = hasDryRun ? await dryRun(method, path, itemData, feePayer).catch(needsNone) : null
    return { itemData, idempotencyKey: newKey(), estimate }
  }
  const attempt = async (): Promise<void> => {
    setBusy(true)
    setError(null)
    try {
      const before = changes.current
      const next = checked ?? (await check())
      if (changes.current !== before) {
        setBusy(false)
        return
      }
      setChecked(next)
      if (checked !== null || !hasDryRun)
        setMade(await order(method, path, next.itemData, { idempotencyKey: next.idempotencyKey, feePayer }))
    } catch (problem) {
      setError(problem)
      // Only after a refusal is the next attempt another request.
      if (problem instanceof Refused && problem.status === 400) setChecked(null)
    }
    setBusy(false)
  }
  const anew = (): void => {
    changes.current += 1
    setChecked(null)
    setError(null)
    setMade(null)
  }
  const submit = (event: Event): void => {
    event.preventDefault()
    if (!busy) void attempt()
  }
  return { estimate: checked?.estimate ?? null, isChecked: checked !== null, error, busy, made, anew, submit }
}

/** Some requests of an endpoint make no transaction: there is nothing to estimate, and it costs nothing. */
function needsNone(error: unknown): Answer {
  if (error instanceof Refused && error.problems.some(({ code }) => code === 'DRY_RUN_WITHOUT_TRANSACTION'))
    return { transactionsCount: 0 }
  throw error
}
