// Work of one request that waits for nothing outside lets other requests run in between.
import { expect, it, vi } from 'vitest'
import { isHolding } from '../../../src/engine/records/record.ts'
import { checkBatch, MAX_PACKED } from '../../../src/operations/batches/check.ts'
import { linesOf } from '../../../src/operations/statements/lines.ts'
import { TenantsFixture } from '../tenants-fixture.ts'

/** Makes the pacer of the work due at every look, and counts its rests. */
function countRests({ engine }: TenantsFixture): () => number {
  let rests = 0
  const pacer = { isDue: true, rest: () => Promise.resolve(void (rests += 1)) }
  vi.spyOn(engine, 'pacer').mockReturnValue(pacer as unknown as ReturnType<typeof engine.pacer>)
  return () => rests
}

it('a statement of balances that are zero', async () => {
  const fixture = await TenantsFixture.open(false)
  await fixture.organization('ACME')
  const wallets = await Promise.all([1, 2, 3].map(() => fixture.wallet('ACME', {}, 0n)))
  const holdings = wallets.map(({ entry }) => entry.head).filter(isHolding)
  const rests = countRests(fixture)
  const context = { platform: fixture.platform, call: fixture.call('ACME') }
  const lines = []
  for await (const group of linesOf(context, holdings, { fromMs: Date.now(), toMs: Date.now() + 1 }))
    lines.push(...group)
  expect([lines.length, rests()]).toEqual([0, 3])
})

it('the check of a batch', async () => {
  const fixture = await TenantsFixture.open()
  await fixture.organization('ACME')
  const data = { managed: true, canPayFees: false, alreadyOnchain: false, seed: null }
  const items = Array.from({ length: 3 * MAX_PACKED }, (_, index) => ({ index, data, externalReference: null }))
  const rests = countRests(fixture)
  const context = { platform: fixture.platform, call: fixture.call('ACME') }
  await checkBatch(context, { operation: 'CREATE_ACCOUNT', config: undefined, items })
  expect(rests()).toBe(3)
})
