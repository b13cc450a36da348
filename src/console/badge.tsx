// A state as a badge with a label, a shape and a colour, each of which is sufficient to recognize it.
import type { VNode } from 'preact'
import { Text } from './text.tsx'

export type Tone = 'good' | 'busy' | 'wait' | 'bad' | 'calm'

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
  LANE_SUSPENDED: 'wait',
  SENDING_SUSPENDED: 'wait',
  APPROVALS_SUSPENDED: 'wait',
  WAITING: 'wait',
  UNDER_WAY: 'busy',
  UNDERPAID: 'wait',
  REVIEW: 'wait',
  PAID: 'good',
  OVERPAID: 'good',
  ALLOWED: 'good',
  EXCEEDED: 'bad',
  BLOCKED: 'bad',
  EVERYTHING_FROZEN: 'bad',
  ORGANIZATION_FROZEN: 'bad',
  QUARANTINED: 'bad',
  MISSED: 'bad',
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
/** Labels of states whose names are not plain words. */
const WORDS: Readonly<Record<string, string>> = {
  PREPARED: 'Needs signature',
  PARTIALLY_SIGNED: 'Needs signature',
  SIGNED: 'Signed, not sent',
  SUBMITTED: 'Sent',
  BLOCKCHAIN_ERROR: 'Failed on chain',
  NON_BLOCKCHAIN_ERROR: 'Failed',
  EVERYTHING_FROZEN: 'Frozen with everything',
  ORGANIZATION_FROZEN: 'Frozen with its organization',
  UNDER_WAY: 'Under way',
  OVERPAID: 'Paid, more than asked',
  UNDERPAID: 'Paid in part',
}
const SHAPES: Readonly<Record<Tone, string>> = { good: '●', busy: '◐', wait: '◆', bad: '▲', calm: '○' }

export function toneOf(state: string): Tone {
  return TONES[state] ?? 'calm'
}

/** `IN_USE` -> `In use`. */
export function wordsFor(state: string): string {
  if (WORDS[state] !== undefined) return WORDS[state]
  if (!/^[A-Z_]+$/.test(state)) return state
  return state.charAt(0) + state.slice(1).replaceAll('_', ' ').toLowerCase()
}

export function Badge({ children, tone = toneOf(children) }: { children: string; tone?: Tone }): VNode {
  return (
    <span class={`badge ${tone}`}>
      <span aria-hidden="true">{SHAPES[tone]}</span>
      <Text>{wordsFor(children)}</Text>
    </span>
  )
}
