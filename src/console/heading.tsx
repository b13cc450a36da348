// The heading of a page: it takes the focus when one comes here.
import type { VNode } from 'preact'

export function Heading({ children, badges }: { children: string | VNode; badges?: VNode | undefined }): VNode {
  return (
    <div class="heading">
      <h1 tabIndex={-1}>{children}</h1>
      {badges}
    </div>
  )
}
