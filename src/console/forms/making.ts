// The maker of a page (`maker.ts`), which draws the page again whenever its state changes.
import { useEffect, useRef, useState } from 'preact/hooks'
import { Maker, type Content, type Request } from './maker.ts'
import type { Answer } from '../api.ts'

export interface FormReview {
  readonly estimate: Answer | null
  /** The records that the checked request names. */
  readonly meant: Content['meant']
  readonly isChecked: boolean
  readonly error: unknown
  readonly busy: boolean
  readonly isFixed: boolean
  readonly isUnsure: boolean
  /** The answer to the request. */
  readonly made: Answer | null
  /** Every change of a field goes through it. */
  readonly change: (apply: () => void) => void
  readonly restart: () => void
  readonly submit: (event: Event) => void
}

export function useMaking(request: Request): FormReview {
  const [, redraw] = useState({})
  const kept = useRef<Maker | null>(null)
  const maker = (kept.current ??= new Maker(() => redraw({})))
  useEffect(() => () => maker.leave(), [maker])
  const { checked, ...state } = maker.state
  return {
    ...state,
    estimate: checked?.estimate ?? null,
    meant: checked?.meant ?? [],
    isChecked: checked !== null,
    change: (apply) => maker.change(apply),
    restart: () => maker.restart(),
    submit: (event) => {
      event.preventDefault()
      void maker.attempt(request)
    },
  }
}
