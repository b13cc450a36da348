// Converts between records and stored rows. Rows of accounts, positions and transactions are lists without member
// names; all others are objects. A transaction's fixed part (message, entries, fee) is a separate row, written only
// when it changes, so that the three commits of a transaction stay small.
import type { AccountContext } from '../../../machines/account.ts'
import { KINDS, type Kind } from '../../../machines/kinds.ts'
import type { LeftOut } from '../../../machines/left-out.ts'
import type { PositionContext } from '../../../machines/position.ts'
import type { TransactionContext } from '../../../machines/transactions/transaction-record.ts'
import {
  accountOfRow,
  accountRow,
  positionOfRow,
  positionRow,
  type AccountRow,
  type PositionRow,
} from './holding-row.ts'
import { packMembers, unpackerOf, type Members } from './packing.ts'
import type { Envelope, StoreOp } from '../../../snapshots/store.ts'
import { ofKind, type RecordState } from './record.ts'
import { transactionOfRow, transactionRow, type TransactionRow } from './transaction-row.ts'

export interface TransactionPayload {
  readonly fixed: RecordState<'transaction'>['context']['fixed']
  /** The complete signed bytes (base64); null while a signature is missing. */
  readonly signedBytes: string | null
  /** Present while signatures are missing: one (base64) or null per signer, in message order. */
  readonly signatures?: readonly (string | null)[]
  /** The transaction is signed and is sent only on request. */
  readonly held?: true
  /** A signature of this service was returned to an outside party. */
  readonly exposed?: true
  /** Remote signers that were asked for a signature, whether or not it has arrived. */
  readonly asked?: readonly RemoteKeyHolder[]
  readonly judged?: EvaluationFacts
  /** Signers whose signatures the caller supplied. Keys that this service can use gave the other signatures present. */
  readonly outside?: readonly string[]
}

/**
 * Inputs of the evaluation that cannot be derived from the fixed part later. Every transaction writes them, so members
 * with their usual value are absent.
 */
export interface EvaluationFacts {
  /** Highest possible fee, in lamports. */
  readonly maxFee: string
  /**
   * Compute unit limit by request or simulation, before it was raised to make the message unique. Absent: the limit of
   * the operation.
   */
  readonly limit?: { readonly units: number; readonly by: 'REQUEST' | 'SIMULATION' }
  /** Compute units by which the limit was raised. */
  readonly raised?: number
  /** Accounts whose list of API keys includes the key of the caller. */
  readonly debitLists?: readonly string[]
  /** Sufficiency of funds was left to the chain to decide. */
  readonly uncovered?: true
  /** Debit limits that applied to the transaction, with their verdicts at the last evaluation. JSON. */
  readonly limits?: readonly unknown[]
  /** Answers of screening services, by organization. JSON. */
  readonly screening?: readonly unknown[]
  /** Verdicts of destination policies and counterparties at the last evaluation; absent: none applied. JSON. */
  readonly destinations?: readonly unknown[]
  /** Programs outside the instruction table that the organization had allowed. */
  readonly allowedPrograms?: readonly string[]
}

/** A key held by a remote signer, and the record it belongs to. */
export interface RemoteKeyHolder {
  readonly tenant: string
  readonly id: string
  readonly address: string
  /** Present if the key belongs to a tenant of another cell: the caller for whom its owner is asked. */
  readonly by?: CosignAsker
}

/** Data that the owner of a key in another cell receives with the transaction. JSON. */
export interface CosignAsker {
  readonly asker: {
    readonly tenant: string
    readonly organization: string
    readonly caller: {
      readonly keyId: string
      readonly organization: string
      readonly tenant: string
      readonly system: boolean
      readonly roles: readonly string[]
      /** null: all. */
      readonly clusters: readonly string[] | null
    }
  }
  readonly limiting?: NonNullable<RecordState<'transaction'>['context']['fixed']['limiting']>
  /** Accounts that the lending adapter signs for under its own rules. */
  readonly vouched?: readonly string[]
  /** Signers whose signatures others give. */
  readonly elsewhere?: readonly string[]
  /** ISO 8601. */
  readonly at: string
}

export class UnknownSnapshot extends Error {
  override readonly name = 'UnknownSnapshot'
}

export function toEnvelope(state: RecordState): Envelope {
  const { kind, tenant, cluster, id, revision, value } = state
  const context = byPosition(state) ?? byName(state)
  return { kind, version: KINDS[kind].version, revision, tenant, cluster, id, value, context }
}

/** The context as a list. undefined: records of this kind are written as objects, or this context is unusual. */
function byPosition({ kind, context }: RecordState): unknown {
  if (kind === 'position') return positionRow(context as PositionContext)
  if (kind === 'account') return accountRow(context as AccountContext)
  return kind === 'transaction' ? transactionRow(context as TransactionContext) : undefined
}

function byName(state: RecordState): unknown {
  const { kind } = state
  const transaction = ofKind(state, 'transaction')
  const context =
    transaction === undefined
      ? state.context
      : { ...transaction.context, fixed: null, history: namedHistory(transaction.context.history) }
  const { version, leftOut } = KINDS[kind]
  const table = leftOut[version]
  return table === undefined ? context : packMembers(context as unknown as Members, table)
}

/** The context of a row as an object, however it is written. */
export function namedContext(envelope: Envelope): unknown {
  const { kind, context } = envelope
  if (!isByPosition(kind, context)) return context
  return byName(fromEnvelope(envelope, () => ({ fixed: null, signedBytes: null }) as unknown as TransactionPayload))
}

export function recordOp(state: RecordState): StoreOp {
  return { type: 'record', envelope: toEnvelope(state) }
}

/**
 * Reads a stored envelope with the current machine version; older versions pass through their migrations first. Throws
 * `UnknownSnapshot` for an unknown kind, a newer version or a missing migration.
 */
export function fromEnvelope(envelope: Envelope, payload: () => TransactionPayload): RecordState {
  const kind = envelope.kind as Kind
  const rules = (KINDS as Record<string, (typeof KINDS)[Kind] | undefined>)[kind]
  if (rules === undefined) throw new UnknownSnapshot(`record ${envelope.id} is of an unknown kind: ${envelope.kind}`)
  if (envelope.version > rules.version) {
    throw new UnknownSnapshot(
      `record ${envelope.id} (${kind}) was written by a newer release: version ${envelope.version}, known ${rules.version}`,
    )
  }
  const context = isByPosition(kind, envelope.context)
    ? ofPosition(envelope)
    : withHistory(kind, contextOf(envelope, rules.leftOut[envelope.version]))
  let snapshot: { value: string; context: unknown } = { value: envelope.value, context }
  for (let version = envelope.version; version < rules.version; version += 1) {
    const migrate = (rules.migrate as Record<number, ((snapshot: unknown) => unknown) | undefined>)[version]
    if (migrate === undefined) throw new UnknownSnapshot(`no migration of ${kind} from version ${version}`)
    snapshot = migrate(snapshot) as typeof snapshot
  }
  if (kind === 'transaction')
    snapshot = { ...snapshot, context: { ...(snapshot.context as object), fixed: payload().fixed } }
  const { tenant, cluster, id, revision } = envelope
  return { kind, tenant, cluster, id, revision, ...snapshot } as unknown as RecordState
}

type History = RecordState<'transaction'>['context']['history']

const BY_POSITION: ReadonlySet<string> = new Set<Kind>(['account', 'position', 'transaction'])

/** True if rows of this kind are lists unless their context is unusual. */
export function isWrittenByPosition(kind: Kind): boolean {
  return BY_POSITION.has(kind)
}

/** Contexts of earlier releases, and unusual ones, are objects. */
function isByPosition(kind: string, context: unknown): context is readonly unknown[] {
  return Array.isArray(context) && BY_POSITION.has(kind)
}

function ofPosition({ kind, context }: Envelope): unknown {
  if (kind === 'position') return positionOfRow(context as PositionRow)
  if (kind === 'account') return accountOfRow(context as AccountRow)
  return { fixed: null, ...transactionOfRow(context as TransactionRow) }
}

function namedHistory(history: History): unknown {
  if (!Array.isArray(history)) return history
  return (history as History).map((entry) => {
    const { status, at, detail, ...others } = entry
    const isUsual = (detail as string | null | undefined) !== undefined && Object.keys(others).length === 0
    return isUsual ? [status, at, detail] : entry
  })
}

/** Entries of earlier releases are objects. */
function withHistory(kind: Kind, context: unknown): unknown {
  const { history } = context as { readonly history?: unknown }
  if (kind !== 'transaction' || !Array.isArray(history)) return context
  const entries = (history as unknown[]).map((entry) => {
    if (!Array.isArray(entry)) return entry
    const [status, at, detail] = entry as unknown[]
    return { status, at, detail }
  })
  return { ...(context as object), history: entries }
}

const unpackers = new Map<LeftOut, (row: Members) => Members>()

function contextOf({ context }: Envelope, leftOut: LeftOut | undefined): unknown {
  if (leftOut === undefined) return context
  let unpack = unpackers.get(leftOut)
  if (unpack === undefined) {
    unpack = unpackerOf(leftOut)
    unpackers.set(leftOut, unpack)
  }
  return unpack(context as Members)
}
