// A key that the service keeps is a member of a token multisig, and signs for what the multisig owns. The destination
// policies of the member's account and organization hold for these payments.
import { createInitializeMultisigInstruction, createTransferInstruction, TOKEN_PROGRAM_ID } from '@solana/spl-token'
import { Keypair, PublicKey } from '@solana/web3.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startWorld, type World } from '../e2e/harness.ts'
import { LimitFixture } from '../e2e/limits/limit-fixture.ts'
import type { Ids, Result } from '../e2e/models.ts'
import { Counterparties, REFUSED, UNLIMITED } from '../e2e/payouts/counterparty-setup.ts'
import { SOL } from '../e2e/records.ts'
import { Attacker } from './fixtures/attacker.ts'

const MULTISIG_BYTES = 355

let world: World
let limits: LimitFixture
let attacker: Attacker
let owner: Counterparties
let grantee: Counterparties
let instrument: Ids

beforeAll(async () => {
  world = await startWorld()
  limits = new LimitFixture(world)
  attacker = await Attacker.open(world)
  owner = await Counterparties.open(world)
  grantee = await Counterparties.open(world)
  instrument = await owner.party.records.instrument('SPL', owner.wallet)
})
afterAll(() => world.stop())

/** Of which the member is the only one; its token account holds a hundred units. */
async function multisigOf(member: Ids) {
  const key = Keypair.generate()
  const members = [new PublicKey(member.onchainId)]
  await attacker.fixture.send(
    [
      await attacker.create(key.publicKey, MULTISIG_BYTES, TOKEN_PROGRAM_ID),
      createInitializeMultisigInstruction(key.publicKey, members, 1),
    ],
    [key],
  )
  const { publicKey: from } = await attacker.tokenAccount(instrument.onchainId, { owner: key.publicKey })
  await owner.api.ok(201, 'POST', '/positions/mint', {
    destination: { position: { onchainId: from.toBase58(), offPlatform: true } },
    lamports: '100',
  })
  const { publicKey: to } = await attacker.tokenAccount(instrument.onchainId, { owner: attacker.address })
  return { to, pay: createTransferInstruction(from, to, key.publicKey, 100, members) }
}

describe('what a multisig pays with the signature of a member kept here', () => {
  it('is admitted by the organization of the member, if another tenant signs with a grant', async () => {
    const orgsAllowedToSignWithPrivateKey = [grantee.party.externalId]
    const member = await owner.party.records.funded({ ...UNLIMITED, orgsAllowedToSignWithPrivateKey }, SOL)
    const { to, pay } = await multisigOf(member)
    const id = await owner.list('BLOCKED', attacker.address.toBase58())
    const body = async () => ({ serializedTransaction: await limits.foreign(grantee.feePayer.onchainId, [pay]) })
    await grantee.api.refuses(403, REFUSED, 'POST', '/transactions/sign', await body())
    expect(await world.chain.tokens(to.toBase58())).toBe(0n)
    await owner.change(id, { status: 'ALLOWED' })
    const signed = await grantee.api.ok<Result>(200, 'POST', '/transactions/sign', await body())
    expect(signed.status).toBe('SIGNED')
    await owner.change(id, { addresses: [] })
  })

  it('is admitted by the allow list of the member', async () => {
    const member = await owner.party.records.funded({ ...UNLIMITED, destinationPolicy: 'ALLOW_LIST' }, SOL)
    const { pay } = await multisigOf(member)
    await owner.api.refuses(403, REFUSED, 'POST', '/transactions/sign', {
      serializedTransaction: await limits.foreign(owner.feePayer.onchainId, [pay]),
    })
  })
})
