// Confirmation of an operation: its effects, its request, and the fee payer where there is a choice. The
// idempotency key is made when the dialog opens and goes with every press of its button, so that two presses, and a
// second try after an answer that was lost, have one effect.
import type { ComponentChildren, VNode } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { newKey, type Answer } from '../api.ts'
import { FeePayerChoice, useFeePayers } from './fee-payer.tsx'
import { Problems } from '../loading.tsx'
import { notice } from '../notices.tsx'
import { abandon, isAnswer, order } from '../orders.ts'
import { current } from '../session.ts'
import { Switches } from '../switches.ts'
import { Text, visible } from '../text.tsx'
import { Unsure } from './unsure.tsx'

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

interface Attempt {
  /** Of the last attempt; null: none. */
  readonly error: unknown
  readonly busy: boolean
  /** A repetition is the same request. Another fee payer makes another one, allowed only after a refusal. */
  readonly isFixed: boolean
  readonly isUnsure: boolean
}

const NONE: Attempt = { error: null, busy: false, isFixed: false, isUnsure: false }

interface Confirming {
  readonly asked: Asked | null
  readonly attempt: Attempt
  readonly act: (feePayer: string | null) => Promise<void>
  /** The next attempt is another request. */
  readonly renew: () => void
  readonly left: () => void
}

/** @param close closes the dialog */
function useConfirming(close: () => void): Confirming {
  const [asked, setAsked] = useState<Asked | null>(null)
  const [attempt, setAttempt] = useState(NONE)
  /** Set synchronously, while `busy` changes with the next render: a second click must not send twice. */
  const under = useRef(false)
  /** Counts openings and closings: the result of a request belongs to the dialog that sent it, and to no later one. */
  const turn = useRef(0)
  const show = (next: Asked | null): void => {
    if (asked !== null) abandon(asked.idempotencyKey)
    turn.current += 1
    under.current = false
    setAttempt(NONE)
    setAsked(next)
  }
  useEffect(() => {
    ask = show
  }, [])
  const act = async (feePayer: string | null): Promise<void> => {
    if (asked === null || under.current) return
    const { action, idempotencyKey, after } = asked
    const mine = turn.current
    under.current = true
    setAttempt({ ...attempt, error: null, busy: true, isFixed: true })
    try {
      const answer = await order(action.method, action.path, action.itemData, { idempotencyKey, feePayer })
      notice(typeof action.done === 'string' ? action.done : action.done(answer))
      if (action.path.startsWith('/admin/')) await Switches.refresh()
      if (mine === turn.current) close()
      after()
    } catch (error) {
      if (mine === turn.current) {
        const isUnsure = !isAnswer(error, attempt.isUnsure)
        under.current = false
        setAttempt({ error, busy: false, isFixed: isUnsure, isUnsure })
      } else notice(visible(`${action.label}: ${error instanceof Error ? error.message : 'unknown'}`))
    }
  }
  const renew = (): void => {
    if (asked !== null) setAsked({ ...asked, idempotencyKey: newKey() })
  }
  return { asked, attempt, act, renew, left: () => show(null) }
}

export function ConfirmDialog(): VNode {
  const dialog = useRef<HTMLDialogElement>(null)
  const close = (): void => dialog.current?.close()
  const { asked, attempt, act, renew, left } = useConfirming(close)
  const [feePayer, setFeePayer] = useState('')
  const feePayers = useFeePayers(asked?.action.isPaid === true ? asked.action.path : null)
  useEffect(() => {
    if (asked === null) setFeePayer('')
    else if (dialog.current?.open === false) dialog.current.showModal()
  }, [asked])
  const choose = (offchainId: string): void => {
    setFeePayer(offchainId)
    renew()
  }
  const submit = (event: Event): void => {
    event.preventDefault()
    if (!feePayers.loading) void act(feePayer || null)
  }
  return (
    <dialog ref={dialog} class="confirm" aria-labelledby="confirm-title" aria-describedby="confirm-says" onClose={left}>
      {asked !== null && (
        <ConfirmForm action={asked.action} submit={submit} close={close} attempt={attempt} waits={feePayers.loading}>
          {feePayers.choice.length > 0 && (
            <FeePayerChoice choice={feePayers.choice} chosen={feePayer} disabled={attempt.isFixed} choose={choose} />
          )}
        </ConfirmForm>
      )}
    </dialog>
  )
}

interface ConfirmFormProps {
  readonly action: Action
  readonly submit: (event: Event) => void
  readonly close: () => void
  readonly attempt: Attempt
  /** The request cannot be sent yet. */
  readonly waits: boolean
  /** The choice of the fee payer, where there is one. */
  readonly children: ComponentChildren
}

function ConfirmForm({ action, submit, close, attempt, waits, children }: ConfirmFormProps): VNode {
  const { error, busy, isUnsure } = attempt
  const scope = current()?.scope
  const acting = scope?.organization ?? current()?.identity.organizationExternalId ?? ''
  return (
    <form onSubmit={submit}>
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
      {isUnsure && !busy && <Unsure label={action.label} />}
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
