// Supervision of actors that throw: the record is restored from its last state, or quarantined when it throws
// repeatedly; other records and facts are processed.
import { describe, expect, it } from 'vitest'
import type { ActorFailed } from '../../src/engine/records/supervisor.ts'
import { ChainFacts } from '../../src/engine/settlement/chain-facts.ts'
import { RecordFailed, type UnitOfWork } from '../../src/engine/records/unit-of-work.ts'
import type { Refusal } from '../../src/contract/refusal.ts'
import { asRefusal } from '../../src/operations/transactions/as-refusal.ts'
import type { ChainFact } from '../../src/submission/submission.ts'
import { AT } from '../machines/records.ts'
import { Ground, newAccount, newTransaction, sign } from './ground.ts'

const RESERVE = { type: 'command.reserve', asset: 'lamports', amount: '5', covered: true } as const
const FEE = { asset: 'lamports', released: '5', debited: '5', credited: '0' } as const
const DEFECT = new Error('an action threw')

type Failure = Parameters<ActorFailed>[0]

interface Scene {
  readonly ground: Ground
  readonly failures: Failure[]
}

async function scene(): Promise<Scene> {
  const failures: Failure[] = []
  const ground = await Ground.open(undefined, { onActorFailed: (failure) => failures.push(failure) })
  await ground.done((unit) => {
    for (const id of ['healthy', 'broken']) newAccount(unit, id, '100')
  })
  return { ground, failures }
}

/** Every actor of the record throws. Returns what ends that. */
function breakRecord(ground: Ground, id: string): () => void {
  const entry = ground.entry(id)
  entry.sleep()
  const mended = Reflect.getOwnPropertyDescriptor(entry, 'awake')
  Object.defineProperty(entry, 'awake', {
    configurable: true,
    value: () => {
      throw DEFECT
    },
  })
  return () => {
    if (mended === undefined) Reflect.deleteProperty(entry, 'awake')
  }
}

function reserveOn(ground: Ground, ...ids: readonly string[]): unknown {
  try {
    ground.engine
      .transact((unit: UnitOfWork) => {
        for (const id of ids) unit.send<'account'>(ground.entry(id), RESERVE)
      })
      .durable.catch(() => undefined)
    return null
  } catch (error) {
    return error
  }
}

const reserved = (ground: Ground, id: string): string =>
  (ground.entry(id).head.context as unknown as { lamports: { reserved: string } }).lamports.reserved

describe('a record whose actor throws', () => {
  it('rolls back its unit of work, is reported with its id, and is restored on next use', async () => {
    const { ground, failures } = await scene()
    const mend = breakRecord(ground, 'broken')
    const error = reserveOn(ground, 'healthy', 'broken')
    expect(error).toBeInstanceOf(RecordFailed)
    expect(asRefusal(error)).toBe(error)
    expect([reserved(ground, 'healthy'), reserved(ground, 'broken')]).toEqual(['0', '0'])
    expect(failures.map(({ entry, quarantined, error: cause }) => [entry.head.id, quarantined, cause])).toEqual([
      ['broken', false, DEFECT],
    ])
    mend()
    expect(reserveOn(ground, 'healthy', 'broken')).toBeNull()
    expect([reserved(ground, 'healthy'), reserved(ground, 'broken')]).toEqual(['5', '5'])
    expect(ground.engine.quarantined).toBe(0)
  })

  it('is quarantined when it throws repeatedly: requests get 503, other records are served, a restart restores it', async () => {
    const { ground, failures } = await scene()
    const mend = breakRecord(ground, 'broken')
    for (let count = 0; count < 3; count += 1) reserveOn(ground, 'healthy', 'broken')
    mend()
    expect(failures.map(({ quarantined }) => quarantined)).toEqual([false, false, true])
    const refusal = asRefusal(reserveOn(ground, 'broken')) as Refusal
    expect([refusal.status, refusal.problems.map(({ code }) => code)]).toEqual([503, ['RECORD_QUARANTINED']])
    expect(failures).toHaveLength(3)
    expect(ground.engine.quarantined).toBe(1)
    expect(reserveOn(ground, 'healthy')).toBeNull()
    expect(reserved(ground, 'healthy')).toBe('5')
    await ground.restart()
    expect(reserveOn(ground, 'broken')).toBeNull()
    expect([reserved(ground, 'broken'), ground.engine.quarantined]).toEqual(['5', 0])
  })
})

describe('facts of the chain', () => {
  const seen = (transactionId: string): ChainFact => ({
    kind: 'seen',
    transactionId,
    atMs: Date.parse(AT),
    signature: `signature of ${transactionId}`,
    commitment: 'finalized',
    slot: 1,
    blockTime: null,
    error: null,
  })
  const balance = (ground: Ground, id: string): unknown =>
    (ground.entry(id).head.context as unknown as { lamports: object }).lamports

  it('about a record whose actor throws wait; facts about others are settled, and it settles once it is restored', async () => {
    const { ground } = await scene()
    await ground.done((unit) => {
      for (const payer of ['broken', 'healthy']) {
        unit.send<'account'>(ground.entry(payer), RESERVE)
        const entries = [{ tenant: 'ACME', record: payer, movements: [FEE], charge: [FEE], facts: [] }]
        sign(unit, newTransaction(unit, `of ${payer}`, entries))
      }
    })
    const facts = new ChainFacts(ground.engine, {
      error: (_, message) => {
        throw new Error(message)
      },
    })
    const mend = breakRecord(ground, 'broken')
    facts.take([seen('of broken'), seen('of healthy')])
    expect([balance(ground, 'broken'), balance(ground, 'healthy')]).toEqual([
      { balance: '100', reserved: '5' },
      { balance: '95', reserved: '0' },
    ])
    expect([ground.transaction('of broken').value, ground.transaction('of healthy').value]).toEqual([
      'signed',
      'finalized',
    ])
    mend()
    facts.take([])
    await ground.engine.flush()
    expect([balance(ground, 'broken'), ground.transaction('of broken').value]).toEqual([
      { balance: '95', reserved: '0' },
      'finalized',
    ])
  })
})
