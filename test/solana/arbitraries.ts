// Random addresses, instructions and messages for the property tests of the chain folder, and the bridge to web3.js.
import fc from 'fast-check'
import { PublicKey, TransactionInstruction } from '@solana/web3.js'
import { addressOf } from '../../src/solana/address.ts'
import type { Instruction } from '../../src/solana/message.ts'

export const u64Max = (1n << 64n) - 1n

export const bytes32 = fc.uint8Array({ minLength: 32, maxLength: 32 })
export const anyAddress = bytes32.map((bytes) => addressOf(bytes))
export const amount = fc.bigInt({ min: 0n, max: u64Max })
export const key = (address: string): PublicKey => new PublicKey(address)

/** The nth of a fixed family of addresses: few, so that random instructions share accounts. */
export function addressNumber(n: number): string {
  return addressOf(Uint8Array.from({ length: 32 }, (_, i) => (n * 31 + i * 7 + 1) & 255))
}

export const poolAddress = fc.nat(23).map(addressNumber)

export const anyInstruction: fc.Arbitrary<Instruction> = fc.record({
  program: poolAddress,
  accounts: fc.array(fc.record({ address: poolAddress, signer: fc.boolean(), writable: fc.boolean() }), {
    maxLength: 8,
  }),
  data: fc.uint8Array({ maxLength: 40 }),
})

export function toWeb3(instruction: Instruction): TransactionInstruction {
  return new TransactionInstruction({
    programId: key(instruction.program),
    keys: instruction.accounts.map((account) => ({
      pubkey: key(account.address),
      isSigner: account.signer,
      isWritable: account.writable,
    })),
    data: Buffer.from(instruction.data),
  })
}

export function fromWeb3(instruction: TransactionInstruction): Instruction {
  return {
    program: instruction.programId.toBase58(),
    accounts: instruction.keys.map((meta) => ({
      address: meta.pubkey.toBase58(),
      signer: meta.isSigner,
      writable: meta.isWritable,
    })),
    data: new Uint8Array(instruction.data),
  }
}
