// The class of a payment depends on who can withdraw the funds, not on the owner of the address.
import { createInitializeAccount3Instruction, TOKEN_2022_PROGRAM_ID, TOKEN_PROGRAM_ID } from '@solana/spl-token'
import { Keypair, NONCE_ACCOUNT_LENGTH, PublicKey, SystemProgram, type TransactionInstruction } from '@solana/web3.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '../e2e/client.ts'
import { startWorld, unwatched, type World } from '../e2e/harness.ts'
import { LimitFixture, PAY } from '../e2e/limits/limit-fixture.ts'
import type { Ids, NewInstrument, NewPosition, Result } from '../e2e/models.ts'
import { SOL, type Records } from '../e2e/records.ts'
import { Attacker } from './fixtures/attacker.ts'

let world: World
let fixture: LimitFixture
let attacker: Attacker
/** Keys of the victim: an administrator, and an operator who may not set policy. */
let admin: Client
let operator: Client
let records: Records
let instrument: Ids
let feePayer: Ids

beforeAll(async () => {
  world = await startWorld({}, unwatched)
  fixture = new LimitFixture(world)
  attacker = await Attacker.open(world)
  const organization = await fixture.organization()
  admin = (await fixture.person(organization, 'ADMIN')).api
  operator = (await fixture.person(organization, 'OPERATOR')).api
  records = world.records.with(admin)
  feePayer = await records.feePayer()
  instrument = await records.instrument('SPL', await records.account())
})
afterAll(() => world.stop())

/** Created by the operator, with the defaults. */
const wallet = (lamports = 100n * SOL): Promise<Ids> => world.records.with(operator).funded({}, lamports)
const pay = (source: Ids, onchainId: string, lamports: bigint) =>
  operator.send<Result>('POST', PAY, {
    source,
    destination: { onchainId, offPlatform: true },
    lamports: lamports.toString(),
  })

async function refusesToPay(source: Ids, destination: string, lamports = 99n * SOL): Promise<void> {
  const before = await world.chain.lamports(destination)
  const { status, body } = await pay(source, destination, lamports)
  expect([status, JSON.stringify(body)]).toEqual([400, expect.stringContaining('DEBIT_LIMIT_EXCEEDED')])
  expect(await world.chain.lamports(destination)).toBe(before)
}

async function pays(source: Ids, destination: string, lamports = 50n * SOL): Promise<void> {
  const before = await world.chain.lamports(destination)
  const { status, body } = await pay(source, destination, lamports)
  expect([status, JSON.stringify(body)]).toEqual([201, expect.stringContaining('"success":true')])
  expect(await world.chain.lamports(destination)).toBe(before + lamports)
}

const notePosition = async (at: PublicKey, owner: object): Promise<Ids> =>
  (
    await operator.ok<NewPosition>(201, 'POST', '/positions', {
      position: { onchainId: at.toBase58(), managed: false, alreadyOnchain: true },
      owner,
      financialInstrument: instrument,
    })
  ).newPosition

describe('attack 3: a token account of one’s own wallet with an outside close authority', () => {
  it('14.2: is onboarded, shows its close authority, and gets no lamports', async () => {
    const source = await wallet()
    const key = await attacker.tokenAccount(instrument.onchainId, {
      owner: new PublicKey(source.onchainId),
      closeAuthority: attacker.address,
    })
    const position = await notePosition(key.publicKey, source)
    const record = await records.positionRecord(position)
    expect(record.closeAuthority?.onchain.id).toBe(attacker.address.toBase58())
    expect(record.delegate).toBeNull()
    await refusesToPay(source, position.onchainId)
    await attacker.close(key.publicKey)
    expect(await world.chain.lamports(source.onchainId)).toBe(100n * SOL)
  })

  it('control: without an outside authority, receives lamports and tokens', async () => {
    const source = await wallet()
    const key = await attacker.tokenAccount(instrument.onchainId, { owner: new PublicKey(source.onchainId) })
    const position = await notePosition(key.publicKey, source)
    expect((await records.positionRecord(position)).closeAuthority).toBeNull()
    await pays(source, position.onchainId)
    const own = await records.position(source, instrument, 100n)
    await operator.ok(201, 'POST', '/positions/transfer', {
      source: { position: own },
      destination: { position },
      lamports: 60,
    })
    expect(await world.chain.tokens(position.onchainId)).toBe(60n)
  })

  it('gets no tokens, neither as it is nor after it is closed and opened for another owner', async () => {
    const source = await wallet()
    const own = await records.position(source, instrument, 100n)
    const key = await attacker.tokenAccount(instrument.onchainId, {
      owner: new PublicKey(source.onchainId),
      closeAuthority: attacker.address,
    })
    const position = await notePosition(key.publicKey, source)
    const refuses = (code: string) =>
      operator.refuses(400, code, 'POST', '/positions/transfer', {
        source: { position: own },
        destination: { position },
        lamports: 60,
      })
    await refuses('DEBIT_LIMIT_EXCEEDED')
    await attacker.close(key.publicKey)
    await attacker.tokenAccount(instrument.onchainId, { owner: attacker.address }, key)
    // The record still names the former owner.
    await refuses('LOOKUP_MISMATCH')
    expect(await world.chain.tokens(position.onchainId)).toBe(0n)
    expect(await world.chain.tokens(own.onchainId)).toBe(100n)
  })
})

describe('attack 3: a mint with an outside close authority', () => {
  it('14.2: gets no lamports, onboarded or not', async () => {
    const source = await wallet()
    const key = await attacker.mint({ close: attacker.address, mint: new PublicKey(source.onchainId) })
    const at = key.publicKey.toBase58()
    await refusesToPay(source, at)
    await operator.ok<NewInstrument>(201, 'POST', '/financial-instruments', {
      mintAccount: { onchainId: at },
      alreadyOnChain: true,
      mintAuthority: source,
    })
    await refusesToPay(source, at)
    await attacker.close(key.publicKey, TOKEN_2022_PROGRAM_ID)
    expect(await world.chain.lamports(source.onchainId)).toBe(100n * SOL)
  })

  it('14.3: is not created with rent of a wallet that may not pay outside addresses', async () => {
    const before = await world.chain.lamports(feePayer.onchainId)
    const authority = await records.account()
    const body = {
      mintAccount: {},
      version: 'TOKEN_2022',
      mintAuthority: authority,
      onchainData: { decimals: 0, name: 'N', symbol: 'S' },
    }
    await operator.refuses(400, 'DEBIT_LIMIT_EXCEEDED', 'POST', '/financial-instruments', {
      ...body,
      closingAuthority: attacker.party,
    })
    expect(await world.chain.lamports(feePayer.onchainId)).toBe(before)
    const creation = await operator.ok<NewInstrument>(201, 'POST', '/financial-instruments', {
      ...body,
      closingAuthority: authority,
    })
    await pays(await wallet(), creation.newFinancialInstrument.onchainId)
  })
})

describe('attack 3: an address whose key is held by an outsider, with a record of a former account', () => {
  const HALF = SOL / 2n

  it('14.2: gets nothing once the token account on record is closed, nor do its associated accounts', async () => {
    const [source, owner] = [await wallet(), await wallet()]
    const key = await attacker.tokenAccount(instrument.onchainId, {
      owner: new PublicKey(owner.onchainId),
      closeAuthority: attacker.address,
    })
    await notePosition(key.publicKey, owner)
    const other = await attacker.tokenAccount(instrument.onchainId, { owner: key.publicKey })
    await refusesToPay(source, other.publicKey.toBase58(), HALF)
    await attacker.close(key.publicKey)
    await refusesToPay(source, key.publicKey.toBase58(), HALF)
  })

  it('14.2: also not at the address of a mint that was closed', async () => {
    const source = await wallet()
    const key = await attacker.mint({ close: attacker.address, mint: new PublicKey(source.onchainId) })
    const at = key.publicKey.toBase58()
    const offchainReferences = { type: 'ASSET_TOKEN' }
    await records.account({ managed: false, alreadyOnchain: true, onchainId: at, offchainReferences })
    await attacker.close(key.publicKey, TOKEN_2022_PROGRAM_ID)
    await refusesToPay(source, at, HALF)
  })

  it('control: gets one unit at a time with the record of a plain account', async () => {
    const notedAccount = await records.account({ managed: false, onchainId: Keypair.generate().publicKey.toBase58() })
    const source = await wallet()
    await pays(source, notedAccount.onchainId, SOL)
    const position = await attacker.tokenAccount(instrument.onchainId, { owner: new PublicKey(notedAccount.onchainId) })
    await pays(source, position.publicKey.toBase58(), SOL)
    await refusesToPay(source, notedAccount.onchainId)
  })
})

describe('attack 3: the address of a managed wallet, converted into another type', () => {
  const takeOver = async (
    address: string,
    instructions: (at: PublicKey) => Promise<readonly TransactionInstruction[]>,
  ) => {
    const serializedTransaction = await fixture.foreign(
      attacker.fixture.payer.publicKey.toBase58(),
      await instructions(new PublicKey(address)),
      [attacker.fixture.payer],
    )
    return await operator.send('POST', '/transactions/sign', { serializedTransaction, returnSerialized: true })
  }

  it('14.2: Sign refuses to convert it into a token account of another owner', async () => {
    const victim = await records.account()
    const { status, body } = await takeOver(victim.onchainId, async (at) => [
      await attacker.create(at, 165, TOKEN_PROGRAM_ID),
      createInitializeAccount3Instruction(at, new PublicKey(instrument.onchainId), attacker.address, TOKEN_PROGRAM_ID),
    ])
    expect([status, JSON.stringify(body)]).toEqual([403, expect.stringContaining('INSTRUCTION_NOT_ALLOWED')])
    expect(await world.chain.exists(victim.onchainId)).toBe(false)
    await pays(await wallet(), victim.onchainId, SOL)
  })

  it('14.2: Sign refuses to convert it into a nonce account of another authority', async () => {
    const victim = await records.account()
    const { status } = await takeOver(victim.onchainId, async (at) => [
      await attacker.create(at, NONCE_ACCOUNT_LENGTH, SystemProgram.programId),
      SystemProgram.nonceInitialize({ noncePubkey: at, authorizedPubkey: attacker.address }),
    ])
    expect(status).toBe(403)
    expect(await world.chain.exists(victim.onchainId)).toBe(false)
  })

  it('control: Sign accepts a token account with a key of its own', async () => {
    const key = Keypair.generate()
    const source = await wallet()
    const serializedTransaction = await fixture.foreign(
      attacker.fixture.payer.publicKey.toBase58(),
      [
        SystemProgram.transfer({
          fromPubkey: new PublicKey(source.onchainId),
          toPubkey: new PublicKey(feePayer.onchainId),
          lamports: 1_000,
        }),
        await attacker.create(key.publicKey, 165, TOKEN_PROGRAM_ID),
        createInitializeAccount3Instruction(
          key.publicKey,
          new PublicKey(instrument.onchainId),
          attacker.address,
          TOKEN_PROGRAM_ID,
        ),
      ],
      [attacker.fixture.payer, key],
    )
    const signed = await operator.ok<Result>(200, 'POST', '/transactions/sign', {
      serializedTransaction,
      returnSerialized: true,
    })
    expect(signed.status).toBe('SIGNED')
  })
})

describe('attack 12: one hop through a type without limits', () => {
  const type = 'TOKEN_MANAGEMENT_AUTHORITY'

  it('14.2: counts as held elsewhere if its creator may not set policies', async () => {
    const hop = await world.records.with(operator).account({ offchainReferences: { type } })
    const source = await wallet()
    await refusesToPay(source, hop.onchainId)
    await pays(source, hop.onchainId, SOL)
    const token = await attacker.tokenAccount(instrument.onchainId, { owner: new PublicKey(hop.onchainId) })
    await refusesToPay(source, token.publicKey.toBase58())
    const nonce = await attacker.nonce(new PublicKey(hop.onchainId))
    await refusesToPay(source, nonce.publicKey.toBase58())
  })

  it('control: counts like a wallet if its creator may set policies', async () => {
    await pays(await wallet(), (await records.account({ offchainReferences: { type } })).onchainId)
  })

  it('14.2: also a wallet with limits set by a key without that role, until a key with it sets them', async () => {
    const strict = [{ destination: 'ANY', maxAllowedDebit: { limitType: 'PER_TRANSACTION', limitAmount: 0 } }]
    const hop = await world.records.with(operator).account({ networkCurrencyDebitLimits: strict })
    const source = await wallet()
    await refusesToPay(source, hop.onchainId)
    await admin.ok(200, 'PATCH', '/accounts', { account: hop, networkCurrencyDebitLimits: [] })
    await pays(source, hop.onchainId)
  })
})
