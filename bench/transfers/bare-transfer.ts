// One transfer in a usual implementation: web3.js for the message, signatures by node:crypto.
import { createPrivateKey, sign, type KeyObject } from 'node:crypto'
import { createTransferCheckedInstruction, TOKEN_2022_PROGRAM_ID } from '@solana/spl-token'
import {
  ComputeBudgetProgram,
  Keypair,
  TransactionMessage,
  VersionedTransaction,
  type MessageV0,
  type PublicKey,
} from '@solana/web3.js'

export interface BareTransfer {
  readonly feePayer: PublicKey
  readonly owner: PublicKey
  readonly source: PublicKey
  readonly mint: PublicKey
  readonly destination: PublicKey
  readonly amount: bigint
  readonly decimals: number
  readonly unitLimit: number
  readonly blockhash: string
}

export function compileTransfer(transfer: BareTransfer): MessageV0 {
  const { feePayer, owner, source, mint, destination, amount, decimals, unitLimit, blockhash } = transfer
  return new TransactionMessage({
    payerKey: feePayer,
    recentBlockhash: blockhash,
    instructions: [
      ComputeBudgetProgram.setComputeUnitLimit({ units: unitLimit }),
      createTransferCheckedInstruction(source, mint, destination, owner, amount, decimals, [], TOKEN_2022_PROGRAM_ID),
    ],
  }).compileToV0Message()
}

export interface BareKey {
  readonly publicKey: PublicKey
  readonly key: KeyObject
}

/** PKCS #8 of an Ed25519 seed: a fixed prefix and 32 bytes. */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex')

export function bareKey(): BareKey {
  const { publicKey, secretKey } = Keypair.generate()
  const key = createPrivateKey({
    key: Buffer.concat([PKCS8_PREFIX, secretKey.subarray(0, 32)]),
    format: 'der',
    type: 'pkcs8',
  })
  return { publicKey, key }
}

/** The bytes for the chain: built, signed by both, serialised. */
export function signedTransfer(
  transfer: Omit<BareTransfer, 'feePayer' | 'owner'>,
  feePayer: BareKey,
  owner: BareKey,
): Uint8Array {
  const message = compileTransfer({ ...transfer, feePayer: feePayer.publicKey, owner: owner.publicKey })
  const transaction = new VersionedTransaction(message)
  const bytes = message.serialize()
  transaction.addSignature(feePayer.publicKey, sign(null, bytes, feePayer.key))
  transaction.addSignature(owner.publicKey, sign(null, bytes, owner.key))
  return transaction.serialize()
}
