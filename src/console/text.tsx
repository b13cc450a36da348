// Renders text from outside: as plain text, isolated in its direction, so that it cannot reorder the text around it,
// and with every hidden or directional character made visible.
import type { VNode } from 'preact'

/**
 * Control, directional, zero-width and tag characters: invisible by themselves, and all of them can mislead.
 */
const HIDDEN =
  /([\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}])/u

interface Piece {
  readonly text: string
  readonly hidden: boolean
}

/** The text with each hidden character replaced by its code point. */
export function pieces(text: string): Piece[] {
  return text
    .split(new RegExp(HIDDEN, 'gu'))
    .map((piece, index) => (index % 2 === 0 ? { text: piece, hidden: false } : { text: nameOf(piece), hidden: true }))
    .filter(({ text: shown }) => shown !== '')
}

/** For an option, which cannot contain elements: hidden characters are named in its text. */
export function visible(text: string): string {
  return pieces(text)
    .map(({ text: piece }) => piece)
    .join('')
}

export function Text({ children }: { children: string }): VNode {
  return (
    <bdi>
      {pieces(children).map(({ text, hidden }, index) =>
        hidden ? (
          <span key={index} class="hidden-character" title="a character that does not show">
            {text}
          </span>
        ) : (
          text
        ),
      )}
    </bdi>
  )
}

/** An id or an address, never shortened: different ones may look alike when they are. */
export function Id({ children, to }: { children: string; to?: string | undefined }): VNode {
  const code = (
    <code class="id">
      <Text>{children}</Text>
    </code>
  )
  return to === undefined ? code : <a href={to}>{code}</a>
}

/** The same where space is short: both ends, and the whole text on request. */
export function ShortId({ children }: { children: string }): VNode {
  const short = children.length > 15 ? `${children.slice(0, 6)}…${children.slice(-6)}` : children
  return (
    <code class="id" title={children}>
      <Text>{short}</Text>
    </code>
  )
}

/** Browsers offer no clipboard to pages without TLS: then the text can be selected. */
function copy(text: string): Promise<void> {
  return 'clipboard' in navigator ? navigator.clipboard.writeText(text) : Promise.resolve()
}

export function Copy({ text, what }: { text: string; what: string }): VNode {
  return (
    <button
      type="button"
      class="icon small"
      aria-label={`Copy ${what}`}
      title={`Copy ${what}`}
      onClick={() => void copy(text)}
    >
      <svg viewBox="0 0 16 16" width="14" height="14" aria-hidden="true">
        <path d="M5 5V2.5h8.5V11H11M2.5 5H11v8.5H2.5z" fill="none" stroke="currentColor" stroke-width="1.4" />
      </svg>
    </button>
  )
}

/** An instant (ISO 8601) to the second, with its zone; the exact instant on request. */
export function Time({ children }: { children: string }): VNode {
  const at = Date.parse(children)
  if (Number.isNaN(at)) return <Text>{children}</Text>
  const instant = new Date(at).toISOString()
  return (
    <time dateTime={children} title={children}>
      <span class="whole">{instant.slice(0, 10)}</span> <span class="whole">{instant.slice(11, 19)} UTC</span>
    </time>
  )
}

/** A decimal with its thousands separated. Works on the text, so that no amount becomes a number. */
export function grouped(decimal: string): string {
  const [, sign = '', whole = '', rest = ''] = /^(-?)(\d+)(\.\d+)?$/.exec(decimal) ?? []
  if (whole === '') return decimal
  return sign + whole.replace(/\B(?=(\d{3})+$)/g, '\u202f') + rest
}

export function Amount({ children }: { children: unknown }): VNode {
  if (typeof children !== 'string' && typeof children !== 'number') return <span class="quiet">–</span>
  const text = String(children)
  return (
    <span class="amount" title={text}>
      {grouped(text)}
    </span>
  )
}

function nameOf(character: string): string {
  return `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`
}
