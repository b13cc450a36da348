// Bugs of payments, nonces, loans and feeds: each must be found by the auditors of a simulated world. Without a bug the
// same seeds keep their promises.
import { describe, expect, it } from 'vitest'
import { Hunt } from '../hunt.ts'
import { forgetsLeases, releasesOnTimeout, resendsUnderNewSignature } from './planted.ts'
import {
  countsInterestTwice,
  countsUnsentRepayments,
  forgetsSequences,
  judgesByLiquidation,
} from './planted-lending.ts'

const STEPS = 6_000
const TIMEOUT_MS = 1_800_000

const payments = new Hunt('planted', { seeds: 12, steps: STEPS, sides: ['payments'], climate: 'network' })
const leases = new Hunt('leases', { seeds: 16, steps: STEPS, sides: ['payments'], climate: 'crashes' })
const loans = new Hunt('loans', { seeds: 12, steps: STEPS, sides: ['loans'] })
const restarts = new Hunt('loan restarts', { seeds: 12, steps: STEPS, sides: ['loans'], climate: 'crashes' })

describe('a planted bug is found:', () => {
  it(
    'a payment signed anew after a lost reply',
    async () => {
      const kinds = await payments.found(['landed twice'], resendsUnderNewSignature)
      expect(kinds).toContain('landed twice')
      expect(kinds).toContain('message without a record landed')
    },
    TIMEOUT_MS,
  )

  it(
    'a nonce lease forgotten at a restart',
    async () => {
      expect(await leases.found(['nonce leased twice'], forgetsLeases)).toContain('nonce leased twice')
    },
    TIMEOUT_MS,
  )

  it.each([
    ['interest counted twice at a restart', restarts, countsInterestTwice, 'books differ from what the chain moved'],
    [
      'a repayment that counts before it has landed',
      loans,
      countsUnsentRepayments,
      'books differ from what the chain moved',
    ],
    [
      'collateral given back by the ratio of liquidation',
      loans,
      judgesByLiquidation,
      'collateral left a loan that it does not carry',
    ],
    ['sequences of a feed forgotten at a restart', restarts, forgetsSequences, 'sequence did not rise'],
  ] as const)(
    '%s',
    async (_what, hunt, planted, kind) => {
      expect(await hunt.found([kind], planted)).toContain(kind)
    },
    TIMEOUT_MS,
  )

  it.each(['reported as never landed and landed', 'reported expired before its time'])(
    'a reservation released on a timeout: %s',
    async (kind) => {
      expect(await payments.found([kind], releasesOnTimeout)).toContain(kind)
    },
    TIMEOUT_MS,
  )

  it.each([
    ['payments', payments],
    ['payments across restarts', leases],
    ['loans', loans],
    ['loans across restarts', restarts],
  ] as const)(
    'control: without a bug, a world of %s keeps every invariant',
    async (_what, hunt) => {
      expect(await hunt.control(hunt.controls[0]!)).toEqual([])
    },
    TIMEOUT_MS,
  )
})
