// All or nothing: a refused unit of work leaves no effect, and the effects of an accepted one exist after a restart.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Engine } from '../../../src/engine/engine.ts'
import { addressKey, apiKeyKey, feePayerKey, referenceKey } from '../../../src/engine/index/index-keys.ts'
import { ofKind } from '../../../src/engine/records/record.ts'
import { CommandRejected, type UnitOfWork } from '../../../src/engine/records/unit-of-work.ts'
import { CLUSTER, EngineFixture, newAccount, stripRevision, TENANT } from '../engine-fixture.ts'

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
function after(model: ReadonlyMap<string, Model>, action: Step): Map<string, Model> | null {
  if (action.do === 'throw') return null
  if (action.do === 'discard') return new Map(model)
  const previous = model.get(action.id)
  const put = (change: Partial<Model>): Map<string, Model> =>
    new Map([...model, [action.id, { ...previous!, ...change }]])
  if (action.do === 'create') {
    if (previous !== undefined) return null
    const fresh = { balance: action.balance, reserved: 0, name: null, frozen: false, closed: false }
    return new Map([...model, [action.id, fresh]])
  }
  if (previous === undefined) return null
  if (action.do === 'freeze' || action.do === 'unfreeze') {
    const isFreezing = action.do === 'freeze'
    return previous.frozen === isFreezing ? null : put({ frozen: isFreezing })
  }
  if (previous.closed) return null
  switch (action.do) {
    case 'reserve':
      return previous.frozen || previous.balance - previous.reserved < action.amount
        ? null
        : put({ reserved: previous.reserved + action.amount })
    case 'rename':
      return put({ name: action.name })
    case 'inactivate':
      return previous.balance === 0 && previous.reserved === 0 ? put({ closed: true }) : null
  }
}

class Refused extends Error {}

function take(engine: Engine, unit: UnitOfWork, action: Step): void {
  if (action.do === 'throw') throw new Refused()
  if (action.do === 'discard') {
    unit.discard()
    return
  }
  const entry = engine.directory.byId(action.id)
  if (action.do === 'create') {
    if (entry !== undefined) throw new Refused()
    newAccount(unit, action.id, String(action.balance))
    unit.also(TENANT, { type: 'secret', tenant: TENANT, cluster: CLUSTER, id: action.id, row: { of: action.id } })
    return
  }
  if (entry === undefined) throw new Refused()
  switch (action.do) {
    case 'reserve':
      unit.send<'account'>(entry, {
        type: 'command.reserve',
        asset: 'lamports',
        amount: String(action.amount),
        covered: true,
      })
      return
    case 'rename': {
      const { references } = ofKind(entry.head, 'account')!.context
      unit.send<'account'>(entry, {
        type: 'command.update',
        changes: { references: { ...references, name: action.name } },
      })
      return
    }
    default:
      unit.send<'account'>(entry, { type: `command.${action.do}` })
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
          const expectedModel = steps.reduce<ReadonlyMap<string, Model> | null>(
            (now, action) => now && after(now, action),
            model,
          )
          let isRefused = false
          try {
            await fixture.commit((unit) => {
              for (const action of steps) take(engine, unit, action)
            })
          } catch (error) {
            if (!(error instanceof Refused) && !(error instanceof CommandRejected)) throw error
            isRefused = true
          }
          expect(isRefused).toBe(expectedModel === null)
          const isKept = expectedModel !== null && !steps.some((action) => action.do === 'discard')
          if (!isKept) expect(view(engine)).toEqual(before)
          model = isKept ? expectedModel : model
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
      commit: opened.commit.bind(opened),
    }))
    const entry = await fixture.commit((unit) => newAccount(unit, 'a', '10'))
    const before = entry.head
    const reserve = (unit: UnitOfWork, amount: string) =>
      unit.send<'account'>(entry, { type: 'command.reserve', asset: 'lamports', amount, covered: true })
    expect(() => engine.transact((unit) => [reserve(unit, '7'), reserve(unit, '7')])).toThrow(CommandRejected)
    expect(entry.head).toBe(before)
    await fixture.commit((unit) => reserve(unit, '10'))
    expect(stripRevision(entry.head)).toMatchObject({ context: { lamports: { balance: '10', reserved: '10' } } })
  })

  it('continues after a rejection that is returned, which has changed nothing', async () => {
    const fixture = await EngineFixture.open()
    const entry = await fixture.commit((unit) => newAccount(unit, 'a', '10'))
    const codes = await fixture.commit((unit) =>
      ['7', '7', '3'].map((amount) => {
        const { head } = entry
        const event = { type: 'command.reserve', asset: 'lamports', amount, covered: true } as const
        const refusal = unit.trySend<'account'>(entry, event)
        if (refusal !== null) expect([entry.head, refusal.record]).toEqual([head, head])
        return refusal?.rejection.code ?? null
      }),
    )
    expect(codes).toEqual([null, 'INSUFFICIENT_BALANCE', null])
    expect(stripRevision(entry.committed)).toMatchObject({ context: { lamports: { balance: '10', reserved: '10' } } })
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
      await fixture.commit((unit) => {
        unit.afterCommit(() => followed.push('done'))
        newAccount(unit, 'a')
      })
      expect(followed).toEqual(['done'])
    })
  })

  it('preserves the insertion order of records if some of their keys change', async () => {
    const fixture = await EngineFixture.open()
    const [first] = await fixture.commit((unit) => ['a', 'b'].map((each) => newAccount(unit, each)))
    const payers = (): string[] =>
      fixture.engine.directory.find(feePayerKey(CLUSTER, TENANT)).map(({ head }) => head.id)
    await fixture.commit((unit) =>
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
