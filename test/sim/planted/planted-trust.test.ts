// Bugs of trust, planted in the modules that hold the rules: each must be found by the auditors of a simulated world
// with an attacker in it. Without a bug the same seeds keep their promises.
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Context } from '../../../src/operations/context/platform.ts'
import type { Call } from '../../../src/contract/call.ts'
import { Hunt } from '../hunt.ts'

type Bug = 'none' | 'anybody answers' | 'best controller' | 'all is rent' | 'key of the tenant'

const planted = vi.hoisted(() => ({ bug: 'none' }))
const has = (bug: Bug): boolean => planted.bug === bug
const ATTACKER = 'MALLORY'

/** Attack 1: records of every tenant answer, the nearest or not. */
vi.mock('../../../src/operations/lookup/whose-records.ts', async (original) => {
  const real = await original<typeof import('../../../src/operations/lookup/whose-records.ts')>()
  const { isHolding } = await import('../../../src/engine/records/record.ts')
  return {
    ...real,
    scopesOf: (asker: Parameters<typeof real.scopesOf>[0]) => [
      ...real.scopesOf(asker),
      ...(has('anybody answers') ? [ATTACKER] : []),
    ],
    nearestThatAnswer: (...given: Parameters<typeof real.nearestThatAnswer>) =>
      has('anybody answers')
        ? [...given[2]].filter(({ head }) => isHolding(head)).slice(-1)
        : real.nearestThatAnswer(...given),
  }
})

/** Attack 3: an account is as safe as the best of those who control it. */
vi.mock('../../../src/operations/authorization/control.ts', async (original) => {
  const real = await original<typeof import('../../../src/operations/authorization/control.ts')>()
  class Control extends real.Control {
    override classOf(...given: Parameters<InstanceType<typeof real.Control>['classOf']>) {
      const isOurs =
        has('best controller') && this.controllers(...given).some((controller) => this.isHeldHere(controller))
      return isOurs ? 'MANAGED' : super.classOf(...given)
    }
  }
  return { ...real, Control }
})

/** Attack 4: the payer of an account's rent counts as the payer of everything in it. */
vi.mock('../../../machines/holding-rules.ts', async (original) => {
  const real = await original<typeof import('../../../machines/holding-rules.ts')>()
  const payRentRule: typeof real.payRentRule = (asked) =>
    real.payRentRule(has('all is rent') ? { ...asked, event: { ...asked.event, lamports: '1000000000000' } } : asked)
  return { ...real, payRentRule }
})

/** Attack 9: an idempotency key is of the whole tenant. */
vi.mock('../../../src/operations/transactions/idempotency.ts', async (original) => {
  const real = await original<typeof import('../../../src/operations/transactions/idempotency.ts')>()
  const scoped = <C extends Call>(call: C): C =>
    has('key of the tenant') ? { ...call, organization: call.tenant } : call
  return {
    ...real,
    scopeOf: (call: Call) => real.scopeOf(scoped(call)),
    recalledOutcome: ({ platform, call }: Context) => real.recalledOutcome({ platform, call: scoped(call) }),
    rememberOutcome: (...[call, unit, outcome]: Parameters<typeof real.rememberOutcome>) =>
      real.rememberOutcome(scoped(call), unit, outcome),
  }
})

const hunt = new Hunt('trust', { seeds: 12, steps: 8_000, sides: ['attacker'] })
const TIMEOUT_MS = 1_800_000

afterEach(() => {
  planted.bug = 'none'
})

describe('a planted bug of trust is found:', () => {
  it.each([
    [
      'attack 1: a record of another tenant answers a lookup',
      'anybody answers',
      ['paid into a trap', 'another effect than asked for', 'turned away by a trap'],
    ],
    ['attack 3: an account is classed by the best of its controllers', 'best controller', ['paid into a trap']],
    [
      'attack 4: everything in an account counts as its rent',
      'all is rent',
      ['more than its rent returned to a stranger'],
    ],
    [
      'attack 9: an idempotency key holds for the whole tenant',
      'key of the tenant',
      ['one request answered with the transaction of another'],
    ],
  ] as const)(
    '%s',
    async (_what, bug, telling) => {
      planted.bug = bug
      const kinds = await hunt.found(telling)
      expect(telling).toEqual(expect.arrayContaining([kinds.find((kind) => telling.some((each) => each === kind))]))
    },
    TIMEOUT_MS,
  )

  it.each(hunt.controls)(
    'control: without a bug, seed %s keeps every invariant',
    async (seed) => {
      expect(await hunt.control(seed)).toEqual([])
    },
    TIMEOUT_MS,
  )
})
