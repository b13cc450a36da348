// An address that another tenant onboarded and an unknown one get the same answer in any role, with or without
// `offPlatform`, in a request or a dry run. One row for each endpoint and role.
import { randomUUID } from 'node:crypto'
import {
  AuthorityType,
  createSetAuthorityInstruction,
  TOKEN_2022_PROGRAM_ID,
  TOKEN_PROGRAM_ID,
} from '@solana/spl-token'
import { PublicKey, SystemProgram, TransactionMessage, VersionedTransaction } from '@solana/web3.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { answerTo, maskAnswer, ownOf, PAY, ROWS, type Own } from '../fixtures/address-roles.ts'
import { addressOf } from '../fixtures/addresses.ts'
import { startWorld, type World } from '../../e2e/harness.ts'
import type { Result } from '../../e2e/models.ts'
import { SOL } from '../../e2e/records.ts'
import { everythingSeenBy, newParty, type Party } from '../fixtures/parties.ts'

let world: World
let asker: Party
let owner: Party
let own: Omit<Own, 'spare'>
let onboarded: string
let unknownAddress: string

beforeAll(async () => {
  world = await startWorld()
  ;[asker, owner] = [await newParty(world, 'ASKER'), await newParty(world, 'OWNER')]
  own = await ownOf(asker)
  onboarded = (await owner.records.funded({}, SOL)).onchainId
  unknownAddress = addressOf('nobody knows it')
  await world.chain.airdrop(unknownAddress, SOL)
})
afterAll(() => world.stop())

/**
 * Roles in which the exact address of an account of another tenant may be named without `offPlatform`, and an unknown
 * one may not.
 */
const PAID = [
  'destination',
  'destination within limits',
  'destination over limits',
  'owner of the destination',
  'position paid to',
  'leg',
]

describe("14.11 attack 17: answers do not distinguish another tenant's address from an unknown one", () => {
  describe.each(ROWS)('$role of $method $path', (each) => {
    it.each([
      ['plain', {}, {}],
      ['offPlatform', { offPlatform: true }, {}],
      ['dry run', { offPlatform: true }, { 'Holdfast-Dry-Run': 'true' }],
    ] as const)('%s', async (title, members, headers) => {
      const about = (onchainId: string): Promise<unknown> =>
        answerTo(each, { asker, own }, { onchainId, ...members }, headers)
      const answers = [await about(onboarded), await about(unknownAddress)]
      if (title === 'plain' && PAID.includes(each.role)) expect(answers[1]).toMatchObject({ status: 400 })
      else expect(answers[0]).toEqual(answers[1])
    })
  })

  it.each([
    [
      'assigned to a program',
      (at: PublicKey) => SystemProgram.assign({ accountPubkey: at, programId: TOKEN_PROGRAM_ID }),
    ],
    ['given space', (at: PublicKey) => SystemProgram.allocate({ accountPubkey: at, space: 8 })],
    [
      'that pays',
      (at: PublicKey) =>
        SystemProgram.transfer({ fromPubkey: at, toPubkey: new PublicKey(own.wallet.onchainId), lamports: 1_000 }),
    ],
    [
      'that hands over an authority',
      (at: PublicKey) =>
        createSetAuthorityInstruction(
          new PublicKey(own.position.onchainId),
          at,
          AuthorityType.CloseAccount,
          null,
          [],
          TOKEN_2022_PROGRAM_ID,
        ),
    ],
  ])('an account in a transaction made elsewhere, %s', async (_title, instruction) => {
    const about = async (address: string): Promise<unknown> => {
      const { blockhash } = await world.chain.connection.getLatestBlockhash('confirmed')
      const payerKey = new PublicKey(own.wallet.onchainId)
      const message = new TransactionMessage({
        payerKey,
        recentBlockhash: blockhash,
        instructions: [instruction(new PublicKey(address))],
      })
      const serializedTransaction = Buffer.from(
        new VersionedTransaction(message.compileToV0Message()).serialize(),
      ).toString('base64')
      const { status, body } = await asker.api.send('POST', '/transactions/sign', { serializedTransaction })
      return maskAnswer(status, body)
    }
    const answer = await about(onboarded)
    expect(answer).toEqual(await about(unknownAddress))
    expect(answer).toMatchObject({ status: 'PREPARED' })
    // An address of the own tenant is known.
    const ownAnswer = await about((await asker.records.funded({}, SOL)).onchainId)
    expect(ownAnswer).not.toEqual(answer)
  })

  it('and their owner has received no event', async () => {
    const visibleText = await everythingSeenBy(world, owner)
    expect(visibleText).not.toContain('ASKER')
    expect(visibleText).not.toContain('transaction.')
  })

  it("a signature of another tenant's transaction and an unknown one", async () => {
    const payer = await owner.records.feePayer({ networkCurrencyDebitLimits: [] })
    const body = { source: payer, destination: { onchainId: unknownAddress, offPlatform: true }, lamports: 1_000_000 }
    const ownerTransaction = (await owner.api.ok<Result>(201, 'POST', PAY, body)).onchainId!
    const others = await world.chain.connection.requestAirdrop(new PublicKey(unknownAddress), 1)
    const about = async (transaction: object, path: string): Promise<unknown> => {
      const { status, body: answer } = await asker.api.send('POST', path, transaction)
      return maskAnswer(status, answer)
    }
    for (const path of ['/transactions/status', '/transactions/single', '/transactions/explain']) {
      for (const beside of [{}, { offchainId: randomUUID() }]) {
        expect(await about({ ...beside, onchainId: ownerTransaction }, path)).toEqual(
          await about({ ...beside, onchainId: others }, path),
        )
      }
    }
  })
})
