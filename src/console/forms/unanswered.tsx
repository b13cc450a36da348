// Requests that were sent and have no answer, on every page: each can be repeated as it is.
import type { VNode } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Problems } from '../loading.tsx'
import { notice } from '../notices.tsx'
import { forget, isAnswer, repeat, unanswered, watchUnanswered, type UnansweredChange } from '../orders.ts'
import { Text, visible } from '../text.tsx'

export function UnansweredRequests(): VNode {
  const [, redraw] = useState({})
  useEffect(() => watchUnanswered(() => redraw({})), [])
  return (
    <>
      {unanswered().map((request) => (
        <UnansweredRequest key={request.idempotencyKey} request={request} />
      ))}
    </>
  )
}

function UnansweredRequest({ request }: { request: UnansweredChange }): VNode {
  const [error, setError] = useState<unknown>(null)
  const [busy, setBusy] = useState(false)
  const { method, url, body, sentAt } = request
  const again = async (): Promise<void> => {
    setBusy(true)
    setError(null)
    try {
      await repeat(request)
      notice('The request was answered: it has happened, once.')
    } catch (refusal) {
      setError(refusal)
      if (isAnswer(refusal, true))
        notice(visible(`The request was refused: ${refusal instanceof Error ? refusal.message : 'unknown'}`))
    }
    setBusy(false)
  }
  return (
    <div class="card unsure" role="status">
      <p>
        <strong>A request has no answer. It may have happened.</strong> Repeat it before you make another one for the
        same: the same request has one effect, however often it is sent.
      </p>
      <p>
        <code>
          <Text>{`${method} ${url}`}</Text>
        </code>
        , sent at <time dateTime={sentAt}>{sentAt}</time>
      </p>
      <details>
        <summary>What was sent</summary>
        <pre>
          <Text>{body}</Text>
        </pre>
      </details>
      {error !== null && (
        <div class="trouble" role="alert">
          <Problems error={error} />
        </div>
      )}
      <div class="buttons">
        <button type="button" class="small" disabled={busy} onClick={() => void again()}>
          Repeat the request
        </button>
        <button type="button" class="small" disabled={busy} onClick={() => forget(request)}>
          Forget it: I know its outcome
        </button>
      </div>
    </div>
  )
}
