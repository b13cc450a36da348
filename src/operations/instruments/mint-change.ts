// One on-chain change of a mint as data: its stored form in a plan, its signer and its instruction.
import { initializeMetadata, removeMetadataKey, updateMetadataField } from '../../solana/instructions/metadata.ts'
import {
  pauseMint,
  resumeMint,
  updateDefaultAccountState,
  updateMultiplier,
  updateTransferHook,
} from '../../solana/instructions/mint-updates.ts'
import { setAuthority } from '../../solana/instructions/token-account.ts'
import { TOKEN_2022_PROGRAM } from '../../solana/address.ts'
import type { MintMetadata } from '../../solana/mint-size.ts'
import type { Instruction } from '../../solana/message.ts'
import type { AuthorityName } from '../../../machines/instrument-record.ts'

export const ROTATIONS = {
  CLOSE_MINT: 'closingAuthority',
  PAUSE: 'pausableAuthority',
  SCALED_UI_AMOUNT: 'scaledUiAmountAuthority',
  TRANSFER_HOOK_PROGRAM_ID: 'transferHookAuthority',
} as const satisfies Record<string, AuthorityName>
export type AuthorityRotation = keyof typeof ROTATIONS

/** Serializable as JSON. */
export type MintChange =
  /** Empty metadata, to which the other changes add. */
  | { readonly kind: 'metadata'; readonly updateAuthority: string }
  | { readonly kind: 'field'; readonly field: 'name' | 'symbol' | 'uri'; readonly value: string }
  /** null removes the key. */
  | { readonly kind: 'key'; readonly key: string; readonly value: string | null }
  | { readonly kind: 'defaultState'; readonly state: 'INITIALIZED' | 'FROZEN' }
  | { readonly kind: 'pause'; readonly paused: boolean }
  /** Decimal text. */
  | { readonly kind: 'multiplier'; readonly multiplier: string }
  | { readonly kind: 'hook'; readonly program: string | null }
  /** null removes the authority permanently. */
  | { readonly kind: 'authority'; readonly which: AuthorityRotation; readonly next: string | null }

/** Authorities that sign updates. */
export type SignerRole = Extract<
  AuthorityName,
  | 'mintAuthority'
  | 'updateAuthority'
  | 'freezeAuthority'
  | 'closingAuthority'
  | 'pausableAuthority'
  | 'scaledUiAmountAuthority'
  | 'transferHookAuthority'
>

export function signerOf(change: MintChange): SignerRole {
  switch (change.kind) {
    case 'metadata':
      return 'mintAuthority'
    case 'field':
    case 'key':
      return 'updateAuthority'
    case 'defaultState':
      return 'freezeAuthority'
    case 'pause':
      return 'pausableAuthority'
    case 'multiplier':
      return 'scaledUiAmountAuthority'
    case 'hook':
      return 'transferHookAuthority'
    case 'authority':
      return ROTATIONS[change.which]
  }
}

/** Effective time of an immediate multiplier: Unix second 0 lies in the past. */
const AT_ONCE = 0n

export function changeInstruction(mint: string, authority: string, change: MintChange): Instruction {
  switch (change.kind) {
    case 'metadata': {
      const { updateAuthority } = change
      return initializeMetadata({ mint, mintAuthority: authority, updateAuthority, name: '', symbol: '', uri: '' })
    }
    case 'field':
      return updateMetadataField(mint, authority, { field: change.field }, change.value)
    case 'key':
      return change.value === null
        ? removeMetadataKey(mint, authority, change.key, true)
        : updateMetadataField(mint, authority, { key: change.key }, change.value)
    case 'defaultState':
      return updateDefaultAccountState({ mint, authority, state: change.state })
    case 'pause':
      return change.paused ? pauseMint({ mint, authority }) : resumeMint({ mint, authority })
    case 'multiplier':
      return updateMultiplier({ mint, authority, multiplier: Number(change.multiplier), effectiveAt: AT_ONCE })
    case 'hook':
      return updateTransferHook({ mint, authority, hookProgram: change.program })
    case 'authority':
      return setAuthority({
        program: TOKEN_2022_PROGRAM,
        account: mint,
        authority,
        which: change.which,
        next: change.next,
      })
  }
}

/** The metadata after the changes. */
export function metadataAfter(metadata: MintMetadata, changes: readonly MintChange[]): MintMetadata {
  const pairs = new Map(metadata.additional)
  const texts = { name: metadata.name, symbol: metadata.symbol, uri: metadata.uri }
  for (const change of changes) {
    if (change.kind === 'field') texts[change.field] = change.value
    else if (change.kind === 'key' && change.value === null) pairs.delete(change.key)
    else if (change.kind === 'key' && change.value !== null) pairs.set(change.key, change.value)
  }
  return { ...texts, additional: [...pairs] }
}
