// The actions on background work: batches, schedules, distributions and payment requests.
import type { Answer } from './api.ts'
import type { Action } from './forms/confirm.tsx'
import { textAt } from './value.ts'

/** The operation decides which of these roles is needed; the service checks it. */
const WRITERS = ['POSITIONS_WRITE', 'ACCOUNTS_WRITE'] as const

type Words = Pick<Action, 'label' | 'says' | 'path' | 'done' | 'danger'> & {
  readonly roles?: Action['roles']
  readonly method?: Action['method']
}

function on(item: Answer, words: Words): Action {
  const offchainId = textAt(item, 'offchainId') ?? ''
  return { roles: WRITERS, method: 'PATCH', ...words, about: [['Record', offchainId]], itemData: { offchainId } }
}

export function batchActions(item: Answer): readonly Action[] {
  const status = textAt(item, 'status') ?? ''
  const failed = Number(textAt(item, 'failedCount') ?? 0) + Number(textAt(item, 'cancelledCount') ?? 0)
  const hasEnded = status === 'DONE' || status === 'FAILED' || status === 'CANCELLED'
  return [
    ...(status === 'PREPARED'
      ? [
          on(item, {
            label: 'Approve batch',
            roles: ['DEBIT_LIMIT_APPROVE'],
            path: '/batches/approve',
            says: `${textAt(item, 'approval.given') ?? '0'} of at least ${textAt(item, 'approval.required') ?? '1'} approvals are given; with the last of them all items are made.`,
            done: 'The approval is recorded.',
          }),
          on(item, {
            label: 'Reject batch',
            roles: ['DEBIT_LIMIT_APPROVE'],
            path: '/batches/reject',
            danger: true,
            says: 'No item is made, and none can be retried.',
            done: 'The batch is rejected.',
          }),
        ]
      : []),
    ...(hasEnded && failed > 0 && status !== 'CANCELLED'
      ? [
          on(item, {
            label: 'Retry what did not happen',
            path: '/batches/retry',
            says: 'The items that provably did not happen are made again. An item that happened, or may still happen, is left alone.',
            done: 'The items are made again.',
          }),
        ]
      : []),
    ...(hasEnded
      ? []
      : [
          on(item, {
            label: 'Cancel batch',
            path: '/batches/cancel',
            danger: true,
            says: 'The items that wait are cancelled. What is under way runs to its end.',
            done: 'The items that waited are cancelled.',
          }),
        ]),
  ]
}

export function scheduleActions(item: Answer): readonly Action[] {
  const status = textAt(item, 'status')
  const cancel = on(item, {
    label: 'Cancel schedule',
    path: '/schedules/cancel',
    danger: true,
    says: 'It makes nothing any more. What is under way runs to its end.',
    done: 'The schedule is cancelled.',
  })
  if (status === 'ACTIVE')
    return [
      on(item, {
        label: 'Pause schedule',
        path: '/schedules/pause',
        says: 'It makes nothing until it is resumed.',
        done: 'The schedule is paused.',
      }),
      cancel,
    ]
  if (status !== 'PAUSED') return []
  return [
    on(item, {
      label: 'Resume schedule',
      path: '/schedules/resume',
      says: 'It continues with its next occurrence. Occurrences that were missed are not made up for.',
      done: 'The schedule is resumed.',
    }),
    cancel,
  ]
}

export function distributionActions(item: Answer): readonly Action[] {
  if (textAt(item, 'status') !== 'WAITING') return []
  return [
    on(item, {
      label: 'Cancel distribution',
      roles: ['POSITIONS_WRITE'],
      path: '/distributions/cancel',
      danger: true,
      says: 'Nobody is paid by it.',
      done: 'The distribution is cancelled.',
    }),
  ]
}

export function paymentRequestActions(item: Answer): readonly Action[] {
  const status = textAt(item, 'status')
  if (status !== 'OPEN' && status !== 'UNDERPAID') return []
  return [
    on(item, {
      label: 'Cancel payment request',
      roles: ['POSITIONS_WRITE'],
      path: '/payment-requests/cancel',
      danger: true,
      says: 'Its page asks for no payment any more. What arrives all the same is listed as late.',
      done: 'The payment request is cancelled.',
    }),
  ]
}
