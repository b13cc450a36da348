// Compares books, chain and model after a step, each with the others.
import { expect } from 'vitest'
import { loanDetails } from '../../../src/operations/loans/details.ts'
import { ORGANIZATION, type Instrument } from './lending-setup.ts'
import * as hand from './reckoning.ts'
import type { Run } from './run.ts'

interface ShownLoan {
  readonly borrowedItems: readonly {
    readonly principalDue: number | string
    readonly principalRepaid: number | string
    readonly estimatedInterest: number | string
    readonly apy: number
  }[]
}

const raw =
  (debts: readonly hand.Debt[]) =>
  ({ principalDue, principalRepaid, estimatedInterest, apy }: ShownLoan['borrowedItems'][number], index: number) => {
    const inRaw = (amount: number | string): bigint => {
      const [integer = '', fraction = ''] = String(amount).split('.')
      return BigInt(integer + fraction.padEnd(debts[index]!.coin.decimals, '0'))
    }
    return [inRaw(principalDue) - inRaw(principalRepaid), inRaw(estimatedInterest), apy]
  }
/** Books, chain and model are equal, and every token is accounted for. */
export async function audit({ setup, loans, vaults, borrowers, gifts, ledger }: Run): Promise<void> {
  const escrows = loans.map(({ escrow }) => ({ onchainId: escrow }))
  const owners = [...vaults, ...borrowers, ...escrows]
  for (const coin of setup.instruments) {
    for (const owner of owners) {
      const record = setup.position(owner, coin)
      const tokens = setup.balanceOf(owner, coin)
      expect(tokens).toBe(ledger.of(owner, coin))
      if (record === undefined) expect(tokens).toBe(0n)
      else {
        const { balance, reserved } = record.context.tokens
        expect([BigInt(balance) + (gifts.get(record.context.address) ?? 0n), reserved]).toEqual([tokens, '0'])
      }
    }
  }
  for (const loan of loans) {
    const { context, value } = setup.loan(loan.escrow)
    expect([value, context.open]).toEqual([loan.closed ? 'closed' : 'active', null])
    for (const { coin, amount } of loan.pledged.values()) {
      const address = setup.addressOf({ onchainId: loan.escrow }, coin as Instrument)
      expect(setup.balanceOf({ onchainId: loan.escrow }, coin as Instrument)).toBe(amount + (gifts.get(address) ?? 0n))
      expect(BigInt(context.pledged.find(({ instrument }) => instrument.address === coin.onchainId)!.amount)).toBe(
        amount,
      )
    }
    const view = (await setup.setup.read(ORGANIZATION, loanDetails, {
      itemData: { escrow: { onchainId: loan.escrow } },
    })) as unknown as ShownLoan
    expect(view.borrowedItems.map(raw(loan.debts))).toEqual(
      loan.debts.map((debt) => [debt.principal, hand.due(debt, setup.now) - debt.principal, debt.apy]),
    )
  }
}
