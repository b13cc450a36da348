// The open messages that can change a record. Anybody in the service can record a message that names any account, and
// keep it open for any length of time. Such a message changes what others decide about only with a signature of theirs:
// it counts for the tenants of these keys, and within a tenant for records that one of the keys controls.
import type { Effect } from '../../solana/table/effect.ts'
import { underWayKey } from '../../engine/index/index-keys.ts'
import type { Engine } from '../../engine/engine.ts'
import type { RecordIndex } from '../../engine/index/record-index.ts'
import { reserves } from '../../engine/records/consequences.ts'
import type { Entry } from '../../engine/records/entry.ts'
import { isHolding, ofKind, type HoldingState, type RecordState } from '../../engine/records/record.ts'
import type { BookEntry, RecordEvent } from '../../../machines/transactions/transaction-record.ts'
import { effectsOf } from './open-messages.ts'
import { storedSignatures } from './stored-signatures.ts'
import { ownRecordsAt } from './whose-records.ts'

type Transaction = RecordState<'transaction'>
type KeyOf = (record: string) => string
type Messages = Pick<Engine, 'directory' | 'payload'>

/** The open messages of the record's tenant, or with its signature, that concern the record. */
export function messagesOfTenant(
  directory: RecordIndex,
  { id, tenant }: Pick<RecordState, 'id' | 'tenant'>,
  keyOf: KeyOf = underWayKey,
): readonly Entry[] {
  return directory.find(keyOf(id)).filter(({ head }) => head.tenant === tenant)
}

/**
 * Those that the organization of the record or the root of the tenant has made, or that an account has signed which
 * controls the record: other organizations of the tenant cannot keep the record busy.
 */
export function ownMessages(engine: Messages, subject: HoldingState, keyOf: KeyOf = underWayKey): readonly Entry[] {
  return messagesOfTenant(engine.directory, subject, keyOf).filter(({ head }) => isOwn(engine, head, subject))
}

/** Those that change more than the balances of the record. */
export function ownChanges(engine: Messages, subject: HoldingState): readonly Entry[] {
  const changes = ({ head }: Entry): boolean => eventsFor(head, subject).length > 0
  return messagesOfTenant(engine.directory, subject)
    .filter(changes)
    .filter(({ head }) => isOwn(engine, head, subject))
}

/** The facts that the record receives if all these messages land, in no defined order. */
export function eventsUnderWay(engine: Messages, subject: HoldingState): readonly RecordEvent[] {
  return ownChanges(engine, subject).flatMap(({ head }) => eventsFor(head, subject))
}

function isOwn(engine: Messages, message: RecordState, subject: HoldingState): boolean {
  const { tenant, cluster, context } = subject
  const isOfOwner = (organization: string): boolean => organization === tenant || organization === context.organization
  const controllers = controllersOf(subject)
  const countersignature = ofKind(message, 'countersignature')?.context
  if (countersignature !== undefined) {
    const holdings = (address: string): HoldingState[] =>
      ownRecordsAt(engine.directory, tenant, cluster, address)
        .map(({ head }) => head)
        .filter(isHolding)
    return countersignature.signatures.some(
      ({ address }) =>
        controllers.has(address) || holdings(address).some((each) => isOfOwner(each.context.organization)),
    )
  }
  const transaction = ofKind(message, 'transaction')
  if (transaction === undefined) return false
  const { fixed } = transaction.context
  if (isOfOwner(fixed.organization)) return true
  const consenting = effectsOf(fixed).flatMap(consentsOf)
  const acting = [...controllers].filter(
    (address) => consenting.includes(address) || (address === context.address && address === fixed.feePayer.address),
  )
  return acting.some((address) => hasConsented(engine, transaction, address))
}

/** The addresses whose signatures change the account. */
function controllersOf(state: HoldingState): ReadonlySet<string> {
  const { owner, otherAuthorities = null } = ofKind(state, 'position')?.context ?? {}
  const authorities = [
    owner,
    otherAuthorities?.closeAuthority,
    otherAuthorities?.delegate,
    ...Object.values(ofKind(state, 'instrument')?.context.authorities ?? {}),
    'authority' in state.context ? state.context.authority : null,
  ]
  return new Set([state.context.address, ...authorities.flatMap((each) => each?.address ?? [])])
}

/** The accounts that sign the instruction, and its authority: a token multisig does not sign itself. */
function consentsOf(effect: Effect): readonly string[] {
  const { signers } = effect
  return 'authority' in effect && effect.authority !== null ? [...signers, effect.authority] : signers
}

/** An authority that need not sign is a token multisig, unless its key is stored here. */
function hasConsented(engine: Messages, transaction: Transaction, address: string): boolean {
  const { tenant, cluster, value, context } = transaction
  const index = context.fixed.signers.findIndex((signer) => signer.address === address)
  if (index < 0)
    return !ownRecordsAt(engine.directory, tenant, cluster, address).some(
      ({ head }) => isHolding(head) && head.context.managed,
    )
  const isIncomplete = value === 'prepared' || value === 'partiallySigned'
  return !isIncomplete || storedSignatures(engine, transaction)[index] != null
}

/** True from the first signature for the message until its end. */
export function isUnderWay(message: RecordState): boolean {
  const transaction = ofKind(message, 'transaction')
  return transaction === undefined ? message.value === 'given' : reserves(transaction)
}

function eventsFor(message: RecordState, { id }: HoldingState): readonly RecordEvent[] {
  const entries = entriesOf(message).filter(({ record }) => record === id)
  return entries.flatMap(({ facts }) => facts.map(({ event }) => event))
}

function entriesOf(message: RecordState): readonly BookEntry[] {
  const transaction = ofKind(message, 'transaction')
  return transaction?.context.fixed.entries ?? ofKind(message, 'countersignature')?.context.entries ?? []
}
