// Accounts whose key belongs to another party, before they exist and after they are closed: a record that waits is no
// proof of who controls an address. Each theft is tried over HTTP, and the chain shows that nothing has moved.
import {
  Keypair,
  PublicKey,
  SystemProgram,
  Transaction,
  sendAndConfirmTransaction,
  type TransactionInstruction,
} from '@solana/web3.js'
import {
  createAssociatedTokenAccountIdempotentInstruction,
  createCloseAccountInstruction,
  createInitializeAccount3Instruction,
  createInitializeMultisigInstruction,
  createMint,
  createSyncNativeInstruction,
  createTransferInstruction,
  getAssociatedTokenAddressSync,
  mintTo,
  NATIVE_MINT,
  TOKEN_2022_PROGRAM_ID,
  TOKEN_PROGRAM_ID,
} from '@solana/spl-token'
import bs58 from 'bs58'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startWorld, type World } from '../e2e/harness.ts'
import { LimitFixture, PAY, type Person } from '../e2e/limits/limit-fixture.ts'
import type { Ids, Problems } from '../e2e/models.ts'
import { SOL, type Records } from '../e2e/records.ts'

const TOKEN_ACCOUNT_BYTES = 165
const MULTISIG_BYTES = 355

let world: World
let fixture: LimitFixture
let admin: Person
let operator: Person
let records: Records
let feePayer: Ids
let wallet: Ids
const thief = Keypair.generate()
const outside = { onchainId: thief.publicKey.toBase58(), offPlatform: true }

const key = ({ onchainId }: Ids): PublicKey => new PublicKey(onchainId)
const external = (owner: Keypair): object => ({ managed: false, onchainId: owner.publicKey.toBase58() })
const imported = (owner: Keypair): object => ({
  managed: true,
  privateKeyDetails: { privateKey: bs58.encode(owner.secretKey) },
})

beforeAll(async () => {
  world = await startWorld()
  fixture = new LimitFixture(world)
  await world.api.ok(201, 'POST', '/admin/organizations', { externalId: 'VICTIM', name: 'Victim' })
  admin = await fixture.person('VICTIM', 'ADMIN')
  operator = await fixture.person('VICTIM', 'OPERATOR')
  records = world.records.with(admin.api)
  feePayer = await records.feePayer()
  await world.chain.airdrop(outside.onchainId, 20n * SOL)
})
beforeEach(async () => {
  wallet = await records.funded({}, 20n * SOL)
})
afterAll(() => world.stop())

async function refusedWith(sent: Promise<{ status: number; body: Problems }>): Promise<string> {
  const { status, body } = await sent
  return `${status} ${body.errors?.[0]?.code ?? JSON.stringify(body)}`
}

const pays = (destination: object, lamports: string): Promise<string> =>
  refusedWith(operator.api.send('POST', PAY, { source: wallet, destination, lamports }))

async function signs(instructions: readonly TransactionInstruction[], person = operator, payer = feePayer) {
  const serializedTransaction = await fixture.foreign(payer.onchainId, instructions)
  return await refusedWith(person.api.send('POST', '/transactions/sign', { serializedTransaction }))
}

async function onChain(signers: Keypair[], ...instructions: TransactionInstruction[]): Promise<void> {
  const transaction = new Transaction().add(...instructions)
  transaction.feePayer = signers[0]!.publicKey
  await sendAndConfirmTransaction(world.chain.connection, transaction, signers, { commitment: 'confirmed' })
}

/** The thief creates a token account at the address of `account`. */
async function opens(account: Keypair, mint: Ids, owner: PublicKey): Promise<void> {
  const lamports = await world.chain.connection.getMinimumBalanceForRentExemption(TOKEN_ACCOUNT_BYTES)
  const place = { newAccountPubkey: account.publicKey, space: TOKEN_ACCOUNT_BYTES, programId: TOKEN_2022_PROGRAM_ID }
  await onChain(
    [thief, account],
    SystemProgram.createAccount({ fromPubkey: thief.publicKey, lamports, ...place }),
    createInitializeAccount3Instruction(account.publicKey, key(mint), owner, TOKEN_2022_PROGRAM_ID),
  )
}

describe('the key of an account that does not exist yet', () => {
  it('controls what is paid to a pending position', async () => {
    const x = Keypair.generate()
    const mint = await records.instrument('TOKEN_2022', feePayer)
    const full = await records.position(wallet, mint, 3_000_000n)
    const { newPosition } = await operator.api.ok<{ newPosition: Ids }>(201, 'POST', '/positions', {
      ...{ owner: wallet, financialInstrument: mint, position: external(x) },
    })
    expect(await pays(newPosition, '2000000000')).toBe('400 DEBIT_LIMIT_EXCEEDED')
    const transfer = { source: { position: full }, destination: { position: newPosition }, lamports: '3000000' }
    expect(await refusedWith(operator.api.send('POST', '/positions/transfer', transfer))).toBe(
      '400 ACCOUNT_NOT_ONCHAIN',
    )
    await opens(x, mint, thief.publicKey)
    expect(await refusedWith(operator.api.send('POST', '/positions/transfer', transfer))).toBe('400 LOOKUP_MISMATCH')
    expect((await world.chain.token(x.publicKey.toBase58())).amount).toBe(0n)
  })

  it('controls what is paid to a pending nonce account', async () => {
    const x = Keypair.generate()
    await operator.api.ok(201, 'POST', '/durable-nonce-accounts', {
      ...{ nonceAuthority: wallet, nonceAccounts: [external(x)] },
    })
    expect(await pays({ onchainId: x.publicKey.toBase58() }, '2000000000')).toBe('400 DEBIT_LIMIT_EXCEEDED')
    expect(await world.chain.lamports(x.publicKey.toBase58())).toBe(0n)
  })

  it.each(['/positions/transfer', '/positions/mint'])(
    'receives nothing of %s to the owner, who has an associated account',
    async (path) => {
      const x = Keypair.generate()
      const treasury = await records.funded({}, SOL)
      const mint = await records.instrument('TOKEN_2022', feePayer)
      if (path === '/positions/transfer') await records.position(wallet, mint, 3_000_000n)
      await world.api.send('POST', '/admin/organizations', {
        ...{ externalId: 'BRANCH', name: 'Branch', parentExternalId: 'VICTIM' },
      })
      const branch = await fixture.person('BRANCH', 'ADMIN')
      await world.records.with(branch.api).feePayer()
      await branch.api.ok(201, 'POST', '/positions', {
        owner: { onchainId: treasury.onchainId },
        financialInstrument: { onchainId: mint.onchainId },
        position: external(x),
      })
      await opens(x, mint, thief.publicKey)
      await admin.api.ok(201, 'POST', path, {
        ...(path === '/positions/transfer' ? { source: { owner: wallet, financialInstrument: mint } } : {}),
        destination: { owner: treasury, financialInstrument: mint },
        ...{ lamports: '3000000', initializeDestinationPositionIfNeeded: true },
      })
      const associated = getAssociatedTokenAddressSync(key(mint), key(treasury), false, TOKEN_2022_PROGRAM_ID)
      expect((await world.chain.token(associated.toBase58())).amount).toBe(3_000_000n)
      expect((await world.chain.token(x.publicKey.toBase58())).amount).toBe(0n)
    },
  )

  it('does not lift the limits of a mint that exists, by a pending instrument', async () => {
    const { connection } = world.chain
    const mint = await createMint(connection, thief, thief.publicKey, null, 6, undefined, { commitment: 'confirmed' })
    const financialInstrument = { onchainId: mint.toBase58() }
    const { newPosition } = await admin.api.ok<{ newPosition: Ids }>(201, 'POST', '/positions', {
      ...{ owner: wallet, financialInstrument },
    })
    await mintTo(connection, thief, mint, key(newPosition), thief, 1_000_000_000n, [], { commitment: 'confirmed' })
    const maxAllowedDebit = { limitType: 'PER_TRANSACTION', limitAmount: 1 }
    const ofIssuer = { destination: 'ANY', operationType: 'ANY', mintAuthority: outside, maxAllowedDebit }
    await admin.api.ok(200, 'PATCH', '/accounts', { account: wallet, tokenDebitLimits: [ofIssuer] })
    const transfer = {
      source: { position: newPosition },
      destination: { owner: outside, financialInstrument },
      ...{ lamports: '500000000', initializeDestinationPositionIfNeeded: true },
    }
    const sent = () => refusedWith(operator.api.send('POST', '/positions/transfer', transfer))
    expect(await sent()).toBe('400 DEBIT_LIMIT_EXCEEDED')
    await operator.api.send('POST', '/financial-instruments', {
      mintAccount: { managed: false, onchainId: mint.toBase58() },
      ...{ version: 'SPL', mintAuthority: feePayer, onchainData: { decimals: 6 } },
    })
    expect(await sent()).toBe('400 DEBIT_LIMIT_EXCEEDED')
    const loot = getAssociatedTokenAddressSync(mint, thief.publicKey)
    const foreign = [
      createAssociatedTokenAccountIdempotentInstruction(key(feePayer), loot, thief.publicKey, mint),
      createTransferInstruction(key(newPosition), loot, key(wallet), 100_000_000n),
    ]
    expect(await signs(foreign)).toBe('400 DEBIT_LIMIT_EXCEEDED')
  })
})

describe('the key of an account that a message closes', () => {
  const payment = (to: PublicKey): TransactionInstruction =>
    SystemProgram.transfer({ fromPubkey: key(wallet), toPubkey: to, lamports: 5_000_000_000 })

  it('controls what the message then pays to it', async () => {
    const x = Keypair.generate()
    const mint = await records.instrument('TOKEN_2022', feePayer)
    await operator.api.ok(201, 'POST', '/positions', {
      ...{ owner: wallet, financialInstrument: mint, position: imported(x) },
    })
    const close = createCloseAccountInstruction(x.publicKey, key(wallet), key(wallet), [], TOKEN_2022_PROGRAM_ID)
    expect(await signs([close, payment(x.publicKey)])).toBe('400 DEBIT_LIMIT_EXCEEDED')
  })

  it('controls what another tenant, which may sign, then pays to it', async () => {
    await world.api.ok(201, 'POST', '/admin/organizations', { externalId: 'GUEST', name: 'Guest' })
    const guest = await fixture.person('GUEST', 'ADMIN')
    const itsRecords = world.records.with(guest.api)
    await admin.api.ok(200, 'PATCH', '/accounts', { account: wallet, orgsAllowedToSignWithPrivateKey: ['GUEST'] })
    const payer = await itsRecords.feePayer()
    const mint = await itsRecords.instrument('TOKEN_2022', payer)
    const x = Keypair.generate()
    await opens(x, mint, key(wallet))
    const close = createCloseAccountInstruction(x.publicKey, key(wallet), key(wallet), [], TOKEN_2022_PROGRAM_ID)
    expect(await signs([close, payment(x.publicKey)], guest, payer)).toBe('400 DEBIT_LIMIT_EXCEEDED')
  })

  it('or anybody controls what is paid to a nonce account after a withdrawal', async () => {
    const x = Keypair.generate()
    await operator.api.ok(201, 'POST', '/durable-nonce-accounts', {
      ...{ nonceAuthority: wallet, nonceAccounts: [imported(x)] },
    })
    const lamports = Number(await world.chain.lamports(x.publicKey.toBase58()))
    const withdrawal = SystemProgram.nonceWithdraw({
      ...{ noncePubkey: x.publicKey, authorizedPubkey: key(wallet), toPubkey: key(wallet), lamports },
    })
    expect(await signs([withdrawal, payment(x.publicKey)])).toBe('400 DEBIT_LIMIT_EXCEEDED')
    // In a transaction of its own, the withdrawal is allowed; the record of the nonce account may outlive the account.
    const serializedTransaction = await fixture.foreign(feePayer.onchainId, [withdrawal])
    const signed = await operator.api.ok<Ids>(200, 'POST', '/transactions/sign', { serializedTransaction })
    await operator.api.ok(200, 'POST', '/transactions/submit', { transaction: { offchainId: signed.offchainId } })
    expect(await world.chain.lamports(x.publicKey.toBase58())).toBe(0n)
    expect(await pays({ onchainId: x.publicKey.toBase58() }, '5000000000')).toBe('400 DEBIT_LIMIT_EXCEEDED')
  })

  it('is not asked about an account that is paid first, and closed in favour of its owner', async () => {
    const wrapped = getAssociatedTokenAddressSync(NATIVE_MINT, key(wallet))
    const wrap = [
      createAssociatedTokenAccountIdempotentInstruction(key(wallet), wrapped, key(wallet), NATIVE_MINT),
      payment(wrapped),
      createSyncNativeInstruction(wrapped),
      createCloseAccountInstruction(wrapped, key(wallet), key(wallet)),
    ]
    await operator.api.ok(200, 'POST', '/transactions/sign', {
      serializedTransaction: await fixture.foreign(feePayer.onchainId, wrap),
    })
    const x = Keypair.generate()
    const place = { newAccountPubkey: x.publicKey, space: TOKEN_ACCOUNT_BYTES, programId: TOKEN_PROGRAM_ID }
    const throughFreshKey = [
      SystemProgram.createAccount({ fromPubkey: key(wallet), lamports: 5_000_000_000, ...place }),
      createInitializeAccount3Instruction(x.publicKey, NATIVE_MINT, key(wallet)),
      createCloseAccountInstruction(x.publicKey, key(wallet), key(wallet)),
    ]
    await operator.api.ok(200, 'POST', '/transactions/sign', {
      serializedTransaction: await fixture.foreign(feePayer.onchainId, throughFreshKey, [x]),
    })
  })
})

describe('a transaction made elsewhere', () => {
  it('makes no multisig of an account whose key is managed', async () => {
    const authority = await records.account({
      offchainReferences: { type: 'TOKEN_MANAGEMENT_AUTHORITY', code: 'authority' },
    })
    const lamports = await world.chain.connection.getMinimumBalanceForRentExemption(MULTISIG_BYTES)
    const place = { newAccountPubkey: key(authority), space: MULTISIG_BYTES, programId: TOKEN_2022_PROGRAM_ID }
    const instructions = [
      SystemProgram.createAccount({ fromPubkey: thief.publicKey, lamports, ...place }),
      createInitializeMultisigInstruction(key(authority), [thief.publicKey], 1, TOKEN_2022_PROGRAM_ID),
    ]
    const serializedTransaction = await fixture.foreign(outside.onchainId, instructions, [thief])
    expect(await refusedWith(operator.api.send('POST', '/transactions/sign', { serializedTransaction }))).toBe(
      '403 INSTRUCTION_NOT_ALLOWED',
    )
  })

  it('opens no managed pending position for another owner', async () => {
    const mint = await records.instrument('TOKEN_2022', feePayer)
    const { newPosition } = await operator.api.ok<{ newPosition: Ids }>(
      201,
      'POST',
      '/positions',
      { owner: wallet, financialInstrument: mint, position: { managed: true } },
      { config: { feePayer: { ...feePayer, autoSign: false } } },
    )
    const lamports = await world.chain.connection.getMinimumBalanceForRentExemption(TOKEN_ACCOUNT_BYTES)
    const place = { newAccountPubkey: key(newPosition), space: TOKEN_ACCOUNT_BYTES, programId: TOKEN_2022_PROGRAM_ID }
    const instructions = [
      SystemProgram.createAccount({ fromPubkey: thief.publicKey, lamports, ...place }),
      createInitializeAccount3Instruction(key(newPosition), key(mint), thief.publicKey, TOKEN_2022_PROGRAM_ID),
    ]
    const serializedTransaction = await fixture.foreign(outside.onchainId, instructions, [thief])
    expect(await refusedWith(operator.api.send('POST', '/transactions/sign', { serializedTransaction }))).toBe(
      '403 INSTRUCTION_NOT_ALLOWED',
    )
  })
})
