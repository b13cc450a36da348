// The instructions that turn an allocated account into a mint, in the order the program requires: extensions, mint,
// metadata.
import { initializeMetadata, updateMetadataField } from '../../solana/instructions/metadata.ts'
import {
  initializeConfidentialMintBurn,
  initializeConfidentialTransfer,
  initializeDefaultAccountState,
  initializeMetadataPointer,
  initializeMintCloseAuthority,
  initializePausable,
  initializePermanentDelegate,
  initializeScaledUiAmount,
  initializeTransferHook,
} from '../../solana/instructions/mint-extensions.ts'
import { pauseMint } from '../../solana/instructions/mint-updates.ts'
import { initializeMint } from '../../solana/instructions/token-account.ts'
import type { MintExtension } from '../../solana/mint-extensions.ts'
import type { Instruction } from '../../solana/message.ts'
import type { AuthorityName } from '../../../machines/instrument-record.ts'
import type { MintPlan } from './mint-plan.ts'

/** Placeholders: the confidential extensions can be created, but this service does not use or decrypt them. */
const UNUSED_ELGAMAL_KEY = new Uint8Array(32)
const UNUSED_DECRYPTABLE_SUPPLY = new Uint8Array(36)

export function mintInstructions(mint: string, plan: MintPlan): Instruction[] {
  const address = (name: AuthorityName): string | null => plan.authorities[name]?.address ?? null
  const mintAuthority = address('mintAuthority') ?? ''
  const initializers: Partial<Record<MintExtension, () => Instruction>> = {
    METADATA_POINTER: () => initializeMetadataPointer(mint, address('metadataPointerAuthority'), mint),
    DEFAULT_ACCOUNT_STATE: () => initializeDefaultAccountState(mint, plan.defaultState ?? 'INITIALIZED'),
    PERMANENT_DELEGATE: () => initializePermanentDelegate(mint, address('permanentDelegateAuthority') ?? mintAuthority),
    MINT_CLOSE: () => initializeMintCloseAuthority(mint, address('closingAuthority')),
    PAUSABLE: () => initializePausable(mint, address('pausableAuthority') ?? mintAuthority),
    SCALED_UI_AMOUNT: () =>
      initializeScaledUiAmount(mint, address('scaledUiAmountAuthority'), Number(plan.multiplier ?? '1')),
    TRANSFER_HOOK: () => initializeTransferHook(mint, address('transferHookAuthority'), address('transferHookProgram')),
    CONFIDENTIAL_TRANSFER: () =>
      initializeConfidentialTransfer(mint, {
        authority: address('confidentialTransferAuthority'),
        autoApproveNewAccounts: false,
        auditorKey: null,
      }),
    CONFIDENTIAL_MINT_BURN: () => initializeConfidentialMintBurn(mint, UNUSED_ELGAMAL_KEY, UNUSED_DECRYPTABLE_SUPPLY),
  }
  return [
    ...plan.extensions.flatMap((extension) => initializers[extension]?.() ?? []),
    initializeMint({
      program: plan.program,
      mint,
      decimals: plan.decimals,
      mintAuthority,
      freezeAuthority: address('freezeAuthority'),
    }),
    ...metadataInstructions(mint, mintAuthority, address('updateAuthority') ?? mintAuthority, plan),
    ...(plan.paused ? [pauseMint({ mint, authority: address('pausableAuthority') ?? mintAuthority })] : []),
  ]
}

function metadataInstructions(
  mint: string,
  mintAuthority: string,
  updateAuthority: string,
  { metadata }: MintPlan,
): Instruction[] {
  if (metadata === null) return []
  const { name, symbol, uri, additional } = metadata
  return [
    initializeMetadata({ mint, mintAuthority, updateAuthority, name, symbol, uri }),
    ...additional.map(([key, value]) => updateMetadataField(mint, updateAuthority, { key }, value)),
  ]
}
