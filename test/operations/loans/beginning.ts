// The start of a run: two vaults that lend two instruments each, and two borrowers who hold some of each.
import type { LendingSetup } from './lending-setup.ts'
import { BORROWER_HAS, toTermRequest, units, VAULT_HAS } from './requests.ts'
import { Run } from './run.ts'

const DAY = 86_400

export async function begin(setup: LendingSetup): Promise<Run> {
  const run = new Run(setup)
  const { principals, collaterals, instruments } = setup
  for (const instrument of instruments) await run.setPrice(instrument, 1_000)
  run.vaults.push(await setup.wallet(), await setup.wallet())
  run.borrowers.push(await setup.wallet(), await setup.wallet())
  await Promise.all([
    ...run.vaults.flatMap((vault) => principals.map((each) => setup.mint(vault, each, units(each, VAULT_HAS)))),
    ...run.borrowers.flatMap((wallet) =>
      instruments.map((each) => setup.mint(wallet, each, units(each, BORROWER_HAS))),
    ),
  ])
  for (const vault of run.vaults)
    for (const each of principals) run.ledger.give(vault, { coin: each, amount: units(each, VAULT_HAS) })
  for (const wallet of run.borrowers)
    for (const each of instruments) run.ledger.give(wallet, { coin: each, amount: units(each, BORROWER_HAS) })
  for (const [vaultIndex, vault] of run.vaults.entries()) {
    for (const coin of principals) {
      const terms = collaterals.map(({ onchainId }, index) => ({
        mint: onchainId,
        apy: 80_000 + 40_000 * index + 10_000 * vaultIndex,
        ltv: 600_000 - 100_000 * index,
        lqt: 800_000,
        maxAge: 20 * DAY + DAY * index,
      }))
      const id = await setup.strategy(vault, coin, {
        collateral: terms.map(toTermRequest),
        duration: { code: 'DAYS', unit: 30 },
        originationsEnabled: true,
        liquidityBuffer: 100_000,
      })
      run.strategies.push({
        vault: vault.onchainId,
        vaultIndex,
        coin,
        terms,
        enabled: true,
        cap: null,
        buffer: 100_000,
        id,
      })
    }
  }
  return run
}
