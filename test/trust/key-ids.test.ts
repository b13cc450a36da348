// An answer must not reveal whether a key id exists: the same steps are taken, with the same waits, in both cases.
import { randomUUID } from 'node:crypto'
import { expect, it, vi } from 'vitest'
import { generateApiKey } from '../../src/keys/api-key.ts'
import { Refusals } from '../../src/operations/admin/refusals.ts'
import { createApiKey } from '../../src/operations/admin/create-api-key.ts'
import { House } from '../operations/admin/house.ts'

const steps = vi.hoisted(() => [] as string[])
vi.mock('node:crypto', async (original) => {
  const real = await original<typeof import('node:crypto')>()
  return {
    ...real,
    hash: (...given: Parameters<typeof real.hash>) => {
      steps.push('hash')
      return real.hash(...given)
    },
    timingSafeEqual: (...given: Parameters<typeof real.timingSafeEqual>) => {
      steps.push('compare')
      return real.timingSafeEqual(...given)
    },
  }
})

it('attack 18: a bearer with an unknown key id takes the same steps as one with a wrong secret', async () => {
  const house = await House.open()
  const newKey = (await house.run(createApiKey, {
    organizationExternalId: 'SYSTEM',
    name: 'k',
    roles: ['ACCOUNTS_READ'],
  })) as { keyId: string; apiKey: string }
  const stepsOf = (bearer: string): readonly string[] => {
    steps.length = 0
    house.access.authenticate(bearer)
    return [...steps]
  }
  const wrong = stepsOf(generateApiKey(newKey.keyId).apiKey)
  expect(wrong).toEqual(['hash', 'compare', 'compare'])
  expect(stepsOf(generateApiKey().apiKey)).toEqual(wrong)
  // The control: the right secret is accepted.
  expect(house.access.authenticate(newKey.apiKey)).toMatchObject({ keyId: newKey.keyId })
})

it('attack 18: a known key id does not wait for a row', async () => {
  const house = await House.open()
  const { keyId } = (await house.run(createApiKey, {
    organizationExternalId: 'SYSTEM',
    name: 'k',
    roles: ['ACCOUNTS_READ'],
  })) as { keyId: string }
  const timers: (() => void)[] = []
  const clock = {
    elapsed: () => 0,
    setTimeout: () => ({}),
    clearTimeout: () => undefined,
    soon: (callback: () => void) => void timers.push(callback),
  }
  const refusals = new Refusals(house.engine, clock)
  const before = house.engine.journal.audit.lastSequence('SYSTEM')
  const request = { caller: undefined, action: 'POST /a', requestId: randomUUID(), body: undefined }
  for (const bearer of [generateApiKey(keyId).apiKey, generateApiKey().apiKey])
    await refusals.note({ ...request, bearer })
  expect(timers).toHaveLength(2)
  for (const work of timers) work()
  await vi.waitFor(() => expect(house.engine.journal.audit.lastSequence('SYSTEM')).toBe(before + 1), 60_000)
})
