// Shown while the outcome of a request is unknown: what was sent can be repeated as it is, or left.
import type { VNode } from 'preact'

interface UnsureProps {
  /** On the button that repeats the request. */
  readonly label: string
  readonly leave?: () => void
}

export function Unsure({ label, leave }: UnsureProps): VNode {
  return (
    <div class="card unsure" role="status">
      <p>
        <strong>It may have happened.</strong> Press “{label}” again to repeat it safely: the same request has one
        effect, however often it is sent.
      </p>
      {leave !== undefined && (
        <>
          <p>Before another request for the same: see in the records whether this one happened.</p>
          <button type="button" class="small" onClick={leave}>
            Leave it, and change the form
          </button>
        </>
      )}
    </div>
  )
}
