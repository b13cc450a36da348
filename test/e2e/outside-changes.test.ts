// Changes on chain by outside parties with their own clients and keys appear in the records without a balance query, by
// the periodic reconciliation.
import {
  AuthorityType,
  createAccount,
  createCloseAccountInstruction,
  createFreezeAccountInstruction,
  createMintToInstruction,
  createPauseInstruction,
  createSetAuthorityInstruction,
  createThawAccountInstruction,
  createTransferInstruction,
  TOKEN_2022_PROGRAM_ID,
  TOKEN_PROGRAM_ID,
} from '@solana/spl-token'
import {
  AddressLookupTableProgram,
  Keypair,
  NONCE_ACCOUNT_LENGTH,
  PublicKey,
  SystemProgram,
  type TransactionInstruction,
} from '@solana/web3.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ALWAYS, setFaults } from '../chain-faults.ts'
import { newParty } from '../trust/fixtures/parties.ts'
import { eventually, startWorld, type World } from './harness.ts'
import { MintFixture, type OutsideMint } from './instruments/mint-fixture.ts'
import type { Account, Balance, Ids, NewInstrument, NewPosition, Result } from './models.ts'
import { SOL } from './records.ts'
import { DURABLE, NONCES, PAY } from './transactions/nonce-fixture.ts'

let world: World
let fixture: MintFixture

beforeAll(async () => {
  // A transaction that is not sent during some rounds must still land.
  const settings = { HOLDFAST_EMBEDDED_FAULTS: 'on', HOLDFAST_EMBEDDED_SLOT_MS: '200' }
  world = await startWorld(settings, (usual) => ({
    ...usual,
    comparison: { ...usual.comparison, roundMs: 50, questionsPerSecond: 50 },
  }))
  await world.records.feePayer({ offchainReferences: { code: 'FEES' } })
  fixture = await MintFixture.open(world)
})
afterAll(() => world.stop())

const recordAccount = (onchainId: string) => world.records.account({ managed: false, alreadyOnchain: true, onchainId })
const newKey = (): string => Keypair.generate().publicKey.toBase58()

async function instrumentOf(mint: OutsideMint): Promise<Ids> {
  const body = {
    mintAccount: { onchainId: mint.address },
    alreadyOnChain: true,
    mintAuthority: { onchainId: fixture.payer.publicKey.toBase58(), offPlatform: true },
  }
  return (await world.api.ok<NewInstrument>(201, 'POST', '/financial-instruments', body)).newFinancialInstrument
}

/** A token account of an outside owner, created outside and recorded as unmanaged. */
async function positionOf(
  mint: OutsideMint,
  instrument: Ids,
  owner: Keypair,
  program = TOKEN_PROGRAM_ID,
): Promise<Ids> {
  const account = await createAccount(
    world.chain.connection,
    fixture.payer,
    mint.key.publicKey,
    owner.publicKey,
    Keypair.generate(),
    { commitment: 'confirmed' },
    program,
  )
  const { newPosition } = await world.api.ok<NewPosition>(201, 'POST', '/positions', {
    position: { onchainId: account.toBase58(), managed: false, alreadyOnchain: true },
    owner: { onchainId: owner.publicKey.toBase58(), offPlatform: true },
    financialInstrument: instrument,
  })
  return newPosition
}

const mintTo = (mint: OutsideMint, to: string, raw: bigint, program = TOKEN_PROGRAM_ID): TransactionInstruction =>
  createMintToInstruction(mint.key.publicKey, new PublicKey(to), fixture.payer.publicKey, raw, [], program)

describe('a movement outside of the service', () => {
  it('into a wallet increases its record, and a withdrawal by its owner decreases it', async () => {
    const owner = Keypair.generate()
    await world.chain.airdrop(owner.publicKey.toBase58(), SOL)
    const [managed, stranger] = [await world.records.account(), await recordAccount(owner.publicKey.toBase58())]
    await fixture.send(
      [
        SystemProgram.transfer({
          fromPubkey: owner.publicKey,
          toPubkey: new PublicKey(managed.onchainId),
          lamports: 400_000_000n,
        }),
      ],
      [owner],
    )
    await eventually(async () => {
      expect((await world.records.accountRecord(managed)).offchain.lamportsBalance).toBe(400_000_000)
      expect((await world.records.accountRecord(stranger)).offchain.lamportsBalance).toBe(600_000_000)
    })
    await world.records.accountsEqualChain(managed, stranger)
  })

  /** A tenant signs a payment into the account, under a durable nonce, and does not send it. */
  async function holdsPayment({ onchainId }: Ids): Promise<void> {
    const { api, records } = await newParty(world, 'HOLDER')
    const unlimited = { networkCurrencyDebitLimits: [] }
    const [feePayer, funded, nonceAuthority] = await Promise.all([
      records.feePayer(unlimited),
      records.funded(unlimited, SOL),
      records.account(),
    ])
    const config = { feePayer }
    await api.ok(201, 'POST', NONCES, { nonceAuthority, count: 1 }, { config })
    const item = { source: { ...funded, autoSign: false }, destination: { onchainId }, lamports: 1_000_000 }
    const { offchainId } = await eventually(() =>
      api.ok<Result>(201, 'POST', PAY, item, { config: { ...config, ...DURABLE } }),
    )
    const signed = await api.ok<Result>(200, 'POST', '/transactions/sign', { transaction: { offchainId } })
    expect(signed.status).toBe('SIGNED')
  }

  it.each([
    ['', () => Promise.resolve()],
    [', also beside a held payment of another tenant', holdsPayment],
  ])('that empties a wallet leaves its record open with a balance of 0%s', async (_, before) => {
    const owner = Keypair.generate()
    await world.chain.airdrop(owner.publicKey.toBase58(), SOL)
    const stranger = await recordAccount(owner.publicKey.toBase58())
    await before(stranger)
    await fixture.send(
      [SystemProgram.transfer({ fromPubkey: owner.publicKey, toPubkey: fixture.payer.publicKey, lamports: SOL })],
      [owner],
    )
    await eventually(async () => {
      expect(await world.records.accountRecord(stranger)).toMatchObject({
        status: 'ACTIVE',
        offchain: { lamportsBalance: 0 },
      })
    })
  })

  it('between positions of other owners changes both records, and the supply', async () => {
    const mint = await fixture.spl(3)
    const instrument = await instrumentOf(mint)
    const owner = Keypair.generate()
    const [from, to] = [
      await positionOf(mint, instrument, owner),
      await positionOf(mint, instrument, Keypair.generate()),
    ]
    await fixture.send(
      [
        mintTo(mint, from.onchainId, 1_000n),
        createTransferInstruction(new PublicKey(from.onchainId), new PublicKey(to.onchainId), owner.publicKey, 250),
      ],
      [owner],
    )
    await eventually(async () => {
      expect((await world.records.positionRecord(from)).balance).toEqual({ amount: 0.75, lamports: 750 })
      expect((await world.records.positionRecord(to)).balance).toEqual({ amount: 0.25, lamports: 250 })
      expect((await world.records.instrumentRecord(instrument)).supply).toEqual({ amount: 1, lamports: 1_000 })
    })
    await world.records.positionsEqualChain(from, to)
  })
})

describe('an outside change of an account', () => {
  it('freezes, thaws, reassigns and closes a position', async () => {
    const mint = await fixture.spl(0)
    const instrument = await instrumentOf(mint)
    const [owner, heir] = [Keypair.generate(), Keypair.generate()]
    const position = await positionOf(mint, instrument, owner)
    const at = new PublicKey(position.onchainId)
    const state = async (): Promise<string> => (await world.records.positionRecord(position)).state
    await fixture.send([createFreezeAccountInstruction(at, mint.key.publicKey, fixture.payer.publicKey)])
    await eventually(async () => expect(await state()).toBe('FROZEN'))
    await fixture.send([createThawAccountInstruction(at, mint.key.publicKey, fixture.payer.publicKey)])
    await eventually(async () => expect(await state()).toBe('INITIALIZED'))
    await fixture.send(
      [createSetAuthorityInstruction(at, owner.publicKey, AuthorityType.AccountOwner, heir.publicKey)],
      [owner],
    )
    await eventually(async () => {
      expect((await world.records.positionRecord(position)).owner.onchain.id).toBe(heir.publicKey.toBase58())
    })
    await fixture.send([createCloseAccountInstruction(at, fixture.payer.publicKey, heir.publicKey)], [heir])
    await eventually(async () => {
      expect(await world.records.positionRecord(position)).toMatchObject({
        state: 'CLOSED',
        status: 'CLOSED',
        balance: { lamports: 0 },
      })
    })
    // The address can be used again.
    expect((await positionOf(mint, instrument, owner)).offchainId).not.toBe(position.offchainId)
  })

  it('updates an instrument whose authorities and states changed', async () => {
    const mint = await fixture.rich(2, 'Elsewhere', ['k', 'v'])
    const instrument = await instrumentOf(mint)
    const heir = newKey()
    const by = fixture.payer.publicKey
    await fixture.send([
      createSetAuthorityInstruction(
        mint.key.publicKey,
        by,
        AuthorityType.FreezeAccount,
        new PublicKey(heir),
        [],
        TOKEN_2022_PROGRAM_ID,
      ),
      createPauseInstruction(mint.key.publicKey, by),
      createSetAuthorityInstruction(mint.key.publicKey, by, AuthorityType.MintTokens, null, [], TOKEN_2022_PROGRAM_ID),
    ])
    await eventually(async () => {
      const record = await world.records.instrumentRecord(instrument)
      expect(record.freezeAuthority?.onchain.id).toBe(heir)
      expect(record.mintAuthority).toBeNull()
      expect(record.paused).toBe(true)
    })
    await world.records.instrumentEqualsChain(instrument)
  })

  it('closes the record of an emptied nonce account, and updates a table', async () => {
    const [nonce, by] = [Keypair.generate(), fixture.payer.publicKey]
    const lamports = Number(await world.chain.rent(NONCE_ACCOUNT_LENGTH))
    const slot = await world.chain.connection.getSlot('finalized')
    const [creation, table] = AddressLookupTableProgram.createLookupTable({
      authority: by,
      payer: by,
      recentSlot: slot,
    })
    await fixture.send(
      [
        SystemProgram.createAccount({
          fromPubkey: by,
          newAccountPubkey: nonce.publicKey,
          lamports,
          space: NONCE_ACCOUNT_LENGTH,
          programId: SystemProgram.programId,
        }),
        SystemProgram.nonceInitialize({ noncePubkey: nonce.publicKey, authorizedPubkey: by }),
        creation,
      ],
      [nonce],
    )
    const nonceAuthority = { onchainId: by.toBase58(), offPlatform: true }
    const nonceAccounts = [{ onchainId: nonce.publicKey.toBase58(), managed: false, alreadyOnchain: true }]
    const { newDurableNonceAccounts } = await eventually(() =>
      world.api.ok<{ newDurableNonceAccounts: Ids[] }>(201, 'POST', '/durable-nonce-accounts', {
        nonceAuthority,
        nonceAccounts,
      }),
    )
    const { newAddressLookupTable } = await world.api.ok<{ newAddressLookupTable: Ids }>(
      201,
      'POST',
      '/address-lookup-tables',
      {
        addressLookupTable: { onchainId: table.toBase58(), alreadyOnchain: true },
      },
    )
    const member = newKey()
    // Not in the block that gave the nonce its value: the chain keeps that value until the next block.
    await eventually(() =>
      fixture.send([
        SystemProgram.nonceWithdraw({ noncePubkey: nonce.publicKey, authorizedPubkey: by, toPubkey: by, lamports }),
        AddressLookupTableProgram.extendLookupTable({
          lookupTable: table,
          authority: by,
          payer: by,
          addresses: [new PublicKey(member)],
        }),
      ]),
    )
    await eventually(async () => {
      expect(await world.records.accountRecord(newDurableNonceAccounts[0]!)).toMatchObject({
        status: 'CLOSED',
        offchain: { lamportsBalance: 0 },
      })
      const { addresses } = await world.api.read<{ addresses: { onchainId: string }[] }>(
        '/address-lookup-tables/single',
        newAddressLookupTable,
      )
      expect(addresses.map(({ onchainId }) => onchainId)).toEqual([member])
    })
  })
})

describe('while a transaction of the account is open', () => {
  const faults = (switches: object): Promise<void> => setFaults(world.rpcUrl, switches)
  const balanceOf = (ids: Ids): Promise<Balance> =>
    world.api.read('/accounts/single/balance', { offchainId: ids.offchainId })

  it('deposits are booked at once, and the transaction counts once it has landed', async () => {
    const [source, destination] = [await world.records.funded(), await world.records.funded({}, SOL)]
    await faults({ dropRequests: { sendTransaction: ALWAYS } })
    const result = await world.api.ok<Result>(
      201,
      'POST',
      '/positions/transfer-network-currency',
      { source, destination, lamports: '1000' },
      {
        headers: { prefer: 'respond-async' },
      },
    )
    for (const ids of [source, destination]) await world.chain.airdrop(ids.onchainId, 5n)
    const rounds = async (): Promise<number> =>
      Number(/^holdfast_comparison_rounds_total (\d+)/m.exec(await (await fetch(`${world.url}/metrics`)).text())?.[1])
    const before = await rounds()
    await eventually(async () => expect(await rounds()).toBeGreaterThan(before + 2))
    const offchain = async (ids: Ids) => (await world.records.accountRecord(ids)).offchain.lamportsBalance
    expect([await offchain(source), await offchain(destination)]).toEqual([10_000_000_005, 1_000_000_005])
    expect(await balanceOf(source)).toMatchObject({
      onchain: { lamports: 10_000_000_005 },
      reserved: { lamports: 1_000 },
      outOfBalance: false,
    })
    expect(await balanceOf(destination)).toMatchObject({ onchain: { lamports: 1_000_000_005 }, outOfBalance: false })
    await faults({})
    await eventually(async () => {
      const { status } = await world.api.read<Result>('/transactions/status', { offchainId: result.offchainId })
      expect(status).toBe('FINALIZED')
    })
    await eventually(async () => {
      const [from, to] = [await world.records.accountRecord(source), await world.records.accountRecord(destination)]
      expect([from.offchain.lamportsBalance, to.offchain.lamportsBalance]).toEqual([9_999_999_005, 1_000_001_005])
    })
    await world.records.accountsEqualChain(source, destination)
  })
})

it('metrics report the duration and the size of each reconciliation', async () => {
  const text = await (await fetch(`${world.url}/metrics`)).text()
  expect(Number(/^holdfast_comparison_round_seconds ([\d.e-]+)/m.exec(text)?.[1])).toBeGreaterThan(0)
  const { count } = (await world.api.bulk('/accounts/bulk/identifiers', { limit: 0 })) as {
    count: number
    items: Account[]
  }
  expect(Number(/^holdfast_comparison_records (\d+)/m.exec(text)?.[1])).toBeGreaterThan(count / 2)
})
