// Between records and what the store keeps. A transaction's fixed part (message, entries, fee) is a row of its own, written when
// it changes, so that the three commits of its life stay thin.
import { KINDS, type Kind } from '../../../machines/kinds.ts'
import type { LeftOut } from '../../../machines/left-out.ts'
import { packed, unpacking, type Members } from './packing.ts'
import type { Envelope, StoreOp } from '../../../snapshots/store.ts'
import { ofKind, type RecordState } from './record.ts'

export interface TransactionPayload {
  readonly fixed: RecordState<'transaction'>['context']['fixed']
  /** The complete signed bytes (base64), null while a signature is missing. */
  readonly signedBytes: string | null
  /** While some are missing: one (base64) or null per signer, in message order. */
  readonly signatures?: readonly (string | null)[]
  /** Signed, and not to be sent before somebody asks for it. */
  readonly held?: true
  /** A signature of ours was given to somebody outside. */
  readonly exposed?: true
  /** Remote signers that were asked for their signature, whether it is there by now or not. */
  readonly asked?: readonly Asked[]
  readonly judged?: Judged
  /** Signers whose signatures were brought by somebody; the others that are there were given by keys that this service has the use of. */
  readonly outside?: readonly string[]
}

/**
 * What it was judged on that cannot be told later; the rest follows from the fixed part. Thin, for it is written with every transaction:
 * members that say the usual are absent.
 */
export interface Judged {
  /** Highest fee there could be, lamports. */
  readonly maxFee: string
  /** Compute unit limit by wish or simulation, before it was raised for the message to be new; absent: the operation's own. */
  readonly limit?: { readonly units: number; readonly by: 'REQUEST' | 'SIMULATION' }
  /** By how many units the limit was raised. */
  readonly raised?: number
  /** Accounts that list API keys, the caller's among them. */
  readonly debitLists?: readonly string[]
  /** Whether there is enough was left to the chain. */
  readonly uncovered?: true
  /** Debit limits that bounded something of it, with their verdicts, as they were when it was last judged. JSON. */
  readonly limits?: readonly unknown[]
  /** Programs outside the instruction table that the organization had allowed. */
  readonly allowedPrograms?: readonly string[]
}

/** A key that signs elsewhere: the record it belongs to. */
export interface Asked {
  readonly tenant: string
  readonly id: string
  readonly address: string
}

export class UnknownSnapshot extends Error {
  override readonly name = 'UnknownSnapshot'
}

export function toEnvelope(state: RecordState): Envelope {
  const { kind, tenant, cluster, id, revision, value } = state
  const transaction = ofKind(state, 'transaction')
  const context = transaction === undefined ? state.context : { ...transaction.context, fixed: null }
  const { version, leftOut } = KINDS[kind]
  const table = leftOut[version]
  const row = table === undefined ? context : packed(context as unknown as Members, table)
  return { kind, version, revision, tenant, cluster, id, value, context: row }
}

export function recordOp(state: RecordState): StoreOp {
  return { type: 'record', envelope: toEnvelope(state) }
}

/** Reads a stored envelope under today's machine; older versions pass through their migrations first. */
export function fromEnvelope(envelope: Envelope, payload: () => TransactionPayload): RecordState {
  const kind = envelope.kind as Kind
  const rules = (KINDS as Record<string, (typeof KINDS)[Kind] | undefined>)[kind]
  if (rules === undefined) throw new UnknownSnapshot(`record ${envelope.id} is of an unknown kind: ${envelope.kind}`)
  if (envelope.version > rules.version) {
    throw new UnknownSnapshot(
      `record ${envelope.id} (${kind}) was written by a newer release: version ${envelope.version}, known ${rules.version}`,
    )
  }
  const context = contextOf(envelope, rules.leftOut[envelope.version])
  let snapshot: { value: string; context: unknown } = { value: envelope.value, context }
  for (let version = envelope.version; version < rules.version; version += 1) {
    const migrate = (rules.migrate as Record<number, ((snapshot: unknown) => unknown) | undefined>)[version]
    if (migrate === undefined) throw new UnknownSnapshot(`no migration of ${kind} from version ${version}`)
    snapshot = migrate(snapshot) as typeof snapshot
  }
  if (kind === 'transaction') snapshot = { ...snapshot, context: { ...(snapshot.context as object), fixed: payload().fixed } }
  const { tenant, cluster, id, revision } = envelope
  return { kind, tenant, cluster, id, revision, ...snapshot } as unknown as RecordState
}

const unpackers = new Map<LeftOut, (row: Members) => Members>()

function contextOf({ context }: Envelope, leftOut: LeftOut | undefined): unknown {
  if (leftOut === undefined) return context
  let unpack = unpackers.get(leftOut)
  if (unpack === undefined) {
    unpack = unpacking(leftOut)
    unpackers.set(leftOut, unpack)
  }
  return unpack(context as Members)
}
