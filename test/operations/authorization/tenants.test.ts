// What one tenant can do to another: pay its fees with a grant, and nothing else.
import { describe, beforeAll, expect, it } from 'vitest'
import { compileMessage } from '../../../src/solana/compile.ts'
import { transferLamports } from '../../../src/solana/instructions/system.ts'
import { assembleTransaction } from '../../../src/solana/message.ts'
import { generateKeypair } from '../../../src/keys/keypair.ts'
import { createAccount } from '../../../src/operations/accounts/create.ts'
import { createInstrument } from '../../../src/operations/instruments/create.ts'
import { feePayerOf } from '../../../src/operations/transactions/fee-payer.ts'
import { mintTokens } from '../../../src/operations/positions/mint.ts'
import { signTransaction } from '../../../src/operations/signing/sign.ts'
import { transferNetworkCurrency } from '../../../src/operations/positions/transfer-network-currency.ts'
import { TenantsFixture, type Wallet } from '../tenants-fixture.ts'

const SOL = 1_000_000_000n
const by = ({ onchainId }: Wallet) => ({ onchainId })
const LANDED = expect.stringMatching(/^(CONFIRMED|FINALIZED)$/) as string

describe('a fee payer granted by another tenant', () => {
  let fixture: TenantsFixture
  let grantedWallet: Wallet
  let ownWallet: Wallet

  beforeAll(async () => {
    fixture = await TenantsFixture.open()
    grantedWallet = await fixture.wallet('OWNER', { globalFeePayerForOrgs: ['GUEST'] }, SOL)
    ownWallet = await fixture.wallet('GUEST', { canPayFees: true, networkCurrencyDebitLimits: [] }, SOL)
    await fixture.organization('GUEST', [grantedWallet])
  })

  const pay = (source: Wallet, destination: Wallet, feePayer: Wallet) =>
    fixture.write('GUEST', transferNetworkCurrency, {
      itemData: {
        source: { onchainId: source.onchainId },
        destination: { onchainId: destination.onchainId },
        lamports: '1000',
      },
      chainTransactionConfig: { feePayer: { onchainId: feePayer.onchainId } },
    })

  it('pays the fee of a payment', async () => {
    const to = await fixture.wallet('GUEST', {}, SOL)
    expect(await pay(ownWallet, to, grantedWallet)).toMatchObject({ success: true, status: LANDED })
    expect(fixture.lamports(to)).toBe(SOL + 1000n)
    expect(fixture.lamports(grantedWallet)).toBe(SOL - 10_000n)
  })

  it('may receive a payment whose fee it pays', async () => {
    const before = fixture.lamports(grantedWallet)
    expect(await pay(ownWallet, grantedWallet, grantedWallet)).toMatchObject({ success: true, status: LANDED })
    expect(fixture.lamports(grantedWallet)).toBe(before + 1000n - 10_000n)
  })

  it('pays the rent of an account created by the request', async () => {
    const creation = await fixture.write('GUEST', createAccount, {
      itemData: {},
      chainTransactionConfig: { feePayer: { onchainId: grantedWallet.onchainId } },
    })
    expect(creation).toMatchObject({ chainTransaction: { success: true } })
  })

  it('pays the rent of a position that another request is creating, if that request names it too', async () => {
    const creation = await fixture.write('GUEST', createInstrument, {
      itemData: { mintAccount: {}, mintAuthority: { onchainId: ownWallet.onchainId } },
      chainTransactionConfig: { feePayer: by(ownWallet) },
    })
    const instrument = { onchainId: (creation['newFinancialInstrument'] as { onchainId: string }).onchainId }
    const destination = { owner: by(ownWallet), financialInstrument: instrument }
    const mint = (lamports: string) =>
      fixture.write('GUEST', mintTokens, {
        itemData: { destination, lamports, initializeDestinationPositionIfNeeded: true },
        chainTransactionConfig: { feePayer: by(grantedWallet) },
      })
    const answers = await Promise.all([mint('1'), mint('2')])
    expect(answers).toEqual([expect.objectContaining({ success: true }), expect.objectContaining({ success: true })])
  })

  it('is never the source of a payment', async () => {
    const before = fixture.lamports(grantedWallet)
    await expect(pay(grantedWallet, ownWallet, grantedWallet)).rejects.toMatchObject({
      problems: [{ code: 'ACCOUNT_NOT_FOUND' }],
    })
    expect(fixture.lamports(grantedWallet)).toBe(before)
    expect(fixture.book(grantedWallet)).toEqual({ balance: String(before), reserved: '0' })
  })

  it('does not sign a message made elsewhere that takes more than the fee from it', async () => {
    const { blockhash } = await fixture.platform.clusters.get('CHAIN_DEVNET')!.freshBlockhash()
    const foreign = (from: string) => {
      const message = compileMessage({
        feePayer: grantedWallet.onchainId,
        instructions: [transferLamports(from, ownWallet.onchainId, 7n)],
        blockhash,
        version: 'V0',
      })
      return Buffer.from(
        assembleTransaction(
          message,
          message.signers.map(() => null),
        ),
      ).toString('base64')
    }
    expect(
      await fixture.write('GUEST', signTransaction, {
        itemData: { serializedTransaction: foreign(grantedWallet.onchainId) },
      }),
    ).toMatchObject({ success: false, status: 'PREPARED' })
    expect(
      await fixture.write('GUEST', signTransaction, {
        itemData: { serializedTransaction: foreign(ownWallet.onchainId) },
      }),
    ).toMatchObject({ success: true, status: 'SIGNED' })
  })
})

describe("a record of another tenant for one's own address", () => {
  let fixture: TenantsFixture
  let ownWallet: Wallet
  let otherWallet: Wallet

  beforeAll(async () => {
    fixture = await TenantsFixture.open()
    const pair = generateKeypair()
    // The stranger recorded it first, has frozen it, and names its own keys.
    const note = await fixture.wallet(
      'STRANGER',
      { address: pair.address, solDebitApiKeys: ['key of STRANGER'] },
      0n,
      null,
    )
    const { durable } = fixture.engine.transact((unit) => unit.send<'account'>(note.entry, { type: 'command.freeze' }))
    await durable
    ownWallet = await fixture.wallet('MINE', { canPayFees: true }, SOL, pair)
    otherWallet = await fixture.wallet('MINE', {}, SOL)
  })

  it('does not prevent the use of the address, and follows the chain without reservations', async () => {
    const answer = await fixture.write('MINE', transferNetworkCurrency, {
      itemData: {
        source: { onchainId: ownWallet.onchainId },
        destination: { onchainId: otherWallet.onchainId },
        lamports: '1000',
      },
    })
    expect(answer).toMatchObject({ success: true, status: LANDED })
    const [note] = fixture.engine.directory.find(['a', 'CHAIN_DEVNET', ownWallet.onchainId].join('\u0000'))
    expect(note?.head).toMatchObject({ tenant: 'STRANGER', context: { lamports: { balance: '-6000', reserved: '0' } } })
    expect(fixture.book(ownWallet)).toEqual({ balance: String(SOL - 6000n), reserved: '0' })
  })
})

describe('an unrequested grant of another tenant', () => {
  it('does not replace an own fee payer, and is used if there is none', async () => {
    const fixture = await TenantsFixture.open()
    const [own, to] = [await fixture.wallet('MINE', { canPayFees: true }, SOL), await fixture.wallet('MINE', {}, SOL)]
    const pay = (organization: string, source: Wallet) =>
      fixture.write(organization, transferNetworkCurrency, {
        itemData: { source: by(source), destination: { ...by(to), offPlatform: true }, lamports: '1000' },
      })
    // It has no balance: a caller for which it was chosen could not pay.
    const empty = await fixture.wallet('STRANGER', { canPayFees: true, globalFeePayerForOrgs: ['MINE', 'NEWCOMER'] })
    expect(await pay('MINE', own)).toMatchObject({ success: true, status: LANDED })
    expect(fixture.book(empty)).toEqual({ balance: '0', reserved: '0' })
    const newcomerWallet = await fixture.wallet('NEWCOMER', { networkCurrencyDebitLimits: [] }, SOL)
    await expect(pay('NEWCOMER', newcomerWallet)).rejects.toMatchObject({ problems: [{ code: 'FEE_PAYER_REQUIRED' }] })
    await fixture.organization('NEWCOMER', [empty])
    await expect(pay('NEWCOMER', newcomerWallet)).rejects.toMatchObject({
      problems: [{ code: 'INSUFFICIENT_BALANCE' }],
    })
  })

  it('is not read at all while it is not accepted, however many there are', async () => {
    const fixture = await TenantsFixture.open(false)
    const grant = { canPayFees: true, globalFeePayerForOrgs: ['MINE'] }
    const strangers = [await fixture.wallet('STRANGER', grant), await fixture.wallet('STRANGER', grant)]
    const reads: string[] = []
    for (const { entry } of strangers) {
      const { head } = entry
      Object.defineProperty(entry, 'head', { get: () => (reads.push(head.id), head) })
    }
    const choose = (): string =>
      feePayerOf({ platform: fixture.platform, call: fixture.call('MINE') }, undefined).address
    expect(choose).toThrow('no account that can pay fees')
    const own = await fixture.wallet('MINE', { canPayFees: true })
    expect(choose()).toBe(own.onchainId)
    const operators = await fixture.wallet('SYSTEM', grant)
    expect(choose()).toBe(operators.onchainId)
    expect(reads).toEqual([])
  })

  it('is used once accepted, the oldest first, and only while it is a grant to this organization', async () => {
    const fixture = await TenantsFixture.open(false)
    const grant = { globalFeePayerForOrgs: ['MINE'] }
    const [first, second] = [
      await fixture.wallet('STRANGER', { ...grant, madeAt: '2026-01-01T00:00:00Z' }),
      await fixture.wallet('ANOTHER', { ...grant, madeAt: '2026-01-02T00:00:00Z' }),
    ]
    const others = await fixture.wallet('STRANGER', { globalFeePayerForOrgs: ['OTHERS'] })
    await fixture.organization('MINE', [others, second, first])
    const choose = (): string =>
      feePayerOf({ platform: fixture.platform, call: fixture.call('MINE') }, undefined).address
    expect(choose()).toBe(first.onchainId)
    await fixture.engine.transact((unit) => unit.send<'account'>(first.entry, { type: 'command.inactivate' } as never))
      .durable
    expect(choose()).toBe(second.onchainId)
  })
})
