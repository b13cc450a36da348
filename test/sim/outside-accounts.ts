// Accounts of a simulated chain as their owners see and use them without the service.
import { PublicKey, SystemProgram, TransactionMessage, VersionedTransaction } from '@solana/web3.js'
import bs58 from 'bs58'
import { addressBytes, addressOf } from '../../src/solana/address.ts'
import { associatedTokenAddress } from '../../src/solana/derive.ts'
import type { SimulatedChain } from './chain.ts'
import type { Leg } from './clients.ts'
import type { House, Ids } from './tenants.ts'

/** Sends network currency to the faucet, signed by the owner of the account. */
export function withdrawOutside(chain: SimulatedChain, owner: House['outsider'], amount: bigint): void {
  const payerKey = new PublicKey(owner.onchainId)
  const instructions = [
    SystemProgram.transfer({ fromPubkey: payerKey, toPubkey: new PublicKey(chain.faucet), lamports: amount }),
  ]
  const { blockhash } = chain.bank.latestBlockhash('confirmed')
  const transaction = new VersionedTransaction(
    new TransactionMessage({ payerKey, recentBlockhash: blockhash, instructions }).compileToV0Message(),
  )
  const signature = owner.key.sign(transaction.message.serialize())
  transaction.addSignature(payerKey, signature)
  chain.outside.add(bs58.encode(signature))
  void chain.send(transaction.serialize())
}

export function tokensOf(chain: SimulatedChain, { onchainId }: Ids): bigint {
  const account = chain.bank.account(addressBytes(onchainId))
  return account === null || account.data.length < 72 ? 0n : Buffer.from(account.data).readBigUInt64LE(64)
}

/** null: a dead fork has removed the mint, which is not there again. */
export function associatedIn(chain: SimulatedChain, owner: Ids, mint: Ids): string | null {
  const program = chain.bank.account(addressBytes(mint.onchainId))?.owner
  if (program === undefined) return null
  return associatedTokenAddress(owner.onchainId, mint.onchainId, addressOf(program))
}

/** What a request moves: tokens of one account, negative if they are taken out. */
export function tokensLeg(address: string, amount: bigint): Leg {
  return { address, asset: 'tokens', amount }
}
