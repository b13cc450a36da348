// Confirmation of an operation: its effects, its request, and the fee payer if one must be named. The
// idempotency key is made when the dialog opens and goes with every press of its button, so that two presses, and a
// second try after an answer that was lost, have one effect.
import type { ComponentChildren, VNode } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { newKey, order, Refused, type Answer } from '../api.ts'
import { FeePayerChoice, useFeePayers } from './fee-payer.tsx'
import { Problems } from '../loading.tsx'
import { notice } from '../notices.tsx'
import { current } from '../session.ts'
import { Switches } from '../switches.ts'
import { Text } from '../text.tsx'

export interface Action {
  /** On the button: `Freeze account`. */
  readonly label: string
  /** Roles of which one is enough. */
  readonly roles: readonly string[]
  /** The effect, in one or two sentences. */
  readonly says: string
  /** The targets, each with its whole id. */
  readonly about: readonly (readonly [what: string, which: string])[]
  readonly method: 'POST' | 'PATCH'
  /** Without `/api/v1`. */
  readonly path: string
  readonly itemData: object
  /** Shown after success. */
  readonly done: string | ((answer: Answer) => string)
  readonly danger?: boolean
  /** The request makes a transaction, which needs a fee payer. */
  readonly isPaid?: boolean
}

interface Asked {
  readonly action: Action
  readonly idempotencyKey: string
  readonly after: () => void
}

let ask: (asked: Asked) => void = () => undefined

/** @param after called after success */
export function confirm(action: Action, after: () => void): void {
  ask({ action, idempotencyKey: newKey(), after })
}

export function ConfirmDialog(): VNode {
  const [asked, setAsked] = useState<Asked | null>(null)
  const [error, setError] = useState<unknown>(null)
  const [busy, setBusy] = useState(false)
  /** Set synchronously, while `busy` changes with the next render: a second click must not send twice. */
  const under = useRef(false)
  const [feePayer, setFeePayer] = useState('')
  // A repetition is the same request. Another fee payer makes another request, allowed only after a refusal.
  const [isFixed, setFixed] = useState(false)
  const feePayers = useFeePayers(asked?.action.isPaid === true ? asked.action.path : null)
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    ask = (next) => {
      setError(null)
      under.current = false
      setBusy(false)
      setFeePayer('')
      setFixed(false)
      setAsked(next)
    }
  }, [])
  useEffect(() => {
    if (asked !== null && dialog.current?.open === false) dialog.current.showModal()
  }, [asked])

  const close = (): void => dialog.current?.close()
  const act = async (event: Event): Promise<void> => {
    event.preventDefault()
    if (asked === null || under.current || feePayers.loading) return
    const { action, idempotencyKey, after } = asked
    under.current = true
    setBusy(true)
    setFixed(true)
    setError(null)
    try {
      const { method, path, itemData } = action
      const answer = await order(method, path, itemData, { idempotencyKey, feePayer: feePayer || null })
      notice(typeof action.done === 'string' ? action.done : action.done(answer))
      if (action.path.startsWith('/admin/')) await Switches.look()
      close()
      after()
    } catch (problem) {
      setError(problem)
      setFixed(!(problem instanceof Refused && problem.status === 400))
    }
    under.current = false
    setBusy(false)
  }

  const choose = (offchainId: string): void => {
    setFeePayer(offchainId)
    if (asked !== null) setAsked({ ...asked, idempotencyKey: newKey() })
  }
  return (
    <dialog
      ref={dialog}
      class="confirm"
      aria-labelledby="confirm-title"
      aria-describedby="confirm-says"
      onClose={() => setAsked(null)}
    >
      {asked !== null && (
        <ConfirmForm action={asked.action} act={act} close={close} error={error} busy={busy} waits={feePayers.loading}>
          {feePayers.choice.length > 0 && (
            <FeePayerChoice choice={feePayers.choice} chosen={feePayer} disabled={isFixed} choose={choose} />
          )}
        </ConfirmForm>
      )}
    </dialog>
  )
}

interface ConfirmFormProps {
  readonly action: Action
  readonly act: (event: Event) => Promise<void>
  readonly close: () => void
  /** Of the last attempt; null: none. */
  readonly error: unknown
  /** The request is under way. */
  readonly busy: boolean
  /** The request cannot be sent yet. */
  readonly waits: boolean
  /** The choice of the fee payer, where there is one. */
  readonly children: ComponentChildren
}

function ConfirmForm({ action, act, close, error, busy, waits, children }: ConfirmFormProps): VNode {
  const scope = current()?.scope
  const acting = scope?.organization ?? current()?.identity.organizationExternalId ?? ''
  return (
    <form onSubmit={(event) => void act(event)}>
      <h2 id="confirm-title">{action.label}</h2>
      <p id="confirm-says">{action.says}</p>
      <dl class="pairs">
        {[...action.about, ['Acting for', acting] as const].map(([what, which]) => (
          <div key={what}>
            <dt>{what}</dt>
            <dd>
              <Text>{which}</Text>
            </dd>
          </div>
        ))}
      </dl>
      <p class="quiet small">
        <code>
          {action.method} /api/v1{action.path}
        </code>
      </p>
      {children}
      {error !== null && (
        <div class="trouble" role="alert">
          <Problems error={error} />
        </div>
      )}
      <div class="buttons">
        <button type="button" onClick={close}>
          Leave it
        </button>
        <button type="submit" class={action.danger === true ? 'danger' : 'primary'} disabled={busy || waits}>
          {busy ? 'Working…' : action.label}
        </button>
      </div>
    </form>
  )
}
