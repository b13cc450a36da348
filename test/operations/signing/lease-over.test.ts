// A node whose lease is over signs nothing and decides to send nothing, also for requests that began before; what it
// was about to do is done when its lease is held again.
import { beforeEach, expect, it } from 'vitest'
import { Refusal } from '../../../src/contract/refusal.ts'
import type { Platform } from '../../../src/operations/context/platform.ts'
import {
  consentForOtherCell,
  countersignForOtherCell,
} from '../../../src/operations/transactions/countersign/for-other-cells.ts'
import type { CountersignQuestion } from '../../../src/operations/transactions/countersign/question.ts'
import { eventually } from '../../localnet/rpc-chain.ts'
import { CLUSTER, SOL } from './station.ts'
import { FEE, nothingKept, source, sponsor, station, to, withSponsor } from './sponsored-payment.ts'

const AMOUNT = 1_000

let isHeld: boolean

withSponsor()
beforeEach(() => {
  isHeld = true
  Object.assign(station.platform, { mayAct: () => isHeld } satisfies Pick<Platform, 'mayAct'>)
})

/** Status and code of the refusal, and whether the same may be asked again. */
async function refusalOf(work: Promise<unknown>): Promise<unknown> {
  const error: unknown = await work.then(
    () => undefined,
    (each: unknown) => each,
  )
  if (!(error instanceof Refusal)) return error
  return [error.status, ...error.problems.map(({ code, retryable }) => `${code} ${retryable}`)]
}

const UNAVAILABLE = [503, 'TENANT_UNAVAILABLE true']

it('signs with no key of its own, nor of another tenant, and reserves nothing', async () => {
  isHeld = false
  for (const payer of [source, sponsor]) {
    expect(await refusalOf(station.pay('ACME', source, to, AMOUNT, payer))).toEqual(UNAVAILABLE)
    nothingKept()
  }
  isHeld = true
  expect(await station.pay('ACME', source, to, AMOUNT, sponsor)).toMatchObject({ success: true })
  await eventually(() => station.agree(sponsor, source, to))
  expect([station.onchain(sponsor), station.onchain(source)]).toEqual([SOL - FEE, SOL - BigInt(AMOUNT)])
})

it('neither consents nor signs for another cell', async () => {
  isHeld = false
  const question = { owner: 'BANK', cluster: CLUSTER } as CountersignQuestion
  for (const ask of [consentForOtherCell, countersignForOtherCell])
    expect(await refusalOf(ask(station.platform, question))).toEqual(UNAVAILABLE)
  nothingKept()
})

it('asks no remote signer until the lease is held again', async () => {
  const remote = await station.wallet('ACME', {}, true)
  station.elsewhere.usual = 'failure'
  const { offchainId } = await station.pay('ACME', remote, to, AMOUNT, source, { waitMs: 0 })
  await eventually(() => station.elsewhere.asked.length === 1)
  isHeld = false
  station.elsewhere.usual = 'signature'
  await new Promise((resolve) => void setTimeout(resolve, 3_000))
  expect(station.elsewhere.asked).toHaveLength(1)
  isHeld = true
  await station.until(offchainId, 'finalized')
  expect(station.elsewhere.asked).toHaveLength(2)
})

it('asks no remote signer if the lease ends while the destination is checked', async () => {
  const remote = await station.wallet('ACME', {}, true)
  station.elsewhere.usual = 'failure'
  const { offchainId } = await station.pay('ACME', remote, to, AMOUNT, source, { waitMs: 0 })
  await eventually(() => station.elsewhere.asked.length === 1)
  let checks = 0
  // Held when the question begins, over when it would be asked.
  Object.assign(station.platform, { mayAct: () => (checks += 1) === 1 })
  station.elsewhere.usual = 'signature'
  await eventually(() => checks > 2)
  expect(station.elsewhere.asked).toHaveLength(1)
  Object.assign(station.platform, { mayAct: () => true })
  await station.until(offchainId, 'finalized')
  expect(station.elsewhere.asked).toHaveLength(2)
})
