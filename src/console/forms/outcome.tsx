// The result of a request: the new record, and its transaction, followed until it is final or has failed.
import type { VNode } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { read, type Answer } from '../api.ts'
import { Details } from '../records/details.tsx'
import type { FormDefinition } from './form-definitions.ts'
import { Trouble } from '../loading.tsx'
import { href } from '../route.ts'
import { Sentence } from '../sentence.tsx'
import { States } from '../states.tsx'
import { Copy, Text } from '../text.tsx'
import { at, isObject, textAt } from '../value.ts'

const POLL_MS = 1_000
const ENDED = new Set(['FINALIZED', 'BLOCKCHAIN_ERROR', 'NON_BLOCKCHAIN_ERROR', 'EXPIRED', 'CANCELLED'])

interface OutcomeProps {
  readonly form: Pick<FormDefinition, 'title' | 'list'>
  readonly answer: Answer
  readonly again: () => void
}

export function Outcome({ form, answer, again }: OutcomeProps): VNode {
  const transaction = transactionOf(answer)
  const made = madeBy(answer)
  const secret = textAt(answer, 'apiKey')
  const change = textAt(answer, 'pendingChange.offchainId')
  return (
    <div class="make">
      <p role="status" class="sentence">
        {change === null ? `${form.title}: done.` : `${form.title}: waiting for approval.`}
      </p>
      {secret !== null && (
        <p class="card">
          The secret of this key. It is shown now and never again:{' '}
          <code class="id">
            <Text>{secret}</Text>
          </code>{' '}
          <Copy text={secret} what="the secret" />
        </p>
      )}
      {made !== null && (
        <p>
          <a href={href(form.list, made)}>See what was made</a>
        </p>
      )}
      {change !== null && (
        <p>
          <a href={href('changes', change)}>See the change that waits</a>
        </p>
      )}
      {transaction !== null && <Followed offchainId={transaction} />}
      <details class="branch">
        <summary>The answer of the service</summary>
        <Details of={answer} leaveOut={['apiKey', 'serializedMessage']} />
      </details>
      <div class="buttons">
        <button type="button" onClick={again}>
          Another one
        </button>
      </div>
    </div>
  )
}

/** A transaction, followed until it has ended. */
function Followed({ offchainId }: { offchainId: string }): VNode {
  const [seen, setSeen] = useState<Answer | null>(null)
  const [error, setError] = useState<unknown>(null)
  const hasEnded = ENDED.has(textAt(seen, 'status') ?? '')
  useEffect(() => {
    if (hasEnded) return
    const control = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    const poll = async (): Promise<void> => {
      try {
        setSeen(await read('/transactions/single', { offchainId }, control.signal))
        setError(null)
      } catch (problem) {
        if (!control.signal.aborted) setError(problem)
      }
      if (!control.signal.aborted) timer = setTimeout(() => void poll(), POLL_MS)
    }
    void poll()
    return () => {
      control.abort()
      clearTimeout(timer)
    }
  }, [offchainId, hasEnded])
  return (
    <section class="card followed" aria-label="Transaction" aria-live="polite">
      {error !== null && <Trouble error={error} />}
      {seen !== null && (
        <>
          <p>
            <Sentence of={seen} withPayer />. <States item={seen} />
          </p>
          {textAt(seen, 'errorMessage') !== null && (
            <p>
              <Text>{textAt(seen, 'errorMessage') ?? ''}</Text>
            </p>
          )}
          <p>
            <a href={href('transactions', offchainId)}>See the transaction</a>
          </p>
        </>
      )}
    </section>
  )
}

function transactionOf(answer: Answer): string | null {
  const result = isObject(answer['chainTransaction']) ? answer['chainTransaction'] : answer
  return at(result, 'confirmationsCount') === undefined ? null : textAt(result, 'offchainId')
}

/** The id of a new record, as the page of its kind finds it. */
function madeBy(answer: Answer): string | null {
  const [, made] = Object.entries(answer).find(([name]) => name.startsWith('new')) ?? []
  return (
    textAt(made, 'offchainId') ??
    textAt(answer, 'keyId') ??
    (textAt(answer, 'offchainId') === null ? textAt(answer, 'externalId') : null)
  )
}
