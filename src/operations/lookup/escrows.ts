// The lock on escrow accounts: only transactions of the lending adapter move the assets of an escrow,
// whichever key would sign. The check reads the compiled message, before any key is used, on every path to a signature.
//
// The lock applies to the tenants of the borrower and the lender, whose keys sign for the escrow and the loan. To other
// tenants an escrow is an address without a record: a refusal of its own would reveal that the
// address belongs to a loan.
import type { Effect } from '../../solana/table/effect.ts'
import type { RecordIndex } from '../../engine/index/record-index.ts'
import { closedAddressKey, escrowKey, loanTenantKey } from '../../engine/index/index-keys.ts'
import { type RecordState, ofKind } from '../../engine/records/record.ts'
import type { Call } from '../../contract/call.ts'
import { forbidden } from '../../contract/refusal.ts'

/** The caller. */
type Asker = Pick<Call, 'tenant' | 'cluster'>

/**
 * The escrow at the address, or the escrow that owns the position at the address. undefined: neither, or the loan is
 * between other tenants.
 */
function escrowBehind(directory: RecordIndex, asker: Asker, address: string): string | undefined {
  const { tenant, cluster } = asker
  if (!hasLoans(directory, asker)) return undefined
  if (loanOf(directory, asker, address) !== undefined) return address
  const records = [
    ...directory.ownAtAddress(cluster, address),
    ...directory.findOwn(closedAddressKey(cluster, address)),
  ]
  for (const { head } of records) {
    const owner = ofKind(head, 'position')?.context.owner.address
    const loan = owner === undefined ? undefined : loanOf(directory, asker, owner)
    // A record of a third tenant does not prove who owns a position: it may be outdated on purpose.
    if (loan !== undefined && (head.tenant === tenant || head.tenant === loan.tenant)) return owner
  }
  return undefined
}

/** Nearly every tenant has none, which saves the search by address. */
function hasLoans(directory: RecordIndex, { tenant, cluster }: Asker): boolean {
  return directory.firstOwn(loanTenantKey(cluster, tenant)) !== undefined
}

/** An address remains an escrow after its loan is closed. */
function loanOf(directory: RecordIndex, { tenant, cluster }: Asker, address: string): RecordState<'loan'> | undefined {
  const loan = ofKind(directory.firstOwn(escrowKey(cluster, address))?.head, 'loan')
  if (loan === undefined) return undefined
  const { lender, owner } = loan.context
  return [loan.tenant, lender.tenant, owner?.tenant].includes(tenant) ? loan : undefined
}

/** True of an escrow and of its positions. */
export function isOfEscrow(directory: RecordIndex, asker: Asker, address: string): boolean {
  return escrowBehind(directory, asker, address) !== undefined
}

/** Throws 403 `ESCROW_LOCKED`. */
export function checkNoEscrow(directory: RecordIndex, asker: Asker, address: string, pointer?: string): void {
  if (isOfEscrow(directory, asker, address)) throw locked(address, pointer)
}

const NONE: ReadonlySet<string> = new Set()

/**
 * Refuses a message, other than one of the adapter, that needs the signature of an escrow or changes an escrow or its
 * positions.
 *
 * Throws 403 `ESCROW_LOCKED`.
 * @param vouched accounts that the adapter signs for in this message
 */
export function checkEscrowsLeftAlone(
  directory: RecordIndex,
  asker: Asker,
  { effects, signers }: { readonly effects: readonly Effect[]; readonly signers: readonly string[] },
  vouched: ReadonlySet<string> = NONE,
): void {
  if (!hasLoans(directory, asker)) return
  for (const address of new Set([...signers, ...effects.flatMap(changedBy)])) {
    const escrow = escrowBehind(directory, asker, address)
    if (escrow !== undefined && !vouched.has(escrow)) throw locked(address)
  }
}

/**
 * Accounts that an instruction debits, closes, freezes, thaws or reassigns. A credit to an escrow is not a change of
 * it.
 */
function changedBy(effect: Effect): readonly string[] {
  switch (effect.kind) {
    case 'lamports':
    case 'tokens':
    case 'burn':
      return [effect.from]
    case 'close':
    case 'freeze':
    case 'thaw':
    case 'approve':
    case 'authority':
    case 'allocate':
    case 'assign':
      return [effect.account]
    case 'create':
      return [effect.account]
    case 'createAssociated':
      return [effect.owner]
    case 'initializeAccount':
      return [effect.account, effect.owner]
    case 'initializeMint':
    case 'extension':
    case 'metadata':
      return [effect.mint]
    default:
      return []
  }
}

function locked(address: string, pointer?: string): Error {
  return forbidden(
    'ESCROW_LOCKED',
    `${address} is held in escrow for a loan: only operations of the loan may use it`,
    pointer,
  )
}

/**
 * The open loan of the caller's tenant, as borrower or lender, whose escrow is at the address: the assets of the escrow
 * go to the lender by liquidation, otherwise to the borrower.
 */
export function openLoanAt(directory: RecordIndex, asker: Asker, address: string): RecordState<'loan'> | undefined {
  const loan = hasLoans(directory, asker) ? loanOf(directory, asker, address) : undefined
  return loan?.value === 'closed' ? undefined : loan
}
