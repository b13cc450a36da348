// Requests about transactions of other cells: the cell that receives the request finds the transaction by its name, and
// the cell that owns the transaction serves the request.
import type { JsonObject, Outcome } from '../../contract/call.ts'
import type { SignTransactionInput, SubmitTransactionInput } from '../../contract/schemas/transaction.ts'
import type { Context } from '../context/platform.ts'
import { eachTogether } from '../../contract/together.ts'
import { resolveParty } from '../lookup/account.ts'
import { requestOfOtherCell, type RequestName } from '../lookup/requests-of-other-cells.ts'
import { servedBy, type ServedOperation } from '../transactions/served-request.ts'

/**
 * The outcome of a request about a transaction of another cell that the caller's organization is asked to sign;
 * undefined: there is no such transaction. Throws 400 `ACCOUNT_NOT_FOUND` for a signer, and `NotAtHand`.
 */
export function askOwningCell(
  context: Context,
  name: RequestName,
  {
    operation,
    itemData,
  }: { readonly operation: ServedOperation; readonly itemData: SignTransactionInput | SubmitTransactionInput },
): Outcome | undefined {
  const { platform, call } = context
  const known = 'id' in name ? platform.engine.directory.byId(name.id) : undefined
  if (call.servedFor !== undefined || (known !== undefined && platform.engine.owns(known.head.tenant))) return undefined
  const transaction = requestOfOtherCell(context, name)
  if (transaction === undefined) return undefined
  const signers = 'signers' in itemData ? itemData.signers : undefined
  const addresses = eachTogether(signers ?? [], (lookup, index) => {
    const { address } = resolveParty(context, lookup, `/itemData/signers/${index}`)
    return { onchainId: address }
  })
  const input = { ...itemData, ...(signers === undefined ? {} : { signers: addresses }) } as unknown as JsonObject
  return servedBy(transaction.tenant, transaction.id, { operation, input })
}
