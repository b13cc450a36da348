// POST /address-lookup-tables: creates a table with its addresses, over several transactions if necessary, or records
// an existing table.
import { lookupTableAddress } from '../../solana/derive.ts'
import { LOOKUP_TABLE_PROGRAM, SLOT_HASHES_SYSVAR } from '../../solana/address.ts'
import { FormatError } from '../../solana/format-error.ts'
import { createTable } from '../../solana/instructions/lookup-table.ts'
import { decodeSlotHashes } from '../../solana/system-layout.ts'
import type { UnitOfWork } from '../../engine/records/unit-of-work.ts'
import { tableBytes, type TableContents } from '../../../machines/lookup-table.ts'
import type { Outcome } from '../../contract/call.ts'
import { checkNewHolding, checkUnique, newHolding } from '../holdings/new-holding.ts'
import { checkNewMembers } from '../holdings/new-members.ts'
import { changeRecords } from '../transactions/change-records.ts'
import type { NewAccountInput } from '../../contract/schemas/new-account.ts'
import type { NewLookupTableInput } from '../../contract/schemas/lookup-table.ts'
import type { TransactionBody } from '../../contract/values/chain-config.ts'
import { ownRecordsAt } from '../lookup/whose-records.ts'
import { runPlan } from '../transactions/plans/run-plan.ts'
import type { ChainAccount, Write, Context } from '../context/platform.ts'
import { badRequest, busy, refuseAll } from '../../contract/refusal.ts'
import { alongWith, eachTogether, together } from '../../contract/together.ts'
import { optionalParty, resolveParty } from '../lookup/account.ts'
import type { Party } from '../lookup/party.ts'
import { component, componentAddresses } from './components.ts'
import { stateOfContents, tableContents } from '../reconcile/table-contents.ts'
import { stepData } from './step-draft.ts'
import { portionsOf } from './portions.ts'
import { feePayerOf } from '../transactions/fee-payer.ts'
import { clusterOf } from '../transactions/transact.ts'
import type { WithIds } from '../../contract/schemas/members.ts'

type Members = WithIds<'newAddressLookupTable'>

const POINTER = '/itemData/addressLookupTable'
const TYPE = 'ADDRESS_LOOKUP_TABLE'

export const createLookupTable: Write<TransactionBody<NewLookupTableInput>, Members> = async (
  context,
  { itemData, chainTransactionConfig },
) => {
  const { platform } = context
  const input = itemData.addressLookupTable ?? {}
  const checked = (): void => {
    together(
      () => checkInput(input),
      () => checkNewHolding(context, input, { type: TYPE }, POINTER),
    )
  }
  if (input.alreadyOnchain === true) {
    alongWith(checked, () => namedContents(context, itemData))
    return await onboard(context, itemData, input)
  }
  const [, authority, addresses] = together(
    checked,
    () => {
      if (itemData.authority === undefined) throw badRequest('REQUIRED', 'authority is required', '/itemData/authority')
      return resolveParty(context, itemData.authority, '/itemData/authority')
    },
    () => componentAddresses(context, itemData.componentAddresses ?? [], [], '/itemData/componentAddresses'),
  )
  for (;;) {
    const place = await freePlace(context, authority.address)
    const id = platform.ids()
    try {
      return await createAt(context, { itemData, chainTransactionConfig }, { ...place, id, authority, addresses })
    } catch (error) {
      // Another request has taken the place since it was chosen: nothing of this one was recorded.
      const { tenant, cluster } = context.call
      const there = ownRecordsAt(platform.engine.directory, tenant, cluster, place.address)
      if (!there.some(({ head }) => head.id !== id)) throw error
    }
  }
}

interface TablePlace {
  readonly slot: bigint
  readonly address: string
  /** Of the record. */
  readonly id: string
  readonly authority: Party
  readonly addresses: readonly string[]
}

async function createAt(
  context: Context,
  { itemData, chainTransactionConfig }: TransactionBody<NewLookupTableInput>,
  { slot, address, id, authority, addresses }: TablePlace,
): Promise<Outcome<Members>> {
  const payer = feePayerOf(context, chainTransactionConfig).address
  const by = { table: address, authority: authority.address, payer }
  const creation = createTable({ ...by, recentSlot: slot }).instruction
  const portions = portionsOf(addresses, by, [creation], chainTransactionConfig)
  return await runPlan(context, chainTransactionConfig, {
    purpose: 'lookupTable',
    steps: portions.map((portion, index) => ({
      data: stepData({
        table: address,
        authority: itemData.authority ?? {},
        recentSlot: index === 0 ? slot.toString() : null,
        addresses: portion,
      }),
      records: index === 0 ? [id] : [],
    })),
    members: membersOf(address, id),
    prepare: (unit) => {
      const input = itemData.addressLookupTable ?? {}
      const feePayer = feePayerOf(context, chainTransactionConfig)
      const contents = { authority: refer(authority), addresses: [], extendedAtSlot: null, deactivatedAtSlot: null }
      createRecord(context, unit, { input, address, id, contents, state: 'pending', feePayer })
    },
  })
}

function refer({ address, entry }: Party): { address: string; id: string | null } {
  return { address, id: entry?.head.id ?? null }
}

/** The address is derived from the authority and a slot, so only an existing table can be named. Throws 400. */
function checkInput(input: NewAccountInput): void {
  const { publickKey, dkgKeys = [] } = input.privateKeyDetails ?? {}
  const derived = {
    onchainId: input.onchainId,
    'privateKeyDetails/publickKey': publickKey,
    'privateKeyDetails/dkgKeys': dkgKeys[0],
  }
  const given = Object.entries(derived).filter(([, value]) => value !== undefined && input.alreadyOnchain !== true)
  const message = 'the address of a new table is derived: onchainId is allowed only with alreadyOnchain'
  together(
    () => checkNewMembers(input, [TYPE], POINTER),
    () => {
      if (input.privateKeyDetails?.privateKey !== undefined)
        throw badRequest('NOT_APPLICABLE', 'a table has no private key', `${POINTER}/privateKeyDetails/privateKey`)
    },
    () => refuseAll(given.map(([member]) => ({ code: 'ADDRESS_DERIVED', message, pointer: `${POINTER}/${member}` }))),
  )
}

/** The newest slot with a block for which no table of this authority exists. Throws 400 `TABLE_BUSY`. */
async function freePlace(context: Context, authority: string): Promise<{ slot: bigint; address: string }> {
  const { platform, call } = context
  const cluster = clusterOf(context)
  const [sysvar] = await cluster.accounts([SLOT_HASHES_SYSVAR])
  const slots = sysvar === null || sysvar === undefined ? [] : decodeSlotHashes(sysvar.data)
  for (const slot of slots.slice(0, SLOTS_TRIED)) {
    const { address } = lookupTableAddress(authority, slot)
    if (ownRecordsAt(platform.engine.directory, call.tenant, call.cluster, address).length > 0) continue
    const [there] = await cluster.accounts([address])
    if (there === null) return { slot, address }
  }
  throw busy('TABLE_BUSY', 'this authority creates too many tables at once: retry the request', '/itemData/authority')
}

/** Older slots would leave little time to sign. */
const SLOTS_TRIED = 256

async function onboard(
  context: Context,
  itemData: NewLookupTableInput,
  input: NewAccountInput,
): Promise<Outcome<Members>> {
  const { platform } = context
  const address = input.onchainId ?? input.privateKeyDetails?.publickKey
  if (address === undefined)
    throw badRequest('REQUIRED', 'onchainId is required for a table that is on chain', `${POINTER}/onchainId`)
  const publicKey = input.privateKeyDetails?.publickKey
  if (publicKey !== undefined && publicKey !== address)
    throw badRequest(
      'PRIVATE_KEY_MISMATCH',
      'publickKey must equal onchainId',
      `${POINTER}/privateKeyDetails/publickKey`,
    )
  const [account] = await clusterOf(context).accounts([address])
  if (account === null || account === undefined)
    throw badRequest('ACCOUNT_NOT_ONCHAIN', `account ${address} does not exist on the cluster`, `${POINTER}/onchainId`)
  const contents = read(context, account)
  const id = platform.ids()
  return await changeRecords(context, (unit) => {
    checkNamed(context, itemData, contents)
    createRecord(context, unit, {
      input,
      address,
      id,
      contents,
      state: stateOfContents(contents),
      lamports: account.lamports,
    })
    return { members: membersOf(address, id) }
  })
}

function read({ platform, call: { tenant, cluster } }: Context, account: ChainAccount): TableContents {
  try {
    return tableContents(platform, { tenant, cluster }, account)
  } catch (error) {
    if (error instanceof FormatError) throw badRequest('LOOKUP_MISMATCH', error.message, `${POINTER}/onchainId`)
    throw error
  }
}

/** The request must agree with the table on chain. Throws 400 `LOOKUP_MISMATCH`. */
function checkNamed(context: Context, itemData: NewLookupTableInput, contents: TableContents): void {
  const { authority, components } = namedContents(context, itemData)
  together(
    () => {
      if (authority !== null && authority.address !== contents.authority?.address) {
        const message = 'the table on chain has a different authority, or none'
        throw badRequest('LOOKUP_MISMATCH', message, '/itemData/authority')
      }
    },
    () =>
      eachTogether(components, ({ address }, index) => {
        if (contents.addresses.includes(address)) return
        const pointer = `/itemData/componentAddresses/${index}`
        throw badRequest('LOOKUP_MISMATCH', `${address} is not in the table on chain`, pointer)
      }),
  )
}

/** What the request says of a table that is on chain. */
function namedContents(context: Context, { authority, componentAddresses = [] }: NewLookupTableInput) {
  const [party, components] = together(
    () => optionalParty(context, authority, '/itemData/authority'),
    () =>
      eachTogether(componentAddresses, (lookup, index) => {
        const pointer = `/itemData/componentAddresses/${index}`
        return resolveParty(context, component(lookup), pointer)
      }),
  )
  return { authority: party, components }
}

interface NewTable {
  readonly input: NewAccountInput
  readonly address: string
  readonly id: string
  readonly contents: TableContents
  readonly state: 'pending' | 'active' | 'deactivating' | 'frozen'
  readonly lamports?: bigint
  readonly feePayer?: Party
}

function createRecord(context: Context, unit: UnitOfWork, table: NewTable): void {
  const { call } = context
  const { input, address, id, contents, state, lamports = 0n, feePayer } = table
  const deps = {
    address,
    key: null,
    type: 'ADDRESS_LOOKUP_TABLE',
    ownerProgram: LOOKUP_TABLE_PROGRAM,
    dataLength: tableBytes(contents.addresses.length),
    lamports,
    isDerived: true,
    ...(feePayer === undefined ? {} : { feePayer }),
  } as const
  const holding = newHolding(context, input, deps, POINTER)
  checkUnique(context, holding, POINTER, badRequest)
  unit.create(
    'lookupTable',
    { tenant: call.tenant, cluster: call.cluster, id },
    { state, holding: { ...holding, ...contents } },
  )
}

function membersOf(address: string, id: string): Members {
  return { newAddressLookupTable: { onchainId: address, offchainId: id } }
}
