// The lock on escrow accounts (completion 9): what is held for a loan moves by the lending adapter's own transactions and by no others,
// whichever key would sign. Decided from the compiled message, before any key is used, on every way to a signature.
//
// The lock answers for the tenants of the borrower and the lender only, whose keys sign for the escrow and for the loan. To every other
// tenant an escrow is an address that nobody has onboarded (completion 14.11): a refusal of its own would tell that it belongs to a loan.
import type { Effect } from '../../solana/table/effect.ts'
import type { Directory } from '../../engine/index/directory.ts'
import { addressKey, closedAddressKey, escrowKey } from '../../engine/index/index-keys.ts'
import { ofKind, type RecordState } from '../../engine/records/record.ts'
import type { Call } from '../../contract/call.ts'
import { forbidden } from '../../contract/refusal.ts'

/** Who asks. */
type Asker = Pick<Call, 'tenant' | 'cluster'>

/** The escrow that an address is, or that owns the position at it; undefined: neither, or of a loan between other tenants. */
export function escrowBehind(directory: Directory, asker: Asker, address: string): string | undefined {
  const { tenant, cluster } = asker
  if (loanOf(directory, asker, address) !== undefined) return address
  const records = [...directory.find(addressKey(cluster, address)), ...directory.find(closedAddressKey(cluster, address))]
  for (const { head } of records) {
    const owner = ofKind(head, 'position')?.context.owner.address
    const loan = owner === undefined ? undefined : loanOf(directory, asker, owner)
    // A record of a third tenant says nothing of who owns a position: it may be out of date on purpose.
    if (loan !== undefined && (head.tenant === tenant || head.tenant === loan.tenant)) return owner
  }
  return undefined
}

/** An escrow stays one for ever, also when its loan is closed. */
function loanOf(directory: Directory, { tenant, cluster }: Asker, address: string): RecordState<'loan'> | undefined {
  const loan = ofKind(directory.first(escrowKey(cluster, address))?.head, 'loan')
  return loan?.tenant === tenant || loan?.context.lender.tenant === tenant ? loan : undefined
}

/** Throws 403 `ESCROW_LOCKED`. */
export function checkNoEscrow(directory: Directory, asker: Asker, address: string, pointer?: string): void {
  if (escrowBehind(directory, asker, address) !== undefined) throw locked(address, pointer)
}

const NONE: ReadonlySet<string> = new Set()

/**
 * A message that somebody else than the adapter made neither needs the signature of an escrow nor changes one or its positions.
 *
 * Throws 403 `ESCROW_LOCKED`. @param vouched accounts that the adapter signs for in this very message
 */
export function checkEscrowsLeftAlone(
  directory: Directory,
  asker: Asker,
  { effects, signers }: { readonly effects: readonly Effect[]; readonly signers: readonly string[] },
  vouched: ReadonlySet<string> = NONE,
): void {
  for (const address of [...signers, ...effects.flatMap(changedBy)]) {
    const escrow = escrowBehind(directory, asker, address)
    if (escrow !== undefined && !vouched.has(escrow)) throw locked(address)
  }
}

/** Accounts that an instruction takes from, closes, switches or hands over; to give to an escrow changes nothing of it. */
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
  return forbidden('ESCROW_LOCKED', `${address} is held in escrow for a loan: only the loan's own operations act on it`, pointer)
}
