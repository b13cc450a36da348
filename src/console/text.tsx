// How words from outside are shown: as text and nothing else, in a direction of their own that cannot turn what stands
// beside them, and with every character that hides or steers made visible.
import type { VNode } from 'preact'

/**
 * Controls, marks of direction, what has no width, and tags: nothing of it shows by itself, and all of it can mislead.
 */
const HIDDEN =
  /([\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}])/u

interface Piece {
  readonly text: string
  readonly hidden: boolean
}

/** The same characters, those that hide named by their code point. */
export function pieces(text: string): Piece[] {
  return text
    .split(new RegExp(HIDDEN, 'gu'))
    .map((piece, index) => (index % 2 === 0 ? { text: piece, hidden: false } : { text: nameOf(piece), hidden: true }))
    .filter(({ text: shown }) => shown !== '')
}

/** For an option, which can hold no elements: what hides is named in its text. */
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

/** An id or an address. Nothing of it is left out: what looks alike in a shortened form is not the same. */
export function Id({ children, to }: { children: string; to?: string | undefined }): VNode {
  const code = (
    <code class="id">
      <Text>{children}</Text>
    </code>
  )
  return to === undefined ? code : <a href={to}>{code}</a>
}

/** The same where there is no room: both ends, and the whole text on request. */
export function ShortId({ children }: { children: string }): VNode {
  const short = children.length > 15 ? `${children.slice(0, 6)}…${children.slice(-6)}` : children
  return (
    <code class="id" title={children}>
      <Text>{short}</Text>
    </code>
  )
}

/** Browsers keep the clipboard from pages without TLS: then the text is there to be selected. */
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

/** How long ago, in the largest unit of which there is one. */
export function ago(instant: string, now: number): string {
  const seconds = Math.round((now - Date.parse(instant)) / 1000)
  if (Number.isNaN(seconds)) return ''
  const size = Math.abs(seconds)
  const [amount, unit] =
    size < 60
      ? [size, 's']
      : size < 3_600
        ? [Math.floor(size / 60), 'min']
        : size < 86_400
          ? [Math.floor(size / 3_600), 'h']
          : [Math.floor(size / 86_400), 'd']
  return seconds < 0 ? `in ${amount} ${unit}` : `${amount} ${unit} ago`
}

/** A decimal with its thousands apart. Digits are moved, never counted: no amount becomes a number. */
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
