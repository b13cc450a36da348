// PATCH /address-lookup-tables: changes the description of a table, or freezes, deactivates or closes it on chain.
import { SLOT_HASHES_SYSVAR } from '../../solana/address.ts'
import { closeTable, deactivateTable, freezeTable } from '../../solana/instructions/lookup-table.ts'
import type { Instruction } from '../../solana/message.ts'
import { decodeSlotHashes } from '../../solana/system-layout.ts'
import type { RecordState } from '../../engine/records/record.ts'
import type { UnitOfWork } from '../../engine/records/unit-of-work.ts'
import type { Outcome } from '../../contract/call.ts'
import { holdingChanges } from '../holdings/changes.ts'
import { changeRecords } from '../transactions/change-records.ts'
import type { TransactionBody } from '../../contract/values/chain-config.ts'
import type { UpdateLookupTableInput } from '../../contract/schemas/lookup-table.ts'
import type { Platform, Write, Context } from '../context/platform.ts'
import { idsOfHolding } from '../views/read-models/account.ts'
import { badRequest, busy } from '../../contract/refusal.ts'
import { authorityOf, currentTable, namedTable, type NamedTable } from './named.ts'
import { decidedChanges } from '../lookup/own-messages.ts'
import { feePayerOf } from '../transactions/fee-payer.ts'
import { clusterOf, transact } from '../transactions/transact.ts'
import type { WithIds } from '../../contract/schemas/members.ts'

type Members = WithIds<'updatedAddressLookupTable'>

const POINTER = '/itemData/addressLookupTable'
const ACTION = '/itemData/action'
const COMPUTE_UNITS = 20_000

type Action = NonNullable<UpdateLookupTableInput['action']>
type Table = RecordState<'lookupTable'>

export const updateLookupTable: Write<TransactionBody<UpdateLookupTableInput>, Members> = async (
  context,
  { itemData, chainTransactionConfig },
) => {
  const { platform } = context
  const { action } = itemData
  if (action === undefined) return await describe(context, itemData)
  const { state: now } = await currentTable(context, itemData.addressLookupTable, POINTER)
  checkAction(platform, now, action)
  const cooling = action === 'CLOSE' ? await coolingBlocks(context, now) : 0
  if (cooling > 0) {
    throw badRequest(
      'TABLE_DEACTIVATING',
      `the deactivation is not complete: the table can be closed in about ${cooling} blocks`,
      ACTION,
    )
  }
  return await transact(context, chainTransactionConfig, () => {
    const table = namedTable(context, itemData.addressLookupTable, POINTER)
    checkAction(platform, table.state, action)
    const authority = authorityOf(platform, table.state, POINTER)
    const feePayer = feePayerOf(context, chainTransactionConfig)
    return {
      instructions: [instructionOf(action, table.state, authority.address, feePayer.address)],
      feePayer,
      parties: [authority],
      computeUnits: COMPUTE_UNITS,
      prepare: (unit) => change(context, unit, table, itemData),
      members: membersOf(table.state),
      shape: 'member',
    }
  })
}

/** Changes the record only, without a transaction. */
async function describe(context: Context, itemData: UpdateLookupTableInput): Promise<Outcome<Members>> {
  return await changeRecords(context, (unit) => {
    const table = namedTable(context, itemData.addressLookupTable, POINTER)
    change(context, unit, table, itemData)
    return { members: membersOf(table.state) }
  })
}

function change(
  context: Context,
  unit: UnitOfWork,
  { entry, state }: NamedTable,
  itemData: UpdateLookupTableInput,
): void {
  const { offchainReferences, comments } = itemData
  if (offchainReferences === undefined && comments === undefined) return
  unit.send<'lookupTable'>(entry, {
    type: 'command.update',
    changes: holdingChanges(context, state, { offchainReferences, comments }, '/itemData'),
  })
}

/**
 * Throws 400 `TABLE_FROZEN`, `TABLE_BUSY`, `TABLE_DEACTIVATED`, `TABLE_ACTIVE`, `TABLE_EMPTY` for an action that the
 * program would refuse.
 */
function checkAction(platform: Platform, state: Table, action: Action): void {
  if (state.value === 'pending') throw busy('TABLE_BUSY', 'the creation of the table is under way', POINTER)
  if (decidedChanges(platform.engine, state).length > 0)
    throw busy('TABLE_BUSY', 'another change of the table is under way', POINTER)
  if (state.value === 'frozen')
    throw badRequest('TABLE_FROZEN', 'the table is frozen: it cannot be changed or closed', ACTION)
  if (action === 'CLOSE') {
    if (state.value !== 'deactivating')
      throw badRequest('TABLE_ACTIVE', 'the table must be deactivated before it is closed', ACTION)
    return
  }
  if (state.value === 'deactivating') throw badRequest('TABLE_DEACTIVATED', 'the table is deactivated already', ACTION)
  if (action === 'FREEZE' && state.context.addresses.length === 0)
    throw badRequest('TABLE_EMPTY', 'a table without addresses cannot be frozen', ACTION)
}

/**
 * Blocks until the deactivation slot has left SlotHashes; the program then allows the table to be closed. 0: it has
 * left.
 */
async function coolingBlocks({ platform, call }: Context, { context }: Table): Promise<number> {
  const since = context.deactivatedAtSlot
  const [sysvar] = await clusterOf({ platform, call }).accounts([SLOT_HASHES_SYSVAR])
  if (since === null || sysvar === null || sysvar === undefined) return 0
  const slots = decodeSlotHashes(sysvar.data)
  const newest = slots[0]
  const position = slots.indexOf(BigInt(since))
  if (position >= 0) return slots.length - position
  // The deactivation slot is not in SlotHashes yet.
  return newest !== undefined && newest < BigInt(since) ? slots.length + 1 : 0
}

function instructionOf(action: Action, { context }: Table, authority: string, feePayer: string): Instruction {
  switch (action) {
    case 'FREEZE':
      return freezeTable(context.address, authority)
    case 'DEACTIVATE':
      return deactivateTable(context.address, authority)
    case 'CLOSE':
      // Rent paid by another organization's fee payer returns to that account.
      return closeTable(context.address, authority, context.rentPayer?.address ?? feePayer)
  }
}

function membersOf(state: Table): Members {
  return { updatedAddressLookupTable: idsOfHolding(state) }
}
