/**
 * Token-2022: initializers of the mint extensions. All must come between `createAccount` and `initializeMint`, in any
 * order; the program rejects them afterwards. The bytes follow the program's own layout (token-2022 interface 2.x),
 * including the confidential extensions.
 */
import { TOKEN_2022_PROGRAM, addressBytes } from '../address.ts'
import type { Instruction } from '../message.ts'
import { f64, join, optionalAddress, taggedAddress, writable } from './bytes.ts'

/** Sizes of the parts of a confidential mint-burn initializer, in bytes. */
const ELGAMAL_KEY_BYTES = 32
const DECRYPTABLE_SUPPLY_BYTES = 36

function onMint(mint: string, ...parts: readonly Uint8Array[]): Instruction {
  return { program: TOKEN_2022_PROGRAM, accounts: [writable(mint)], data: join(...parts) }
}

/** Sets the account that holds the metadata: the mint itself when the metadata is stored in the mint. */
export function initializeMetadataPointer(
  mint: string,
  authority: string | null,
  metadata: string | null,
): Instruction {
  return onMint(mint, Uint8Array.of(39, 0), optionalAddress(authority), optionalAddress(metadata))
}

/** `FROZEN` needs a freeze authority on the mint. */
export function initializeDefaultAccountState(mint: string, state: 'INITIALIZED' | 'FROZEN'): Instruction {
  return onMint(mint, Uint8Array.of(28, 0, state === 'FROZEN' ? 2 : 1))
}

export function initializePermanentDelegate(mint: string, delegate: string): Instruction {
  return onMint(mint, Uint8Array.of(35), addressBytes(delegate))
}

export function initializeMintCloseAuthority(mint: string, authority: string | null): Instruction {
  return onMint(mint, Uint8Array.of(25), taggedAddress(authority))
}

export function initializePausable(mint: string, authority: string): Instruction {
  return onMint(mint, Uint8Array.of(44, 0), addressBytes(authority))
}

/** @param multiplier positive, finite, normal: the program rejects anything else */
export function initializeScaledUiAmount(mint: string, authority: string | null, multiplier: number): Instruction {
  return onMint(mint, Uint8Array.of(43, 0), optionalAddress(authority), f64(multiplier))
}

export function initializeTransferHook(
  mint: string,
  authority: string | null,
  hookProgram: string | null,
): Instruction {
  return onMint(mint, Uint8Array.of(36, 0), optionalAddress(authority), optionalAddress(hookProgram))
}

export interface ConfidentialTransferSettings {
  readonly authority: string | null
  readonly autoApproveNewAccounts: boolean
  /** 32 bytes, or null for none. */
  readonly auditorKey: Uint8Array | null
}

export function initializeConfidentialTransfer(mint: string, settings: ConfidentialTransferSettings): Instruction {
  const { authority, autoApproveNewAccounts, auditorKey } = settings
  if (auditorKey && auditorKey.length !== ELGAMAL_KEY_BYTES) throw new RangeError('an ElGamal key has 32 bytes')
  const approve = Uint8Array.of(autoApproveNewAccounts ? 1 : 0)
  return onMint(
    mint,
    Uint8Array.of(27, 0),
    optionalAddress(authority),
    approve,
    auditorKey ?? new Uint8Array(ELGAMAL_KEY_BYTES),
  )
}

/**
 * Needs `initializeConfidentialTransfer` on the same mint.
 * @param supplyKey ElGamal key of the supply, 32 bytes; zeros are accepted
 * @param decryptableSupply AE ciphertext of the supply, 36 bytes; zeros are accepted
 */
export function initializeConfidentialMintBurn(
  mint: string,
  supplyKey: Uint8Array,
  decryptableSupply: Uint8Array,
): Instruction {
  if (supplyKey.length !== ELGAMAL_KEY_BYTES) throw new RangeError('an ElGamal key has 32 bytes')
  if (decryptableSupply.length !== DECRYPTABLE_SUPPLY_BYTES) throw new RangeError('a decryptable supply has 36 bytes')
  return onMint(mint, Uint8Array.of(42, 0), supplyKey, decryptableSupply)
}
