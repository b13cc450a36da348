// POST /accounts: creates a wallet, fee payer, authority or reserved space: with a new key, an imported key, or as a
// record of an existing account.
import { createAccountInstruction as createOnChain, transferLamports } from '../../solana/instructions/system.ts'
import { SYSTEM_PROGRAM } from '../../solana/address.ts'
import type { Instruction } from '../../solana/message.ts'
import type { UnitOfWork } from '../../engine/records/unit-of-work.ts'
import type { AccountType, Holding } from '../../../machines/holding.ts'
import { disagreement, rawUnits } from '../lookup/amounts.ts'
import type { Outcome } from '../../contract/call.ts'
import { changeRecords } from '../transactions/change-records.ts'
import type { NewAccountInput } from '../../contract/schemas/new-account.ts'
import type { TransactionBody } from '../../contract/values/chain-config.ts'
import { keepKey, type NewAddress } from '../holdings/keys.ts'
import { checkUnique, newAccountPlan, newHolding } from '../holdings/new-holding.ts'
import { kindOnchain, plainAccount } from '../holdings/onchain-kind.ts'
import { isOfAnyType, LIMIT_LISTS, LIMITED_TYPES, SPECIALISED_TYPES } from '../../contract/holding-types.ts'
import type { Write, Context } from '../context/platform.ts'
import { NETWORK_DECIMALS } from '../views/read-models/amounts.ts'
import { badRequest, refuseAll } from '../../contract/refusal.ts'
import { together } from '../../contract/together.ts'
import type { Draft } from '../transactions/draft.ts'
import { feePayerOf } from '../transactions/fee-payer.ts'
import { clusterOf, transact } from '../transactions/transact.ts'
import { holdingOf, type Party } from '../lookup/party.ts'
import type { WithIds } from '../../contract/schemas/members.ts'

type Members = WithIds<'newAccount'>

const COMPUTE_UNITS = 20_000

export const createAccount: Write<TransactionBody<NewAccountInput>, Members> = async (context, body) => {
  const { platform, call } = context
  const { itemData, chainTransactionConfig } = body
  const type = itemData.offchainReferences?.type ?? 'WALLET'
  const { seedAmount, seedLamports, dataLength } = itemData
  const wantsTransaction = [seedAmount, seedLamports, dataLength, chainTransactionConfig].some(
    (each) => each !== undefined,
  )
  const signs = wantsTransaction && itemData.alreadyOnchain !== true
  const [, seed, plan] = together(
    () => checkType(itemData, type),
    () => seedOf(itemData),
    () => newAccountPlan(context, itemData, { type, use: { signs } }, '/itemData'),
  )
  const fresh = await plan()
  const id = platform.ids()
  const members = { newAccount: { onchainId: fresh.address, offchainId: id } }
  if (!signs) return await onboard(context, itemData, type, { fresh, id, members })

  const space = itemData.dataLength ?? 0
  const rentExempt = await clusterOf(context).rentExemptLamports(space)
  const lamports = seed !== null && seed > rentExempt ? seed : rentExempt
  return await transact(context, chainTransactionConfig, (): Draft<Members> => {
    const feePayer = feePayerOf(context, chainTransactionConfig)
    const payer = holdingOf(feePayer)
    if ((seed !== null || space > 0) && payer !== null && payer.context.organization !== call.organization) {
      throw badRequest(
        'FEE_PAYER_NOT_OWN',
        'a fee payer of another organization may not pay seed or reserved space',
        '/chainTransactionConfig/feePayer',
      )
    }
    return {
      instructions: [creation(feePayer.address, fresh.address, lamports, space)],
      feePayer,
      parties: [],
      freshKeys: fresh.key === null ? [] : [fresh.key.fresh],
      ...(space > 0 ? {} : { walletRent: rentExempt }),
      computeUnits: COMPUTE_UNITS,
      prepare: (unit) =>
        createRecord(context, unit, itemData, {
          type,
          fresh,
          id,
          inputs: { dataLength: space, feePayer },
          make: (holding) => {
            const place = { tenant: call.tenant, cluster: call.cluster, id }
            const { tokenVersion } = itemData
            const context = { ...holding, tokenDecimals: null, ...(tokenVersion === undefined ? {} : { tokenVersion }) }
            unit.create('account', place, { holding: context, state: 'pending' })
          },
        }),
      members,
      shape: 'member',
    }
  })
}

/** Allocated space needs the signature of the new account; without space a transfer creates the account. */
function creation(payer: string, account: string, lamports: bigint, space: number): Instruction {
  return space > 0
    ? createOnChain({ payer, account, lamports, space, owner: SYSTEM_PROGRAM })
    : transferLamports(payer, account, lamports)
}

async function onboard(
  context: Context,
  itemData: NewAccountInput,
  type: AccountType,
  { fresh, id, members }: { readonly fresh: NewAddress; readonly id: string; readonly members: Members },
): Promise<Outcome<Members>> {
  const onchain = itemData.alreadyOnchain === true ? await readOnchain(context, fresh.address, itemData) : null
  const make =
    onchain === null
      ? plainAccount(context.call, null, itemData.tokenVersion)
      : await kindOnchain(context, clusterOf(context), {
          type,
          address: fresh.address,
          account: onchain,
          tokenVersion: itemData.tokenVersion,
        })
  return await changeRecords(context, (unit) => {
    const inputs = {
      dataLength: onchain?.data.length ?? 0,
      ownerProgram: onchain?.owner ?? SYSTEM_PROGRAM,
      lamports: onchain?.lamports ?? 0n,
    }
    createRecord(context, unit, itemData, { type, fresh, id, inputs, make: (holding) => make(unit, id, holding) })
    return { members }
  })
}

async function readOnchain(context: Context, address: string, itemData: NewAccountInput) {
  const [account] = await clusterOf(context).accounts([address])
  if ((account === null || account === undefined) && itemData.skipBlockchainExistenceVerification !== true) {
    throw badRequest('ACCOUNT_NOT_ONCHAIN', `account ${address} does not exist on the cluster`, '/itemData/onchainId')
  }
  return account ?? null
}

function createRecord(
  context: Context,
  unit: UnitOfWork,
  itemData: NewAccountInput,
  {
    type,
    fresh,
    id,
    inputs,
    make,
  }: {
    readonly type: AccountType
    readonly fresh: NewAddress
    readonly id: string
    readonly inputs: {
      readonly dataLength: number
      readonly ownerProgram?: string
      readonly lamports?: bigint
      readonly feePayer?: Party
    }
    readonly make: (holding: Holding) => void
  },
): void {
  const { tenant, cluster } = context.call
  const { address, key } = fresh
  const holding = newHolding(context, itemData, { address, key, type, ...inputs }, '/itemData')
  checkUnique(context, holding, '/itemData')
  if (key !== null) keepKey(unit, { tenant, cluster, id, address }, key.fresh)
  make(holding)
}

function checkType(itemData: NewAccountInput, type: AccountType): void {
  const specialised = SPECIALISED_TYPES[type]
  const found = []
  if (specialised !== undefined && itemData.alreadyOnchain !== true) {
    found.push({
      code: 'USE_SPECIALISED_ENDPOINT',
      message: `an account of type ${type} must be created with ${specialised}`,
      pointer: '/itemData/offchainReferences/type',
    })
  }
  for (const member of LIMIT_LISTS) {
    const limits = itemData[member] ?? null
    if (limits !== null && !LIMITED_TYPES.has(type) && !isOfAnyType(member, limits)) {
      found.push({
        code: 'LIMITS_NOT_APPLICABLE',
        message: `debit limits apply to ${[...LIMITED_TYPES].join(', ')} only`,
        pointer: `/itemData/${member}`,
      })
    }
  }
  refuseAll(found)
}

function seedOf({ seedAmount, seedLamports }: NewAccountInput): bigint | null {
  const shown = seedAmount === undefined ? null : rawUnits(seedAmount, NETWORK_DECIMALS, '/itemData/seedAmount')
  const raw = seedLamports === undefined ? null : rawUnits(seedLamports, 0, '/itemData/seedLamports')
  if (shown !== null && raw !== null && shown !== raw) throw disagreement('seedAmount', '/itemData/seedLamports')
  return shown ?? raw
}
