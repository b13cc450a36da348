// Messages between tenants are applied once and in order, for any crash between the commit of the sender, the commit of
// the recipient and the deletion from the outbox: on the real store, which is cut off after any commit, and between two
// processes that lose messages and answers.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { AuditEntry } from '../../../src/engine/audit/audit-row.ts'
import type { DomainEvent } from '../../../src/engine/events/domain-events.ts'
import { ofKind } from '../../../src/engine/records/record.ts'
import { settleTransaction } from '../../../src/engine/settlement/settlement.ts'
import type { NumberedMessage } from '../../../src/engine/outbox/message.ts'
import { ForeignTenant, OwnedByOtherCell, type UnitOfWork } from '../../../src/engine/records/unit-of-work.ts'
import { scratch } from '../../snapshots/scratch.ts'
import { CLUSTER, newAccount, place, sign } from '../engine-fixture.ts'
import { AT, fixed } from '../../machines/records.ts'
import { Process, type Tenant, TENANTS } from '../restarted-engine.ts'

type Step =
  | { readonly kind: 'tell'; readonly from: number; readonly to: number }
  | { readonly kind: 'pay'; readonly from: number; readonly to: number }
  | { readonly kind: 'fork'; readonly from: number }
  | { readonly kind: 'pause' }
  | { readonly kind: 'crash'; readonly after: number }

const anybody = fc.nat(TENANTS.length - 1)
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('tell' as const), from: anybody, to: anybody }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('pay' as const), from: anybody, to: anybody }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('fork' as const), from: anybody }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'pause' as const }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('crash' as const), after: fc.nat(5) }) },
)

let count = 0

/** A payment of one lamport, signed and landed; both books follow. */
function pay({ engine }: Process, from: Tenant, to: Tenant): void {
  const id = `payment ${(count += 1)} of ${from}`
  const movement = (debited: string, credited: string) =>
    [{ asset: 'lamports', released: debited, debited, credited }] as const
  const own = { tenant: from, record: from, movements: movement('1', '0'), charge: [], facts: [] }
  const otherEntry = { tenant: to, record: to, movements: movement('0', '1'), charge: [], facts: [] }
  const completeFixed = { ...fixed, entries: [own, otherEntry] }
  const { result, durable } = engine.transact((unit) => {
    unit.also(from, { type: 'payload', ...place(id, from), payload: { fixed: completeFixed, signedBytes: 'AQID' } })
    const entry = unit.create('transaction', place(id, from), { fixed: completeFixed })
    unit.send<'account'>(engine.directory.byId(from)!, {
      type: 'command.reserve',
      asset: 'lamports',
      amount: '1',
      covered: true,
    })
    sign(unit, entry)
    return entry
  })
  durable.catch(() => undefined)
  const seenEvent = {
    type: 'chain.seen',
    at: AT,
    commitment: 'confirmed',
    slot: 7,
    blockTime: null,
    error: null,
    computeUnits: null,
    signature: 's',
  } as const
  settleTransaction(engine, result, seenEvent, AT).durable.catch(() => undefined)
}

/** Drops the fork of a landed payment of the sender. */
function fork({ engine }: Process, from: Tenant): void {
  for (const entry of engine.directory.entries()) {
    if (entry.head.kind !== 'transaction' || entry.head.tenant !== from || entry.head.value !== 'confirmed') continue
    settleTransaction(engine, entry, { type: 'chain.forgotten', at: AT }, AT).durable.catch(() => undefined)
    return
  }
}

describe('messages between tenants', () => {
  it('are applied once and in order, with a crash after any commit', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        const process = await Process.open(scratch())
        await process.make(TENANTS)
        const sentCounts = new Map(TENANTS.map((tenant) => [tenant, 0]))
        const run = (each: Step): void => {
          if (each.kind === 'tell') {
            const [from, to] = [TENANTS[each.from]!, TENANTS[each.to]!]
            const number = sentCounts.get(from)! + 1
            sentCounts.set(from, number)
            process.order(from, process.account(to), `${from} ${number}`, String(number))
          } else if (each.kind === 'pay') pay(process, TENANTS[each.from]!, TENANTS[each.to]!)
          else if (each.kind === 'fork') fork(process, TENANTS[each.from]!)
        }
        for (const [at, each] of steps.entries()) {
          if (each.kind === 'pause') await process.idle()
          else if (each.kind === 'crash') {
            process.killAfter(each.after)
            // The process continues for a moment without knowing.
            for (const more of steps.slice(at + 1, at + 4)) run(more)
            await process.idle()
            await process.restart()
            // A message that was not written was not sent.
            for (const tenant of TENANTS) sentCounts.set(tenant, Number(process.account(tenant).context.domain || '0'))
          } else run(each)
        }
        await process.idle()
        await process.restart()
        await process.idle()
        await check(process)
        await process.close()
      }),
      { numRuns: 40 },
    )
  })

  it('are delivered between two processes with their own stores, through lost messages and answers', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat(5), { minLength: 20, maxLength: 20 }),
        fc.array(fc.boolean(), { maxLength: 12 }),
        async (luck, who) => {
          const random = [...luck]
          const processes = new Map<Tenant, Process>()
          const between = (own: Tenant) => ({
            owns: (tenant: string) => tenant === own,
            deliver: async (messages: readonly NumberedMessage[]) => {
              for (const message of messages) {
                const fate = random.pop() ?? 5
                if (fate === 0) throw new Error('the message is lost')
                // As text, as it is received.
                const { engine, gone } = processes.get(own === 'ACME' ? 'BANK' : 'ACME')!
                const arrivedMessage = JSON.parse(JSON.stringify(message)) as NumberedMessage
                await Promise.race([gone, engine.outbox.receiveAll([arrivedMessage])])
                if (fate === 1) throw new Error('the answer is lost')
              }
            },
          })
          for (const tenant of ['ACME', 'BANK'] as const) {
            const process = await Process.open(scratch(), { remoteDelivery: between(tenant) })
            processes.set(tenant, process)
            await process.make([tenant])
          }
          const sentCounts = { ACME: 0, BANK: 0 }
          for (const forth of who) {
            const [from, to] = forth ? (['ACME', 'BANK'] as const) : (['BANK', 'ACME'] as const)
            sentCounts[from] += 1
            processes
              .get(from)!
              .order(from, processes.get(to)!.account(to), `${from} ${sentCounts[from]}`, String(sentCounts[from]))
            if (sentCounts[from] === 3) await processes.get(to)!.restart()
          }
          while ([...processes.values()].some(({ engine }) => engine.outbox.waiting > 0)) {
            for (const { engine } of processes.values()) engine.outbox.deliver()
            for (const process of processes.values()) await process.idle()
          }
          for (const [from, to] of [
            ['ACME', 'BANK'],
            ['BANK', 'ACME'],
          ] as const) {
            const expected = Array.from({ length: sentCounts[from] }, (_, index) => `${from} ${index + 1}`)
            expect(await processes.get(to)!.comments(to)).toEqual(expected)
          }
          for (const process of processes.values()) {
            await process.idle()
            expect(await process.outboxes()).toBe(0)
            await process.close()
          }
        },
      ),
      { numRuns: 25 },
    )
  })

  it('are not part of a unit of work', async () => {
    const process = await Process.open(scratch())
    await process.make(TENANTS)
    const [own, otherEntry] = [process.engine.directory.byId('ACME')!, process.engine.directory.byId('BANK')!]
    const before = own.head
    expect(() =>
      process.engine.transact((unit) => {
        unit.send<'account'>(own, { type: 'command.freeze' })
        unit.send<'account'>(otherEntry, { type: 'command.freeze' })
      }),
    ).toThrow(ForeignTenant)
    expect(own.head).toEqual(before)
    await process.close()
  })

  it.each<[string, (unit: UnitOfWork) => void]>([
    ['a record of its own', (unit) => void newAccount(unit, 'made here', '1', 'active', 'BANK')],
    ['what a signature of its key needs', (unit) => unit.alongside('BANK')],
    ['an audit entry alone', (unit) => unit.audit(entryOf('BANK'))],
    ['an event alone', (unit) => unit.event(eventOf('BANK'))],
  ])('of a tenant of another cell is never written here: %s', async (_what, work) => {
    const elsewhere = { owns: (tenant: string) => tenant === 'ACME', deliver: () => new Promise<void>(() => undefined) }
    const process = await Process.open(scratch(), { remoteDelivery: elsewhere })
    await process.make(['ACME'])
    const { batches } = process.engine.store.stats()
    expect(() => process.engine.transact(work)).toThrow(OwnedByOtherCell)
    expect(process.engine.directory.byId('made here')).toBeUndefined()
    // A row beside a change of this cell is sent there as a message.
    await process.engine.transact((unit) => {
      unit.send<'account'>(process.engine.directory.byId('ACME')!, { type: 'command.freeze' })
      unit.audit(entryOf('BANK'))
    }).durable
    expect(process.engine.outbox.waiting).toBe(1)
    expect(process.engine.store.stats().batches).toBe(batches + 1)
    expect(await process.engine.store.tenants()).toEqual(['ACME'])
    await process.close()
  })
})

const eventOf = (tenant: string): DomainEvent => ({
  ...{ tenant, cluster: CLUSTER, organization: tenant, type: 'account.updated' },
  ...{ onchainId: null, offchainId: 'x', data: {} },
})

const entryOf = (tenant: string): AuditEntry => ({
  ...{ tenant, keyId: 'k', action: 'PATCH /x', outcome: 'DONE', requestId: 'r' },
  resource: { kind: null, onchainId: null, offchainId: null },
})

/**
 * Every durable word of a sender has been taken once, in its order; every landed payment is in both books, and no
 * other.
 */
async function check(process: Process): Promise<void> {
  const deliveredNumbers = new Map<string, number[]>(TENANTS.map((tenant) => [tenant, []]))
  for (const tenant of TENANTS) {
    for (const comment of await process.comments(tenant)) {
      const [from = '', number] = comment.split(' ')
      deliveredNumbers.get(from)!.push(Number(number))
    }
  }
  const expected = new Map(TENANTS.map((tenant) => [tenant as string, 1000n]))
  const book = (tenant: string, amount: bigint): void => void expected.set(tenant, expected.get(tenant)! + amount)
  for (const { head } of process.engine.directory.entries()) {
    const transaction = ofKind(head, 'transaction')
    if (transaction?.value !== 'confirmed') continue
    const [own, otherEntry] = transaction.context.fixed.entries
    book(own!.tenant, -1n)
    book(otherEntry!.tenant, 1n)
  }
  for (const tenant of TENANTS) {
    const writtenCount = Number(process.account(tenant).context.domain || '0')
    const numbers = deliveredNumbers.get(tenant)!
    expect([...numbers].sort((a, b) => a - b)).toEqual(Array.from({ length: writtenCount }, (_, index) => index + 1))
    for (const each of TENANTS) {
      const order = (await process.comments(each))
        .filter((comment) => comment.startsWith(tenant))
        .map((comment) => Number(comment.split(' ')[1]))
      expect(order).toEqual([...order].sort((a, b) => a - b))
    }
    expect(process.account(tenant).context.lamports.balance).toBe(expected.get(tenant)!.toString())
  }
  expect(process.engine.outbox.waiting).toBe(0)
  expect(await process.outboxes()).toBe(0)
}
