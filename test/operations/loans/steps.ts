// The steps of a run of loans, drawn at random: small numbers select accounts and parts of balances.
import fc from 'fast-check'

const DAY = 86_400

const percent = fc.integer({ min: 1, max: 110 })
const which = fc.integer({ min: 0, max: 1 })
const milli = fc.integer({ min: 200, max: 5_000 })
const some = fc.constantFrom<readonly number[]>([0], [1], [0, 1], [1, 0])
const creating = fc.record({
  what: fc.constant('create' as const),
  borrower: which,
  vault: which,
  borrow: some,
  pledge: some,
  percent,
  burden: fc.integer({ min: 20, max: 110 }),
  days: fc.integer({ min: 1, max: 30 }),
})
export const stepping = fc.oneof(
  { weight: 4, arbitrary: creating },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('two at once' as const), first: creating, second: creating }) },
  {
    weight: 3,
    arbitrary: fc.record({
      what: fc.constant('swap' as const),
      loan: fc.nat(),
      into: some,
      out: some,
      percent,
      outPercent: percent,
      mintAsset: fc.boolean(),
      way: fc.constantFrom('in', 'out', 'both'),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      what: fc.constant('repay' as const),
      loan: fc.nat(),
      items: some,
      percent: fc.option(percent),
      release: fc.option(some),
      releasePercent: percent,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      what: fc.constant('refinance' as const),
      loan: fc.nat(),
      vault: which,
      days: fc.integer({ min: 1, max: 30 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      what: fc.constant('liquidate' as const),
      loan: fc.nat(),
      milli: fc.option(fc.integer({ min: 100, max: 900 })),
    }),
  },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('close' as const), loan: fc.nat() }) },
  { weight: 2, arbitrary: fc.record({ what: fc.constant('wind up' as const), loan: fc.nat() }) },
  {
    weight: 2,
    arbitrary: fc.record({ what: fc.constant('price' as const), instrument: fc.integer({ min: 0, max: 3 }), milli }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      what: fc.constant('wait' as const),
      seconds: fc.oneof(fc.integer({ min: 0, max: 5_000 }), fc.integer({ min: 0, max: 40 * DAY })),
      fresh: fc.boolean(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      what: fc.constant('terms' as const),
      vault: which,
      principal: which,
      enabled: fc.boolean(),
      cap: fc.option(percent),
      buffer: fc.integer({ min: 0, max: 600_000 }),
      ltv: fc.integer({ min: 300_000, max: 800_000 }),
      apy: fc.integer({ min: 0, max: 900_000 }),
      all: fc.boolean(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      what: fc.constant('transfer' as const),
      vault: which,
      principal: which,
      percent,
      out: fc.boolean(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      what: fc.constant('gift' as const),
      to: fc.nat(),
      instrument: fc.integer({ min: 0, max: 3 }),
      amount: fc.integer({ min: 1, max: 1_000 }),
    }),
  },
)
export type Step = typeof stepping extends fc.Arbitrary<infer T> ? T : never
export type Creating = Extract<Step, { what: 'create' }>
