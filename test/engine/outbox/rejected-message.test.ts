// A message whose content a record of the recipient rejects: nothing of it is applied, it is reported, and later
// messages are applied.
import { expect, it } from 'vitest'
import type { NumberedMessage } from '../../../src/engine/outbox/message.ts'
import { AT, suspension } from '../../machines/records.ts'
import { EngineFixture, newAccount, place } from '../engine-fixture.ts'

const reserve = (amount: string) =>
  ({
    kind: 'order',
    record: 'theirs',
    of: 'account',
    event: { type: 'command.reserve', asset: 'lamports', amount, covered: true },
  }) as const

it('is reported once, leaves nothing behind, and holds up no later message', async () => {
  const reports: { readonly sequence: number; readonly error: unknown }[] = []
  const onUndelivered = ({ sequence }: NumberedMessage, error: unknown): void => void reports.push({ sequence, error })
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
  const fixture = await EngineFixture.open(undefined, { onUndelivered: ({ sequence }) => void reports.push(sequence) })
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
