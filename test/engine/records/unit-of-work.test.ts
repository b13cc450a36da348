// All or nothing: a refused unit of work leaves no effect, and the effects of an accepted one exist after a restart.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Engine } from '../../../src/engine/engine.ts'
import { addressKey, apiKeyKey, feePayerKey, referenceKey } from '../../../src/engine/index/index-keys.ts'
import { ofKind } from '../../../src/engine/records/record.ts'
import { CommandRejected, type UnitOfWork } from '../../../src/engine/records/unit-of-work.ts'
import { CLUSTER, EngineFixture, newAccount, said, TENANT } from '../engine-fixture.ts'

const IDS = ['a', 'b', 'c', 'd']

type Step =
  | { readonly do: 'create'; readonly id: string; readonly balance: number }
  | { readonly do: 'reserve'; readonly id: string; readonly amount: number }
  | { readonly do: 'rename'; readonly id: string; readonly name: string }
  | { readonly do: 'freeze' | 'unfreeze' | 'inactivate'; readonly id: string }
  | { readonly do: 'throw' }
  | { readonly do: 'discard' }

interface Model {
  readonly balance: number
  readonly reserved: number
  readonly name: string | null
  readonly frozen: boolean
  readonly closed: boolean
}

const id = fc.constantFrom(...IDS)
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('create' as const), id, balance: fc.nat(20) }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('reserve' as const), id, amount: fc.nat(8) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('rename' as const), id, name: fc.constantFrom('x', 'y') }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constantFrom('freeze' as const, 'unfreeze' as const, 'inactivate' as const), id }),
  },
  { weight: 1, arbitrary: fc.constantFrom({ do: 'throw' as const }, { do: 'discard' as const }) },
)
const units = fc.array(fc.array(step, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 12 })

/** The model after one step, or null if the step is refused. */
function after(model: ReadonlyMap<string, Model>, taken: Step): Map<string, Model> | null {
  if (taken.do === 'throw') return null
  if (taken.do === 'discard') return new Map(model)
  const known = model.get(taken.id)
  const put = (change: Partial<Model>): Map<string, Model> => new Map([...model, [taken.id, { ...known!, ...change }]])
  if (taken.do === 'create') {
    if (known !== undefined) return null
    const fresh = { balance: taken.balance, reserved: 0, name: null, frozen: false, closed: false }
    return new Map([...model, [taken.id, fresh]])
  }
  if (known === undefined) return null
  if (taken.do === 'freeze' || taken.do === 'unfreeze') {
    const frozen = taken.do === 'freeze'
    return known.frozen === frozen ? null : put({ frozen })
  }
  if (known.closed) return null
  switch (taken.do) {
    case 'reserve':
      return known.frozen || known.balance - known.reserved < taken.amount
        ? null
        : put({ reserved: known.reserved + taken.amount })
    case 'rename':
      return put({ name: taken.name })
    case 'inactivate':
      return known.balance === 0 && known.reserved === 0 ? put({ closed: true }) : null
  }
}

class Refused extends Error {}

function take(engine: Engine, unit: UnitOfWork, taken: Step): void {
  if (taken.do === 'throw') throw new Refused()
  if (taken.do === 'discard') {
    unit.discard()
    return
  }
  const entry = engine.directory.byId(taken.id)
  if (taken.do === 'create') {
    if (entry !== undefined) throw new Refused()
    newAccount(unit, taken.id, String(taken.balance))
    unit.also(TENANT, { type: 'secret', tenant: TENANT, cluster: CLUSTER, id: taken.id, row: { of: taken.id } })
    return
  }
  if (entry === undefined) throw new Refused()
  switch (taken.do) {
    case 'reserve':
      unit.send<'account'>(entry, {
        type: 'command.reserve',
        asset: 'lamports',
        amount: String(taken.amount),
        covered: true,
      })
      return
    case 'rename': {
      const { references } = ofKind(entry.head, 'account')!.context
      unit.send<'account'>(entry, {
        type: 'command.update',
        changes: { references: { ...references, name: taken.name } },
      })
      return
    }
    default:
      unit.send<'account'>(entry, { type: `command.${taken.do}` })
  }
}

/** Everything that a reader of heads and of the directory can see. */
function view(engine: Engine): unknown {
  const { directory } = engine
  const ids = (entries: readonly { head: { id: string } }[]): string[] => entries.map(({ head }) => head.id)
  return {
    heads: new Map(IDS.map((each) => [each, directory.byId(each)?.head])),
    byAddress: IDS.map((each) => ids(directory.find(addressKey(CLUSTER, each)))),
    byNumber: IDS.map((each) => ids(directory.find(referenceKey(TENANT, CLUSTER, 'accountNumber', each)))),
    byName: ['x', 'y'].map((each) => ids(directory.find(referenceKey(TENANT, CLUSTER, 'name', each))).sort()),
    feePayers: ids(directory.find(feePayerKey(CLUSTER, TENANT))).sort(),
    entries: ids([...directory.entries()]),
    keys: ids(directory.find(apiKeyKey('none'))),
  }
}

function modelOf(engine: Engine): Map<string, Model> {
  return new Map(
    [...engine.directory.entries()].map(({ head }) => {
      const { lamports, references, frozenByOperator } = head.context as never as {
        lamports: { balance: string; reserved: string }
        references: { name: string | null }
        frozenByOperator: boolean
      }
      return [
        head.id,
        {
          balance: Number(lamports.balance),
          reserved: Number(lamports.reserved),
          name: references.name,
          frozen: frozenByOperator,
          closed: head.value === 'closed',
        },
      ]
    }),
  )
}

const byId = (model: ReadonlyMap<string, Model>) => [...model].sort(([a], [b]) => (a < b ? -1 : 1))

describe('a unit of work', () => {
  it('changes every record it names, or leaves heads, directory, actors and rows unchanged', async () => {
    await fc.assert(
      fc.asyncProperty(units, async (sequence) => {
        const fixture = await EngineFixture.open(2)
        const { engine } = fixture
        let model: ReadonlyMap<string, Model> = new Map()
        for (const steps of sequence) {
          const before = view(engine)
          const wanted = steps.reduce<ReadonlyMap<string, Model> | null>(
            (now, taken) => now && after(now, taken),
            model,
          )
          let refused = false
          try {
            await fixture.done((unit) => {
              for (const taken of steps) take(engine, unit, taken)
            })
          } catch (error) {
            if (!(error instanceof Refused) && !(error instanceof CommandRejected)) throw error
            refused = true
          }
          expect(refused).toBe(wanted === null)
          const isKept = wanted !== null && !steps.some((taken) => taken.do === 'discard')
          if (!isKept) expect(view(engine)).toEqual(before)
          model = isKept ? wanted : model
          expect(byId(modelOf(engine))).toEqual(byId(model))
        }
        const heads = [...engine.directory.entries()].map(({ head }) => head)
        await fixture.restart(2)
        expect(byId(modelOf(fixture.engine))).toEqual(byId(model))
        expect([...fixture.engine.directory.entries()].map(({ head }) => head)).toEqual(expect.arrayContaining(heads))
        const secrets = IDS.map((each) => fixture.store.secret(TENANT, CLUSTER, each) !== undefined)
        expect(secrets).toEqual(IDS.map((each) => model.has(each)))
      }),
      { numRuns: 40 },
    )
  })

  it('restores actors that received an event before the refusal', async () => {
    const { engine, ...fixture } = await EngineFixture.open().then((opened) => ({
      engine: opened.engine,
      done: opened.done.bind(opened),
    }))
    const entry = await fixture.done((unit) => newAccount(unit, 'a', '10'))
    const before = entry.head
    const reserve = (unit: UnitOfWork, amount: string) =>
      unit.send<'account'>(entry, { type: 'command.reserve', asset: 'lamports', amount, covered: true })
    expect(() => engine.transact((unit) => [reserve(unit, '7'), reserve(unit, '7')])).toThrow(CommandRejected)
    expect(entry.head).toBe(before)
    await fixture.done((unit) => reserve(unit, '10'))
    expect(said(entry.head)).toMatchObject({ context: { lamports: { balance: '10', reserved: '10' } } })
  })

  it('continues after a rejection that is returned, which has changed nothing', async () => {
    const fixture = await EngineFixture.open()
    const entry = await fixture.done((unit) => newAccount(unit, 'a', '10'))
    const tried = await fixture.done((unit) =>
      ['7', '7', '3'].map((amount) => {
        const { head } = entry
        const event = { type: 'command.reserve', asset: 'lamports', amount, covered: true } as const
        const refused = unit.trySend<'account'>(entry, event)
        if (refused !== null) expect([entry.head, refused.record]).toEqual([head, head])
        return refused?.rejection.code ?? null
      }),
    )
    expect(tried).toEqual([null, 'INSUFFICIENT_BALANCE', null])
    expect(said(entry.committed)).toMatchObject({ context: { lamports: { balance: '10', reserved: '10' } } })
    expect(entry.head.revision).toBe(3)
  })

  it('skips the callbacks of a refused unit', () => {
    const followed: string[] = []
    return EngineFixture.open().then(async (fixture) => {
      expect(() =>
        fixture.engine.transact((unit) => {
          unit.afterCommit(() => followed.push('refused'))
          throw new Refused()
        }),
      ).toThrow(Refused)
      await fixture.done((unit) => {
        unit.afterCommit(() => followed.push('done'))
        newAccount(unit, 'a')
      })
      expect(followed).toEqual(['done'])
    })
  })

  it('preserves the insertion order of records if some of their keys change', async () => {
    const fixture = await EngineFixture.open()
    const [first] = await fixture.done((unit) => ['a', 'b'].map((each) => newAccount(unit, each)))
    const payers = (): string[] =>
      fixture.engine.directory.find(feePayerKey(CLUSTER, TENANT)).map(({ head }) => head.id)
    await fixture.done((unit) =>
      unit.send<'account'>(first!, { type: 'command.update', changes: { globalFeePayerForOrgs: ['OTHER'] } }),
    )
    expect(payers()).toEqual(['a', 'b'])
    expect(() =>
      fixture.engine.transact((unit) => {
        unit.send<'account'>(first!, { type: 'command.update', changes: { globalFeePayerForOrgs: null } })
        throw new Refused()
      }),
    ).toThrow(Refused)
    expect(payers()).toEqual(['a', 'b'])
  })
})
