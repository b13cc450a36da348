// An account whose address has a key outside is not closed while a signed message pays into it: the holder of that key
// could make another account there, and the message would pay it.
import { badRequest } from '../../../contract/refusal.ts'
import { ownRecordsAt } from '../../lookup/whose-records.ts'
import { Control, type ControlDependencies } from '../control.ts'
import { isPaidInto } from '../open-changes.ts'

/** Throws 400 `POSITION_BUSY`. */
export function checkClosings(inputs: ControlDependencies): void {
  const { directory, tenant, cluster } = inputs
  for (const effect of inputs.effects) {
    if (effect.kind !== 'close' || ownRecordsAt(directory, tenant, cluster, effect.account).length === 0) continue
    const { account } = effect
    if (!isPaidInto(inputs, account) || new Control(inputs).isAddressKept(account)) continue
    throw badRequest(
      'POSITION_BUSY',
      `a signed transaction pays into ${account}, whose key is not kept here alone: it can be closed once that has ended`,
      '/itemData',
    )
  }
}
