// What the recipient of a message does with it. If one of its records rejects the content, nothing of the message is
// applied, it is reported, and later messages are applied.
import { describe, expect, it } from 'vitest'
import type { NumberedMessage } from '../../../src/engine/outbox/message.ts'
import { AT, suspension } from '../../machines/records.ts'
import { CLUSTER, EngineFixture, newAccount, place } from '../engine-fixture.ts'

const reserve = (amount: string) =>
  ({
    kind: 'order',
    record: 'theirs',
    of: 'account',
    event: { type: 'command.reserve', asset: 'lamports', amount, covered: true },
  }) as const

describe('a rejected message', () => {
  it('is reported once, leaves nothing behind, and holds up no later message', async () => {
    const reports: { readonly sequence: number; readonly error: unknown }[] = []
    const onUndelivered = ({ sequence }: NumberedMessage, error: unknown): void =>
      void reports.push({ sequence, error })
    const fixture = await EngineFixture.open(undefined, { onUndelivered })
    await fixture.commit((unit) => newAccount(unit, 'theirs', '10', 'active', 'OTHER'))
    const send = async (...amounts: readonly string[]): Promise<void> =>
      fixture.commit((unit) => {
        newAccount(unit, `ours ${amounts.join()}`)
        for (const amount of amounts) unit.sendMessage('OTHER', reserve(amount))
      })
    await send('4', '7')
    const readLamports = () => (fixture.entry('theirs').head.context as unknown as { lamports: object }).lamports
    expect(readLamports()).toEqual({ balance: '10', reserved: '0' })
    await send('5')
    expect(readLamports()).toEqual({ balance: '10', reserved: '5' })
    await fixture.restart()
    expect(readLamports()).toEqual({ balance: '10', reserved: '5' })
    expect(reports).toMatchObject([{ sequence: 1, error: { rejection: { code: 'INSUFFICIENT_BALANCE' } } }])
    expect(fixture.store.inbox('OTHER', 'ACME')).toBe(2)
  })

  it('is taken nevertheless if it turns a switch that is turned already', async () => {
    const reports: number[] = []
    const fixture = await EngineFixture.open(undefined, {
      onUndelivered: ({ sequence }) => void reports.push(sequence),
    })
    await fixture.commit((unit) => {
      newAccount(unit, 'theirs', '10', 'active', 'OTHER')
      unit.create('suspension', place('switch', 'OTHER'), { suspension })
    })
    const event = { type: 'command.suspend', by: 'key1', at: AT } as const
    const before = fixture.entry('switch').head
    await fixture.commit((unit) => {
      newAccount(unit, 'ours')
      unit.sendMessage('OTHER', { kind: 'order', record: 'switch', of: 'suspension', event })
      unit.sendMessage('OTHER', reserve('4'))
    })
    expect(fixture.entry('switch').head).toBe(before)
    expect(fixture.entry('theirs').head.context).toMatchObject({ lamports: { balance: '10', reserved: '4' } })
    expect(reports).toEqual([])
  })
})

it('a message that cannot be applied is reported once, and delays those of its sender to its recipient', async () => {
  const reports: number[] = []
  const fixture = await EngineFixture.open(undefined, { onUndelivered: ({ sequence }) => void reports.push(sequence) })
  for (const tenant of ['OTHER', 'THIRD'])
    await fixture.commit((unit) => newAccount(unit, `of ${tenant}`, '10', 'active', tenant))
  const send = async (to: string, kind: string): Promise<void> =>
    fixture.commit((unit) => {
      newAccount(unit, `ours ${to} ${kind}`)
      unit.sendMessage(to, { ...reserve('4'), record: `of ${to}`, kind: kind as 'order' })
    })
  await send('OTHER', 'of a newer release')
  await send('OTHER', 'order')
  await send('THIRD', 'order')
  fixture.engine.outbox.deliver()
  const reserved = (tenant: string): unknown => fixture.entry(`of ${tenant}`).head.context
  expect(reserved('OTHER')).toMatchObject({ lamports: { reserved: '0' } })
  expect(reserved('THIRD')).toMatchObject({ lamports: { reserved: '4' } })
  expect([reports, fixture.engine.outbox.stuck, fixture.engine.outbox.waiting]).toEqual([[1], 1, 2])
})

it('an order to a record that is gone is taken, and the rest of its message is applied', async () => {
  const reports: number[] = []
  const fixture = await EngineFixture.open(undefined, { onUndelivered: ({ sequence }) => void reports.push(sequence) })
  await fixture.commit((unit) => newAccount(unit, 'theirs', '10', 'active', 'OTHER'))
  await fixture.commit((unit) => {
    newAccount(unit, 'ours')
    unit.sendMessage('OTHER', { ...reserve('3'), record: 'gone' })
    unit.sendMessage('OTHER', reserve('4'))
  })
  expect(fixture.entry('theirs').head.context).toMatchObject({ lamports: { balance: '10', reserved: '4' } })
  expect(fixture.store.inbox('OTHER', 'ACME')).toBe(1)
  expect(reports).toEqual([])
})

it('the outcome of an idempotency key is stored unless the recipient has one', async () => {
  const fixture = await EngineFixture.open()
  const own = { digest: 'own', outcome: { status: 201 } }
  await fixture.commit((unit) =>
    unit.also('OTHER', { type: 'idempotency', tenant: 'OTHER', cluster: CLUSTER, scope: 'used', row: own }),
  )
  const sent = { digest: 'sent', outcome: { status: 200 } }
  await fixture.commit((unit) => {
    newAccount(unit, 'ours')
    for (const scope of ['used', 'unused'])
      unit.sendMessage('OTHER', { kind: 'remembered', cluster: CLUSTER, scope, row: sent })
  })
  await fixture.restart()
  expect(fixture.store.idempotency('OTHER', CLUSTER, 'used')).toEqual(own)
  expect(fixture.store.idempotency('OTHER', CLUSTER, 'unused')).toEqual(sent)
})
