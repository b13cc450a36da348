// PATCH /address-lookup-tables/extend: adds addresses, over several transactions if necessary.
import type { ExtendLookupTableInput } from '../../contract/schemas/lookup-table.ts'
import type { TransactionBody } from '../../contract/values/chain-config.ts'
import { runPlan } from '../transactions/plans/run-plan.ts'
import type { Write } from '../context/platform.ts'
import { idsOfHolding } from '../views/read-models/account.ts'
import { badRequest, busy } from '../../contract/refusal.ts'
import { alongWithAsync } from '../../contract/together.ts'
import { componentAddresses } from './components.ts'
import { stepData } from './step-draft.ts'
import { authorityOf, currentTable } from './named.ts'
import { portionsOf } from './portions.ts'
import { eventsUnderWay } from '../lookup/own-messages.ts'
import { feePayerOf } from '../transactions/fee-payer.ts'
import type { WithIds } from '../../contract/schemas/members.ts'

type Members = WithIds<'extendedAddressLookupTable'>

const POINTER = '/itemData/addressLookupTable'

export const extendLookupTable: Write<TransactionBody<ExtendLookupTableInput>, Members> = async (
  context,
  { itemData, chainTransactionConfig },
) => {
  const { platform } = context
  const { state } = await alongWithAsync(
    () => currentTable(context, itemData.addressLookupTable, POINTER),
    () => componentAddresses(context, itemData.componentAddresses, [], '/itemData/componentAddresses'),
  )
  const authority = authorityOf(platform, state, POINTER)
  if (state.value === 'deactivating')
    throw badRequest('TABLE_DEACTIVATED', 'a deactivated table cannot be extended', POINTER)
  const coming = eventsUnderWay(platform.engine, state)
  if (coming.some(({ type }) => type !== 'chain.extended'))
    throw busy('TABLE_BUSY', 'another change of the table is under way', POINTER)
  const present = [...state.context.addresses, ...coming.flatMap((event) => event['addresses'] as string[])]
  const addresses = componentAddresses(context, itemData.componentAddresses, present, '/itemData/componentAddresses')
  const table = state.context.address
  const payer = feePayerOf(context, chainTransactionConfig).address
  const portions = portionsOf(addresses, { table, authority: authority.address, payer }, [], chainTransactionConfig)
  // Finds a live record of the address, and needs none.
  const lookup = { onchainId: authority.address, offPlatform: true }
  return await runPlan(context, chainTransactionConfig, {
    purpose: 'lookupTable',
    steps: portions.map((portion) => ({
      data: stepData({ table, authority: lookup, recentSlot: null, addresses: portion }),
      records: [],
    })),
    members: { extendedAddressLookupTable: idsOfHolding(state) },
  })
}
