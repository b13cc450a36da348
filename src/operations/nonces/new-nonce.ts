// The record of a nonce account, created now or found on chain.
import { NONCE_SPACE } from '../../solana/instructions/nonce.ts'
import { FormatError } from '../../solana/format-error.ts'
import { decodeNonce } from '../../solana/system-layout.ts'
import type { UnitOfWork } from '../../engine/records/unit-of-work.ts'
import type { AccountRef } from '../../../machines/holding.ts'
import { keepKey, type NewAddress } from '../holdings/keys.ts'
import { checkUnique, newAccountPlan, newHolding } from '../holdings/new-holding.ts'
import { checkNewMembers } from '../holdings/new-members.ts'
import type { NewAccountInput } from '../../contract/schemas/new-account.ts'
import type { ChainAccount, Context } from '../context/platform.ts'
import { badRequest } from '../../contract/refusal.ts'
import { together } from '../../contract/together.ts'
import type { Party } from '../lookup/party.ts'

export interface NewNonce {
  readonly id: string
  readonly fresh: NewAddress
  readonly input: NewAccountInput
  readonly pointer: string
}

/** State of an account that exists on chain. */
export interface FoundNonce {
  readonly value: string | null
  readonly slot: number | null
  readonly lamports: bigint
}

/** Checks the members of a nonce account, and returns what makes its key. */
export function noncePlan(context: Context, input: NewAccountInput, pointer: string): () => Promise<NewNonce> {
  const { platform } = context
  const isUnnamed = input.onchainId === undefined && input.privateKeyDetails === undefined
  const [, , , plan] = together(
    () => checkNewMembers(input, ['NONCE'], pointer),
    () => {
      if (input.canPayFees === true)
        throw badRequest('FEE_PAYER_INVALID', 'an account with data cannot pay fees', `${pointer}/canPayFees`)
    },
    () => {
      if (input.alreadyOnchain === true && isUnnamed)
        throw badRequest('REQUIRED', 'onchainId is required for an account that is on chain', `${pointer}/onchainId`)
    },
    () => newAccountPlan(context, input, { type: 'NONCE', dataLength: NONCE_SPACE }, pointer),
  )
  return async () => ({ id: platform.ids(), fresh: await plan(), input, pointer })
}

/** Throws 400 `ACCOUNT_NOT_ONCHAIN`, `NOT_A_NONCE_ACCOUNT`, `LOOKUP_MISMATCH`. */
export function foundNonce(
  { input, pointer, fresh }: NewNonce,
  account: ChainAccount | null,
  slot: number,
  authority: string,
): FoundNonce {
  if (account === null) {
    if (input.skipBlockchainExistenceVerification === true) return { value: null, slot: null, lamports: 0n }
    throw badRequest(
      'ACCOUNT_NOT_ONCHAIN',
      `no finalized account ${fresh.address} exists on the cluster`,
      `${pointer}/onchainId`,
    )
  }
  const state = decoded(account, pointer)
  if (state.authority !== authority) {
    throw badRequest(
      'LOOKUP_MISMATCH',
      `${fresh.address} has a different authority on chain`,
      '/itemData/nonceAuthority',
    )
  }
  return { value: state.value, slot, lamports: account.lamports }
}

function decoded(account: ChainAccount, pointer: string): ReturnType<typeof decodeNonce> {
  try {
    return decodeNonce(account.data, account.owner)
  } catch (error) {
    if (error instanceof FormatError) throw badRequest('NOT_A_NONCE_ACCOUNT', error.message, `${pointer}/onchainId`)
    throw error
  }
}

/** @param found null: the account is created now, and `feePayer` pays its rent */
export function createNonceRecord(
  context: Context,
  unit: UnitOfWork,
  { id, fresh, input, pointer }: NewNonce,
  {
    authority,
    found,
    feePayer,
  }: { readonly authority: AccountRef; readonly found: FoundNonce | null; readonly feePayer?: Party | undefined },
): void {
  const { call } = context
  const deps = {
    address: fresh.address,
    key: fresh.key,
    type: 'NONCE' as const,
    dataLength: NONCE_SPACE,
    lamports: found?.lamports ?? 0n,
    ...(feePayer === undefined || found !== null ? {} : { feePayer }),
  }
  const holding = newHolding(context, input, deps, pointer)
  checkUnique(context, holding, pointer, badRequest)
  const place = { tenant: call.tenant, cluster: call.cluster, id }
  if (fresh.key !== null) keepKey(unit, { ...place, address: fresh.address }, fresh.key.fresh)
  unit.create('nonce', place, {
    state: found === null ? 'pending' : 'active',
    holding: { ...holding, authority, value: found?.value ?? null, valueSlot: found?.slot ?? null, lease: null },
  })
}
