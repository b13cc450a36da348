// A message that changes something of one organization can be made by another one of its tenant, signed with its own
// fee payer and kept open. It changes nothing without a signature that the first organization decides about, and so
// prevents nothing that this organization does.
import { createMintToInstruction, createTransferCheckedInstruction, TOKEN_2022_PROGRAM_ID } from '@solana/spl-token'
import { AddressLookupTableProgram, Keypair, PublicKey, SystemProgram, TransactionInstruction } from '@solana/web3.js'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startWorld, type World } from '../../e2e/harness.ts'
import { LimitFixture } from '../../e2e/limits/limit-fixture.ts'
import type { Ids, Result, WithTransaction } from '../../e2e/models.ts'
import { MEMO_PROGRAM } from '../../e2e/onchain.ts'
import { newParty, type Party } from '../fixtures/parties.ts'

const SIGN = '/transactions/sign'
const MINT = '/positions/mint'
const PROGRAM = TOKEN_2022_PROGRAM_ID
const MAX_SUPPLY = 100
const PAUSE_INSTRUCTION = Buffer.from([44, 1])

let world: World
let owner: Party
let sibling: Party
let payer: Ids
let authority: Ids
let token: Ids
let position: Ids

beforeAll(async () => {
  world = await startWorld()
  await newParty(world, 'HOUSE')
  owner = await newParty(world, 'OWNER', 'HOUSE')
  sibling = await newParty(world, 'SIBLING', 'HOUSE')
  await owner.records.feePayer()
  payer = await sibling.records.feePayer()
  authority = await owner.records.account()
})
afterAll(() => world.stop())
beforeEach(async () => {
  token = await owner.records.instrument('TOKEN_2022', authority, {
    closingAuthority: authority,
    pausableAuthority: authority,
    maxSupply: MAX_SUPPLY,
    onchainData: { decimals: 0 },
  })
  position = await owner.records.position(await owner.records.account(), token)
})

const key = ({ onchainId }: Pick<Ids, 'onchainId'>): PublicKey => new PublicKey(onchainId)
const mintAll = (): TransactionInstruction =>
  createMintToInstruction(key(token), key(position), key(authority), MAX_SUPPLY, [], PROGRAM)

/** Recorded by the sibling, and signed with its fee payer unless only prepared. */
async function made(instructions: readonly TransactionInstruction[], status = 'PARTIALLY_SIGNED'): Promise<object> {
  const itemData = {
    serializedTransaction: await new LimitFixture(world).foreign(payer.onchainId, instructions),
    signers: status === 'PREPARED' ? [] : [{ onchainId: payer.onchainId }],
  }
  const answer = await sibling.api.ok<Result>(200, 'POST', SIGN, itemData)
  expect(answer.status).toBe(status)
  return { transaction: { offchainId: answer.offchainId } }
}

async function mint(lamports: number): Promise<void> {
  expect(await owner.api.ok<Result>(201, 'POST', MINT, { destination: { position }, lamports })).toMatchObject({
    success: true,
  })
}

async function changes(path: string, itemData: object): Promise<void> {
  const answer = await owner.api.ok<Result & WithTransaction>(200, 'PATCH', path, itemData)
  expect((answer.chainTransaction ?? answer).success, JSON.stringify(answer)).toBe(true)
}

describe('a message of another organization, without the signature of the owner,', () => {
  it.each(['PREPARED', 'PARTIALLY_SIGNED'])('uses up no limit of a supply (%s)', async (status) => {
    const waiting = await made([mintAll()], status)
    await mint(1)
    await owner.api.refuses(400, 'SUPPLY_CAP_EXCEEDED', 'POST', SIGN, { ...waiting, signers: [authority] })
    await mint(MAX_SUPPLY - 1)
    expect(await world.chain.supply(token.onchainId)).toBe(BigInt(MAX_SUPPLY))
  })

  it('keeps no instrument from being paused, changed or closed', async () => {
    const [at, by] = [key(token), key(authority)]
    const keys = [
      { pubkey: at, isSigner: false, isWritable: true },
      { pubkey: by, isSigner: true, isWritable: false },
    ]
    await made([new TransactionInstruction({ programId: PROGRAM, keys, data: PAUSE_INSTRUCTION })])
    await changes('/financial-instruments/pause', { financialInstrument: token })
    await changes('/financial-instruments/unpause', { financialInstrument: token })
    const mintAuthority = await owner.records.account()
    const authorities = { mint: mintAuthority }
    await changes('/financial-instruments/authorities', { financialInstrument: token, authorities })
    await changes('/financial-instruments/close', { financialInstrumentToClose: token })
  })

  it('keeps no lookup table from being extended or deactivated', async () => {
    const { newAddressLookupTable: table } = await owner.api.ok<{ newAddressLookupTable: Ids }>(
      201,
      'POST',
      '/address-lookup-tables',
      { addressLookupTable: {}, authority, componentAddresses: [authority] },
    )
    const at = { authority: key(authority), lookupTable: key(table) }
    const addresses = [Keypair.generate().publicKey]
    await made([AddressLookupTableProgram.extendLookupTable({ ...at, payer: key(payer), addresses })])
    await made([AddressLookupTableProgram.deactivateLookupTable(at)])
    await changes('/address-lookup-tables/extend', { addressLookupTable: table, componentAddresses: [position] })
    await changes('/address-lookup-tables', { addressLookupTable: table, action: 'DEACTIVATE' })
  })

  it('keeps no account from being inactivated', async () => {
    const [wallet, account] = [await owner.records.funded(), await owner.records.funded()]
    await made([SystemProgram.transfer({ fromPubkey: key(wallet), toPubkey: key(account), lamports: 1 })])
    await changes('/accounts/inactivate', { account, refundDestination: wallet })
  })
})

it('counts once the owner has signed, though a signature from outside is missing', async () => {
  const keys = [{ pubkey: Keypair.generate().publicKey, isSigner: true, isWritable: false }]
  const memo = new TransactionInstruction({ programId: new PublicKey(MEMO_PROGRAM), keys, data: Buffer.from('x') })
  const waiting = await made([mintAll(), memo])
  const signed = await owner.api.ok<Result>(200, 'POST', SIGN, { ...waiting, signers: [authority] })
  expect(signed.status).toBe('PARTIALLY_SIGNED')
  await owner.api.refuses(400, 'SUPPLY_CAP_EXCEEDED', 'POST', MINT, { destination: { position }, lamports: 1 })
})

it('a payment of another organization that waits in a lane of its own keeps no position from being closed', async () => {
  const lanes = (to: 'suspend' | 'resume') =>
    sibling.api.ok(200, 'PATCH', `/admin/lanes/${to}`, { organizationExternalId: 'SIBLING' })
  const by = await sibling.records.account()
  await lanes('suspend')
  try {
    const nothing = createTransferCheckedInstruction(
      key(position),
      key(token),
      key(position),
      key(by),
      0n,
      0,
      [],
      PROGRAM,
    )
    const itemData = { serializedTransaction: await new LimitFixture(world).foreign(payer.onchainId, [nothing]) }
    const path = '/transactions/submit'
    const { offchainId } = await sibling.api.ok<Result>(200, 'POST', SIGN, itemData)
    await sibling.api.ok(200, 'POST', path, { transaction: { offchainId } }, { headers: { prefer: 'respond-async' } })
    const { status } = await sibling.api.read<Result>('/transactions/status', { offchainId })
    expect(status).toBe('SIGNED')
    await changes('/positions/close', { position: { position } })
  } finally {
    await lanes('resume')
  }
})
