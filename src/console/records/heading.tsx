// The heading of a page, which takes the focus after navigation.
import type { VNode } from 'preact'

export function Heading({ children, badges }: { children: string | VNode; badges?: VNode | undefined }): VNode {
  return (
    <div class="heading">
      <h1 tabIndex={-1}>{children}</h1>
      {badges}
    </div>
  )
}
