// The actions on a record, the roles that may perform them, and the texts of their confirmation dialogs. Actions only
// stop, withdraw or resume work; none of them creates a record or moves an amount by itself.
import type { Answer } from './api.ts'
import type { Action } from './forms/confirm.tsx'
import type { Resource } from './resource.ts'
import { may } from './session.ts'
import { at, listAt, textAt } from './value.ts'
import { batchActions, distributionActions, paymentRequestActions, scheduleActions } from './work-actions.ts'

const ADMINS = ['PLATFORM_ADMIN', 'TENANT_ADMIN'] as const
const OPEN = new Set(['PREPARED', 'PARTIALLY_SIGNED', 'SIGNED', 'SUBMITTED'])

/** The actions that this key may perform on this record in its present state. */
export function actionsOn({ name }: Resource, item: Answer): readonly Action[] {
  const offered = ACTIONS[name]?.(item) ?? []
  return offered.filter(({ roles }) => may(...roles))
}

const ACTIONS: Readonly<Record<string, (item: Answer) => readonly Action[]>> = {
  transactions: (item) => {
    const status = textAt(item, 'status') ?? ''
    const waits = status === 'PREPARED' && at(item, 'approval') !== undefined
    return [
      ...(waits ? [approve(item)] : []),
      ...(OPEN.has(status) ? [cancel(textAt(item, 'offchainId') ?? '', status)] : []),
    ]
  },
  changes: (item) => (textAt(item, 'status') === 'PENDING' ? changeActions(item) : []),
  nonces: (item) => {
    const holder = textAt(item, 'inUse.transactionOffchainId')
    return holder === null
      ? laneActions(item, 'nonceAccount')
      : [voidNonce(item, holder), ...laneActions(item, 'nonceAccount')]
  },
  accounts: (item) => [...freezeAccount(item), ...(at(item, 'canPayFees') === true ? laneActions(item, '') : [])],
  positions: (item) => (textAt(item, 'state') === 'CLOSED' ? [] : [positionSwitch(item), ...freezeAccount(item)]),
  instruments: (item) =>
    typeof at(item, 'paused') === 'boolean' && textAt(item, 'status') === 'ACTIVE' ? [pauseSwitch(item)] : [],
  batches: batchActions,
  schedules: scheduleActions,
  distributions: distributionActions,
  'payment-requests': paymentRequestActions,
  organizations: (item) => [organizationSwitch(item), ...organizationLanes(item)],
}

const ids = (onchainId: string | null, offchainId: string | null): Action['about'] => [
  ...(onchainId === null ? [] : [['Address', onchainId] as const]),
  ...(offchainId === null ? [] : [['Record', offchainId] as const]),
]

function approve(item: Answer): Action {
  const offchainId = textAt(item, 'offchainId') ?? ''
  return {
    label: 'Approve transaction',
    roles: ['DEBIT_LIMIT_APPROVE'],
    says:
      `This key says that this transaction may exceed debit limits, or do what approval policies cover. ${textAt(item, 'approval.given') ?? '0'} of at least ` +
      `${textAt(item, 'approval.required') ?? '1'} approvals are given; with the last of them the transaction is signed and sent.`,
    about: ids(null, offchainId),
    method: 'POST',
    path: '/transactions/approve',
    itemData: { offchainId },
    done: ({ status }) =>
      `The approval is noted; the transaction is ${String(status).toLowerCase().replaceAll('_', ' ')}.`,
  }
}

function changeActions(item: Answer): readonly Action[] {
  const offchainId = textAt(item, 'offchainId') ?? ''
  const common = { about: ids(null, offchainId), itemData: { offchainId } } as const
  return [
    {
      ...common,
      label: 'Approve change',
      roles: ['DEBIT_LIMIT_APPROVE'],
      says:
        `${textAt(item, 'endpoint') ?? ''}, as the details show it. ${textAt(item, 'approval.given') ?? '0'} of at least ` +
        `${textAt(item, 'approval.required') ?? '1'} approvals are given; with the last of them the change is made.`,
      method: 'POST',
      path: '/pending-changes/approve',
      done: 'The approval is recorded.',
    },
    {
      ...common,
      label: 'Reject change',
      roles: [
        'DEBIT_LIMIT_APPROVE',
        'APPROVAL_POLICIES_WRITE',
        'ACCOUNT_POLICY_WRITE',
        'TENANT_ADMIN',
        'LOANS_WRITE',
        'COUNTERPARTIES_WRITE',
      ],
      danger: true,
      says: 'The change is not made. Its requester may request it again.',
      method: 'POST',
      path: '/pending-changes/reject',
      done: 'The change is rejected.',
    },
  ]
}

function cancel(offchainId: string, status: string): Action {
  const unsent = status === 'PREPARED'
  return {
    label: 'Cancel transaction',
    roles: ['TRANSACTIONS_WRITE', 'DEBIT_LIMIT_APPROVE'],
    danger: true,
    says: unsent
      ? 'No signature of ours was given out: the transaction ends at once, and its reservations are released.'
      : 'It is not sent any more. A signature may have been given out, so it ends as cancelled only when it is proven that it can no longer land; until then its reservations stay.',
    about: ids(null, offchainId),
    method: 'PATCH',
    path: '/transactions/cancel',
    itemData: { offchainId },
    done: ({ status: now }) =>
      now === 'CANCELLED' ? 'The transaction is cancelled.' : 'The cancellation is asked for; its proof is awaited.',
  }
}

function voidNonce(item: Answer, holder: string): Action {
  return {
    label: 'Void the nonce',
    roles: ['TRANSACTIONS_WRITE', 'DEBIT_LIMIT_APPROVE'],
    danger: true,
    says:
      'The transaction that holds this nonce is withdrawn: the nonce is advanced on chain, which costs a fee, and what was signed under its ' +
      'present value can never land.',
    about: [
      ...ids(textAt(item, 'nonceAccount.onchain.id'), textAt(item, 'nonceAccount.offchain.id')),
      ['Transaction', holder],
    ],
    method: 'PATCH',
    path: '/transactions/cancel',
    itemData: { offchainId: holder },
    done: ({ status }) =>
      status === 'CANCELLED'
        ? 'The transaction is withdrawn and the nonce is free.'
        : 'The transaction is being withdrawn.',
  }
}

function freezeAccount(item: Answer): Action[] {
  const offchainId = textAt(item, 'offchain.id')
  if (textAt(item, 'status') === 'CLOSED' || offchainId === null) return []
  const about = ids(textAt(item, 'onchain.id'), offchainId)
  const itemData = { account: { offchainId } }
  const isFrozen = at(item, 'frozenByOperator') === true
  const both: readonly Action[] = [
    {
      label: 'Freeze account',
      roles: ADMINS,
      danger: true,
      about,
      method: 'PATCH',
      path: '/admin/freeze',
      itemData,
      says: 'Nothing is signed with this account any more, on any path, until it is unfrozen. What was sent before may still land.',
      done: 'The account is frozen.',
    },
    {
      label: 'Unfreeze account',
      roles: ADMINS,
      about,
      method: 'PATCH',
      path: '/admin/unfreeze',
      itemData,
      says: 'This account is signed with again.',
      done: 'The account is unfrozen.',
    },
  ]
  return [both[isFrozen ? 1 : 0]!]
}

/**
 * Of fee payers and nonce accounts.
 *
 * @param holder member that holds the account; empty: the item itself
 */
function laneActions(item: Answer, holder: string): Action[] {
  const account = holder === '' ? item : (at(item, holder) as Answer)
  const offchainId = textAt(account, 'offchain.id')
  if (offchainId === null) return []
  const about = ids(textAt(account, 'onchain.id'), offchainId)
  const itemData = { account: { offchainId } }
  const isSuspended = at(account, 'laneSuspended') === true
  const both: readonly Action[] = [
    {
      label: 'Suspend lane',
      roles: ADMINS,
      danger: true,
      about,
      method: 'PATCH',
      path: '/admin/lanes/suspend',
      itemData,
      says: 'Nothing of this lane is sent any more, until it is resumed. Requests are taken as before, and what they sign waits.',
      done: 'The lane is suspended.',
    },
    {
      label: 'Resume lane',
      roles: ADMINS,
      about,
      method: 'PATCH',
      path: '/admin/lanes/resume',
      itemData,
      says: 'What waits in this lane is sent, and what follows too.',
      done: 'The lane is resumed.',
    },
  ]
  return [both[isSuspended ? 1 : 0]!]
}

function positionSwitch(item: Answer): Action {
  const offchainId = textAt(item, 'offchain.id') ?? ''
  const frozen = textAt(item, 'state') === 'FROZEN'
  const common = {
    roles: ['POSITIONS_WRITE'],
    about: ids(textAt(item, 'onchain.id'), offchainId),
    method: 'PATCH',
    isPaid: true,
    itemData: { position: { position: { offchainId } } },
  } as const
  return frozen
    ? {
        ...common,
        label: 'Unfreeze position on chain',
        path: '/positions/unfreeze',
        says: 'A transaction of the freeze authority lets this token account go on; it costs a fee.',
        done: ({ status }) => `The transaction that unfreezes the position is ${String(status).toLowerCase()}.`,
      }
    : {
        ...common,
        label: 'Freeze position on chain',
        path: '/positions/freeze',
        danger: true,
        says: 'A transaction of the freeze authority freezes this token account: nobody, here or elsewhere, can move its tokens until it is unfrozen. It costs a fee.',
        done: ({ status }) => `The transaction that freezes the position is ${String(status).toLowerCase()}.`,
      }
}

function pauseSwitch(item: Answer): Action {
  const offchainId = textAt(item, 'mintAccount.offchain.id') ?? ''
  const paused = at(item, 'paused') === true
  return {
    label: paused ? 'Unpause instrument' : 'Pause instrument',
    roles: ['INSTRUMENTS_WRITE'],
    danger: !paused,
    says: paused
      ? 'A transaction of the pausable authority lets everything that moves this instrument go on; it costs a fee.'
      : 'A transaction of the pausable authority stops everything that moves this instrument, for every holder; it costs a fee.',
    about: ids(textAt(item, 'mintAccount.onchain.id'), offchainId),
    method: 'PATCH',
    path: `/financial-instruments/${paused ? 'unpause' : 'pause'}`,
    isPaid: true,
    itemData: { financialInstrument: { offchainId } },
    done: ({ status }) => `The transaction is ${String(status).toLowerCase()}.`,
  }
}

function organizationSwitch(item: Answer): Action {
  const organizationExternalId = textAt(item, 'externalId') ?? ''
  const frozen = textAt(item, 'status') === 'FROZEN'
  const common = {
    roles: ADMINS,
    about: [['Organization', organizationExternalId]],
    method: 'PATCH',
    itemData: { organizationExternalId },
  } as const
  return frozen
    ? {
        ...common,
        label: 'Unfreeze organization',
        path: '/admin/unfreeze',
        says: 'What belongs to this organization is signed with again.',
        done: 'The organization is unfrozen.',
      }
    : {
        ...common,
        label: 'Freeze organization',
        path: '/admin/freeze',
        danger: true,
        says: 'Nothing that belongs to this organization is signed with any more, on any path, until it is unfrozen. What was sent before may still land.',
        done: 'The organization is frozen.',
      }
}

function organizationLanes(item: Answer): Action[] {
  const organizationExternalId = textAt(item, 'externalId') ?? ''
  const common = {
    roles: ADMINS,
    about: [['Organization', organizationExternalId]],
    method: 'PATCH',
    itemData: { organizationExternalId },
  } as const
  const isSuspended = listAt(item, 'suspendedOnClusters').length > 0
  const both: readonly Action[] = [
    {
      ...common,
      label: 'Suspend sending',
      path: '/admin/lanes/suspend',
      danger: true,
      says: 'Nothing of this organization is sent on this cluster any more, until it is resumed. Requests are taken as before, and what they sign waits.',
      done: 'Sending is suspended.',
    },
    {
      ...common,
      label: 'Resume sending',
      path: '/admin/lanes/resume',
      says: 'What waits of this organization is sent, and what follows too.',
      done: 'Sending is resumed.',
    },
  ]
  return [both[isSuspended ? 1 : 0]!]
}
