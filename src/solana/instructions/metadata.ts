/**
 * Token-2022: metadata inside the mint (the token-metadata interface). Discriminators are the first 8 bytes of SHA-256
 * of `spl_token_metadata_interface:<name>`. None of these instructions transfers lamports: the mint must hold the rent
 * of its final size beforehand.
 */
import { TOKEN_2022_PROGRAM, ZERO_ADDRESS, addressBytes } from '../address.ts'
import type { Instruction } from '../message.ts'
import { borshText, join, readonly, signer, writable } from './bytes.ts'

export const METADATA_DISCRIMINATORS = {
  initialize: Uint8Array.of(210, 225, 30, 162, 88, 184, 77, 141),
  updateField: Uint8Array.of(221, 233, 49, 45, 181, 202, 220, 200),
  removeKey: Uint8Array.of(234, 18, 32, 56, 89, 141, 37, 181),
  updateAuthority: Uint8Array.of(215, 228, 166, 228, 84, 100, 86, 123),
} as const

/** One of the three fixed fields, or a key of the additional metadata. */
export type MetadataField = { readonly field: 'name' | 'symbol' | 'uri' } | { readonly key: string }

const FIXED_FIELDS = ['name', 'symbol', 'uri'] as const

function fieldBytes(field: MetadataField): Uint8Array {
  return 'key' in field
    ? join(Uint8Array.of(3), borshText(field.key))
    : Uint8Array.of(FIXED_FIELDS.indexOf(field.field))
}

export interface NewMetadata {
  readonly mint: string
  readonly mintAuthority: string
  readonly updateAuthority: string
  readonly name: string
  readonly symbol: string
  readonly uri: string
}

/** Requires `initializeMint` before it; the mint's metadata pointer must name the mint itself. */
export function initializeMetadata(request: NewMetadata): Instruction {
  const { mint } = request
  const accounts = [writable(mint), readonly(request.updateAuthority), readonly(mint), signer(request.mintAuthority)]
  const texts = [borshText(request.name), borshText(request.symbol), borshText(request.uri)]
  return { program: TOKEN_2022_PROGRAM, accounts, data: join(METADATA_DISCRIMINATORS.initialize, ...texts) }
}

function update(mint: string, updateAuthority: string, ...parts: readonly Uint8Array[]): Instruction {
  return { program: TOKEN_2022_PROGRAM, accounts: [writable(mint), signer(updateAuthority)], data: join(...parts) }
}

/** Sets a field or adds a key. */
export function updateMetadataField(
  mint: string,
  updateAuthority: string,
  field: MetadataField,
  value: string,
): Instruction {
  return update(mint, updateAuthority, METADATA_DISCRIMINATORS.updateField, fieldBytes(field), borshText(value))
}

/** Removes a key of the additional metadata; with `idempotent`, a missing key is a success. */
export function removeMetadataKey(
  mint: string,
  updateAuthority: string,
  key: string,
  idempotent: boolean,
): Instruction {
  return update(
    mint,
    updateAuthority,
    METADATA_DISCRIMINATORS.removeKey,
    Uint8Array.of(idempotent ? 1 : 0),
    borshText(key),
  )
}

/** Sets another update authority; null makes the metadata final. */
export function updateMetadataAuthority(mint: string, updateAuthority: string, next: string | null): Instruction {
  return update(mint, updateAuthority, METADATA_DISCRIMINATORS.updateAuthority, addressBytes(next ?? ZERO_ADDRESS))
}
