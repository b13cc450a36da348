// A pending record of a stranger for the associated account of any owner and instrument has no effect on others: rent
// is counted in full, as without the record.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startWorld, type World } from '../../e2e/harness.ts'
import type { Ids, Result } from '../../e2e/models.ts'
import { addressOf } from '../fixtures/addresses.ts'
import { newParty, type Party } from '../fixtures/parties.ts'

const OUTSIDE = { onchainId: addressOf('a payer outside'), offPlatform: true }

let world: World
let victim: Party
let stranger: Party
let payer: Ids
let instrument: Ids

beforeAll(async () => {
  world = await startWorld()
  ;[victim, stranger] = [await newParty(world, 'VICTIM'), await newParty(world, 'STRANGER')]
  payer = await victim.records.feePayer({ networkCurrencyDebitLimits: [] })
  instrument = await victim.records.instrument('SPL', payer)
})
afterAll(() => world.stop())

/** Prepared, and never signed: the record of the stranger waits for an account that is never opened. */
async function notePosition(owner: string, by: Party): Promise<void> {
  const body = {
    owner: { onchainId: owner, offPlatform: true },
    financialInstrument: { onchainId: instrument.onchainId },
  }
  const { chainTransaction } = await by.api.ok<{ chainTransaction: Result }>(201, 'POST', '/positions', body, {
    config: { feePayer: OUTSIDE },
  })
  expect(chainTransaction.status).toBe('PREPARED')
}

/** Lamports of the payer that the request reserves. */
async function setAside(path: string, owner: string): Promise<number> {
  const target = { owner: { onchainId: owner, offPlatform: true }, financialInstrument: instrument }
  const body =
    path === '/positions' ? target : { destination: target, lamports: 1, initializeDestinationPositionIfNeeded: true }
  const answer = await victim.api.ok<Result & { chainTransaction?: Result }>(201, 'POST', path, body, {
    config: { feePayer: payer },
  })
  const { offchainId, success } = answer.chainTransaction ?? answer
  expect(success, JSON.stringify(answer)).toBe(true)
  const { reservations } = await victim.api.read<{
    reservations: { offchainId: string; asset: string; amount: number }[]
  }>('/transactions/explain', { offchainId })
  return reservations.find((each) => each.offchainId === payer.offchainId && each.asset === 'lamports')?.amount ?? 0
}

describe('14.11: a pending record of another tenant for an associated account', () => {
  it.each(['/positions', '/positions/mint'])('14.11: does not change the rent of %s', async (path) => {
    const [alone, beside] = [addressOf(`alone ${path}`), addressOf(`beside ${path}`)]
    await notePosition(beside, stranger)
    const reserved = await setAside(path, alone)
    expect(reserved).toBeGreaterThan(2_000_000)
    expect(await setAside(path, beside)).toBe(reserved)
    await victim.records.accountsEqualChain(payer)
  })
})
