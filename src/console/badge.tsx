// A state as a badge: its word, a shape and a colour, so that none of the three is needed to tell it.
import type { VNode } from 'preact'
import { Text } from './text.tsx'

type Tone = 'good' | 'busy' | 'wait' | 'bad' | 'calm'

const TONES: Readonly<Record<string, Tone>> = {
  ACTIVE: 'good',
  INITIALIZED: 'good',
  FINALIZED: 'good',
  ENABLED: 'good',
  OPEN: 'good',
  DONE: 'good',
  ok: 'good',
  PASSED: 'good',
  FREE: 'good',
  CONFIRMED: 'good',
  REPAID: 'good',
  STALE: 'wait',
  FRESH: 'good',
  SUBMITTED: 'busy',
  PROCESSED: 'busy',
  IN_USE: 'busy',
  DEACTIVATING: 'busy',
  RUNNING: 'busy',
  PENDING: 'busy',
  LEFT_TO_CHAIN: 'busy',
  PREPARED: 'wait',
  PARTIALLY_SIGNED: 'wait',
  SIGNED: 'wait',
  OVERDUE: 'wait',
  WAITING_FOR_APPROVAL: 'wait',
  PAUSED: 'wait',
  SUSPENDED: 'wait',
  BLOCKCHAIN_ERROR: 'bad',
  NON_BLOCKCHAIN_ERROR: 'bad',
  EXPIRED: 'bad',
  FROZEN: 'bad',
  LIQUIDATABLE: 'bad',
  REFUSED: 'bad',
  FAILED: 'bad',
  OUT_OF_BALANCE: 'bad',
  CANCELLED: 'calm',
  CLOSED: 'calm',
  DISABLED: 'calm',
}
const SHAPES: Readonly<Record<Tone, string>> = { good: '●', busy: '◐', wait: '◆', bad: '▲', calm: '○' }

export function toneOf(state: string): Tone {
  return TONES[state] ?? 'calm'
}

export function Badge({ children, tone = toneOf(children) }: { children: string; tone?: Tone }): VNode {
  return (
    <span class={`badge ${tone}`}>
      <span aria-hidden="true">{SHAPES[tone]}</span>
      <Text>{/^[A-Z_]+$/.test(children) ? children.replaceAll('_', ' ').toLowerCase() : children}</Text>
    </span>
  )
}
