// Only what the tenant of an instrument has signed, or may sign, uses up the limit of its supply: a transaction that
// another tenant prepares mints nothing without a signature that the tenant decides about.
import { createMintToInstruction, TOKEN_2022_PROGRAM_ID } from '@solana/spl-token'
import { Keypair, PublicKey, TransactionMessage, VersionedTransaction } from '@solana/web3.js'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startWorld, type World } from '../../e2e/harness.ts'
import type { Result } from '../../e2e/models.ts'
import { newParty, type Party } from '../fixtures/parties.ts'

const MINT = '/positions/mint'
const CODE = 'SUPPLY_CAP_EXCEEDED'
const MAX_SUPPLY = 100

let world: World
let owner: Party
let stranger: Party

beforeAll(async () => {
  world = await startWorld()
  ;[owner, stranger] = [await newParty(world, 'OWNER'), await newParty(world, 'STRANGER')]
})
afterAll(() => world.stop())

it("prepared mints of another tenant do not count; control: the tenant's own do", async () => {
  await owner.records.feePayer()
  const authority = await owner.records.account()
  const token = await owner.records.instrument('TOKEN_2022', authority, {
    maxSupply: MAX_SUPPLY,
    onchainData: { decimals: 0 },
  })
  const position = await owner.records.position(await owner.records.account(), token)
  const prepare = async (party: Party): Promise<Result> => {
    const keys = [token, position, authority].map(({ onchainId }) => new PublicKey(onchainId)) as [
      PublicKey,
      PublicKey,
      PublicKey,
    ]
    const { blockhash } = await world.chain.connection.getLatestBlockhash('confirmed')
    const message = new TransactionMessage({
      payerKey: Keypair.generate().publicKey,
      recentBlockhash: blockhash,
      instructions: [createMintToInstruction(...keys, MAX_SUPPLY, [], TOKEN_2022_PROGRAM_ID)],
    }).compileToV0Message()
    const serializedTransaction = Buffer.from(new VersionedTransaction(message).serialize()).toString('base64')
    return await party.api.ok<Result>(200, 'POST', '/transactions/sign', { serializedTransaction })
  }
  const mint = { destination: { position }, lamports: String(MAX_SUPPLY) }
  expect(await prepare(stranger)).toMatchObject({ status: 'PREPARED' })
  expect(await owner.api.ok<Result>(201, 'POST', MINT, mint)).toMatchObject({ success: true })

  await owner.api.ok(200, 'PATCH', '/financial-instruments', { mintAccount: token, maxSupply: 2 * MAX_SUPPLY })
  await prepare(owner)
  await owner.api.refuses(400, CODE, 'POST', MINT, mint)
})
