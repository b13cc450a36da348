// How long a request waits: until the requested level, whether the transaction succeeds or fails there.
import { describe, expect, it } from 'vitest'
import { transferNetworkCurrency } from '../../../src/operations/positions/transfer-network-currency.ts'
import { eventually } from '../../localnet/rpc-chain.ts'
import { TenantsFixture, type Wallet } from '../tenants-fixture.ts'

/** A node that executes transactions and sees no votes until the test lets it. */
function withoutVotes(fixture: TenantsFixture): { readonly let: () => void } {
  const bank = fixture.chain!.bank
  const signatureStatus = bank.signatureStatus.bind(bank)
  let votes = false
  Object.assign(bank, {
    signatureStatus: (...asked: Parameters<typeof signatureStatus>) => {
      const status = signatureStatus(...asked)
      return votes || status === null ? status : { ...status, confirmations: 0, confirmationStatus: 'processed' }
    },
  })
  return { let: () => void (votes = true) }
}

const refOf = ({ offchainId }: Wallet): { offchainId: string } => ({ offchainId })

describe.each([
  ['succeeds', 200_000, true],
  // Less than the transfer needs.
  ['fails', 10, false],
])('a transaction that %s', (_, limit, success) => {
  it.each(['confirmed', 'processed'] as const)('is awaited until it is %s', async (commitmentLevel) => {
    const fixture = await TenantsFixture.open()
    const votes = withoutVotes(fixture)
    const [from, to] = [
      await fixture.wallet('ACME', { canPayFees: true }, 10_000_000n),
      await fixture.wallet('ACME', {}, 5_000_000n),
    ]
    const chainTransactionConfig = {
      feePayer: refOf(from),
      computeUnitConfig: { limit },
      commitmentConfig: { commitmentLevel },
    }
    const itemData = { source: refOf(from), destination: refOf(to), lamports: '1000' }
    const states: string[] = []
    fixture.engine.onCommitted((changes) =>
      states.push(...changes.filter(({ next }) => next.kind === 'transaction').map(({ next }) => next.value)),
    )
    let hasAnswered = false
    const answer = fixture
      .write('ACME', transferNetworkCurrency, { itemData, chainTransactionConfig })
      .finally(() => (hasAnswered = true))
    await eventually(() => states.includes('processed'))
    if (commitmentLevel === 'processed') await eventually(() => hasAnswered)
    // The callers that this wakes have had a turn to answer.
    await new Promise((resolve) => setImmediate(resolve))
    expect(hasAnswered).toBe(commitmentLevel === 'processed')
    votes.let()
    const { status, success: succeeded } = await answer
    expect(succeeded).toBe(success)
    // Votes are final soon in this test, also for a failed transaction.
    expect(commitmentLevel === 'processed' ? ['PROCESSED'] : ['CONFIRMED', 'FINALIZED', 'BLOCKCHAIN_ERROR']).toContain(
      status,
    )
  })
})
