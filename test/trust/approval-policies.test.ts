// Two-person control of operations that are no debit: under a policy no single key mints, burns, pauses, closes or
// transfers an authority, by any kind of transaction.
import {
  AuthorityType,
  createMintToInstruction,
  createSetAuthorityInstruction,
  TOKEN_2022_PROGRAM_ID,
} from '@solana/spl-token'
import { PublicKey, type TransactionInstruction } from '@solana/web3.js'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { BatchFixture } from '../e2e/payouts/batch-fixture.ts'
import { startWorld, unwatched, type World } from '../e2e/harness.ts'
import { LimitFixture, type Held, type Person } from '../e2e/limits/limit-fixture.ts'
import type { Ids, Problems } from '../e2e/models.ts'
import { SOL, type Records } from '../e2e/records.ts'
import { authorityHolder } from './authority-holder.ts'

const BILLION = 1_000_000_000
const POLICIES = '/approval-policies'

let world: World
let fixture: LimitFixture
let organization: string
let admin: Person
let operator: Person
let anna: Person
let bert: Person
let records: Records
let payer: Ids
let issuer: Ids
let holder: Ids
let gold: Ids
let position: Ids

beforeAll(async () => {
  world = await startWorld({}, unwatched)
  fixture = new LimitFixture(world)
})
afterAll(() => world.stop())

/** Every test has its own tenant, so that no policy of another test covers it. */
beforeEach(async () => {
  organization = await fixture.organization()
  ;[admin, operator, anna, bert] = await Promise.all([
    fixture.person(organization, 'ADMIN'),
    fixture.person(organization, 'OPERATOR'),
    fixture.person(organization, ['DEBIT_LIMIT_APPROVE']),
    fixture.person(organization, ['DEBIT_LIMIT_APPROVE', 'POSITIONS_WRITE', 'TRANSACTIONS_WRITE']),
  ])
  records = world.records.with(admin.api)
  payer = await records.feePayer()
  issuer = await records.account()
  gold = await records.instrument('TOKEN_2022', issuer, {
    pausableAuthority: issuer,
    closingAuthority: issuer,
    freezeAuthority: issuer,
  })
  holder = await records.funded({ tokenDebitLimits: [], networkCurrencyDebitLimits: [] }, SOL)
  position = await records.position(holder, gold, 5_000_000n)
})

const policy = async (operations: readonly string[], more: object = {}): Promise<string> => {
  const body = { operations, approvers: [anna.keyId, bert.keyId], requiredApproversCount: 1, ...more }
  const { newApprovalPolicy } = await admin.api.ok<{ newApprovalPolicy: { offchainId: string } }>(
    201,
    'POST',
    POLICIES,
    body,
  )
  return newApprovalPolicy.offchainId
}
const mint = (amount: number | string, person = operator) =>
  person.api.ok<Held>(201, 'POST', '/positions/mint', { destination: { position }, amount })
const approve = (person: Person, { offchainId }: { offchainId: string }) =>
  person.api.send<Held & Problems>('POST', '/transactions/approve', { offchainId })
const expectApproval = async (person: Person, transaction: Held): Promise<Held> => {
  const { status, body } = await approve(person, transaction)
  expect(status, JSON.stringify(body)).toBe(200)
  return body
}
const code = async (answer: Promise<{ status: number; body: Problems }>) => {
  const { status, body } = await answer
  return [status, body.errors?.[0]?.code]
}
const waits = (transaction: Held, id: string, operations: readonly string[]): void => {
  expect(transaction).toMatchObject({ success: false, status: 'PREPARED' })
  expect(transaction.approval?.policies.map((each) => [each.approvalPolicy.offchainId, each.operations])).toEqual([
    [id, operations],
  ])
}
const readMinted = () => world.chain.tokens(position.onchainId)
const foreign = (instruction: TransactionInstruction) => fixture.foreign(payer.onchainId, [instruction])
const mintTo = (lamports: bigint) =>
  createMintToInstruction(
    new PublicKey(gold.onchainId),
    new PublicKey(position.onchainId),
    new PublicKey(issuer.onchainId),
    lamports,
    [],
    TOKEN_2022_PROGRAM_ID,
  )

describe('a policy for MINT', () => {
  it('attack: an OPERATOR key alone mints 1,000,000,000 units in no way', async () => {
    const id = await policy(['MINT'])
    const pendingTransaction = await mint(BILLION)
    waits(pendingTransaction, id, ['MINT'])
    // Signing, naming the signer and submitting give nothing.
    const transaction = { offchainId: pendingTransaction.offchainId }
    expect((await operator.api.send<Held>('POST', '/transactions/sign', { transaction })).body.status).toBe('PREPARED')
    expect(
      (
        await operator.api.send<Held>('POST', '/transactions/sign', {
          transaction,
          signers: [issuer, payer],
          returnSerialized: true,
        })
      ).body.status,
    ).toBe('PREPARED')
    expect(await code(operator.api.send('POST', '/transactions/submit', { transaction }))).toEqual([400, 'NOT_SIGNED'])
    expect(await code(approve(operator, pendingTransaction))).toEqual([403, 'ROLE_REQUIRED'])
    expect(await code(approve(admin, pendingTransaction))).toEqual([403, 'NOT_AN_APPROVER'])
    // A message made elsewhere, and one that mints in several instructions.
    const serializedTransaction = await foreign(mintTo(1_000_000_000_000_000n))
    waits((await operator.api.send<Held>('POST', '/transactions/sign', { serializedTransaction })).body, id, ['MINT'])
    const parts = await fixture.foreign(payer.onchainId, [mintTo(1n), mintTo(2n)])
    waits(
      (
        await operator.api.send<Held>('POST', '/transactions/sign', {
          serializedTransaction: parts,
          signers: [issuer, payer],
        })
      ).body,
      id,
      ['MINT'],
    )
    expect(await readMinted()).toBe(5_000_000n)
    const explained = await operator.api.read<{ checks: readonly { rule: string; verdict: string }[] }>(
      '/transactions/explain',
      transaction,
    )
    expect(explained.checks.find(({ rule }) => rule === 'APPROVAL_POLICIES')).toMatchObject({ verdict: 'PENDING' })
    expect((await expectApproval(anna, pendingTransaction)).success).toBe(true)
    expect(await readMinted()).toBe(5_000_000n + 1_000_000_000_000_000n)
  })

  it('attack: nor in a batch, which waits for approval as a whole', async () => {
    await policy(['MINT'])
    const batches = new BatchFixture(operator.api)
    const batch = await batches.create(
      'MINT',
      [1, 2, 3].map((amount) => ({ destination: { position }, amount })),
    )
    expect((await batches.single(batch)).status).toBe('PREPARED')
    expect((await operator.api.send('PATCH', '/batches/approve', { offchainId: batch })).status).toBe(403)
    expect(await readMinted()).toBe(5_000_000n)
    await batches.approve(batch, anna.api)
    await batches.waitForEnd(batch)
    expect(await readMinted()).toBe(11_000_000n)
  })

  it('covers amounts above a bound, summed over the instructions of a message', async () => {
    const id = await policy(['MINT'], { above: 10, financialInstrument: gold })
    expect((await mint(10)).success).toBe(true)
    waits(await mint('10.000001'), id, ['MINT'])
    const parts = await fixture.foreign(payer.onchainId, [mintTo(6_000_000n), mintTo(6_000_000n)])
    waits((await operator.api.send<Held>('POST', '/transactions/sign', { serializedTransaction: parts })).body, id, [
      'MINT',
    ])
    const other = await records.instrument('TOKEN_2022', issuer)
    const elsewhere = await records.position(holder, other)
    await records.mint(elsewhere, 100_000_000n)
    // Operations that it does not name are not covered.
    expect(
      (await operator.api.ok<Held>(201, 'POST', '/positions/burn', { source: { position }, amount: 1 })).success,
    ).toBe(true)
  })

  it('attack: is not approved by the requester, a rotated key, or a key made approver without a policy', async () => {
    await policy(['MINT'])
    const own = await mint(1, bert)
    expect(await code(approve(bert, own))).toEqual([403, 'REQUESTER_CANNOT_APPROVE'])
    const transaction = await mint(2)
    const { apiKey } = await admin.api.ok<{ apiKey: string }>(200, 'PATCH', '/admin/api-keys/rotate', {
      keyId: anna.keyId,
    })
    expect(await code(approve({ ...anna, api: world.api.as(apiKey) }, transaction))).toEqual([
      403,
      'APPROVALS_SUSPENDED',
    ])
    const helper = await admin.api.ok<{ keyId: string; apiKey: string }>(201, 'POST', '/admin/api-keys', {
      organizationExternalId: organization,
      name: 'helper',
      roles: ['DEBIT_LIMIT_APPROVE', 'TRANSACTIONS_READ'],
    })
    expect(await code(approve({ ...helper, api: world.api.as(helper.apiKey) }, transaction))).toEqual([
      403,
      'NOT_AN_APPROVER',
    ])
    // Disabling an approver does not lower the required count.
    await admin.api.ok(200, 'PATCH', '/admin/api-keys/disable', { keyId: anna.keyId })
    expect((await mint(3)).status).toBe('PREPARED')
    expect((await expectApproval(bert, transaction)).success).toBe(true)
  })

  it('requires the approvals of every policy that covers it', async () => {
    const first = await policy(['MINT'], { requiredApproversCount: 2 })
    const second = await policy(['MINT', 'BURN'], { approvers: [bert.keyId], requiredApproversCount: 1 })
    const transaction = await mint(7)
    expect(transaction.approval?.policies.map(({ approvalPolicy: { offchainId } }) => offchainId).sort()).toEqual(
      [first, second].sort(),
    )
    expect(transaction.approval?.required).toBe(2)
    expect((await expectApproval(bert, transaction)).status).toBe('PREPARED')
    expect(await code(approve(bert, transaction))).toEqual([400, 'ALREADY_APPROVED'])
    expect((await expectApproval(anna, transaction)).success).toBe(true)
  })
})

describe('a policy for AUTHORITY_CHANGE', () => {
  it.each(['mint', 'freeze', 'pausable', 'closing', 'update'])(
    'attack: an OPERATOR key alone neither transfers nor revokes `%s`',
    async (authority) => {
      const own = await records.instrument('TOKEN_2022', issuer, {
        pausableAuthority: issuer,
        closingAuthority: issuer,
        freezeAuthority: issuer,
        updateAuthority: issuer,
        onchainData: { name: 'Gold', symbol: 'G' },
      })
      const id = await policy(['AUTHORITY_CHANGE'])
      const change = (next: object | null) =>
        operator.api.ok<{ chainTransaction: Held }>(200, 'PATCH', '/financial-instruments/authorities', {
          financialInstrument: own,
          authorities: { [authority]: next },
          confirm: true,
        })
      const before = await authorityHolder(world.chain.connection, own, authority)
      expect(before).toBe(issuer.onchainId)
      const [handedOn, givenUp] = [(await change(holder)).chainTransaction, (await change(null)).chainTransaction]
      for (const transaction of [handedOn, givenUp]) waits(transaction, id, ['AUTHORITY_CHANGE'])
      expect(await authorityHolder(world.chain.connection, own, authority)).toBe(before)
      expect((await expectApproval(anna, handedOn)).success).toBe(true)
      expect(await authorityHolder(world.chain.connection, own, authority)).toBe(holder.onchainId)
    },
  )
})

describe('the other operations', () => {
  it('also wait, and take effect on chain once approved', async () => {
    const id = await policy(['BURN', 'PAUSE', 'CLOSE', 'AUTHORITY_CHANGE'])
    const burn = await operator.api.ok<Held>(201, 'POST', '/positions/burn', { source: { position }, amount: 5 })
    waits(burn, id, ['BURN'])
    expect((await expectApproval(anna, burn)).success).toBe(true)
    expect(await readMinted()).toBe(0n)
    const pause = await operator.api.ok<Held>(200, 'PATCH', '/financial-instruments/pause', {
      financialInstrument: gold,
    })
    waits(pause, id, ['PAUSE'])
    expect((await expectApproval(bert, pause)).success).toBe(true)
    waits(
      await operator.api.ok<Held>(200, 'PATCH', '/financial-instruments/unpause', { financialInstrument: gold }),
      id,
      ['PAUSE'],
    )
    const handOn = createSetAuthorityInstruction(
      new PublicKey(gold.onchainId),
      new PublicKey(issuer.onchainId),
      AuthorityType.MintTokens,
      new PublicKey(holder.onchainId),
      [],
      TOKEN_2022_PROGRAM_ID,
    )
    const serializedTransaction = await foreign(handOn)
    // A message made elsewhere changes no authority, with or without a policy.
    await operator.api.refuses(403, 'INSTRUCTION_NOT_ALLOWED', 'POST', '/transactions/sign', { serializedTransaction })
    const silver = await records.instrument('TOKEN_2022', issuer, { closingAuthority: issuer })
    const close = await operator.api.send<Held & { chainTransaction?: Held }>('PATCH', '/financial-instruments/close', {
      financialInstrumentToClose: silver,
    })
    const closing = close.body.chainTransaction ?? close.body
    expect(close.status, JSON.stringify(close.body)).toBe(200)
    waits(closing, id, ['CLOSE'])
    expect((await expectApproval(anna, closing)).success).toBe(true)
    // Closing a position and creating an instrument are not covered.
    const { newPosition } = await operator.api.ok<{ newPosition: Ids }>(201, 'POST', '/positions', {
      owner: await records.account(),
      financialInstrument: await records.instrument('TOKEN_2022', issuer),
    })
    const closingResult = await operator.api.send<{ success?: boolean; chainTransaction?: Held }>(
      'PATCH',
      '/positions/close',
      { position: { position: newPosition } },
    )
    expect(
      closingResult.body.chainTransaction?.success ?? closingResult.body.success,
      JSON.stringify(closingResult.body),
    ).toBe(true)
  })
})

describe('other organizations', () => {
  it('attack: an organization with a grant, below or beside it, is subject to the policy of the owner', async () => {
    const below = `${organization}-BELOW`
    await admin.api.ok(201, 'POST', '/admin/organizations', {
      externalId: below,
      name: 'below',
      parentExternalId: organization,
    })
    await admin.api.ok(200, 'PATCH', '/accounts', { account: issuer, orgsAllowedToSignWithPrivateKey: [below] })
    const id = await policy(['MINT'])
    const person = await fixture.person(below, 'ADMIN')
    const ownPayer = await world.records.with(person.api).feePayer()
    const body = { destination: { position }, amount: 1 }
    const config = { feePayer: { onchainId: ownPayer.onchainId } }
    waits(await person.api.ok<Held>(201, 'POST', '/positions/mint', body, { config }), id, ['MINT'])
    // Its own instruments are covered by the policies of the organizations above it.
    const own = world.records.with(person.api)
    const ownIssuer = await own.account()
    const silver = await own.instrument('TOKEN_2022', ownIssuer)
    const { newPosition } = await person.api.ok<{ newPosition: Ids }>(201, 'POST', '/positions', {
      owner: ownIssuer,
      financialInstrument: silver,
    })
    waits(
      await person.api.ok<Held>(201, 'POST', '/positions/mint', { destination: { position: newPosition }, amount: 1 }),
      id,
      ['MINT'],
    )
  })

  it('attack: another tenant with a grant gets no signature; its own instruments are not covered', async () => {
    await policy(['MINT'])
    const stranger = await fixture.organization()
    await admin.api.ok(200, 'PATCH', '/accounts', { account: issuer, orgsAllowedToSignWithPrivateKey: [stranger] })
    const person = await fixture.person(stranger, 'ADMIN')
    const own = world.records.with(person.api)
    const ownPayer = await own.feePayer()
    const serializedTransaction = await fixture.foreign(ownPayer.onchainId, [mintTo(1_000_000n)])
    const answer = await person.api.send<Held & Problems>('POST', '/transactions/sign', {
      serializedTransaction,
      signers: [{ onchainId: issuer.onchainId }],
    })
    expect([answer.status, answer.body.errors?.[0]?.code], JSON.stringify(answer.body)).toEqual([
      403,
      'APPROVAL_REQUIRED',
    ])
    expect(JSON.stringify(answer.body)).not.toContain(organization)
    expect(await readMinted()).toBe(5_000_000n)
    const ownIssuer = await own.account()
    const silver = await own.instrument('TOKEN_2022', ownIssuer)
    await own.position(ownIssuer, silver, 5n)
  })
})

describe('the terms of a policy', () => {
  it('are validated', async () => {
    const refuse = (more: object, expected: string) =>
      admin.api.refuses(400, expected, 'POST', POLICIES, {
        operations: ['MINT'],
        approvers: [anna.keyId, bert.keyId],
        requiredApproversCount: 1,
        ...more,
      })
    await refuse({ requiredApproversCount: 3 }, 'POLICY_TERMS_INVALID')
    await refuse({ operations: ['MINT', 'PAUSE'], above: 1 }, 'POLICY_TERMS_INVALID')
    await refuse({ operations: ['API_KEYS'], financialInstrument: gold }, 'POLICY_TERMS_INVALID')
    await refuse({ approvers: [operator.keyId] }, 'APPROVER_NOT_FOUND')
    await refuse(
      { approvers: [(await fixture.person(await fixture.organization(), 'ADMIN')).keyId] },
      'APPROVER_NOT_FOUND',
    )
    await refuse({ operations: ['TRANSFER'] }, 'INVALID_VALUE')
    await operator.api.refuses(403, 'ROLE_REQUIRED', 'POST', POLICIES, {
      operations: ['MINT'],
      approvers: [anna.keyId],
      requiredApproversCount: 1,
    })
  })

  it('are visible to the organization only', async () => {
    const id = await policy(['MINT', 'BURN'], { financialInstrument: gold, above: '2.5' })
    const shownPolicy = await operator.api.read<object>(`${POLICIES}/single`, { offchainId: id })
    expect(shownPolicy).toMatchObject({
      offchainId: id,
      status: 'ACTIVE',
      operations: ['MINT', 'BURN'],
      above: 2.5,
      requiredApproversCount: 1,
      release: null,
    })
    const { items } = (await operator.api.bulk(`${POLICIES}/bulk`, {})) as { items: readonly object[] }
    expect(items).toEqual([shownPolicy])
    const stranger = await fixture.person(await fixture.organization(), 'ADMIN')
    await stranger.api.refuses(400, 'POLICY_NOT_FOUND', 'POST', `${POLICIES}/single`, { offchainId: id })
  })
})
