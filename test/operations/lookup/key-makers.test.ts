// The subject behind an API key, over any creations of keys by keys: the same with and without what was followed
// before, and each key is looked up once for a list.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { apiKeyKey } from '../../../src/engine/index/index-keys.ts'
import type { RecordState } from '../../../src/engine/records/record.ts'
import { isKeyEnabled, makerSubject } from '../../../src/operations/lookup/subjects.ts'

type Key = RecordState<'apiKey'>

/** `createdBy` of each key: the number of a key, which may be itself or unknown, or a subject. */
function keysMadeBy(makers: readonly (number | string)[]) {
  const keys = makers.map((maker, at) => {
    const createdBy = typeof maker === 'number' ? `key${maker}` : maker
    return { kind: 'apiKey', value: 'active', tenant: 'T', context: { keyId: `key${at}`, createdBy } } as Key
  })
  const byName = new Map(keys.map((head) => [apiKeyKey(head.context.keyId), { head }]))
  const looked = { count: 0 }
  const directory = {
    find: () => [],
    firstOwn(name: string) {
      looked.count += 1
      return byName.get(name)
    },
  } as unknown as Parameters<typeof makerSubject>[0]
  return { keys, directory, looked }
}

it('is the same whichever keys were followed before', () => {
  const maker = fc.oneof({ weight: 4, arbitrary: fc.nat(20) }, fc.constantFrom('jwt:anna', 'jwt:bert'))
  fc.assert(
    fc.property(fc.array(maker, { minLength: 1, maxLength: 20 }), (makers) => {
      const { keys, directory } = keysMadeBy(makers)
      const known = new Map<string, string | null>()
      for (const key of keys) expect(makerSubject(directory, key, known)).toBe(makerSubject(directory, key))
    }),
  )
})

it('takes a step for each key of a list, however long the line of makers is', () => {
  const { keys, directory, looked } = keysMadeBy(['jwt:anna', ...Array.from({ length: 999 }, (_, at) => at)])
  const known = new Map<string, string | null>()
  for (const key of keys.toReversed()) expect(isKeyEnabled(directory, key, known)).toBe(true)
  expect(new Set(known.values())).toEqual(new Set(['jwt:anna']))
  expect(looked.count).toBeLessThanOrEqual(keys.length)
})
