// Instruments with a transfer hook: the accounts that a transfer passes to it, and the refusals before anything is
// signed.
import { createTransferCheckedInstruction, TOKEN_2022_PROGRAM_ID } from '@solana/spl-token'
import { Keypair, PublicKey, TransactionMessage, VersionedTransaction } from '@solana/web3.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startWorld, type World } from '../harness.ts'
import type { Ids, Result } from '../models.ts'
import { SOL } from '../records.ts'

/** A program that accepts any instruction of another program, and does nothing. */
const IDLE_PROGRAM = 'ComputeBudget111111111111111111111111111111'

let world: World
let authority: Ids

beforeAll(async () => {
  world = await startWorld()
  await world.records.feePayer()
  authority = await world.records.account()
})
afterAll(() => world.stop())

const hook = (onchainId: string) => ({ transferHookProgram: { onchainId, offPlatform: true } })

async function createHooked(members: object): Promise<{ instrument: Ids; from: Ids; to: Ids }> {
  const instrument = await world.records.instrument('TOKEN_2022', authority, {
    transferHookAuthority: authority,
    ...members,
  })
  const [one, other] = await Promise.all([world.records.account(), world.records.account()])
  return {
    instrument,
    from: await world.records.position(one, instrument, 100n),
    to: await world.records.position(other, instrument),
  }
}

async function succeeds(path: string, itemData: object): Promise<Result> {
  const result = await world.api.ok<Result>(201, 'POST', path, itemData)
  expect(result.success, JSON.stringify(result)).toBe(true)
  return result
}

describe('an instrument with a transfer hook', () => {
  it('is transferred like any other while the mint names no program', async () => {
    const { from, to } = await createHooked({})
    await succeeds('/positions/transfer', { source: { position: from }, destination: { position: to }, lamports: 40 })
    await succeeds('/positions/burn', { source: { position: from }, lamports: 10 })
    expect([await world.chain.tokens(from.onchainId), await world.chain.tokens(to.onchainId)]).toEqual([50n, 40n])
    await world.records.positionsEqualChain(from, to)
  })

  it('passes the accounts of its program, which the token program calls', async () => {
    const { instrument, from, to } = await createHooked(hook(IDLE_PROGRAM))
    const heir = await world.records.account()
    const { onchainId } = await succeeds('/positions/transfer', {
      source: { position: from },
      destination: { position: to },
      lamports: 40,
    })
    const { meta } = await world.chain.transaction(onchainId!)
    expect(meta?.logMessages).toContain(`Program ${IDLE_PROGRAM} invoke [2]`)
    await succeeds('/positions/transfer', {
      source: { position: from },
      destination: { owner: heir, financialInstrument: instrument },
      lamports: 1,
      initializeDestinationPositionIfNeeded: true,
    })
    await world.api.ok(200, 'PATCH', '/positions/close', {
      position: { position: from },
      transferRemainingTokenBalanceTo: { position: to },
    })
    expect(await world.chain.tokens(to.onchainId)).toBe(99n)
    await world.records.positionsEqualChain(to)
  })

  it('is refused while its program is missing, before a fee is paid', async () => {
    const nowhere = Keypair.generate().publicKey.toBase58()
    const { from, to } = await createHooked(hook(nowhere))
    const body = { source: { position: from }, destination: { position: to }, lamports: 1 }
    const problem = await world.api.refuses(400, 'TRANSFER_HOOK_UNAVAILABLE', 'POST', '/positions/transfer', body)
    expect(problem).toMatchObject({ pointer: '/itemData/source' })
    expect(problem.message).toContain(nowhere)
    // A wallet exists, but is no program.
    const wallet = await createHooked(hook(authority.onchainId))
    await world.api.refuses(400, 'TRANSFER_HOOK_UNAVAILABLE', 'POST', '/positions/transfer', {
      source: { position: wallet.from },
      destination: { position: wallet.to },
      lamports: 1,
    })
    // A burn is not affected.
    await succeeds('/positions/burn', { source: { position: from }, lamports: 100 })
    await world.records.positionsEqualChain(from, to, wallet.from)
  })

  it('in a transaction made elsewhere gets no signature', async () => {
    const { instrument, from, to } = await createHooked(hook(IDLE_PROGRAM))
    const [victim, thief] = [await world.records.funded({ canPayFees: true }, SOL), Keypair.generate()]
    const { blockhash } = await world.chain.connection.getLatestBlockhash()
    const serialized = (further: readonly string[]): string => {
      const key = (address: string): PublicKey => new PublicKey(address)
      const transfer = createTransferCheckedInstruction(
        key(from.onchainId),
        key(instrument.onchainId),
        key(to.onchainId),
        thief.publicKey,
        1n,
        6,
        [],
        TOKEN_2022_PROGRAM_ID,
      )
      // The fee payer signs, whatever the instruction declares about it.
      transfer.keys.push(...further.map((address) => ({ pubkey: key(address), isSigner: false, isWritable: true })))
      const message = new TransactionMessage({
        payerKey: key(victim.onchainId),
        recentBlockhash: blockhash,
        instructions: [transfer],
      })
      return Buffer.from(new VersionedTransaction(message.compileToV0Message()).serialize()).toString('base64')
    }
    const sign = (further: readonly string[]) => ({ serializedTransaction: serialized(further), signers: [victim] })
    await world.api.refuses(
      403,
      'INSTRUCTION_NOT_ALLOWED',
      'POST',
      '/transactions/sign',
      sign([victim.onchainId, IDLE_PROGRAM]),
    )
    expect((await world.api.ok<Result>(200, 'POST', '/transactions/sign', sign([IDLE_PROGRAM]))).status).toBe(
      'PARTIALLY_SIGNED',
    )
  })
})
