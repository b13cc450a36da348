// Instructions that the service reads but does not build, by the builders of the stock libraries.
import { createUpdateMetadataPointerInstruction, TOKEN_2022_PROGRAM_ID } from '@solana/spl-token'
import { SystemProgram } from '@solana/web3.js'
import type { Instruction } from '../../src/solana/message.ts'
import { fromWeb3, key } from './arbitraries.ts'

export function withdrawNonce(nonce: string, authority: string, to: string, lamports: bigint): Instruction {
  const withdrawal = { noncePubkey: key(nonce), authorizedPubkey: key(authority), toPubkey: key(to), lamports: 0 }
  const instruction = fromWeb3(SystemProgram.nonceWithdraw(withdrawal))
  // The library takes a number, which cannot be any u64.
  new DataView(instruction.data.buffer).setBigUint64(4, lamports, true)
  return instruction
}

export function authorizeNonce(nonce: string, authority: string, newAuthority: string): Instruction {
  return fromWeb3(
    SystemProgram.nonceAuthorize({
      noncePubkey: key(nonce),
      authorizedPubkey: key(authority),
      newAuthorizedPubkey: key(newAuthority),
    }),
  )
}

export function allocate(account: string, space: number): Instruction {
  return fromWeb3(SystemProgram.allocate({ accountPubkey: key(account), space }))
}

export function updateMetadataPointer(mint: string, authority: string, metadata: string): Instruction {
  const keys = [key(mint), key(authority), key(metadata)] as const
  return fromWeb3(createUpdateMetadataPointerInstruction(...keys, [], TOKEN_2022_PROGRAM_ID))
}
