// Creates the record of a position, and the instructions that create its token account.
import { createAssociatedIdempotent } from '../../solana/instructions/associated-token.ts'
import { associatedAccountBytes, extensionTypesOf, plainAccountBytes } from '../../solana/mint-size.ts'
import type { MintExtension } from '../../solana/mint-extensions.ts'
import { associatedTokenAddress } from '../../solana/derive.ts'
import type { Instruction } from '../../solana/message.ts'
import type { RecordState } from '../../engine/records/record.ts'
import type { UnitOfWork } from '../../engine/records/unit-of-work.ts'
import type { AccountRef, AccountType } from '../../../machines/holding.ts'
import { checkUnique, newHolding } from './new-holding.ts'
import type { NewAccountInput } from '../../contract/schemas/new-account.ts'
import { type Party, accountOf } from '../lookup/party.ts'
import { keepKey, type AccountKey } from './keys.ts'
import type { Platform, Context } from '../context/platform.ts'
import { conflict, type badRequest } from '../../contract/refusal.ts'
import { instrumentRef, tokenProgramOf } from '../lookup/instrument.ts'
import { otherAuthorities } from '../reconcile/other-authorities.ts'

/** State on chain, if the record is created for an existing account. */
export interface TokenAccountState {
  readonly state: 'pending' | 'initialized' | 'frozen'
  readonly tokens: bigint
  readonly lamports: bigint
  /** From the chain; absent: only the owner has rights over the account. */
  readonly closeAuthority?: string | null
  readonly delegate?: string | null
}

export const NOT_CREATED: TokenAccountState = { state: 'pending', tokens: 0n, lamports: 0n }

export interface NewPosition {
  readonly id: string
  readonly address: string
  readonly key: AccountKey | null
  readonly input: NewAccountInput
  /** As in `NewHoldingInputs`. */
  readonly limitsPointer?: string
  readonly owner: Party
  readonly instrument: RecordState<'instrument'>
  readonly onchain: TokenAccountState
}

/** A position at the associated address of an owner, with default members. */
export function derivedPosition(
  platform: Platform,
  address: string,
  owner: Party,
  { instrument, onchain }: { readonly instrument: RecordState<'instrument'>; readonly onchain: TokenAccountState },
): NewPosition {
  return { id: platform.ids(), address, key: null, input: {}, owner, instrument, onchain }
}

/**
 * @param feePayer payer of the rent, if the account is created now
 * @param refuse kind of refusal for an address or references that are taken
 */
export function createPositionRecord(
  context: Context,
  unit: UnitOfWork,
  position: NewPosition,
  {
    pointer,
    feePayer,
    refuse = conflict,
  }: {
    readonly pointer: string
    readonly feePayer?: Party | undefined
    readonly refuse?: typeof conflict | typeof badRequest | undefined
  },
): void {
  const { platform, call } = context
  const { instrument, owner, onchain, key, address, input, limitsPointer } = position
  const type: AccountType =
    input.offchainReferences?.type ??
    (instrument.context.references.type === 'FUNDS_TOKEN' ? 'FUNDS_TOKEN_ACCOUNT' : 'ASSET_TOKEN_ACCOUNT')
  const tokenProgram = tokenProgramOf(instrument)
  const isDerived = address === associatedTokenAddress(owner.address, instrument.context.address, tokenProgram)
  const holding = newHolding(
    context,
    input,
    {
      address,
      key,
      type,
      ownerProgram: tokenProgram,
      dataLength: positionSize(instrument, isDerived),
      lamports: onchain.lamports,
      isDerived,
      ...(limitsPointer === undefined ? {} : { limitsPointer }),
      ...(feePayer === undefined || onchain.state !== 'pending' ? {} : { feePayer }),
    },
    pointer,
  )
  checkUnique(context, holding, pointer, refuse)
  const place = { tenant: call.tenant, cluster: call.cluster, id: position.id }
  const refer = (at: string): AccountRef => accountOf(platform, call, at)
  if (key !== null) keepKey(unit, { ...place, address }, key.fresh)
  unit.create('position', place, {
    state: onchain.state,
    holding: {
      owner: { address: owner.address, id: owner.entry?.head.id ?? null },
      otherAuthorities: otherAuthorities(
        { closeAuthority: null, delegate: null, ...onchain, owner: owner.address },
        refer,
      ),
      mint: instrumentRef(instrument),
      program: instrument.context.version,
      decimals: instrument.context.decimals,
      tokens: { balance: onchain.tokens.toString(), reserved: '0' },
      ...holding,
      wasOnchainAlready: onchain.state !== 'pending',
    },
  })
}

/** Bytes of a token account of the instrument. Under TOKEN_2022 an associated account is slightly larger. */
export function positionSize({ context }: RecordState<'instrument'>, associated: boolean): number {
  const types = context.version === 'SPL' ? null : extensionTypesOf(context.extensions as readonly MintExtension[])
  return associated ? associatedAccountBytes(types) : plainAccountBytes(types)
}

export function associatedCreation(payer: string, owner: string, instrument: RecordState<'instrument'>): Instruction {
  return createAssociatedIdempotent({
    payer,
    owner,
    mint: instrument.context.address,
    tokenProgram: tokenProgramOf(instrument),
  })
}
