/** Token-2022: updates that the authorities of a mint's extensions may make later. */
import { TOKEN_2022_PROGRAM } from '../address.ts'
import type { Instruction } from '../message.ts'
import { f64, i64, join, optionalAddress, signer, writable } from './bytes.ts'

interface OnMint {
  readonly authority: string
  readonly mint: string
}

function update(request: OnMint, ...parts: readonly Uint8Array[]): Instruction {
  return {
    program: TOKEN_2022_PROGRAM,
    accounts: [writable(request.mint), signer(request.authority)],
    data: join(...parts),
  }
}

/** Stops transfers, mints and burns of every holder. */
export function pauseMint(request: OnMint): Instruction {
  return update(request, Uint8Array.of(44, 1))
}

export function resumeMint(request: OnMint): Instruction {
  return update(request, Uint8Array.of(44, 2))
}

/** `authority` is the freeze authority. Affects only accounts created later. */
export function updateDefaultAccountState(request: OnMint & { readonly state: 'INITIALIZED' | 'FROZEN' }): Instruction {
  return update(request, Uint8Array.of(28, 1, request.state === 'FROZEN' ? 2 : 1))
}

/** @param request `effectiveAt` in Unix seconds; a time in the past takes effect at once */
export function updateMultiplier(
  request: OnMint & { readonly multiplier: number; readonly effectiveAt: bigint },
): Instruction {
  return update(request, Uint8Array.of(43, 1), f64(request.multiplier), i64(request.effectiveAt))
}

export function updateTransferHook(request: OnMint & { readonly hookProgram: string | null }): Instruction {
  return update(request, Uint8Array.of(36, 1), optionalAddress(request.hookProgram))
}
