// Events around the loans of a run: time passes, the lender changes its terms, and tokens are transferred, through the
// service and outside of it.
import { expect } from 'vitest'
import { updateStrategy } from '../../../src/operations/loans/update-strategy.ts'
import { transferTokens } from '../../../src/operations/positions/transfer.ts'
import { toTermRequest, lookup, share, units, VAULT_HAS } from './requests.ts'
import type { Run } from './run.ts'
import type { Step } from './steps.ts'

type Surrounding = Extract<Step, { what: 'wait' | 'terms' | 'transfer' | 'gift' }>

export function surround(run: Run, step: Surrounding): Promise<void> {
  switch (step.what) {
    case 'wait':
      return wait(run, step)
    case 'terms':
      return terms(run, step)
    case 'transfer':
      return transfer(run, step)
    case 'gift':
      return gift(run, step)
  }
}

async function wait(run: Run, { seconds, fresh }: Extract<Step, { what: 'wait' }>): Promise<void> {
  run.setup.pass(seconds)
  if (fresh)
    for (const each of run.setup.instruments) await run.setPrice(each, Number(run.prices.get(each.onchainId)!.milli))
}

async function terms(
  run: Run,
  { vault, principal, enabled, cap, buffer, ltv, apy, all }: Extract<Step, { what: 'terms' }>,
): Promise<void> {
  const strategy = run.strategiesOf(vault)[principal]!
  strategy.enabled = enabled
  strategy.cap = cap === null ? null : share(units(strategy.coin, VAULT_HAS), Math.ceil(cap / 2))
  strategy.buffer = buffer
  strategy.terms = (all ? strategy.terms : strategy.terms.slice(0, 1)).map((each, index) => ({
    ...each,
    ltv,
    lqt: 900_000,
    apy: apy + index,
  }))
  const { decimals } = strategy.coin
  const originationCap =
    strategy.cap === null
      ? null
      : `${strategy.cap / 10n ** BigInt(decimals)}.${(strategy.cap % 10n ** BigInt(decimals)).toString().padStart(decimals, '0')}`
  const changes = {
    originationsEnabled: enabled,
    originationCap,
    liquidityBuffer: buffer,
    collateral: strategy.terms.map(toTermRequest),
  }
  expect(
    await run.setup.attempt(updateStrategy, { itemData: { strategy: { offchainId: strategy.id }, ...changes } }),
  ).toMatchObject({
    ok: true,
  })
}

async function transfer(run: Run, step: Extract<Step, { what: 'transfer' }>): Promise<void> {
  const [vault, other] = [run.vaults[step.vault]!, run.borrowers[0]!]
  const coin = run.setup.principals[step.principal]!
  const [from, to] = step.out ? [vault, other] : [other, vault]
  const amount = share(run.setup.balanceOf(from, coin), step.percent)
  const objections = run.lacking(from, [{ coin, amount }])
  const answer = await run.setup.attempt(transferTokens, {
    itemData: { source: lookup(from, coin), destination: lookup(to, coin), lamports: amount.toString() },
  })
  if (run.expectVerdict(step, answer, objections)) run.ledger.move(from, to, [{ coin, amount }])
}

async function gift(run: Run, step: Extract<Step, { what: 'gift' }>): Promise<void> {
  const receivers = [...run.vaults, ...run.loans.map(({ escrow }) => ({ onchainId: escrow }))]
  const to = receivers[step.to % receivers.length]!
  const coin = run.setup.instruments[step.instrument]!
  if (run.setup.position(to, coin) === undefined) return
  await run.setup.gift(to, coin, BigInt(step.amount))
  run.ledger.give(to, { coin, amount: BigInt(step.amount) })
  const address = run.setup.addressOf(to, coin)
  if (run.vaults.some(({ onchainId }) => onchainId === to.onchainId)) await run.setup.look(to, coin)
  else run.gifts.set(address, (run.gifts.get(address) ?? 0n) + BigInt(step.amount))
}
