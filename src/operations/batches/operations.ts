// The operations that a batch can consist of: the function that makes one item, the role that it requires, and the
// items that may not share a transaction.
import type { BatchOperation } from '../../../machines/batch.ts'
import type { Role } from '../../contract/roles.ts'
import { burnTokens } from '../positions/burn.ts'
import type { Call, JsonObject } from '../../contract/call.ts'
import { createAccount } from '../accounts/create.ts'
import { initializePosition } from '../positions/initialize.ts'
import { mintTokens } from '../positions/mint.ts'
import type { Write } from '../context/platform.ts'
import { forbidden } from '../../contract/refusal.ts'
import { freezePosition, unfreezePosition } from '../positions/switch.ts'
import { transferNetworkCurrency } from '../positions/transfer-network-currency.ts'
import { transferTokens } from '../positions/transfer.ts'

interface Operation {
  readonly write: Write<never>
  readonly role: Role
  /** True: two items cannot have the same effect, e.g. create the same account. */
  readonly once?: boolean
}

export const OPERATIONS: Readonly<Record<BatchOperation, Operation>> = {
  TRANSFER: { write: transferTokens, role: 'POSITIONS_WRITE' },
  TRANSFER_NETWORK_CURRENCY: { write: transferNetworkCurrency, role: 'POSITIONS_WRITE' },
  MINT: { write: mintTokens, role: 'POSITIONS_WRITE' },
  BURN: { write: burnTokens, role: 'POSITIONS_WRITE' },
  FREEZE: { write: freezePosition, role: 'POSITIONS_WRITE', once: true },
  UNFREEZE: { write: unfreezePosition, role: 'POSITIONS_WRITE', once: true },
  CREATE_ACCOUNT: { write: createAccount, role: 'ACCOUNTS_WRITE', once: true },
  INITIALIZE_POSITION: { write: initializePosition, role: 'POSITIONS_WRITE', once: true },
}

/**
 * Members for which the instructions of an item are computed from the state right before it. In a shared transaction an
 * earlier item may change that state after the item was planned.
 */
const DEPENDENT_MEMBERS = [
  'transferEntireBalance',
  'burnEntireBalance',
  'unfreezeSource',
  'freezeSource',
  'unfreezeDestination',
  'freezeDestination',
]

/** True if the item needs a transaction of its own. */
export function isAlone(data: JsonObject): boolean {
  return DEPENDENT_MEMBERS.some((member) => data[member] === true)
}

/** Throws 403 `ROLE_REQUIRED`: a batch requires the role of its operation. */
export function requireOperationRole({ caller }: Call, operation: BatchOperation): void {
  const { role } = OPERATIONS[operation]
  if (!caller.roles.has(role))
    throw forbidden('ROLE_REQUIRED', `role ${role} is required for ${operation}`, '/itemData/operation')
}
