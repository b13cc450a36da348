// Keys of another tenant: that tenant evaluates, reserves, signs and stores the signature, and releases nothing before
// it has observed the outcome.
import bs58 from 'bs58'
import { describe, expect, it } from 'vitest'
import { cancelTransaction } from '../../../src/operations/signing/cancel.ts'
import { countersignatureId } from '../../../src/operations/transactions/countersign/request.ts'
import { explainTransaction } from '../../../src/operations/signing/explain.ts'
import { Refusal } from '../../../src/contract/refusal.ts'
import { signTransaction } from '../../../src/operations/signing/sign.ts'
import { submitTransaction } from '../../../src/operations/signing/submit.ts'
import { eventually } from '../../localnet/rpc-chain.ts'
import { SOL, CLUSTER } from './station.ts'
import { withSponsor, FEE, GRANT, station, sponsor, source, to, refusal, nothingKept } from './sponsored-payment.ts'

withSponsor()

const AMOUNT = 1_000

const pay = (more: object = {}, payer = sponsor) => station.pay('ACME', source, to, AMOUNT, payer, more)

/** As the answer to the caller shows it. */
const problemOf = async (work: Promise<unknown>): Promise<string> =>
  await work.then(
    () => 'nothing was refused',
    (error: unknown) =>
      error instanceof Refusal
        ? error.problems.map(({ code, message }) => `${code}: ${message}`).join()
        : String(error),
  )

async function movedOnce(payer = sponsor): Promise<void> {
  await eventually(() => station.agree(payer, source, to) && station.countersignatures[0]?.value === 'settled')
  expect([station.onchain(payer), station.onchain(source), station.onchain(to)]).toEqual([
    SOL - FEE,
    SOL - BigInt(AMOUNT),
    SOL + BigInt(AMOUNT),
  ])
}

describe('a granted fee payer', () => {
  it('of another tenant signs at once, from its own books, which it settles itself', async () => {
    const { offchainId, status } = await pay({ waitMs: 0 })
    expect(status).toBe('SIGNED')
    const [countersignature] = station.countersignatures
    expect(countersignature).toMatchObject({
      tenant: 'BANK',
      id: countersignatureId(offchainId as string, 'BANK'),
      value: 'given',
    })
    expect(countersignature?.context).toMatchObject({
      requester: { tenant: 'ACME', organization: 'ACME' },
      messageHash: station.transaction(offchainId).context.fixed.messageHash,
      signature: station.transaction(offchainId).context.signature,
    })
    expect(station.book(sponsor)).toEqual({ balance: String(SOL), reserved: String(FEE) })
    await station.until(offchainId, 'finalized')
    await movedOnce()
  })

  it('without cover refuses without revealing its balance, and reserves nothing', async () => {
    const poor = await station.wallet('BANK', GRANT, false, 0n)
    await station.accept('ACME', poor)
    const busy = await station.wallet('BANK', GRANT)
    await station.accept('ACME', busy)
    const reservedAmount = String(SOL - FEE + 1n)
    const reserve = { type: 'command.reserve', asset: 'lamports', amount: reservedAmount, covered: true }
    await station.commit((unit) =>
      unit.send(station.platform.engine.directory.byId(busy.offchainId)!, reserve as never),
    )
    for (const payer of [poor, busy]) {
      const problem = await problemOf(pay({}, payer))
      expect(problem).toEqual('INSUFFICIENT_BALANCE: an account of another tenant has less than is asked of it')
      nothingKept()
    }
    expect(station.book(busy)).toEqual({ balance: String(SOL), reserved: reservedAmount })
  })

  it('observes deposits from outside before it refuses', async () => {
    const poor = await station.wallet('BANK', GRANT, false, 0n)
    await station.accept('ACME', poor)
    await station.chain.bank.airdrop(bs58.decode(poor.onchainId), SOL)
    expect(await pay({}, poor)).toMatchObject({ success: true })
  })

  it('signs nothing while it, its organization or its whole tenant is frozen', async () => {
    const account = station.platform.engine.directory.byId(sponsor.offchainId)!
    const bank = station.platform.engine.directory.byId('organization BANK')!
    for (const entry of [account, bank]) {
      await station.commit((unit) => unit.send(entry, { type: 'command.freeze' } as never))
      expect(await refusal(pay())).toContain(`FROZEN: ${sponsor.onchainId} is frozen`)
      expect(await refusal(pay({ dryRun: true }))).toContain('FROZEN')
      nothingKept()
      await station.commit((unit) => unit.send(entry, { type: 'command.unfreeze' } as never))
    }
    expect(await pay()).toMatchObject({ success: true })
  })

  it('signs for fees only, and only with the keys listed by its owner', async () => {
    expect(await station.pay('ACME', sponsor, to, AMOUNT, sponsor)).toMatchObject({ status: 'PREPARED' })
    const change = (changes: object) => (unit: Parameters<Parameters<typeof station.commit>[0]>[0]) =>
      unit.send(station.platform.engine.directory.byId(sponsor.offchainId)!, {
        type: 'command.update',
        changes,
      } as never)
    await station.commit(
      change({
        orgsAllowedToSignWithPrivateKey: ['ACME'],
        solDebitApiKeys: ['key of BANK'],
        networkCurrencyDebitLimits: [],
      }),
    )
    expect(await refusal(station.pay('ACME', sponsor, to, AMOUNT, sponsor))).toContain('DEBIT_KEY_REQUIRED')
    await station.commit(change({ solDebitApiKeys: ['key of ACME'] }))
    expect(await station.pay('ACME', sponsor, to, AMOUNT, sponsor)).toMatchObject({ success: true })
    await eventually(() => station.agree(sponsor, to))
  })

  it('pays within its own limits, for any requester', async () => {
    const within = (limitAmount: string) => [
      {
        destination: 'FEES',
        operationType: 'ANY',
        mintAuthority: null,
        organizationExternalId: 'ACME',
        maxAllowedDebit: { limitAmount, limitType: 'DURATION', duration: { code: 'DAYS', unit: 1 } },
      },
    ]
    const limit = (limitAmount: string) =>
      station.commit((unit) =>
        unit.send(station.platform.engine.directory.byId(sponsor.offchainId)!, {
          type: 'command.update',
          changes: { networkCurrencyDebitLimits: within(limitAmount) },
        } as never),
      )
    await limit('0.000009999')
    for (const dryRun of [false, true]) {
      expect(await problemOf(pay({ dryRun }))).toBe(
        'DEBIT_LIMIT_EXCEEDED: the transaction exceeds a debit limit of another tenant',
      )
      nothingKept()
    }
    await limit('0.00001')
    expect(await pay()).toMatchObject({ success: true })
    expect(await problemOf(pay())).toBe('DEBIT_LIMIT_EXCEEDED: the transaction exceeds a debit limit of another tenant')
  })

  it('is simulated in a dry run without a trace', async () => {
    expect(await refusal(pay({ dryRun: true }))).toBe('nothing was refused')
    nothingKept()
  })

  it('may have a key held elsewhere: its owner stores the signature when it arrives', async () => {
    const payer = await station.wallet('BANK', GRANT, true)
    await station.accept('ACME', payer)
    station.elsewhere.usual = 'silence'
    const { offchainId } = await pay({ waitMs: 0 }, payer)
    await eventually(() => station.elsewhere.asked.length === 1)
    await station.crash()
    await eventually(() => station.elsewhere.asked.length === 2)
    expect(station.countersignatures[0]?.context.signatures).toEqual([{ address: payer.onchainId, signature: null }])
    station.elsewhere.speak()
    await station.until(offchainId, 'finalized')
    const { signature } = station.transaction(offchainId).context
    expect(station.countersignatures[0]?.context).toMatchObject({
      signatures: [{ address: payer.onchainId, signature }],
      signature,
    })
    await movedOnce(payer)
  })
})

describe('without a grant', () => {
  it('the transaction waits for the owner, whose Sign has the same checks', async () => {
    const stranger = await station.wallet('BANK')
    await station.accept('ACME', stranger)
    // A record of the same address by a stranger shows nothing of it, and changes nothing.
    await station.commit((unit) => {
      const { pair: _pair, ...notedWallet } = stranger
      const state = station.record(notedWallet.offchainId)
      const holding = { ...(state.context as object), managed: false, organization: 'OTHER' }
      unit.create('account', { tenant: 'OTHER', cluster: CLUSTER, id: 'a note' }, { state: 'active', holding } as never)
    })
    const { offchainId, status } = await pay({}, stranger)
    expect(status).toBe('PREPARED')
    expect([station.countersignatures, station.book(stranger).reserved]).toEqual([[], '0'])
    const transaction = { offchainId: offchainId as string }
    expect(await refusal(station.run('OTHER', signTransaction, { transaction }))).toContain('TRANSACTION_NOT_FOUND')
    expect(
      await station.run('BANK', signTransaction, { transaction, signers: [{ offchainId: stranger.offchainId }] }),
    ).toMatchObject({
      status: 'PARTIALLY_SIGNED',
    })
    expect(station.countersignatures[0]).toMatchObject({ tenant: 'BANK', value: 'given' })
    expect([station.book(stranger).reserved, station.book(source).reserved]).toEqual([String(FEE), String(AMOUNT)])
    expect(await station.run('ACME', signTransaction, { transaction })).toMatchObject({ status: 'SIGNED' })
    expect(await station.run('ACME', submitTransaction, { transaction })).toMatchObject({ success: true })
    await movedOnce(stranger)
  })

  it("the requester gets addresses, and no id of the owner's records", async () => {
    const bankWallet = await station.wallet('BANK')
    await station.accept('ACME', bankWallet)
    const { offchainId } = await pay({}, bankWallet)
    const explained = JSON.stringify(
      await explainTransaction(
        { platform: station.platform, call: station.call('ACME') },
        {
          itemData: { offchainId: offchainId as string },
        },
      ),
    )
    expect(explained).toContain(bankWallet.onchainId)
    expect(explained).not.toContain(bankWallet.offchainId)
    expect(station.transaction(offchainId).context.fixed.feePayer).toEqual({ address: bankWallet.onchainId, id: null })
  })
})

describe('the reservation of the owner', () => {
  it('is kept until the outcome is known, whatever the requester does', async () => {
    const stranger = await station.wallet('BANK')
    await station.accept('ACME', stranger)
    const { offchainId } = await pay({}, stranger)
    const transaction = { offchainId: offchainId as string }
    await station.run('BANK', signTransaction, { transaction, signers: [{ offchainId: stranger.offchainId }] })
    await station.run('ACME', signTransaction, { transaction })
    expect(await station.run('ACME', cancelTransaction, transaction)).toMatchObject({ status: 'SIGNED' })
    expect(station.book(stranger).reserved).toBe(String(FEE))
    await station.untilOver(offchainId, 'cancelled')
    await station.pastLifetimes(() => station.countersignatures[0]?.value === 'released')
    expect(station.countersignatures[0]?.context.proof).toMatchObject({ rule: 'blockhash' })
    await eventually(() => station.agree(stranger, source, to))
    expect(station.onchain(stranger)).toBe(SOL)
  })

  it('survives a crash before and after it is on disk', async () => {
    station.disk.hold()
    void pay().catch(() => undefined)
    await eventually(() => station.countersignatures.length === 1)
    await station.crash(false)
    nothingKept()
    station.disk.hold()
    const writes = station.disk.writes.length
    void pay().catch(() => undefined)
    await eventually(() => station.disk.writes.length > writes)
    await station.crash(true)
    expect(station.countersignatures).toHaveLength(1)
    await movedOnce()
  })
})
