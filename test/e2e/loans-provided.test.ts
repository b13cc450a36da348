// What a lending provider gives over HTTP, once it is checked, goes the way of all bytes from outside: our signature is added by Sign, it is
// sent by Submit, and the second follows when the first is confirmed. The provider here is scripted, and lends from an account of its own.
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  createAssociatedTokenAccountIdempotentInstruction,
  createTransferCheckedInstruction,
  getAssociatedTokenAddressSync,
  TOKEN_PROGRAM_ID,
} from '@solana/spl-token'
import { Keypair, PublicKey, TransactionInstruction, TransactionMessage, VersionedTransaction } from '@solana/web3.js'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Step } from '../../src/chain/step.ts'
import { outboundRule } from '../../src/config/networks.ts'
import { httpProvider } from '../../src/lending/http-provider.ts'
import { checkProvided } from '../../src/operations/loans/check-provided.ts'
import { guardedFetch } from '../../src/operations/market-data/guarded-fetch.ts'
import { Outbound } from '../../src/operations/outbound/outbound.ts'
import { startWorld, type World } from './harness.ts'
import type { Ids, Result } from './models.ts'
import { MEMO_PROGRAM } from './onchain.ts'
import { SOL } from './records.ts'

const lender = Keypair.generate()
let world: World
let borrower: Ids
let cash: Ids
let bond: Ids
let server: Server

beforeAll(async () => {
  world = await startWorld()
  const { records, chain } = world
  await records.feePayer()
  const issuer = await records.account()
  ;[cash, bond] = await Promise.all([records.instrument('SPL', issuer), records.instrument('SPL', issuer)])
  borrower = await records.funded({}, SOL)
  await chain.airdrop(lender.publicKey.toBase58(), SOL)
  const pool = await records.account({ managed: false, onchainId: lender.publicKey.toBase58(), alreadyOnchain: true })
  await Promise.all([records.position(borrower, bond, 500n), records.position(borrower, cash), records.position(pool, cash, 1_000n)])
  server = createServer((request, response) => {
    void provide(request).then((body) => response.end(JSON.stringify(body)))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterAll(async () => {
  server.close()
  await world.stop()
})

const at = (owner: string, mint: Ids): string =>
  getAssociatedTokenAddressSync(new PublicKey(mint.onchainId), new PublicKey(owner)).toBase58()

interface Asked {
  readonly feePayer: string
  readonly steps: readonly Record<string, string>[]
}

/** One transaction for the collateral and one for the principal, each with a memo that it signs with its own key. */
async function provide(request: AsyncIterable<unknown>): Promise<{ transactions: string[] }> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  const { feePayer, steps } = JSON.parse(Buffer.concat(parts).toString('utf8')) as Asked
  const { blockhash } = await world.chain.connection.getLatestBlockhash('confirmed')
  const key = (text: string | undefined): PublicKey => new PublicKey(text ?? '')
  const built = steps.map(({ kind, payer, owner, account, mint, from, to, authority, amount }) =>
    kind === 'open'
      ? createAssociatedTokenAccountIdempotentInstruction(key(payer), key(account), key(owner), key(mint))
      : createTransferCheckedInstruction(key(from), key(mint), key(to), key(authority), BigInt(amount ?? ''), 6),
  )
  const memo = new TransactionInstruction({
    programId: new PublicKey(MEMO_PROGRAM),
    keys: [{ pubkey: lender.publicKey, isSigner: true, isWritable: false }],
    data: Buffer.from('order 1'),
  })
  const transactions = [built.slice(0, 2), built.slice(2)].map((instructions) => {
    const message = new TransactionMessage({
      payerKey: new PublicKey(feePayer),
      recentBlockhash: blockhash,
      instructions: [memo, ...instructions],
    })
    const transaction = new VersionedTransaction(message.compileToV0Message())
    transaction.sign([lender])
    return Buffer.from(transaction.serialize()).toString('base64')
  })
  return { transactions }
}

it('two transactions of a provider are signed and land in their order', async () => {
  const pool = lender.publicKey.toBase58()
  const program = TOKEN_PROGRAM_ID.toBase58()
  const transfer = (mint: Ids, from: string, to: string, amount: bigint): Step => ({
    kind: 'transfer',
    program,
    mint: mint.onchainId,
    from: at(from, mint),
    to: at(to, mint),
    amount,
    decimals: 6,
    authority: from,
    hookAccounts: [],
  })
  const order = {
    feePayer: borrower.onchainId,
    steps: [
      { kind: 'open', payer: borrower.onchainId, owner: pool, account: at(pool, bond), program, mint: bond.onchainId } as const,
      transfer(bond, borrower.onchainId, pool, 300n),
      transfer(cash, pool, borrower.onchainId, 100n),
    ],
  }
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const asked = await httpProvider('SCRIPTED', `http://${host}/`, guardedFetch(new Outbound([outboundRule(host)]))).transactions(order)
  if (!asked.ok) throw new Error(asked.reason)
  const given = asked.transactions
  const provided = checkProvided(
    order,
    { ours: new Set([borrower.onchainId]), maxFeeLamports: 100_000n },
    given,
    ({ staticKeys }) => staticKeys,
  )
  expect(provided.map(({ wanted }) => wanted)).toEqual([[borrower.onchainId], [borrower.onchainId]])

  for (const [index, bytes] of given.entries()) {
    const itemData = { serializedTransaction: Buffer.from(bytes).toString('base64') }
    const signed = await world.api.ok<Result>(200, 'POST', '/transactions/sign', itemData)
    expect(signed.status).toBe('SIGNED')
    const sent = await world.api.ok<Result>(200, 'POST', '/transactions/submit', { transaction: { offchainId: signed.offchainId } })
    expect(sent.success, JSON.stringify(sent)).toBe(true)
    expect(await world.chain.tokens(at(pool, bond))).toBe(300n)
    expect(await world.chain.tokens(at(borrower.onchainId, cash))).toBe(index === 0 ? 0n : 100n)
  }
})
