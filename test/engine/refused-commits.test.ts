// A commit that the store refuses: a predictable refusal happens before any change; another one ends the engine, from
// any caller.
import { rmSync } from 'node:fs'
import { expect, it } from 'vitest'
import { MessageTaken, StaleEpoch } from '../../snapshots/errors.ts'
import { openStore } from '../../snapshots/level-store.ts'
import { Engine } from '../../src/engine/engine.ts'
import { scratch } from '../snapshots/scratch.ts'
import { CLUSTER, newAccount, place, TENANT } from './engine-fixture.ts'

const claimOf = (hash: string, transactionId: string) =>
  ({ type: 'message', tenant: TENANT, cluster: CLUSTER, hash, transactionId }) as const

async function openEngine(): Promise<{
  engine: Engine
  failures: unknown[]
  end: () => Promise<void>
  take: () => Promise<unknown>
}> {
  const path = scratch()
  const failures: unknown[] = []
  const store = await openStore({ path, onFatal: (error) => failures.push(error) })
  await store.claim()
  const engine = await Engine.open({ store, onFatal: (error) => failures.push(error) })
  const end = async (): Promise<void> => {
    await store.close()
    rmSync(path, { recursive: true, force: true })
  }
  return { engine, failures, end, take: () => store.claim() }
}

it('a commit with the message of another transaction is refused without any change', async () => {
  const { engine, failures, end } = await openEngine()
  await engine.transact((unit) => unit.also(TENANT, claimOf('m', 't1'))).durable
  const taking = (unit: Parameters<Parameters<Engine['transact']>[0]>[0]): void => {
    newAccount(unit, 'a')
    unit.also(TENANT, claimOf('m', 't2'))
  }
  expect(() => engine.transact(taking)).toThrow(MessageTaken)
  expect(engine.directory.byId('a')).toBeUndefined()
  const claimTwice = (unit: Parameters<typeof taking>[0]): void => {
    unit.also(TENANT, claimOf('n', 't3'))
    unit.also(TENANT, claimOf('n', 't4'))
  }
  expect(() => engine.transact(claimTwice)).toThrow(MessageTaken)
  await engine.transact((unit) => {
    newAccount(unit, 'a')
    unit.also(TENANT, claimOf('n', 't3'))
    unit.also(TENANT, claimOf('m', 't1'))
  }).durable
  expect(failures).toEqual([])
  await end()
})

it('an engine whose tenants were claimed by another process stops at its next commit', async () => {
  const { engine, failures, end, take } = await openEngine()
  await engine.transact((unit) => newAccount(unit, 'a')).durable
  await take()
  await expect(engine.transact((unit) => newAccount(unit, 'b')).durable).rejects.toThrow(StaleEpoch)
  expect(failures).toEqual([expect.any(StaleEpoch)])
  await end()
})

it('and also if that commit contains only observations, for which no request waits', async () => {
  const { engine, failures, end, take } = await openEngine()
  await engine.transact((unit) => newAccount(unit, 'a')).durable
  await take()
  engine.observe((unit) => {
    const entry = engine.directory.byId('a')!
    unit.send<'account'>(entry, { type: 'command.freeze' })
  })
  await expect(engine.flush()).rejects.toThrow(StaleEpoch)
  expect(failures).toEqual([expect.any(StaleEpoch)])
  await end()
})

it('a message between tenants with an unknown type waits for a later release', async () => {
  const { engine, failures, end } = await openEngine()
  await engine.transact((unit) => newAccount(unit, 'a')).durable
  const message = { sender: 'OTHER', to: TENANT, sequence: 1, notices: [{ kind: 'of-next-year' } as never] }
  await expect(engine.outbox.receiveAll([message])).rejects.toThrow('of-next-year')
  expect(engine.store.inbox(TENANT, 'OTHER')).toBe(0)
  // The type is known by now.
  const notices = [
    { kind: 'order', record: place('nobody').id, of: 'account', event: { type: 'command.freeze' } } as const,
  ]
  await engine.outbox.receiveAll([{ ...message, notices }])
  expect(engine.store.inbox(TENANT, 'OTHER')).toBe(1)
  expect(failures).toEqual([])
  await end()
})
