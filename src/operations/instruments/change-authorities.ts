// PATCH /financial-instruments/authorities: hands authorities of a mint on, or gives them up for ever, in one
// transaction that the present holders sign, and which waits for those outside. The record changes when the transaction
// settles.
import type { MintExtension } from '../../solana/mint-extensions.ts'
import type { Instruction } from '../../solana/message.ts'
import { updateMetadataAuthority } from '../../solana/instructions/metadata.ts'
import { setAuthority, type AuthorityType } from '../../solana/instructions/token-account.ts'
import type { AuthorityName } from '../../../machines/instrument-record.ts'
import type { RecordState } from '../../engine/records/record.ts'
import type { AccountLookup } from '../../contract/values/lookup.ts'
import type { TransactionBody } from '../../contract/values/chain-config.ts'
import type { AuthorityChangesInput, AuthorityMember } from '../../contract/schemas/authorities.ts'
import { badRequest, forbidden } from '../../contract/refusal.ts'
import type { Platform, Write } from '../context/platform.ts'
import { authorityParty } from '../holdings/freezing.ts'
import { alongWith, eachTogether, together } from '../../contract/together.ts'
import { resolveParty } from '../lookup/account.ts'
import { tokenProgramOf } from '../lookup/instrument.ts'
import type { Party } from '../lookup/party.ts'
import { feePayerOf } from '../transactions/fee-payer.ts'
import { transact } from '../transactions/transact.ts'
import { idsOfHolding } from '../views/read-models/account.ts'
import { checkIdle, ownInstrument, refreshInstrument } from './named.ts'
import type { WithIds } from '../../contract/schemas/members.ts'

type Members = WithIds<'updatedFinancialInstrument'>

const POINTER = '/itemData/financialInstrument'
const COMPUTE_UNITS = 10_000
/** Each change copies the metadata, if it concerns them. */
const COMPUTE_UNITS_PER_CHANGE = 25_000

type Instrument = RecordState<'instrument'>

interface Authority {
  readonly name: AuthorityName
  /** The extension that brings the authority; null: every mint may have it. */
  readonly extension: MintExtension | null
  /** METADATA: an instruction of the metadata interface. */
  readonly onChain: AuthorityType | 'METADATA'
}

/**
 * Every authority that a supported mint can have. The state of new positions is changed by the freeze authority. The
 * extension CONFIDENTIAL_MINT_BURN has no authority on chain.
 */
const AUTHORITIES: Readonly<Record<AuthorityMember, Authority>> = {
  mint: { name: 'mintAuthority', extension: null, onChain: 'MINT_TOKENS' },
  freeze: { name: 'freezeAuthority', extension: null, onChain: 'FREEZE_ACCOUNT' },
  update: { name: 'updateAuthority', extension: 'TOKEN_METADATA', onChain: 'METADATA' },
  permanentDelegate: {
    name: 'permanentDelegateAuthority',
    extension: 'PERMANENT_DELEGATE',
    onChain: 'PERMANENT_DELEGATE',
  },
  closing: { name: 'closingAuthority', extension: 'MINT_CLOSE', onChain: 'CLOSE_MINT' },
  pausable: { name: 'pausableAuthority', extension: 'PAUSABLE', onChain: 'PAUSE' },
  scaledUiAmount: { name: 'scaledUiAmountAuthority', extension: 'SCALED_UI_AMOUNT', onChain: 'SCALED_UI_AMOUNT' },
  transferHook: { name: 'transferHookAuthority', extension: 'TRANSFER_HOOK', onChain: 'TRANSFER_HOOK_PROGRAM_ID' },
  confidentialTransfer: {
    name: 'confidentialTransferAuthority',
    extension: 'CONFIDENTIAL_TRANSFER',
    onChain: 'CONFIDENTIAL_TRANSFER_MINT',
  },
  metadataPointer: { name: 'metadataPointerAuthority', extension: 'METADATA_POINTER', onChain: 'METADATA_POINTER' },
}

/**
 * Throws 400 `INSTRUMENT_NOT_FOUND` (closed ones too), `INSTRUMENT_BUSY`, `TOKEN_2022_REQUIRED`, `EXTENSION_MISSING`,
 * `NO_AUTHORITY`, `AUTHORITY_UNCHANGED`, 403 `FROZEN`.
 */
export const changeAuthorities: Write<TransactionBody<AuthorityChangesInput>, Members> = async (
  context,
  { itemData, chainTransactionConfig },
) => {
  const { platform } = context
  const asked = Object.entries(itemData.authorities) as [AuthorityMember, AccountLookup | null | undefined][]
  const nextHolder = (member: AuthorityMember, lookup: AccountLookup | null): string | null =>
    lookup === null ? null : resolveParty(context, lookup, pointerTo(member)).address
  const named = alongWith(
    () => ownInstrument(context, itemData.financialInstrument, POINTER),
    () => eachTogether(asked, ([member, lookup]) => nextHolder(member, lookup ?? null)),
  )
  await refreshInstrument(context, named)
  return await transact(context, chainTransactionConfig, () => {
    const { state } = ownInstrument(context, itemData.financialInstrument, POINTER)
    checkChangeable(platform, state)
    const parties = new Map<string, Party>()
    const changes = eachTogether(asked, ([member, lookup]): Instruction[] => {
      if (lookup === undefined) return []
      const pointer = pointerTo(member)
      const [holder, next] = together(
        () => {
          checkExtension(state, member, pointer)
          return authorityParty(context, state, AUTHORITIES[member].name, { named: null, pointer })
        },
        () => nextHolder(member, lookup),
      )
      if (next === holder.address)
        throw badRequest('AUTHORITY_UNCHANGED', 'the account is the present holder of the authority', pointer)
      parties.set(holder.address, holder)
      return [instructionFor(state, member, holder.address, next)]
    })
    const instructions = changes.flat()
    return {
      instructions,
      feePayer: feePayerOf(context, chainTransactionConfig),
      parties: [...parties.values()],
      computeUnits: COMPUTE_UNITS + instructions.length * COMPUTE_UNITS_PER_CHANGE,
      members: { updatedFinancialInstrument: idsOfHolding(state) },
      shape: 'member',
    }
  })
}

function pointerTo(member: AuthorityMember): string {
  return `/itemData/authorities/${member}`
}

function checkChangeable(platform: Platform, state: Instrument): void {
  if (state.context.frozenByOperator) throw forbidden('FROZEN', 'the instrument is frozen by an operator', POINTER)
  checkIdle(platform, state, POINTER)
}

function checkExtension({ context }: Instrument, member: AuthorityMember, pointer: string): void {
  const { extension } = AUTHORITIES[member]
  if (extension === null) return
  if (context.version === 'SPL')
    throw badRequest('TOKEN_2022_REQUIRED', 'an SPL instrument has only the authorities mint and freeze', pointer)
  if (!context.extensions.includes(extension))
    throw badRequest('EXTENSION_MISSING', `the instrument was created without the extension ${extension}`, pointer)
}

function instructionFor(
  state: Instrument,
  member: AuthorityMember,
  authority: string,
  next: string | null,
): Instruction {
  const { onChain } = AUTHORITIES[member]
  const { address } = state.context
  if (onChain === 'METADATA') return updateMetadataAuthority(address, authority, next)
  return setAuthority({ program: tokenProgramOf(state), account: address, authority, which: onChain, next })
}
