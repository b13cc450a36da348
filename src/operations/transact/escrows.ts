// The lock on escrow accounts (completion 9): what is held for a loan moves by the lending adapter's own transactions and by no others,
// whoever asks, whichever key would sign. Decided from the compiled message, before any key is used, on every way to a signature.
import type { Effect } from '../../chain/table/effect.ts'
import type { Directory } from '../../engine/directory.ts'
import { addressKey, closedAddressKey, escrowKey } from '../../engine/index-keys.ts'
import { ofKind } from '../../engine/record.ts'
import { forbidden } from '../refusal.ts'

/** An escrow stays one for ever, also when its loan is closed. */
export function isEscrow(directory: Directory, cluster: string, address: string): boolean {
  return directory.first(escrowKey(cluster, address)) !== undefined
}

/** The escrow that an address is, or that owns the position at it; undefined: neither. */
export function escrowBehind(directory: Directory, cluster: string, address: string): string | undefined {
  if (isEscrow(directory, cluster, address)) return address
  const records = [...directory.find(addressKey(cluster, address)), ...directory.find(closedAddressKey(cluster, address))]
  const owners = records.flatMap(({ head }) => ofKind(head, 'position')?.context.owner.address ?? [])
  return owners.find((owner) => isEscrow(directory, cluster, owner))
}

/** Throws 403 `ESCROW_LOCKED`. */
export function checkNoEscrow(directory: Directory, cluster: string, address: string, pointer?: string): void {
  if (escrowBehind(directory, cluster, address) !== undefined) throw locked(address, pointer)
}

const NONE: ReadonlySet<string> = new Set()

/**
 * A message that somebody else than the adapter made neither needs the signature of an escrow nor changes one or its positions.
 *
 * Throws 403 `ESCROW_LOCKED`. @param vouched accounts that the adapter signs for in this very message
 */
export function checkEscrowsLeftAlone(
  directory: Directory,
  cluster: string,
  { effects, signers }: { readonly effects: readonly Effect[]; readonly signers: readonly string[] },
  vouched: ReadonlySet<string> = NONE,
): void {
  for (const address of [...signers, ...effects.flatMap(changedBy)]) {
    const escrow = escrowBehind(directory, cluster, address)
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
