// Whether a message may have landed with another signature of its fee payer than the one on record: unless this service
// alone has the key.
import { expect, it } from 'vitest'
import { resumeOpen } from '../../../src/engine/settlement/recovery.ts'
import { account, countersignature, fixed } from '../../machines/records.ts'
import { EngineFixture, newTransaction, place, sign, signatureIn } from '../engine-fixture.ts'
import { listening, noReview } from './listening.ts'

it.each([
  { payer: 'whose key this service generated', records: [{ keyOrigin: 'service' }], unknown: false },
  { payer: 'whose key was exported', records: [{ keyOrigin: 'exported' }], unknown: true },
  { payer: 'with a copy of its key', records: [{ keyOrigin: 'service' }, { keyOrigin: 'imported' }], unknown: true },
  { payer: 'with a record without a key', records: [{ keyOrigin: 'none', managed: false }], unknown: true },
  { payer: 'that others watch', records: [{ keyOrigin: 'service' }, { managed: false }], unknown: false },
  { payer: 'without a record', records: [], unknown: true },
] as const)('of a fee payer $payer, another signature is possible: $unknown', async ({ records, unknown }) => {
  const fixture = await EngineFixture.open()
  await fixture.commit((unit) => {
    sign(unit, newTransaction(unit, 't', []), signatureIn('t'))
    unit.create('countersignature', place('alone'), { countersignature: { ...countersignature, signature: 'sig1' } })
    records.forEach((record, index) => {
      const holding = { ...account, address: fixed.feePayer.address, ...record }
      unit.create('account', place(`payer ${index}`), { state: 'active', holding })
    })
  })
  const { links, watched } = listening()
  await resumeOpen(fixture.engine, links, noReview)
  const answers = watched.map(async ({ submission: { message } }) => await message?.mayHaveUnknownSignature())
  expect(await Promise.all(answers)).toEqual([unknown, unknown])
})

it('another signature is possible once the key of the fee payer is exported', async () => {
  const fixture = await EngineFixture.open()
  await fixture.commit((unit) => {
    sign(unit, newTransaction(unit, 't', []), signatureIn('t'))
    const holding = { ...account, address: fixed.feePayer.address, keyOrigin: 'service' } as const
    unit.create('account', place('payer'), { state: 'active', holding })
  })
  const { links, watched } = listening()
  await resumeOpen(fixture.engine, links, noReview)
  const { message } = watched[0]!.submission
  expect(await message?.mayHaveUnknownSignature()).toBe(false)
  const changes = { keyOrigin: 'exported' } as const
  await fixture.commit((unit) => unit.send<'account'>(fixture.entry('payer'), { type: 'command.update', changes }))
  expect(await message?.mayHaveUnknownSignature()).toBe(true)
})
