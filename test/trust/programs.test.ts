// Programs outside of the instruction table: whose organization must allow them, and whose keys sign for them.
import { Keypair, PublicKey, TransactionInstruction } from '@solana/web3.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startWorld, type World } from '../e2e/harness.ts'
import { LimitFixture, type Person } from '../e2e/limits/limit-fixture.ts'
import type { Ids } from '../e2e/models.ts'
import { Records, SOL } from '../e2e/records.ts'

const OPEN = { networkCurrencyDebitLimits: [], tokenDebitLimits: [] }

let world: World
let fixture: LimitFixture
const program = Keypair.generate().publicKey

interface Party extends Person {
  readonly organization: string
  readonly records: Records
}

async function party(): Promise<Party> {
  const organization = await fixture.organization()
  const person = await fixture.person(organization, 'ADMIN')
  return { ...person, organization, records: world.records.with(person.api) }
}

const allow = ({ api, organization }: Party, allowed = true) =>
  api.ok(200, 'PATCH', '/admin/organizations', {
    externalId: organization,
    allowedPrograms: allowed ? [program.toBase58()] : [],
  })

/** A call of the program that `signer` signs and `payer` pays for. */
async function buildCall(payer: Ids, signer: Ids): Promise<{ serializedTransaction: string }> {
  const keys = [{ pubkey: new PublicKey(signer.onchainId), isSigner: true, isWritable: true }]
  const instruction = new TransactionInstruction({ programId: program, keys, data: Buffer.from([1]) })
  return { serializedTransaction: await fixture.foreign(payer.onchainId, [instruction]) }
}

beforeAll(async () => {
  world = await startWorld()
  fixture = new LimitFixture(world)
})
afterAll(() => world.stop())

describe('attack 6: a signature for any program', () => {
  it('14.7 a grantee that allows a program in its own organization gets no signature of the owner for it', async () => {
    const [owner, thief] = [await party(), await party()]
    const victim = await owner.records.funded({ ...OPEN, orgsAllowedToSignWithPrivateKey: [thief.organization] }, SOL)
    const payer = await thief.records.funded({ ...OPEN, canPayFees: true }, SOL)
    await allow(thief)
    const body = await buildCall(payer, victim)
    await thief.api.refuses(403, 'INSTRUCTION_NOT_ALLOWED', 'POST', '/transactions/sign', body)
    await thief.api.refuses(403, 'INSTRUCTION_NOT_ALLOWED', 'POST', '/transactions/sign', {
      ...body,
      signers: [{ onchainId: victim.onchainId }],
    })
    // A grant covers the instruction table only, whatever the owner allows for itself.
    await allow(owner)
    await thief.api.refuses(
      403,
      'INSTRUCTION_NOT_ALLOWED',
      'POST',
      '/transactions/sign',
      await buildCall(payer, victim),
    )
    expect((await fixture.answer('/transactions/sign', await buildCall(payer, payer), thief.api)).body.status).toBe(
      'SIGNED',
    )
    expect(await world.chain.lamports(victim.onchainId)).toBe(SOL)
  })

  it('14.7 the organization of every signing account must allow it', async () => {
    const root = await party()
    const below = `ORG-${Keypair.generate().publicKey.toBase58()}`
    await root.api.ok(201, 'POST', '/admin/organizations', {
      externalId: below,
      name: below,
      parentExternalId: root.organization,
    })
    const body = { organizationExternalId: below, name: 'below', bundle: 'ADMIN' }
    const { apiKey } = await root.api.ok<{ apiKey: string }>(201, 'POST', '/admin/api-keys', body)
    const api = world.api.as(apiKey)
    const otherWallet = await world.records
      .with(api)
      .funded({ ...OPEN, canPayFees: true, orgsAllowedToSignWithPrivateKey: [root.organization] }, SOL)
    const own = await root.records.funded({ ...OPEN, canPayFees: true }, SOL)
    await allow(root)
    await root.api.refuses(
      403,
      'INSTRUCTION_NOT_ALLOWED',
      'POST',
      '/transactions/sign',
      await buildCall(own, otherWallet),
    )
    await root.api.refuses(
      403,
      'INSTRUCTION_NOT_ALLOWED',
      'POST',
      '/transactions/sign',
      await buildCall(otherWallet, own),
    )
    expect((await fixture.answer('/transactions/sign', await buildCall(own, own), root.api)).body.status).toBe('SIGNED')
  })

  it.each(['solDebitApiKeys', 'tokenDebitApiKeys'])(
    '14.7 an account with %s signs for a program only for a listed key',
    async (member) => {
      const owner = await party()
      await allow(owner)
      const clerk = await fixture.person(owner.organization, 'OPERATOR')
      const wallet = await owner.records.funded({ ...OPEN, [member]: [clerk.keyId] }, SOL)
      const payer = await owner.records.funded({ ...OPEN, canPayFees: true }, SOL)
      await owner.api.refuses(403, 'DEBIT_KEY_REQUIRED', 'POST', '/transactions/sign', await buildCall(payer, wallet))
      expect((await fixture.answer('/transactions/sign', await buildCall(payer, wallet), clerk.api)).body.status).toBe(
        'SIGNED',
      )
    },
  )
})
