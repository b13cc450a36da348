// The table of who controls an account, cell by cell: an account on chain with one authority of an outsider and the
// others of the tenant, and the class of a payment to it. The key of the tenant was imported, so that one unit at a
// time may be paid to an account that only this key controls.
import {
  createApproveInstruction,
  createInitializeAccount3Instruction,
  createInitializeMint2Instruction,
  createInitializeMintCloseAuthorityInstruction,
  createInitializePermanentDelegateInstruction,
  createMintToInstruction,
  createSetAuthorityInstruction,
  AuthorityType,
  ExtensionType,
  getAccountLen,
  getMintLen,
  TOKEN_2022_PROGRAM_ID,
  TOKEN_PROGRAM_ID,
} from '@solana/spl-token'
import { AddressLookupTableProgram, Keypair, NONCE_ACCOUNT_LENGTH, PublicKey, SystemProgram } from '@solana/web3.js'
import bs58 from 'bs58'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CONTROL } from '../../src/operations/authorization/control.ts'
import { type AuthorityKind, type ControlledKind } from '../../src/operations/authorization/account-shape.ts'
import { startWorld, unwatched, type World } from '../e2e/harness.ts'
import { PAY } from '../e2e/limits/limit-fixture.ts'
import type { Ids, NewInstrument, NewPosition } from '../e2e/models.ts'
import { SOL } from '../e2e/records.ts'
import { Attacker } from './fixtures/attacker.ts'

const PROGRAM = TOKEN_2022_PROGRAM_ID
const ownKey = Keypair.generate()
let world: World
let attacker: Attacker
let wallet: Ids

beforeAll(async () => {
  world = await startWorld({}, unwatched)
  attacker = await Attacker.open(world)
  await world.records.feePayer()
  await world.records.account({ managed: true, privateKeyDetails: { privateKey: bs58.encode(ownKey.secretKey) } })
  wallet = await world.records.funded({}, 100n * SOL)
})
afterAll(() => world.stop())

type Who = (authority: AuthorityKind) => PublicKey
type Make = (who: Who) => Promise<PublicKey>

async function newMint(who: Who, withMint = true): Promise<PublicKey> {
  const key = Keypair.generate()
  const at = key.publicKey
  await attacker.fixture.send(
    [
      await attacker.create(
        at,
        getMintLen([ExtensionType.MintCloseAuthority, ExtensionType.PermanentDelegate]),
        PROGRAM,
      ),
      createInitializeMintCloseAuthorityInstruction(at, who('closeAuthority'), PROGRAM),
      createInitializePermanentDelegateInstruction(at, who('permanentDelegate'), PROGRAM),
      createInitializeMint2Instruction(
        at,
        0,
        withMint ? who('mintAuthority') : ownKey.publicKey,
        who('freezeAuthority'),
        PROGRAM,
      ),
      ...(withMint
        ? []
        : [createSetAuthorityInstruction(at, ownKey.publicKey, AuthorityType.MintTokens, null, [], PROGRAM)]),
    ],
    withMint ? [key] : [key, ownKey],
  )
  return at
}

async function newTokenAccount(who: Who): Promise<PublicKey> {
  const [key, maker] = [Keypair.generate(), Keypair.generate()]
  const at = key.publicKey
  const mint = await newMint((authority) =>
    authority === 'permanentDelegate' || authority === 'freezeAuthority' ? who(authority) : ownKey.publicKey,
  )
  const set = (which: AuthorityType, by: PublicKey, next: PublicKey) =>
    createSetAuthorityInstruction(at, by, which, next, [], PROGRAM)
  const isOurs = who('owner').equals(ownKey.publicKey)
  await attacker.fixture.send(
    [
      await attacker.create(at, getAccountLen([]), PROGRAM),
      createInitializeAccount3Instruction(at, mint, maker.publicKey, PROGRAM),
      set(AuthorityType.CloseAccount, maker.publicKey, who('closeAuthority')),
      set(AuthorityType.AccountOwner, maker.publicKey, who('owner')),
      ...(isOurs ? [createApproveInstruction(at, who('delegate'), ownKey.publicKey, 5, [], PROGRAM)] : []),
    ],
    isOurs ? [key, maker, ownKey] : [key, maker],
  )
  return at
}

const MAKE: Readonly<Record<ControlledKind, Make>> = {
  KEY: (who) => Promise.resolve(who('key')),
  TOKEN_ACCOUNT: newTokenAccount,
  // Of its own key only where nobody mints.
  MINT: (who) => newMint(who, who('key').equals(ownKey.publicKey)),
  NONCE_ACCOUNT: async (who) => (await attacker.nonce(who('nonceAuthority'))).publicKey,
  LOOKUP_TABLE: async (who) => {
    const recentSlot = await world.chain.connection.getSlot('finalized')
    const [creation, at] = AddressLookupTableProgram.createLookupTable({
      authority: who('tableAuthority'),
      payer: attacker.fixture.payer.publicKey,
      recentSlot,
    })
    await attacker.fixture.send([creation], [who('tableAuthority').equals(ownKey.publicKey) ? ownKey : attacker.key])
    return at
  },
  RESERVED: () => newAccount(NONCE_ACCOUNT_LENGTH, SystemProgram.programId),
  OTHER: () => newAccount(0, TOKEN_PROGRAM_ID),
}

async function newAccount(space: number, programId: PublicKey): Promise<PublicKey> {
  const key = Keypair.generate()
  await attacker.fixture.send([await attacker.create(key.publicKey, space, programId)], [key])
  return key.publicKey
}

async function isPaid(at: PublicKey): Promise<boolean> {
  const destination = { onchainId: at.toBase58(), offPlatform: true }
  const { status, body } = await world.api.send('POST', PAY, { source: wallet, destination, lamports: 1_000_000 })
  if (status !== 201) expect(JSON.stringify(body)).toContain('DEBIT_LIMIT_EXCEEDED')
  return status === 201
}

/** Without the lender, an authority of an escrow: only a request creates one, and `pledges.test.ts` tests it. */
const isOnChain = (authority: AuthorityKind): boolean => authority !== 'lender'

const cells = (Object.keys(CONTROL) as ControlledKind[]).flatMap((kind) =>
  (Object.keys(CONTROL[kind]) as AuthorityKind[])
    .filter(isOnChain)
    .map((authority) => [kind, authority, CONTROL[kind][authority]?.includes('LAMPORTS') === true] as const),
)

describe('14.2: network currency', () => {
  it.each(cells)('to %s, %s outside: controlled %s', async (kind, authority, isControlled) => {
    const at = await MAKE[kind]((each) => (each === authority ? attacker.address : ownKey.publicKey))
    // The control of an account of an unknown program, or of one that anyone can initialize, is unknown, for any owner
    // of its key.
    expect(await isPaid(at)).toBe(!isControlled && kind !== 'OTHER' && kind !== 'RESERVED')
  })

  it.each(['KEY', 'TOKEN_ACCOUNT', 'MINT', 'NONCE_ACCOUNT', 'LOOKUP_TABLE'] as const)(
    'control: to %s, everything controlled by the tenant',
    async (kind) => {
      expect(await isPaid(await MAKE[kind](() => ownKey.publicKey))).toBe(true)
    },
  )
})

describe('14.2: tokens', () => {
  const authorities = (Object.keys(CONTROL.TOKEN_ACCOUNT) as AuthorityKind[]).filter(isOnChain)

  it.each([...authorities, null])('to a token account, %s outside', async (outside) => {
    const at = await newTokenAccount((each) => (each === outside ? attacker.address : ownKey.publicKey))
    const { mint } = await world.chain.token(at.toBase58())
    const body = { mintAccount: { onchainId: mint.toBase58() }, alreadyOnChain: true }
    const { newFinancialInstrument: financialInstrument } = await world.api.ok<NewInstrument>(
      201,
      'POST',
      '/financial-instruments',
      {
        ...body,
        mintAuthority: { onchainId: ownKey.publicKey.toBase58() },
      },
    )
    const { newPosition } = await world.api.ok<NewPosition>(201, 'POST', '/positions', {
      owner: wallet,
      financialInstrument,
    })
    await attacker.fixture.send(
      [createMintToInstruction(mint, new PublicKey(newPosition.onchainId), ownKey.publicKey, 9, [], PROGRAM)],
      [ownKey],
    )
    await world.api.read('/positions/single/balance', { position: { offchainId: newPosition.offchainId } })
    const transfer = {
      source: { position: newPosition },
      destination: { position: { onchainId: at.toBase58(), offPlatform: true } },
      lamports: 1,
    }
    const { status, body: answer } = await world.api.send('POST', '/positions/transfer', transfer)
    const isControlled = outside !== null && CONTROL.TOKEN_ACCOUNT[outside]?.includes('TOKENS') === true
    expect([status, JSON.stringify(answer)]).toEqual(
      isControlled
        ? [400, expect.stringContaining('DEBIT_LIMIT_EXCEEDED')]
        : [201, expect.stringContaining('"success":true')],
    )
  })
})
