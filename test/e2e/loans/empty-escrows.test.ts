// An escrow that holds nothing is locked like any other: what it holds is no answer to those who may not use it.
import { describe, expect, it } from 'vitest'
import type { Method } from '../client.ts'
import type { Ids, Problems } from '../models.ts'
import type { LoanCreation } from './loan-fixture.ts'
import { bond, borrower, cash, exact, fees, fixture, lender, vault, wallet, withLoanParties } from './loan-parties.ts'

withLoanParties()

const at = (owner: Ids, instrument: Ids) => ({ owner: exact(owner), financialInstrument: exact(instrument) })

describe('an escrow without free lamports', () => {
  it('is locked on every path that asks for its balance', async () => {
    const { newLoan: escrow } = await borrower.api.ok<LoanCreation>(201, 'POST', '/loans', {
      defiProtocol: 'ESCROW_VAULT',
      lendingDetails: { loanStrategyAddress: vault.onchainId },
      itemsToBorrow: [{ positionLookup: at(wallet, cash), amount: 100 }],
      itemsToPledge: [{ positionLookup: at(wallet, bond), amount: 300 }],
    })
    expect(await fixture.world.chain.lamports(escrow.onchainId)).toBe(0n)
    const payment = { source: exact(escrow), destination: exact(wallet) }
    const entire = { ...payment, transferEntireBalance: true }
    const one = { ...payment, lamports: 1 }
    const distribution = { financialInstrument: exact(bond), recordAt: '2999-01-01T00:00:00Z' }
    const attemptsOf = (payer: Ids): readonly (readonly [Method, string, object])[] => [
      ['POST', '/positions/transfer-network-currency', entire],
      ['POST', '/positions/transfer-network-currency', { ...entire, destination: exact(escrow) }],
      ['POST', '/positions/transfer-network-currency', one],
      ['POST', '/positions/trade', { legs: [one, { source: exact(payer), destination: exact(escrow), lamports: 1 }] }],
      ['PATCH', '/accounts/inactivate', { account: exact(escrow), refundDestination: exact(wallet) }],
      ['POST', '/batches', { operation: 'TRANSFER_NETWORK_CURRENCY', items: [entire] }],
      ['POST', '/batches', { operation: 'TRANSFER_NETWORK_CURRENCY', items: [one] }],
      ['POST', '/distributions', { ...distribution, source: exact(escrow), payout: { total: '0.001' } }],
      [
        'POST',
        '/distributions',
        { ...distribution, source: at(escrow, bond), payout: { financialInstrument: exact(bond), total: '1' } },
      ],
    ]
    for (const { api, payer } of [
      { api: borrower.api, payer: wallet },
      { api: lender.api, payer: fees },
    ])
      for (const [method, path, itemData] of attemptsOf(payer))
        for (const config of [{ feePayer: exact(payer) }, { feePayer: exact(escrow) }]) {
          const { status, body } = await api.send<Problems>(method, path, itemData, { config })
          expect([status, body.errors?.[0]?.code], `${path} ${JSON.stringify([itemData, body])}`).toEqual([
            403,
            'ESCROW_LOCKED',
          ])
        }
  })
})
