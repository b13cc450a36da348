// Ways in which services like this one were drained, each tried through every endpoint that signs: each is refused, and
// nothing has moved.
import {
  AddressLookupTableProgram,
  Keypair,
  NONCE_ACCOUNT_LENGTH,
  PublicKey,
  SystemProgram,
  TransactionInstruction,
} from '@solana/web3.js'
import {
  AuthorityType,
  createApproveInstruction,
  createAssociatedTokenAccountInstruction,
  createCloseAccountInstruction,
  createSetAuthorityInstruction,
  createTransferCheckedInstruction,
  createTransferInstruction,
  getAssociatedTokenAddressSync,
  TOKEN_2022_PROGRAM_ID,
} from '@solana/spl-token'
import bs58 from 'bs58'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { eventually, startWorld, type World } from '../harness.ts'
import { LimitFixture, PAY } from './limit-fixture.ts'
import type { Ids, Result } from '../models.ts'
import { SOL } from '../records.ts'

const REFUSALS = [
  'DEBIT_LIMIT_EXCEEDED',
  'INSTRUCTION_NOT_ALLOWED',
  'NONCE_NOT_OURS',
  'NONCE_UNKNOWN',
  'SIGNER_NOT_ALLOWED',
]

let world: World
let fixture: LimitFixture
/** A fee payer with a key of the service and only the default limits, which owns tokens, nonces and tables. */
let victim: Ids
let mint: Ids
let full: Ids
let empty: Ids
let others: Ids
let nonce: Ids
let table: Ids
const thief = Keypair.generate()
const fresh = Keypair.generate()

const key = ({ onchainId }: Ids) => new PublicKey(onchainId)
const loot = () => getAssociatedTokenAddressSync(key(mint), thief.publicKey, false, TOKEN_2022_PROGRAM_ID)

beforeAll(async () => {
  // A deposit that is held back must still land on a busy machine.
  world = await startWorld({ HOLDFAST_EMBEDDED_SLOT_MS: '200' })
  fixture = new LimitFixture(world)
  victim = await world.records.feePayer()
  mint = await world.records.instrument('TOKEN_2022', victim, { permanentDelegateAuthority: victim })
  full = await world.records.position(victim, mint, 1_000_000n)
  empty = (
    await world.api.ok<{ newPosition: Ids }>(201, 'POST', '/positions', {
      owner: victim,
      financialInstrument: mint,
      position: { managed: true },
    })
  ).newPosition
  others = await world.records.position(await world.records.account(), mint, 1_000_000n)
  const nonces = await world.api.ok<{ newDurableNonceAccounts: Ids[] }>(201, 'POST', '/durable-nonce-accounts', {
    nonceAuthority: victim,
    count: 1,
  })
  nonce = nonces.newDurableNonceAccounts[0]!
  const body = { addressLookupTable: {}, authority: victim, componentAddresses: [mint] }
  table = (await world.api.ok<{ newAddressLookupTable: Ids }>(201, 'POST', '/address-lookup-tables', body))
    .newAddressLookupTable
})
afterAll(() => world.stop())

const ROBBERIES: Readonly<Record<string, { readonly make: () => TransactionInstruction[]; readonly signs?: Keypair }>> =
  {
    'a plain transfer': {
      make: () => [SystemProgram.transfer({ fromPubkey: key(victim), toPubkey: thief.publicKey, lamports: 1_000_000 })],
    },
    'a transfer behind one to an account of ours': {
      make: () =>
        [full, { onchainId: thief.publicKey.toBase58(), offchainId: '' }].map((to) =>
          SystemProgram.transfer({ fromPubkey: key(victim), toPubkey: key(to), lamports: 1_000_000 }),
        ),
    },
    'the rent of an account that a program of theirs owns': {
      make: () => [
        SystemProgram.createAccount({
          fromPubkey: key(victim),
          newAccountPubkey: fresh.publicKey,
          lamports: 5_000_000,
          space: 10,
          programId: thief.publicKey,
        }),
      ],
      signs: fresh,
    },
    'the creation of a wallet of theirs': {
      make: () => [
        SystemProgram.createAccount({
          fromPubkey: key(victim),
          newAccountPubkey: fresh.publicKey,
          lamports: 5_000_000,
          space: 0,
          programId: SystemProgram.programId,
        }),
      ],
      signs: fresh,
    },
    'a seeded account': {
      make: () => [
        SystemProgram.createAccountWithSeed({
          fromPubkey: key(victim),
          basePubkey: key(victim),
          seed: 's',
          newAccountPubkey: fresh.publicKey,
          lamports: 5_000_000,
          space: 0,
          programId: thief.publicKey,
        }),
      ],
    },
    'a nonce account of theirs': {
      make: () =>
        SystemProgram.createNonceAccount({
          fromPubkey: key(victim),
          noncePubkey: fresh.publicKey,
          authorizedPubkey: thief.publicKey,
          lamports: 5_000_000,
        }).instructions,
      signs: fresh,
    },
    'the wallet given to a program': {
      make: () => [SystemProgram.assign({ accountPubkey: key(victim), programId: thief.publicKey })],
    },
    'space in the wallet': {
      make: () => [SystemProgram.allocate({ accountPubkey: key(victim), space: NONCE_ACCOUNT_LENGTH })],
    },
    'what a nonce account holds': {
      make: () => [
        SystemProgram.nonceWithdraw({
          noncePubkey: key(nonce),
          authorizedPubkey: key(victim),
          toPubkey: thief.publicKey,
          lamports: 1_000_000,
        }),
      ],
    },
    'a nonce account': {
      make: () => [
        SystemProgram.nonceAuthorize({
          noncePubkey: key(nonce),
          authorizedPubkey: key(victim),
          newAuthorizedPubkey: thief.publicKey,
        }),
      ],
    },
    'the rent of a position of theirs': {
      make: () => [
        createAssociatedTokenAccountInstruction(key(victim), loot(), thief.publicKey, key(mint), TOKEN_2022_PROGRAM_ID),
      ],
    },
    tokens: {
      make: () => [createTransferInstruction(key(full), loot(), key(victim), 1_000, [], TOKEN_2022_PROGRAM_ID)],
    },
    'tokens, with their mint': {
      make: () => [
        createTransferCheckedInstruction(
          key(full),
          key(mint),
          loot(),
          key(victim),
          1_000,
          6,
          [],
          TOKEN_2022_PROGRAM_ID,
        ),
      ],
    },
    'tokens of others, as permanent delegate': {
      make: () => [
        createTransferCheckedInstruction(
          key(others),
          key(mint),
          loot(),
          key(victim),
          1_000,
          6,
          [],
          TOKEN_2022_PROGRAM_ID,
        ),
      ],
    },
    'a delegate of theirs': {
      make: () => [createApproveInstruction(key(full), thief.publicKey, key(victim), 1_000, [], TOKEN_2022_PROGRAM_ID)],
    },
    'the position itself': {
      make: () => [
        createSetAuthorityInstruction(
          key(full),
          key(victim),
          AuthorityType.AccountOwner,
          thief.publicKey,
          [],
          TOKEN_2022_PROGRAM_ID,
        ),
      ],
    },
    'the right to mint': {
      make: () => [
        createSetAuthorityInstruction(
          key(mint),
          key(victim),
          AuthorityType.MintTokens,
          thief.publicKey,
          [],
          TOKEN_2022_PROGRAM_ID,
        ),
      ],
    },
    'the rent of a closed position': {
      make: () => [createCloseAccountInstruction(key(empty), thief.publicKey, key(victim), [], TOKEN_2022_PROGRAM_ID)],
    },
    'the rent of a closed lookup table': {
      make: () => [
        AddressLookupTableProgram.closeLookupTable({
          lookupTable: key(table),
          authority: key(victim),
          recipient: thief.publicKey,
        }),
      ],
    },
    'the growth of a table of theirs': {
      make: () => [
        AddressLookupTableProgram.createLookupTable({
          authority: thief.publicKey,
          payer: key(victim),
          recentSlot: 1,
        })[0],
      ],
      signs: thief,
    },
    'another program': {
      make: () => [
        new TransactionInstruction({
          programId: thief.publicKey,
          keys: [{ pubkey: key(victim), isSigner: true, isWritable: true }],
          data: Buffer.from([1]),
        }),
      ],
    },
  }

it.each(Object.entries(ROBBERIES))('does not sign away %s', async (_what, { make, signs }) => {
  const before = await holdings()
  for (const [path, more] of [
    ['/transactions/sign', {}],
    ['/transactions/sign', { signers: [victim], returnSerialized: true }],
    ['/transactions/submit', {}],
  ] as const) {
    const serializedTransaction = await fixture.foreign(victim.onchainId, make(), signs === undefined ? [] : [signs])
    const { status, body } = await fixture.answer(path, { serializedTransaction, ...more })
    const code = body.errors?.[0]?.code ?? 'NONE'
    expect([400, 403], JSON.stringify(body)).toContain(status)
    expect(REFUSALS, JSON.stringify(body)).toContain(code)
  }
  expect(await holdings()).toEqual(before)
})

it('refuses payments to an unknown address at every endpoint', async () => {
  const stranger = { onchainId: thief.publicKey.toBase58(), offPlatform: true }
  const before = await holdings()
  const instrument = { financialInstrument: mint }
  const refuses = async (method: 'POST' | 'PATCH', path: string, itemData: object) => {
    await world.api.refuses(400, 'DEBIT_LIMIT_EXCEEDED', method, path, itemData)
  }
  await refuses('POST', PAY, { source: victim, destination: stranger, amount: 1 })
  await refuses('POST', '/positions/trade', {
    legs: [
      { source: victim, destination: full, lamports: 1_000_000 },
      { source: victim, destination: stranger, lamports: 1_000_000 },
    ],
  })
  await refuses('POST', '/positions/transfer', {
    source: { position: full },
    destination: { owner: stranger, ...instrument },
    lamports: 1,
    initializeDestinationPositionIfNeeded: true,
  })
  await refuses('POST', '/positions/transfer', {
    source: { position: others },
    destination: { owner: stranger, ...instrument },
    lamports: 1,
    permanentDelegate: true,
    initializeDestinationPositionIfNeeded: true,
  })
  await refuses('PATCH', '/positions/close', { position: { position: empty }, refundSolDestination: stranger })
  const imported = { managed: true, privateKeyDetails: { privateKey: bs58.encode(Keypair.generate().secretKey) } }
  await refuses('POST', '/accounts', { ...imported, seedAmount: 2 })
  const wallet = await fixture.wallet(undefined, SOL)
  await refuses('PATCH', '/accounts/inactivate', { account: wallet, refundDestination: stranger })
  expect(await holdings()).toEqual(before)
})

async function holdings(): Promise<unknown> {
  const lamports = [victim, full, empty, nonce, table].map(({ onchainId }) => world.chain.lamports(onchainId))
  const tokens = [full, others].map(({ onchainId }) => world.chain.tokens(onchainId))
  return await Promise.all([...lamports, ...tokens, world.chain.lamports(thief.publicKey.toBase58())])
}

it('counts a pending deposit when an account is closed to a stranger', async () => {
  const limits = [{ destination: 'ANY', maxAllowedDebit: { limitType: 'PER_TRANSACTION', limitAmount: 0.01 } }]
  const wallet = await world.records.funded({}, SOL)
  const { newPosition } = await world.api.ok<{ newPosition: Ids }>(201, 'POST', '/positions', {
    owner: wallet,
    financialInstrument: mint,
    position: { managed: true },
  })
  const scope = { account: { offchainId: victim.offchainId } }
  await world.api.ok(200, 'PATCH', '/admin/lanes/suspend', scope)
  const deposit = await world.api.ok<Result>(
    201,
    'POST',
    PAY,
    { source: wallet, destination: newPosition, amount: 0.5 },
    {
      headers: { Prefer: 'respond-async' },
    },
  )
  await world.api.ok(200, 'PATCH', '/accounts', { account: wallet, networkCurrencyDebitLimits: limits })
  const close = {
    position: { position: newPosition },
    refundSolDestination: { onchainId: thief.publicKey.toBase58(), offPlatform: true },
  }
  await world.api.refuses(400, 'DEBIT_LIMIT_EXCEEDED', 'PATCH', '/positions/close', close)
  await world.api.ok(200, 'PATCH', '/admin/lanes/resume', scope)
  await eventually(async () => {
    expect((await world.api.read<Result>('/transactions/status', { offchainId: deposit.offchainId })).status).toBe(
      'FINALIZED',
    )
  })
  await world.api.refuses(400, 'DEBIT_LIMIT_EXCEEDED', 'PATCH', '/positions/close', close)
})
