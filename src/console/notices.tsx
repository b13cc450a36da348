// Notices of completed operations, shown once and announced to screen readers.
import type { VNode } from 'preact'
import { useEffect, useState } from 'preact/hooks'

const SHOWN_MS = 8_000

interface Notice {
  readonly number: number
  readonly text: string
}

let notices: readonly Notice[] = []
let counted = 0
let redrawNotices: () => void = () => undefined

export function notice(text: string): void {
  counted += 1
  const number = counted
  notices = [...notices, { number, text }]
  redrawNotices()
  setTimeout(() => {
    notices = notices.filter((each) => each.number !== number)
    redrawNotices()
  }, SHOWN_MS)
}

export function Notices(): VNode {
  const [, redraw] = useState({})
  useEffect(() => {
    redrawNotices = () => redraw({})
  }, [])
  return (
    <div class="notices" role="status" aria-live="polite">
      {notices.map(({ number, text }) => (
        <p key={number}>{text}</p>
      ))}
    </div>
  )
}
