// Rows of payloads: `[3, fixed, signedBytes, more]`, with `fixed` as `FixedRow`. A transaction refers to each of its
// accounts several times, and its signed bytes contain its message; a row stores each of them once and refers to them
// by index. Decoding returns exactly the original: unusual values are written unchanged, and a member without a
// position causes a compile error.
// Rows of earlier releases are objects, or version 2, which never uses `SAME`.
import type { Debit } from '../../../machines/debit-limits.ts'
import type { AccountRef } from '../../../machines/holding.ts'
import type { Movement } from '../../../machines/protocol.ts'
import type { BookEntry, TransactionFixed } from '../../../machines/transactions/transaction-record.ts'
import type { StoreOp } from '../../../snapshots/store.ts'
import { UnknownSnapshot, type TransactionPayload } from './codec.ts'
import { MessageKeys } from './message-keys.ts'
import type { RecordState } from './record.ts'
import { rentsOf, type RentPaid } from './rents.ts'

const VERSION = 3
/** Versions with the same decoder. */
const READABLE: ReadonlySet<unknown> = new Set([2, VERSION])
/**
 * Placeholder. For an address or blockhash: the one in the message of the row. For a tenant: the organization. For a
 * charge: the movements.
 */
const SAME = 0
const SIGNATURE_BYTES = 64
/** Largest number of signatures that is encoded in one byte. */
const MAX_SIGNATURES = 127

type Json = unknown
/** `Type` if it has no other members, else never, because other members would be lost. */
type Only<Type, Members extends keyof Type> = Exclude<keyof Type, Members> extends never ? Type : never
/** Index of an account in the list of accounts, or the reference itself. */
type RefRow = number | AccountRef
type MovementRow = readonly [asset: string, released: string, debited: string, credited: string]
type EntryRow = readonly [
  tenant: string | typeof SAME,
  /** Index of the account with this record, or the id of the record. */
  record: number | string,
  movements: readonly MovementRow[],
  charge: readonly MovementRow[] | typeof SAME,
  facts: BookEntry['facts'],
]
type DebitRow = readonly [
  tenant: string | typeof SAME,
  account: number,
  /** Index of the mint's account if it is in the list, else its address. */
  mint: string | number | null,
  operation: string,
  destination: string | null,
  amount: string,
  beneficiary?: string,
]
export type FixedRow = readonly [
  endpoint: string,
  organization: string,
  /** Address and id of each account, alternating. */
  accounts: readonly (string | typeof SAME | null)[],
  feePayer: RefRow,
  fee: string,
  /** Type and program, alternating; the program is the index of its account if it is in the list. */
  instructions: readonly (string | number)[],
  blockhash: string | typeof SAME,
  blockhashSlot: number,
  lastValidBlockHeight: number | null,
  messageHash: string,
  /** null: the message in the signed bytes of the row. */
  message: string | null,
  computeUnitsLimit: number | null,
  signers: readonly RefRow[],
  entries: readonly (EntryRow | BookEntry)[],
  preparedAt: string,
  requestedBy: string,
  /** null: absent. */
  debits: readonly (DebitRow | Debit)[] | null,
  /** Members without a position that have an unusual value. */
  more: Json,
]

const USUAL = { version: 'V0', lifetime: 'RECENT_BLOCKHASH', nonceAccount: null, computeUnitPrice: null } as const

/** The row of a payload, written with the unit of work that creates it. */
export function payloadOp(
  { tenant, cluster, id }: Pick<RecordState, 'tenant' | 'cluster' | 'id'>,
  payload: TransactionPayload,
): StoreOp {
  return { type: 'payload', tenant, cluster, id, payload: payloadRow(payload) }
}

export function payloadRow({ fixed, signedBytes, ...more }: TransactionPayload): Json {
  return [VERSION, fixedRow(fixed, signedBytes), signedBytes, more]
}

/** Throws `UnknownSnapshot` for a newer version, and TypeError for a row of another form. */
export function payloadOfRow(row: Json): TransactionPayload {
  if (!Array.isArray(row)) {
    // A row of an earlier release.
    if (typeof (row as { fixed?: unknown } | null)?.fixed !== 'object') throw new TypeError('not the row of a payload')
    return row as TransactionPayload
  }
  const [version, fixed, signedBytes, more] = row as [number, FixedRow, string | null, object]
  if (!READABLE.has(version)) throw new UnknownSnapshot(`a payload of version ${version}; known: ${VERSION}`)
  return { fixed: fixedOfRow(fixed, signedBytes), signedBytes, ...more }
}

/** @param signedBytes stored with the row, so that the message can be read from them; null: there are none */
export function fixedRow(fixed: TransactionFixed, signedBytes: string | null): FixedRow {
  const {
    endpoint,
    organization,
    accounts,
    feePayer,
    fee,
    instructions,
    blockhash,
    blockhashSlot,
    lastValidBlockHeight,
    messageHash,
    message,
    computeUnitsLimit,
    signers,
    entries,
    preparedAt,
    requestedBy,
    debits,
    ...others
  } = fixed
  const places = new Places(accounts)
  const signed = signedBytes === null ? undefined : new MessageKeys(messageBytesIn(signedBytes))
  const beside = signed?.isOf(message) === true ? signed : undefined
  return [
    endpoint,
    organization,
    accounts.flatMap(({ address, id }: Only<AccountRef, 'address' | 'id'>, at) => [
      beside?.addressAt(at) === address ? SAME : address,
      id,
    ]),
    places.ofRef(feePayer),
    fee,
    instructions.flatMap((instruction) => instructionRow(instruction, places)),
    beside?.blockhash === blockhash ? SAME : blockhash,
    blockhashSlot,
    lastValidBlockHeight,
    messageHash,
    beside === undefined ? message : null,
    computeUnitsLimit,
    signers.map((signer) => places.ofRef(signer)),
    entries.map((entry) => entryRow(entry, organization, places)),
    preparedAt,
    requestedBy,
    debits === undefined ? null : debits.map((debit) => debitRow(debit, organization, places)),
    unusual(others),
  ]
}

export function fixedOfRow(row: FixedRow, signedBytes: string | null): TransactionFixed {
  const [
    endpoint,
    organization,
    flat,
    feePayer,
    fee,
    calls,
    blockhash,
    blockhashSlot,
    lastValidBlockHeight,
    messageHash,
    message,
    computeUnitsLimit,
    signers,
    entries,
    preparedAt,
    requestedBy,
    debits,
    more,
  ] = row
  const beside = new MessageKeys(messageBytesIn(signedBytes ?? ''))
  const addresses = addressesOf(flat, beside)
  const accounts = addresses.map((address, at): AccountRef => ({ address, id: flat[2 * at + 1] as string | null }))
  const instructions: { type: string; programId: string }[] = []
  for (let at = 0; at < calls.length; at += 2) {
    const program = calls[at + 1]!
    const programId = typeof program === 'number' ? accounts[program]!.address : program
    instructions.push({ type: calls[at] as string, programId })
  }
  const refer = (ref: RefRow): AccountRef => (typeof ref === 'number' ? accounts[ref]! : ref)
  return {
    endpoint,
    organization,
    feePayer: refer(feePayer),
    fee,
    accounts,
    instructions,
    ...USUAL,
    blockhash: blockhash === SAME ? beside.blockhash! : blockhash,
    blockhashSlot,
    lastValidBlockHeight,
    messageHash,
    message: message ?? beside.message.toString('base64'),
    computeUnitsLimit,
    signers: signers.map(refer),
    entries: entries.map((entry) => entryOfRow(entry, organization, accounts)),
    ...(debits === null ? {} : { debits: debits.map((debit) => debitOfRow(debit, organization, accounts)) }),
    preparedAt,
    requestedBy,
    ...(more as object),
  }
}

/** The members of a payload that long lists of transactions show. Other members are not decoded. */
export interface PayloadGlance extends Pick<TransactionFixed, 'endpoint' | 'organization' | 'fee'> {
  /** Addresses. */
  readonly signers: readonly string[]
  readonly feePayer: string
  /** Addresses of all accounts, in the order of the message. */
  readonly addresses: readonly string[]
  readonly message: Uint8Array
  readonly externalReference: string | null
  readonly itemReferences: readonly string[]
  readonly referenceOfItem: TransactionFixed['referenceOfItem']
  /** Those of rent paid; a payment that several tenants have on record, once. */
  readonly rents: readonly RentPaid[]
}

export function glanceOfPayloadRow(row: Json): PayloadGlance {
  if (!Array.isArray(row) || !READABLE.has(row[0])) return glanceOfFixed(payloadOfRow(row).fixed)
  const [, fixed, signedBytes] = row as [number, FixedRow, string | null]
  const [endpoint, organization, flat, feePayer, fee, , , , , , message, , signers, entries, , , , more] = fixed
  const { externalReference, itemReferences, referenceOfItem } = more as Partial<TransactionFixed>
  const bytes = messageBytesIn(signedBytes ?? '')
  const addresses = addressesOf(flat, new MessageKeys(bytes))
  const refer = (ref: RefRow): string => (typeof ref === 'number' ? addresses[ref]! : ref.address)
  return {
    endpoint,
    organization,
    signers: signers.map(refer),
    feePayer: refer(feePayer),
    fee,
    addresses,
    message: message === null ? bytes : Buffer.from(message, 'base64'),
    externalReference: externalReference ?? null,
    itemReferences: itemReferences ?? [],
    referenceOfItem,
    rents: rentsOf(
      entries.map((entry) => {
        const [tenant, , , , facts] = isRow<EntryRow>(entry) ? entry : [entry.tenant, '', [], [], entry.facts]
        return { tenant: tenant === SAME ? organization : tenant, facts }
      }),
    ),
  }
}

export function glanceOfFixed(fixed: TransactionFixed): PayloadGlance {
  return {
    endpoint: fixed.endpoint,
    organization: fixed.organization,
    signers: fixed.signers.map(({ address }) => address),
    feePayer: fixed.feePayer.address,
    fee: fixed.fee,
    addresses: fixed.accounts.map(({ address }) => address),
    message: Buffer.from(fixed.message, 'base64'),
    externalReference: fixed.externalReference ?? null,
    itemReferences: fixed.itemReferences ?? [],
    referenceOfItem: fixed.referenceOfItem,
    rents: rentsOf(fixed.entries),
  }
}

function addressesOf(flat: FixedRow[2], beside: MessageKeys): string[] {
  const addresses: string[] = []
  for (let at = 0; at < flat.length; at += 2) {
    const address = flat[at] as string | typeof SAME
    addresses.push(address === SAME ? beside.addressAt(at / 2)! : address)
  }
  return addresses
}

/** Finds the accounts of a transaction, which are few. */
class Places {
  readonly #accounts: readonly AccountRef[]

  constructor(accounts: readonly AccountRef[]) {
    this.#accounts = accounts
  }

  byAddress(address: string): number | undefined {
    return indexOrUndefined(this.#accounts.findIndex((each) => each.address === address))
  }

  byId(id: string): number | undefined {
    return indexOrUndefined(this.#accounts.findIndex((each) => each.id === id))
  }

  ofRef(ref: AccountRef): RefRow {
    const at = this.byAddress(ref.address)
    return at !== undefined && this.#accounts[at]!.id === ref.id ? at : ref
  }

  ofRecord(address: string | undefined, id: string): number | undefined {
    const at = address === undefined ? undefined : this.byAddress(address)
    return at !== undefined && this.#accounts[at]!.id === id ? at : undefined
  }
}

function indexOrUndefined(at: number): number | undefined {
  return at < 0 ? undefined : at
}

function entryRow(entry: BookEntry, organization: string, places: Places): EntryRow | BookEntry {
  const { tenant, record, movements, charge, facts, ...others } = entry
  if (Object.keys(others).length > 0) return entry
  const charged = isSameList(charge, movements) ? SAME : charge.map(movementRow)
  return [shortTenant(tenant, organization), places.byId(record) ?? record, movements.map(movementRow), charged, facts]
}

function entryOfRow(row: EntryRow | BookEntry, organization: string, accounts: readonly AccountRef[]): BookEntry {
  if (!isRow<EntryRow>(row)) return row
  const [tenant, record, movements, charge, facts] = row
  return {
    tenant: tenant === SAME ? organization : tenant,
    record: typeof record === 'number' ? accounts[record]!.id! : record,
    movements: movements.map(movementOfRow),
    charge: (charge === SAME ? movements : charge).map(movementOfRow),
    facts,
  }
}

function shortTenant(tenant: string, organization: string): string | typeof SAME {
  return tenant === organization ? SAME : tenant
}

function isSameList(charge: readonly Movement[], movements: readonly Movement[]): boolean {
  return (
    charge.length > 0 &&
    charge.length === movements.length &&
    charge.every(({ asset, released, debited, credited }, at) => {
      const other = movements[at]!
      const isOf = other.asset === asset && other.released === released
      return isOf && other.debited === debited && other.credited === credited
    })
  )
}

type Called = TransactionFixed['instructions'][number]

function instructionRow({ type, programId }: Only<Called, 'type' | 'programId'>, places: Places): (string | number)[] {
  return [type, places.byAddress(programId) ?? programId]
}

function movementRow({
  asset,
  released,
  debited,
  credited,
}: Only<Movement, 'asset' | 'released' | 'debited' | 'credited'>): MovementRow {
  return [asset, released, debited, credited]
}

function movementOfRow([asset, released, debited, credited]: MovementRow): Movement {
  return { asset, released, debited, credited } as Movement
}

type PlacedDebit = Only<
  Debit,
  'tenant' | 'record' | 'address' | 'mint' | 'operation' | 'destination' | 'beneficiary' | 'amount'
>

function debitRow(debit: PlacedDebit, organization: string, places: Places): DebitRow | Debit {
  const { tenant, record, address, mint, operation, destination, beneficiary, amount } = debit
  const account = places.ofRecord(address, record)
  if (account === undefined) return debit
  const placedMint = mint === null ? null : (places.byAddress(mint) ?? mint)
  const row = [shortTenant(tenant, organization), account, placedMint, operation, destination, amount] as const
  return beneficiary === undefined ? row : [...row, beneficiary]
}

function debitOfRow(row: DebitRow | Debit, organization: string, accounts: readonly AccountRef[]): Debit {
  if (!isRow<DebitRow>(row)) return row
  const [shortened, account, placedMint, operation, destination, amount, beneficiary] = row
  const tenant = shortened === SAME ? organization : shortened
  const { address, id } = accounts[account]!
  const mint = typeof placedMint === 'number' ? accounts[placedMint]!.address : placedMint
  const ofFee = beneficiary === undefined ? {} : { beneficiary }
  return { tenant, record: id!, address, mint, operation, destination, ...ofFee, amount } as Debit
}

function isRow<Row extends readonly unknown[]>(row: Row | object): row is Row {
  return Array.isArray(row)
}

function unusual(members: Readonly<Record<string, unknown>>): Json {
  const others: Record<string, unknown> = {}
  for (const name in members)
    if (members[name] !== (USUAL as Readonly<Record<string, unknown>>)[name]) others[name] = members[name]
  return others
}

function messageBytesIn(signedBytes: string): Buffer {
  const bytes = Buffer.from(signedBytes, 'base64')
  const [signatures = 0] = bytes
  return bytes.subarray(signatures > MAX_SIGNATURES ? bytes.length : 1 + signatures * SIGNATURE_BYTES)
}
