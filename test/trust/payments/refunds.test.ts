// A position or a mint that was opened by the payer of another organization and holds more than its rent: the payer
// gets the exact rent back, the owner the rest, in one transaction. Balances are read from the chain.
import { createCloseAccountInstruction } from '@solana/spl-token'
import { PublicKey, SystemProgram } from '@solana/web3.js'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startWorld, unwatched, type World } from '../../e2e/harness.ts'
import { LimitFixture, PAY, perTransaction, stranger, to } from '../../e2e/limits/limit-fixture.ts'
import type { Ids, NewPosition, Position, Problems, Result } from '../../e2e/models.ts'
import { programOf, type Version } from '../../e2e/onchain.ts'
import { SOL } from '../../e2e/records.ts'
import { tenant, type Tenant } from '../fixtures/tenants.ts'

const VERSIONS: readonly Version[] = ['SPL', 'TOKEN_2022']
let world: World
let victim: Tenant
let sibling: Tenant
let robber: Tenant
let feePayer: Ids
let instruments: Readonly<Record<Version, Ids>>
let sponsors: Readonly<Record<'sponsor' | 'grant', Ids>>

beforeAll(async () => {
  world = await startWorld({}, unwatched)
  victim = await tenant(world, 'VICTIM')
  sibling = await tenant(world, 'SIBLING', 'VICTIM')
  robber = await tenant(world, 'ROBBER')
  const authority = await victim.records.account()
  instruments = {
    SPL: await victim.records.instrument('SPL', authority),
    TOKEN_2022: await victim.records.instrument('TOKEN_2022', authority),
  }
  feePayer = await victim.records.feePayer()
  const pays = { globalFeePayerForOrgs: ['VICTIM'], canPayFees: true }
  sponsors = { sponsor: await robber.records.funded(pays), grant: await sibling.records.funded(pays) }
  const acceptedFeePayers = [sponsors.sponsor.onchainId]
  expect(
    (await victim.api.send('PATCH', '/admin/organizations', { externalId: 'VICTIM', acceptedFeePayers })).status,
  ).toBe(200)
})
afterAll(() => world.stop())

const lamports = (...accounts: readonly { onchainId: string }[]): Promise<bigint[]> =>
  Promise.all(accounts.map(({ onchainId }) => world.chain.lamports(onchainId)))
const paidBy = (payer: Ids) => ({ config: { feePayer: { onchainId: payer.onchainId } } })
const wallet = (members: object = {}): Promise<Ids> => victim.records.funded(members, 100n * SOL)

/** A position that the payer opened, with `excess` lamports above its rent. */
async function createOverfilled(
  owner: Ids,
  version: Version,
  payer: Ids,
  excess: bigint,
): Promise<{ position: Ids; rent: bigint }> {
  const body = { owner, financialInstrument: instruments[version] }
  const { newPosition: position } = await victim.api.ok<NewPosition>(201, 'POST', '/positions', body, paidBy(payer))
  const [rent] = await lamports(position)
  const pay = { source: owner, destination: { onchainId: position.onchainId }, lamports: excess.toString() }
  if (excess > 0n) expect((await victim.api.ok<Result>(201, 'POST', PAY, pay, paidBy(feePayer))).success).toBe(true)
  return { position, rent: rent! }
}
const close = (position: Ids, more: object = {}, payer = feePayer) =>
  victim.api.send<Result & Problems>('PATCH', '/positions/close', { position: { position }, ...more }, paidBy(payer))

async function closes(position: Ids, more: object = {}): Promise<void> {
  expect(await close(position, more)).toMatchObject({ status: 200, body: { success: true } })
  expect(await world.chain.account(position.onchainId)).toBeNull()
  expect(
    (await victim.api.read<Position>('/positions/single', { position: { offchainId: position.offchainId } })).state,
  ).toBe('CLOSED')
}

const cells = VERSIONS.flatMap((version) => (['sponsor', 'grant'] as const).map((by) => [version, by] as const))

describe.each(cells)('attack 4, 14.3: an overfilled position of %s, opened with a payer by %s', (version, by) => {
  it('14.3: returns the rent to the payer and the rest to the owner', async () => {
    const [owner, payer] = [await wallet(), sponsors[by]]
    const { position, rent } = await createOverfilled(owner, version, payer, 7n * SOL)
    const before = await lamports(owner, payer)
    await closes(position)
    expect(await lamports(owner, payer)).toEqual([before[0]! + 7n * SOL, before[1]! + rent])
    await victim.records.accountsEqualChain(owner)
  })

  it('14.3: pays the rest to a named destination, as a debit of the owner', async () => {
    const noDebits = { networkCurrencyDebitLimits: [to('OFF_PLATFORM', perTransaction(0))] }
    const [owner, payer, heir] = [await wallet(noDebits), sponsors[by], await wallet()]
    const { position, rent } = await createOverfilled(owner, version, payer, 3n * SOL)
    const before = await lamports(owner, payer, heir)
    const { status, body } = await close(position, { refundSolDestination: stranger() })
    expect([status, body.errors?.[0]?.code]).toEqual([400, 'DEBIT_LIMIT_EXCEEDED'])
    expect(JSON.stringify(body)).toContain('"debit":3,')
    expect(await lamports(owner, payer, heir)).toEqual(before)
    await closes(position, { refundSolDestination: heir })
    expect(await lamports(owner, payer, heir)).toEqual([before[0], before[1]! + rent, before[2]! + 3n * SOL])
  })

  it('control: without an excess, returns to the payer what it paid, and to no other account', async () => {
    const [owner, payer] = [await wallet(), sponsors[by]]
    const { position, rent } = await createOverfilled(owner, version, payer, 0n)
    const before = await lamports(owner, payer)
    expect((await close(position, { refundSolDestination: owner })).body.errors?.[0]?.code).toBe('RENT_OWED')
    await closes(position)
    expect(await lamports(owner, payer)).toEqual([before[0], before[1]! + rent])
  })

  it('14.3 property: returns any amount above the rent, to the lamport', async () => {
    const owner = await wallet()
    await fc.assert(
      fc.asyncProperty(fc.bigInt({ min: 1n, max: 1_000_000_000n }), async (excess) => {
        const { position, rent } = await createOverfilled(owner, version, sponsors[by], excess)
        const before = await lamports(owner, sponsors[by])
        await closes(position)
        expect(await lamports(owner, sponsors[by])).toEqual([before[0]! + excess, before[1]! + rent])
      }),
      { numRuns: 4 },
    )
  })
})

describe('attack 4, 14.3: variants', () => {
  it('14.3: the fee payer may request the rest, and pays the fee for it', async () => {
    const owner = await wallet()
    const { position, rent } = await createOverfilled(owner, 'SPL', sponsors.grant, SOL)
    const before = await lamports(owner, sponsors.grant, feePayer)
    const { body } = await close(position, { refundSolToFeePayer: true })
    expect(body.success).toBe(true)
    const fee = await world.chain.fee(body.onchainId!)
    expect(await lamports(owner, sponsors.grant, feePayer)).toEqual([
      before[0],
      before[1]! + rent,
      before[2]! + SOL - fee,
    ])
  })

  it('14.3: an owner without network currency must name a destination for the rest', async () => {
    const owner = await victim.records.account()
    const { position, rent } = await createOverfilled(owner, 'TOKEN_2022', sponsors.grant, 0n)
    await world.chain.airdrop(position.onchainId, 5_000n)
    const heir = await wallet()
    const before = await lamports(sponsors.grant, heir)
    await closes(position, { refundSolDestination: heir })
    expect(await lamports(owner, sponsors.grant, heir)).toEqual([0n, before[0]! + rent, before[1]! + 5_000n])
  })

  it('attack 4: the rent is owed once, also after a transaction made elsewhere', async () => {
    const owner = await wallet({ networkCurrencyDebitLimits: [to('OFF_PLATFORM', perTransaction(0))] })
    const payer = sponsors.sponsor
    const { position, rent } = await createOverfilled(owner, 'SPL', payer, 0n)
    const key = ({ onchainId }: Ids): PublicKey => new PublicKey(onchainId)
    const closing = createCloseAccountInstruction(key(position), key(owner), key(owner), [], programOf('SPL'))
    const back = (amount: bigint) =>
      SystemProgram.transfer({ fromPubkey: key(owner), toPubkey: key(payer), lamports: amount })
    const fixture = new LimitFixture(world)
    const sign = async (amounts: readonly bigint[]) =>
      await victim.api.send<Problems>('POST', '/transactions/sign', {
        serializedTransaction: await fixture.foreign(feePayer.onchainId, [closing, ...amounts.map(back)]),
      })
    expect((await sign([rent, 1n])).body.errors?.[0]?.code).toBe('DEBIT_LIMIT_EXCEEDED')
    expect((await sign([rent, rent])).body.errors?.[0]?.code).toBe('DEBIT_LIMIT_EXCEEDED')
    expect((await sign([rent - 1n, 1n])).status).toBe(200)
  })

  it.each(['sponsor', 'grant'] as const)(
    '14.3: a mint with more than its rent, opened with a payer by %s, is closed alike',
    async (by) => {
      const [authority, payer] = [await wallet(), sponsors[by]]
      const request = {
        mintAccount: {},
        version: 'TOKEN_2022',
        mintAuthority: authority,
        closingAuthority: authority,
        onchainData: { decimals: 0 },
      }
      const { newFinancialInstrument: mint } = await victim.api.ok<{ newFinancialInstrument: Ids }>(
        201,
        'POST',
        '/financial-instruments',
        request,
        paidBy(payer),
      )
      const [rent] = await lamports(mint)
      await world.chain.airdrop(mint.onchainId, SOL)
      const before = await lamports(authority, payer)
      const requestBody = { financialInstrumentToClose: { offchainId: mint.offchainId } }
      const closing = await victim.api.send<object>(
        'PATCH',
        '/financial-instruments/close',
        requestBody,
        paidBy(feePayer),
      )
      expect([closing.status, JSON.stringify(closing.body)]).toEqual([200, expect.stringContaining('"success":true')])
      expect(await lamports(authority, payer)).toEqual([before[0]! + SOL, before[1]! + rent!])
    },
  )
})
