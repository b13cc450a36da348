// A pending transaction delays only the reconciliation of balances, not that of the rest of a record.
import {
  AuthorityType,
  createAccount,
  createApproveInstruction,
  createCloseAccountInstruction,
  createFreezeAccountInstruction,
  createMintToInstruction,
  createSetAuthorityInstruction,
} from '@solana/spl-token'
import { Keypair, PublicKey } from '@solana/web3.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventually, startWorld, type World } from '../../e2e/harness.ts'
import { MintFixture, type OutsideMint } from '../../e2e/instruments/mint-fixture.ts'
import type { Ids, NewInstrument, NewPosition, Position, Result } from '../../e2e/models.ts'
import { DURABLE, NonceFixture, PAY } from '../../e2e/transactions/nonce-fixture.ts'

let world: World
let mints: MintFixture
let nonces: NonceFixture
let mint: OutsideMint
let instrument: Ids

beforeAll(async () => {
  world = await startWorld({ HOLDFAST_EMBEDDED_FAULTS: 'on' }, (usual) => ({
    ...usual,
    comparison: { ...usual.comparison, roundMs: 50, questionsPerSecond: 50 },
  }))
  mints = await MintFixture.open(world)
  nonces = await NonceFixture.open(world, 'WAITING', 3)
  mint = await mints.spl(0)
  const mintAuthority = { onchainId: mints.payer.publicKey.toBase58(), offPlatform: true }
  const body = { mintAccount: { onchainId: mint.address }, alreadyOnChain: true, mintAuthority }
  instrument = (await nonces.api.ok<NewInstrument>(201, 'POST', '/financial-instruments', body)).newFinancialInstrument
})
afterAll(() => world.stop())

interface Noted {
  readonly ids: Ids
  readonly at: PublicKey
  readonly owner: Keypair
}

/** A token account of an outside owner that the organization has recorded. */
async function noteAccount(): Promise<Noted> {
  const owner = Keypair.generate()
  const at = await createAccount(
    world.chain.connection,
    mints.payer,
    mint.key.publicKey,
    owner.publicKey,
    Keypair.generate(),
    { commitment: 'confirmed' },
  )
  const { newPosition } = await nonces.api.ok<NewPosition>(201, 'POST', '/positions', {
    position: { onchainId: at.toBase58(), managed: false, alreadyOnchain: true },
    owner: { onchainId: owner.publicKey.toBase58(), offPlatform: true },
    financialInstrument: instrument,
  })
  return { ids: newPosition, at, owner }
}

/** Signed under a nonce and never sent: it would pay lamports into the token account, at any later time. */
async function waitsOn({ ids }: Noted): Promise<Result> {
  const free = [{ destination: 'ANY', maxAllowedDebit: null }]
  const source = await nonces.records.funded({ networkCurrencyDebitLimits: free })
  const itemData = {
    source: { ...source, autoSign: false },
    destination: { onchainId: ids.onchainId, offPlatform: true },
    lamports: 5_000,
  }
  const prepared = await nonces.api.ok<Result>(201, 'POST', PAY, itemData, { config: DURABLE })
  const signed = await nonces.sign(prepared)
  expect(signed.status).toBe('SIGNED')
  return signed
}

const position = (ids: Ids): Promise<Position> =>
  nonces.api.read<Position>('/positions/single', { position: { offchainId: ids.offchainId } })

describe('14.2: a transaction that waits', () => {
  it('does not delay the comparison of owner, authorities and state of a record', async () => {
    const account = await noteAccount()
    const { ids, at, owner } = account
    const [heir, closer, mover] = [Keypair.generate(), Keypair.generate(), Keypair.generate()]
    await waitsOn(account)
    await mints.send(
      [
        createMintToInstruction(mint.key.publicKey, at, mints.payer.publicKey, 40),
        createSetAuthorityInstruction(at, owner.publicKey, AuthorityType.AccountOwner, heir.publicKey),
        createSetAuthorityInstruction(at, heir.publicKey, AuthorityType.CloseAccount, closer.publicKey),
        createApproveInstruction(at, mover.publicKey, heir.publicKey, 40),
        createFreezeAccountInstruction(at, mint.key.publicKey, mints.payer.publicKey),
      ],
      [owner, heir],
    )
    await eventually(async () => {
      const record = await position(ids)
      expect(record.owner.onchain.id).toBe(heir.publicKey.toBase58())
      expect(record.closeAuthority?.onchain.id).toBe(closer.publicKey.toBase58())
      expect(record.delegate?.onchain.id).toBe(mover.publicKey.toBase58())
      expect(record.state).toBe('FROZEN')
    })
    // A nonce that still holds the signed value shows that the transaction has not landed: the amount is known, too.
    await eventually(async () => expect((await position(ids)).balance.lamports).toBe(40))
  })

  it('does not keep a record of a missing account open', async () => {
    const account = await noteAccount()
    const { ids, at, owner } = account
    await waitsOn(account)
    await mints.send([createCloseAccountInstruction(at, mints.payer.publicKey, owner.publicKey)], [owner])
    await eventually(async () => expect(await position(ids)).toMatchObject({ state: 'CLOSED', status: 'CLOSED' }))
  })

  it('control: without it, balance and authorities follow the chain together', async () => {
    const { ids, at, owner } = await noteAccount()
    await mints.send([createMintToInstruction(mint.key.publicKey, at, mints.payer.publicKey, 7)])
    await eventually(async () => expect((await position(ids)).balance.lamports).toBe(7))
    const record = await position(ids)
    expect([record.owner.onchain.id, record.closeAuthority, record.delegate]).toEqual([
      owner.publicKey.toBase58(),
      null,
      null,
    ])
  })
})
