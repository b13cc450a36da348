// Making something in two steps: it is checked by a dry run, and then sent exactly as it was checked. A second press,
// and another try after an answer that was lost, have one effect.
import { useState } from 'preact/hooks'
import { dryRun, newKey, order, Refused, type Answer } from './api.ts'

export interface Request {
  readonly method: 'POST' | 'PATCH'
  /** Without `/api/v1`. */
  readonly path: string
  /** false: it is sent at once. */
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
  /** The answer, once it is sent. */
  readonly made: Answer | null
  /** Something was changed: what was checked is not what would be sent any more. */
  readonly anew: () => void
  readonly submit: (event: Event) => void
}

export function useMaking(request: Request): Making {
  const [checked, setChecked] = useState<Checked | null>(null)
  const [error, setError] = useState<unknown>(null)
  const [busy, setBusy] = useState(false)
  const [made, setMade] = useState<Answer | null>(null)
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
      const next = checked ?? (await check())
      setChecked(next)
      if (checked !== null || !hasDryRun)
        setMade(await order(method, path, next.itemData, { idempotencyKey: next.idempotencyKey, feePayer }))
    } catch (problem) {
      setError(problem)
      // Only what was refused is another request when it is tried again.
      if (problem instanceof Refused && problem.status === 400) setChecked(null)
    }
    setBusy(false)
  }
  const anew = (): void => {
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
