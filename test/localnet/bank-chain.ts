// A bank in its own directory, for tests: slots advance only by `advance`, unless a test requests a clock.

import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ed25519 } from '@noble/curves/ed25519.js'
import {
  ComputeBudgetProgram,
  Keypair,
  PublicKey,
  SystemProgram,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js'
import type { AddressLookupTableAccount, TransactionInstruction } from '@solana/web3.js'
import { expect } from 'vitest'
import { openBank, type BankOptions, type OpenBank } from '../../src/localnet/bank.ts'
import type { LedgerTransaction, SendOutcome } from '../../src/localnet/contract.ts'

export const STANDING_STILL_MS = 3_600_000

export interface TestBank {
  bank: OpenBank
  readonly dataDir: string
  /** Closes and opens again. */
  restart(): Promise<void>
  remove(): Promise<void>
  /** A keypair with this number of lamports. */
  funded(lamports?: bigint): Promise<Keypair>
  /** Signed bytes of a version 0 transaction; the first signer pays. */
  build(
    instructions: readonly TransactionInstruction[],
    signers: readonly Keypair[],
    options?: { blockhash?: string; tables?: AddressLookupTableAccount[] },
  ): Uint8Array
  /** Sends and expects success. */
  run(
    instructions: readonly TransactionInstruction[],
    signers: readonly Keypair[],
    tables?: AddressLookupTableAccount[],
  ): Promise<LedgerTransaction>
}

export async function openTestBank(options: Partial<BankOptions> = {}): Promise<TestBank> {
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'bank-'))
  const open = (): Promise<OpenBank> => openBank({ slotMs: STANDING_STILL_MS, finalitySlots: 1, ...options, dataDir })
  const test: TestBank = {
    bank: await open(),
    dataDir,
    async restart() {
      await test.bank.close()
      test.bank = await open()
    },
    async remove() {
      await test.bank.close()
      rmSync(dataDir, { recursive: true, force: true })
    },
    async funded(lamports = 100_000_000_000n) {
      const keypair = Keypair.generate()
      await test.bank.airdrop(keypair.publicKey.toBytes(), lamports)
      return keypair
    },
    build(instructions, signers, { blockhash = test.bank.latestBlockhash('confirmed').blockhash, tables = [] } = {}) {
      const message = new TransactionMessage({
        payerKey: signers[0]!.publicKey,
        recentBlockhash: blockhash,
        instructions: [...instructions],
      })
      const transaction = new VersionedTransaction(message.compileToV0Message(tables))
      transaction.sign([...signers])
      return transaction.serialize()
    },
    async run(instructions, signers, tables = []) {
      const outcome = await test.bank.send(test.build(instructions, signers, { tables }))
      expect(outcome).toMatchObject({ kind: 'executed', error: null })
      return test.bank.transaction(signatureOf(outcome))!
    },
  }
  return test
}

export function signatureOf(outcome: SendOutcome): string {
  if (outcome.kind !== 'executed' && outcome.kind !== 'duplicate')
    throw new Error(`not sent: ${JSON.stringify(outcome)}`)
  return outcome.signature
}

let count = 0

/** A transfer that differs from all others of this process. */
export function transfer(from: Keypair, to: PublicKey, lamports: number | bigint): TransactionInstruction[] {
  count += 1
  return [
    ComputeBudgetProgram.setComputeUnitLimit({ units: 10_000 + count }),
    SystemProgram.transfer({ fromPubkey: from.publicKey, toPubkey: to, lamports: BigInt(lamports) }),
  ]
}

export function lamportsOf(bank: OpenBank, address: PublicKey): bigint {
  return bank.account(address.toBytes())?.lamports ?? 0n
}

/**
 * The bytes with the first signature replaced by another one that is as good: ed25519 with a nonce of its own choosing.
 */
export function signedAnew(bytes: Uint8Array, signer: Keypair): Uint8Array {
  const { Point } = ed25519
  const order = Point.Fn.ORDER
  const littleEndian = (data: Uint8Array): bigint => BigInt(`0x${Buffer.from(data).reverse().toString('hex')}`)
  const asBytes = (value: bigint): Buffer => Buffer.from(value.toString(16).padStart(64, '0'), 'hex').reverse()
  const count = bytes[0]!
  const message = bytes.subarray(1 + count * 64)
  const { scalar } = ed25519.utils.getExtendedPublicKey(signer.secretKey.slice(0, 32))
  const r = littleEndian(randomBytes(32)) % order
  const R = Point.BASE.multiply(r).toBytes()
  const challenge =
    littleEndian(createHash('sha512').update(R).update(signer.publicKey.toBytes()).update(message).digest()) % order
  const copy = Buffer.from(bytes)
  copy.set(R, 1)
  copy.set(asBytes((r + challenge * scalar) % order), 33)
  return copy
}
