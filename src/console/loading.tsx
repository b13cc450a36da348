// The state of a request: pending, answered or refused. A request whose result is no longer needed is aborted.
import type { ComponentChildren, VNode } from 'preact'
import { useCallback, useLayoutEffect, useState } from 'preact/hooks'
import { RequestRefused } from './api.ts'
import { Text } from './text.tsx'

export interface Loaded<T> {
  /** The last value; kept while it is requested again. */
  readonly value: T | null
  readonly error: unknown
  readonly loading: boolean
  readonly again: () => void
}

/** @param key identifies the request: another key drops the value; null: no request */
export function useLoaded<T>(key: string | null, load: (signal: AbortSignal) => Promise<T>): Loaded<T> {
  const [round, setRound] = useState(0)
  const [state, setState] = useState<{ key: string | null; value: T | null; error: unknown; loading: boolean }>({
    key: null,
    value: null,
    error: null,
    loading: key !== null,
  })
  // A layout effect: an ordinary one would wait for the next frame.
  useLayoutEffect(() => {
    if (key === null) return
    const control = new AbortController()
    setState((before) => ({ key, value: before.key === key ? before.value : null, error: null, loading: true }))
    load(control.signal).then(
      (value) => {
        if (!control.signal.aborted) setState({ key, value, error: null, loading: false })
      },
      (error: unknown) => {
        if (!control.signal.aborted) setState((before) => ({ ...before, key, error, loading: false }))
      },
    )
    return () => control.abort()
  }, [key, round])
  const again = useCallback(() => setRound((number) => number + 1), [])
  const fresh = state.key === key
  return {
    value: fresh ? state.value : null,
    error: fresh ? state.error : null,
    loading: !fresh || state.loading,
    again,
  }
}

export function Loading({ of, children }: { of: Loaded<unknown>; children: ComponentChildren }): VNode {
  if (of.error !== null) return <Trouble error={of.error} again={of.again} />
  if (of.value === null) return <p class="quiet">Loading…</p>
  return <>{children}</>
}

export function Trouble({ error, again }: { error: unknown; again?: () => void }): VNode {
  return (
    <div class="trouble" role="alert">
      <Problems error={error} />
      {again !== undefined && (
        <button type="button" class="small" onClick={again}>
          Try again
        </button>
      )}
    </div>
  )
}

/** The message of the service, verbatim. */
export function Problems({ error }: { error: unknown }): VNode {
  if (!(error instanceof RequestRefused))
    return <p>Something went wrong in this page: {error instanceof Error ? error.message : 'unknown'}.</p>
  const { problems, requestId, status } = error
  return (
    <>
      {problems.length === 0 && (
        <p>{status === 0 ? 'The service does not answer.' : `The service refused with status ${status}.`}</p>
      )}
      <ul class="plain">
        {problems.map(({ code, message, pointer }) => (
          <li key={code + (pointer ?? '')}>
            <code>
              <Text>{code}</Text>
            </code>{' '}
            <Text>{message}</Text>
            {pointer !== undefined && (
              <>
                {' '}
                (<Text>{pointer}</Text>)
              </>
            )}
          </li>
        ))}
      </ul>
      {requestId !== null && (
        <p class="quiet small">
          Request <code>{requestId}</code>
        </p>
      )}
    </>
  )
}
