// After a start: the records are equal, and every transaction that may have been sent is handed to the link of its
// cluster, which looks for it.
import { describe, expect, it } from 'vitest'
import { CLOCK_RESET } from '../../../src/engine/settlement/clock-reset.ts'
import { lastInstant, resumeOpen } from '../../../src/engine/settlement/recovery.ts'
import type { SuspensionScope } from '../../../machines/suspension.ts'
import type { UnitOfWork } from '../../../src/engine/records/unit-of-work.ts'
import type { TransactionEvent } from '../../../machines/transactions/transaction-events.ts'
import { fromEnvelope, UnknownSnapshot } from '../../../src/engine/records/codec.ts'
import { Engine } from '../../../src/engine/engine.ts'
import { AT, countersignature, fixed } from '../../machines/records.ts'
import {
  bytesOf,
  CLUSTER,
  EngineFixture,
  newAccount,
  newTransaction,
  place,
  sign,
  signatureIn,
  TENANT,
} from '../engine-fixture.ts'
import { listening, noReview, type Watched } from './listening.ts'

const seenEvent = (
  commitment: 'processed' | 'confirmed' | 'finalized',
  error: string | null = null,
): TransactionEvent => ({
  type: 'chain.seen',
  commitment,
  slot: 7,
  blockTime: null,
  error,
  computeUnits: null,
  at: AT,
})
const sentAt = (at: string): TransactionEvent => ({ type: 'chain.sent', at, endpoint: 'node' })
const SENT = sentAt(AT)

/** The state of each transaction, and whether it may have been sent. */
const FATES: Readonly<Record<string, { readonly events: readonly TransactionEvent[]; readonly open: boolean }>> = {
  signed: { events: [], open: true },
  submitted: { events: [SENT], open: true },
  processed: { events: [SENT, seenEvent('processed')], open: true },
  confirmed: { events: [seenEvent('confirmed')], open: true },
  failing: { events: [seenEvent('confirmed', 'boom')], open: true },
  finalized: { events: [seenEvent('finalized')], open: false },
  failed: { events: [seenEvent('finalized', 'boom')], open: false },
  expired: { events: [{ type: 'chain.expired', at: AT, proof: null }], open: false },
}

const second = (number: number): string => new Date(Date.parse(AT) + 1_000 * number).toISOString()

/** A lane of the scope, suspended and resumed at the second of a transaction's signature, or later. */
function resume(unit: UnitOfWork, id: string, scope: Partial<SuspensionScope>, later = 0): void {
  const suspension = { scope: { tenant: null, organization: null, lane: null, ...scope }, by: 'key', at: AT }
  const entry = unit.create('suspension', place(id), { suspension })
  unit.send<'suspension'>(entry, { type: 'command.resume', by: 'key', at: second(later) })
}

async function withEveryFate(): Promise<EngineFixture> {
  const fixture = await EngineFixture.open()
  for (const [id, { events }] of Object.entries(FATES)) {
    await fixture.commit((unit) => sign(unit, newTransaction(unit, id, []), signatureIn(id)))
    for (const event of events) await fixture.settle(id, event)
  }
  await fixture.commit((unit) => {
    newTransaction(unit, 'prepared', [])
    const partly = newTransaction(unit, 'asked', [], null)
    unit.send<'transaction'>(partly, {
      type: 'command.sign',
      signatures: 0,
      complete: false,
      ourSignature: true,
      signature: null,
      at: AT,
    })
    newAccount(unit, 'a')
  })
  await fixture.engine.flush()
  return fixture
}

describe('after a start', () => {
  it('every record is equal to the one before', async () => {
    const fixture = await withEveryFate()
    const heads = new Map([...fixture.engine.directory.entries()].map(({ head }) => [head.id, head]))
    await fixture.restart()
    expect(new Map([...fixture.engine.directory.entries()].map(({ head }) => [head.id, head]))).toEqual(heads)
    for (const { head, committed, actor } of fixture.engine.directory.entries())
      expect([committed, actor]).toEqual([head, undefined])
  })

  it('only transactions that may land are handed to their link', async () => {
    const fixture = await withEveryFate()
    await fixture.restart()
    const { links, watched } = listening()
    const open = [...Object.keys(FATES).filter((id) => FATES[id]!.open), 'asked'].sort()
    expect(await resumeOpen(fixture.engine, links, noReview)).toBe(open.length)
    expect(watched.map(({ submission }) => submission.transactionId).sort()).toEqual(open)
  })

  it('a transaction is sent as the signed bytes, with its observed status', async () => {
    const fixture = await withEveryFate()
    await fixture.restart()
    const { links, watched } = listening()
    await resumeOpen(fixture.engine, links, noReview)
    const of = (id: string): Watched | undefined => watched.find(({ submission }) => submission.transactionId === id)
    expect(of('signed')).toMatchObject({
      submission: {
        tenant: TENANT,
        lane: 'Payer111',
        signature: signatureIn('signed'),
        bytes: bytesOf('signed'),
        lastValidBlockHeight: 160,
      },
      known: undefined,
    })
    expect(of('confirmed')?.known).toEqual({ commitment: 'confirmed', slot: 7 })
    expect(of('processed')?.known).toEqual({ commitment: 'processed', slot: 7 })
    expect(of('asked')?.submission).toMatchObject({ signature: null, bytes: null })
  })

  it('nothing is sent that waits for Submit or is being cancelled, but its outcome is looked up', async () => {
    const fixture = await EngineFixture.open()
    const signedBytes = bytesOf('bytes').toString('base64')
    await fixture.commit((unit) => {
      for (const id of ['plain', 'held', 'withdrawn', 'held and withdrawn']) {
        const entry = newTransaction(unit, id, [])
        const options = id.startsWith('held') ? { held: true } : {}
        unit.also(TENANT, { type: 'payload', ...place(id), payload: { fixed, signedBytes, ...options } })
        sign(unit, entry, signatureIn('bytes'))
        if (id.endsWith('withdrawn')) unit.send<'transaction'>(entry, { type: 'command.withdraw', at: AT })
      }
    })
    await fixture.restart()
    const { links, watched } = listening()
    expect(await resumeOpen(fixture.engine, links, noReview)).toBe(4)
    const submissions = watched.map(({ submission: { transactionId, bytes } }) => [transactionId, bytes])
    expect(Object.fromEntries(submissions)).toEqual({
      plain: bytesOf('bytes'),
      held: null,
      withdrawn: null,
      'held and withdrawn': null,
    })
  })

  it.each([
    ['the whole cluster', {}, 0],
    ['the tenant, later', { tenant: TENANT }, 60],
    ['its fee payer, by a node whose clock is behind', { lane: fixed.feePayer.address }, -30],
  ])('what was signed before the resumption of %s, and was not sent, is reviewed first', async (_, scope, later) => {
    const fixture = await withEveryFate()
    await fixture.commit((unit) => {
      resume(unit, 'resumed', scope, later)
      resume(unit, 'of another', { tenant: 'another' }, 60)
    })
    await fixture.restart()
    const { links, held } = listening()
    const reviewed: string[] = []
    await resumeOpen(fixture.engine, links, (cluster, ids) => reviewed.push(cluster, ...ids))
    expect([held, reviewed]).toEqual([['signed'], [CLUSTER, 'signed']])
  })

  it('what a suspension holds is reviewed when its lane is resumed, not before', async () => {
    const fixture = await withEveryFate()
    await fixture.commit((unit) => resume(unit, 'resumed', {}))
    await fixture.restart()
    const { links, held } = listening(true)
    await resumeOpen(fixture.engine, links, noReview)
    expect(held).toEqual([])
  })

  it('the records of open transactions are compared with the chain', async () => {
    const fixture = await EngineFixture.open()
    const entry = (record: string) => ({ tenant: TENANT, record, movements: [], charge: [], facts: [] })
    await fixture.commit((unit) => {
      for (const id of ['payer', 'payee', 'of a finalized one']) newAccount(unit, id)
      sign(unit, newTransaction(unit, 'open', [entry('payer'), entry('payee'), entry('of another cell')]))
      sign(unit, newTransaction(unit, 'finalized', [entry('of a finalized one')]))
    })
    await fixture.settle('finalized', seenEvent('finalized'))
    await fixture.restart()
    await resumeOpen(fixture.engine, listening().links, noReview)
    expect([...fixture.engine.outOfBalance].map(({ head }) => head.id).sort()).toEqual(['payee', 'payer'])
  })

  it('what was signed after the resumption, or belongs to another lane, is not reviewed', async () => {
    const fixture = await withEveryFate()
    await fixture.commit((unit) => {
      resume(unit, 'earlier', {}, -31)
      resume(unit, 'of another organization', { organization: 'another' }, 60)
      resume(unit, 'of another lane', { lane: 'another' }, 60)
    })
    await fixture.restart()
    const { links, held } = listening()
    await resumeOpen(fixture.engine, links, noReview)
    expect(held).toEqual([])
  })

  it('a countersignature is looked up if its transaction is not', async () => {
    const fixture = await EngineFixture.open()
    const landed = { type: 'chain.landed', signature: 'sig1', slot: 7, final: false, at: AT } as const
    await fixture.commit((unit) => {
      for (const id of ['followed', 'other message', 'over', 'alone', 'landed', 'settled', 'released']) {
        const messageHash = id === 'other message' ? '01' : fixed.messageHash
        const contents = { ...countersignature, transactionId: `t ${id}`, messageHash }
        const entry = unit.create('countersignature', place(id), { countersignature: contents })
        if (id === 'landed' || id === 'settled')
          unit.send<'countersignature'>(entry, { ...landed, final: id === 'settled' })
        if (id === 'released') unit.send<'countersignature'>(entry, { type: 'chain.expired', at: AT, proof: null })
        if (!['followed', 'other message', 'over'].includes(id)) continue
        const transaction = newTransaction(unit, `t ${id}`, [])
        if (id === 'over') unit.send<'transaction'>(transaction, { type: 'command.cancel', at: AT })
        else sign(unit, transaction)
      }
    })
    await fixture.restart()
    const { links, watched } = listening()
    await resumeOpen(fixture.engine, links, noReview)
    const others = watched.filter(({ submission: { transactionId } }) => !transactionId.startsWith('t '))
    expect(others.map(({ submission }) => submission.transactionId).sort()).toEqual([
      'alone',
      'landed',
      'other message',
      'over',
    ])
    expect(others.every(({ submission }) => submission.bytes === null)).toBe(true)
    expect(others.find(({ submission }) => submission.transactionId === 'landed')?.known).toEqual({
      commitment: 'confirmed',
      slot: 7,
    })
  })

  it('bytes are not sent again if the chain has shown the message with another signature', async () => {
    const fixture = await EngineFixture.open()
    await fixture.commit((unit) => sign(unit, newTransaction(unit, 't', []), signatureIn('t')))
    await fixture.settle('t', { ...seenEvent('confirmed'), signature: 'another' } as TransactionEvent)
    await fixture.restart()
    const { links, watched } = listening()
    await resumeOpen(fixture.engine, links, noReview)
    expect(watched).toMatchObject([
      { submission: { signature: 'another', bytes: null }, known: { commitment: 'confirmed' } },
    ])
  })

  it.each([
    { where: 'the history of its fee payer', nonceAccount: null, lane: countersignature.feePayer, found: {} },
    {
      ...{ where: 'the history of its nonce account', nonceAccount: 'Nonce111', lane: 'Nonce111' },
      found: { nonce: { account: 'Nonce111', value: countersignature.blockhash } },
    },
  ])('a countersigned transaction is looked for in $where', async ({ nonceAccount, lane, found }) => {
    const fixture = await EngineFixture.open()
    const contents = { ...countersignature, signature: 'sig1', nonceAccount }
    await fixture.commit((unit) => unit.create('countersignature', place('alone'), { countersignature: contents }))
    await fixture.restart()
    const { links, watched } = listening()
    await resumeOpen(fixture.engine, links, noReview)
    const { blockhash, blockhashSlot, lastValidBlockHeight, messageHash } = countersignature
    expect(watched.map(({ submission }) => submission)).toEqual([
      {
        ...{ transactionId: 'alone', tenant: TENANT, bytes: null, signature: 'sig1', lane },
        ...{ blockhash, blockhashSlot, lastValidBlockHeight, ...found },
        message: { messageHash, address: lane, mayHaveUnknownSignature: expect.any(Function) as unknown },
      },
    ])
  })

  it('a transaction of an unconfigured cluster is not changed', async () => {
    const fixture = await withEveryFate()
    expect(await resumeOpen(fixture.engine, new Map(), noReview)).toBe(0)
  })

  it('the payload of a transaction is stored in its own row', async () => {
    const fixture = await withEveryFate()
    const unread = (): never => {
      throw new Error('it is read')
    }
    for await (const page of fixture.store.load(TENANT))
      for (const envelope of page)
        if (envelope.kind === 'transaction') expect(() => fromEnvelope(envelope, unread)).toThrow('it is read')
  })

  it('a record of a newer release is refused', async () => {
    const fixture = await withEveryFate()
    const envelope = { kind: 'account', version: 99, revision: 1, value: 'active', context: {}, ...place('future') }
    await fixture.store.commit([{ tenant: TENANT, epoch: 1, ops: [{ type: 'record', envelope }] }])
    await expect(Engine.open({ store: fixture.store })).rejects.toThrow(UnknownSnapshot)
  })

  it.each<[string, unknown, string]>([
    ['is of a newer release', [9, null, null, {}], 'UnknownSnapshot'],
    ['is too short', [3, []], 'CorruptRow'],
    ['has no fixed part', {}, 'CorruptRow'],
    ['is a text', 'x', 'CorruptRow'],
  ])('a payload that %s is refused as a row that cannot be read', async (_what, payload, name) => {
    const fixture = await withEveryFate()
    await fixture.store.commit([{ tenant: TENANT, epoch: 1, ops: [{ type: 'payload', ...place('signed'), payload }] }])
    await expect(Engine.open({ store: fixture.store })).rejects.toMatchObject({ name })
  })

  it('a record without its members is refused as a row that cannot be read', async () => {
    const fixture = await withEveryFate()
    const envelope = { kind: 'account', version: 1, revision: 1, value: 'active', context: {}, ...place('empty') }
    await fixture.store.commit([{ tenant: TENANT, epoch: 1, ops: [{ type: 'record', envelope }] }])
    await expect(Engine.open({ store: fixture.store })).rejects.toMatchObject({ name: 'CorruptRow' })
  })
})

describe('the latest instant on record', () => {
  const EVENT_SECONDS = [9, 3, 5]

  async function withEventsAt(seconds: readonly number[]): Promise<EngineFixture> {
    const fixture = await EngineFixture.open()
    for (const at of seconds) {
      const id = `sent at ${String(at)}`
      await fixture.commit((unit) => sign(unit, newTransaction(unit, id, [])))
      await fixture.settle(id, sentAt(second(at)))
    }
    return fixture
  }

  const reset = async (fixture: EngineFixture, atSecond: number, beforeSecond: number): Promise<void> => {
    const value = { atMs: Date.parse(second(atSecond)), beforeMs: Date.parse(second(beforeSecond)) }
    await fixture.commit((unit) => unit.also(TENANT, { type: 'meta', name: CLOCK_RESET, value }))
  }

  it('is that of the last event of any transaction, or of its preparation', async () => {
    const fixture = await EngineFixture.open()
    expect(lastInstant(fixture.engine)).toBeNull()
    await fixture.commit((unit) => newTransaction(unit, 'prepared', []))
    expect(lastInstant(fixture.engine)).toBe(Date.parse(fixed.preparedAt))
    expect(lastInstant((await withEventsAt(EVENT_SECONDS)).engine)).toBe(Date.parse(second(9)))
  })

  it('is no time that a wrong clock recorded', async () => {
    const fixture = await withEventsAt(EVENT_SECONDS)
    await reset(fixture, 4, 9)
    expect(lastInstant(fixture.engine)).toBe(Date.parse(second(4)))
    await fixture.commit((unit) => sign(unit, newTransaction(unit, 'later', [])))
    await fixture.settle('later', sentAt(second(10)))
    expect(lastInstant(fixture.engine)).toBe(Date.parse(second(10)))
  })
})
