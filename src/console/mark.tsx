// The logo of Holdfast.
import type { VNode } from 'preact'

export function Mark(): VNode {
  return (
    <svg class="mark" viewBox="0 0 32 32" width="22" height="22" aria-hidden="true">
      <rect width="32" height="32" rx="7" class="mark-ground" />
      <path d="M10 8v16M22 8v16M10 16h12" stroke="#fff" stroke-width="3.4" stroke-linecap="round" />
    </svg>
  )
}
