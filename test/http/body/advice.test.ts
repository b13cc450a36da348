// What a refusal tells to do is accepted.
import { expect, it } from 'vitest'
import { chainTransactionConfig } from '../../../src/contract/values/chain-config.ts'
import { newScheduleBody } from '../../../src/contract/schemas/schedule.ts'
import { Refusal, type Problem } from '../../../src/contract/refusal.ts'
import { validate } from '../../../src/http/endpoint.ts'

type Schema = Parameters<typeof validate>[0]

function problemsOf(schema: Schema, body: string): readonly Problem[] {
  try {
    validate(schema, Buffer.from(body))
    return []
  } catch (error) {
    if (error instanceof Refusal) return error.problems
    throw error
  }
}

it('offers text instead of a long number for amounts only', () => {
  const priced = (price: string): string => `{"computeUnitConfig":{"price":${price}}}`
  const [problem] = problemsOf(chainTransactionConfig, priced('9007199254740991'))
  expect(problem).toMatchObject({
    code: 'TOO_PRECISE',
    message: 'is a number of more than 15 significant digits: an amount may be sent as a string',
    pointer: '/computeUnitConfig/price',
  })
  expect(problemsOf(chainTransactionConfig, priced('"9007199254740991"'))).toMatchObject([{ code: 'INVALID_TYPE' }])
  expect(problemsOf(chainTransactionConfig, priced('900719925474099'))).toEqual([])
})

it('names the form of a time of day', () => {
  const at = (time: string): string => {
    const wallet = { onchainId: '11111111111111111111111111111112' }
    const itemData = { source: wallet, destination: wallet, lamports: 1 }
    const schedule = { operation: 'TRANSFER_NETWORK_CURRENCY', itemData, startAt: '2026-01-01T00:00:00Z' }
    return JSON.stringify({ itemData: { ...schedule, at: { time, zone: 'UTC' } } })
  }
  for (const time of ['9:00', '24:00', '09:60', '09:00:00', ''])
    expect(problemsOf(newScheduleBody, at(time))).toMatchObject([
      { code: 'INVALID_FORMAT', message: 'must be `HH:MM`, such as 09:00', pointer: '/itemData/at/time' },
    ])
  expect(problemsOf(newScheduleBody, at('09:00'))).toEqual([])
})
