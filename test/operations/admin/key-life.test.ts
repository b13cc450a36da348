// The secrets that a key accepts, and until when: expiry, rotation with a grace period, disabling, while the clock
// advances.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { apiKeyKey } from '../../../src/engine/index/index-keys.ts'
import { ofKind, type RecordState } from '../../../src/engine/records/record.ts'
import { generateApiKey } from '../../../src/keys/api-key.ts'
import { apiKeyModel } from '../../../src/operations/views/read-models/access.ts'
import { createApiKey } from '../../../src/operations/admin/create-api-key.ts'
import { disableApiKey } from '../../../src/operations/admin/disable-api-key.ts'
import { rotateApiKey } from '../../../src/operations/admin/rotate-api-key.ts'
import { House, secretOf, START, verdict } from './house.ts'

const DAY_MS = 24 * 60 * 60 * 1000

function record(house: House, keyId: string): RecordState<'apiKey'> {
  return ofKind(house.engine.directory.first(apiKeyKey(keyId))?.committed, 'apiKey')!
}

it('accepts exactly the valid secrets of a key, after any sequence of changes', async () => {
  const house = await House.open()
  await house.organization('ACME')
  const step = fc.oneof(
    { weight: 4, arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.integer({ min: 1, max: 40_000 }) }) },
    {
      weight: 3,
      arbitrary: fc.record({ do: fc.constant('rotate' as const), graceSeconds: fc.integer({ min: 0, max: 60 }) }),
    },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('disable' as const) }) },
  )
  const lifetimeMs = fc.option(fc.integer({ min: 1, max: 200_000 }))
  await fc.assert(
    fc.asyncProperty(lifetimeMs, fc.array(step, { maxLength: 12 }), async (lifetime, steps) => {
      const expiry = lifetime === null ? Infinity : house.clock.time + lifetime
      const newKey = await house.key('ACME', {
        bundle: 'VIEWER',
        ...(lifetime === null ? {} : { expiresAt: new Date(expiry).toISOString() }),
      })
      /** Each secret that was issued, and when it stops working. */
      const secrets = [{ apiKey: newKey.apiKey, until: Infinity }]
      let disabled = false
      for (const now of steps) {
        if (now.do === 'wait') house.clock.time += now.ms
        else if (now.do === 'disable') {
          const disabling = verdict(() => house.run(disableApiKey, { keyId: newKey.keyId }))
          expect(await disabling).toBe(disabled ? '400 ALREADY_DISABLED /itemData' : 'done')
          disabled = true
        } else {
          const rotating = verdict(async () => {
            const { apiKey } = (await house.run(rotateApiKey, {
              keyId: newKey.keyId,
              graceSeconds: now.graceSeconds,
            })) as { apiKey: string }
            const current = secrets.pop()!
            for (const older of secrets) older.until = -Infinity
            secrets.push({ ...current, until: house.clock.time + now.graceSeconds * 1000 }, { apiKey, until: Infinity })
          })
          const isExpired = house.clock.time >= expiry
          expect(await rotating).toBe(
            isExpired ? '400 EXPIRED /itemData/keyId' : disabled ? '400 DISABLED /itemData' : 'done',
          )
        }
        for (const { apiKey, until } of secrets) {
          const opens = !disabled && house.clock.time < expiry && house.clock.time < until
          const caller = house.access.authenticate(apiKey)
          expect(caller === 'invalid' ? false : caller.keyId === newKey.keyId).toBe(opens)
        }
      }
    }),
    { numRuns: 60 },
  )
})

it('rejects text that only resembles a key', async () => {
  const house = await House.open()
  const other = generateApiKey()
  const sameId = generateApiKey(house.root.keyId)
  for (const bearer of [
    '',
    'x',
    other.apiKey,
    sameId.apiKey,
    house.root.apiKey.slice(0, -1),
    `${house.root.apiKey} `,
    house.root.keyId,
  ]) {
    expect(house.access.authenticate(bearer)).toBe('invalid')
  }
})

it('suspends approvals of a key for a day after another key rotated it, even if it then rotates itself', async () => {
  const house = await House.open()
  await house.organization('ACME')
  const key = await house.key('ACME', { bundle: 'ADMIN' })
  const first = (await house.run(rotateApiKey, { keyId: key.keyId }, key.apiKey)) as { apiKey: string }
  expect(record(house, key.keyId).context.approvalsSuspendedUntil).toBe(null)
  const second = (await house.run(rotateApiKey, { keyId: key.keyId })) as { apiKey: string }
  const until = new Date(START + DAY_MS).toISOString()
  expect(record(house, key.keyId).context.approvalsSuspendedUntil).toBe(until)
  expect(house.access.authenticate(first.apiKey)).toBe('invalid')
  house.clock.time += 1000
  await house.run(rotateApiKey, { keyId: key.keyId }, second.apiKey)
  expect(record(house, key.keyId).context.approvalsSuspendedUntil).toBe(until)
})

it('stores the last use once a minute', async () => {
  const house = await House.open()
  await house.organization('ACME')
  const { keyId, apiKey } = await house.key('ACME', { bundle: 'VIEWER' })
  const uses: (string | null)[] = []
  house.engine.onCommitted((changes) => {
    for (const { next } of changes)
      if (ofKind(next, 'apiKey')?.context.keyId === keyId) uses.push(record(house, keyId).context.lastUsedAt)
  })
  const begin = house.clock.time
  for (let second = 0; second <= 150; second += 1) {
    house.clock.time = begin + second * 1000
    house.caller(apiKey)
  }
  const at = (seconds: number) => new Date(begin + seconds * 1000).toISOString()
  expect(uses).toEqual([at(0), at(60), at(120)])
  await house.restart()
  expect(record(house, keyId).context.lastUsedAt).toBe(at(120))
})

it('keeps a key and its disabled state through a restart, and never stores its secret', async () => {
  const house = await House.open()
  await house.organization('ACME')
  const activeKey = await house.key('ACME', { bundle: 'VIEWER' })
  const disabledKey = await house.key('ACME', { bundle: 'VIEWER' })
  const rotated = (await house.run(rotateApiKey, { keyId: activeKey.keyId, graceSeconds: 60 })) as { apiKey: string }
  await house.run(disableApiKey, { keyId: disabledKey.keyId })
  const before = await house.onDisk()
  await house.restart()
  expect(house.caller(activeKey.apiKey).organization).toBe('ACME')
  expect(house.caller(rotated.apiKey)).toMatchObject({
    organization: 'ACME',
    tenant: 'ACME',
    system: false,
    clusters: null,
  })
  expect(house.access.authenticate(disabledKey.apiKey)).toBe('invalid')
  for (const bytes of [before, await house.onDisk()]) {
    expect(bytes).toContain(activeKey.keyId)
    for (const { apiKey } of [activeKey, disabledKey, rotated]) expect(bytes).not.toContain(secretOf(apiKey))
  }
})

it('returns neither the secret of a key nor its stored digest', async () => {
  const house = await House.open()
  const { keyId, apiKey } = await house.key('SYSTEM', { bundle: 'VIEWER', clusters: ['CHAIN_DEVNET'] })
  await house.run(rotateApiKey, { keyId, graceSeconds: 60 })
  const model = apiKeyModel(record(house, keyId))
  expect(model).toMatchObject({
    keyId,
    name: 'k',
    organizationExternalId: 'SYSTEM',
    disabled: false,
    createdBy: house.root.keyId,
  })
  const { secretHash, previousSecretHash } = record(house, keyId).context
  for (const secret of [secretHash, previousSecretHash!, secretOf(apiKey)])
    expect(JSON.stringify(model)).not.toContain(secret)
})

it('keeps a rotated or disabled bootstrap key at later starts: its old secret stays invalid', async () => {
  const house = await House.open()
  const rotated = (await house.run(rotateApiKey, { keyId: house.root.keyId })) as { apiKey: string }
  expect(await house.restart()).toBe('unchanged')
  expect(house.access.authenticate(house.root.apiKey)).toBe('invalid')
  await house.run(disableApiKey, { keyId: house.root.keyId }, rotated.apiKey)
  expect(await house.restart()).toBe('unchanged')
  expect(house.access.authenticate(rotated.apiKey)).toBe('invalid')
  expect(await house.restart(generateApiKey(house.root.keyId))).toBe('disabled')
  const fresh = generateApiKey()
  expect(await house.restart(fresh)).toBe('created')
  expect(house.caller(fresh.apiKey).system).toBe(true)
})

it("does not adopt a bootstrap key with the id of a tenant's key", async () => {
  const house = await House.open()
  await house.organization('ACME')
  const { keyId, apiKey } = await house.key('ACME', { bundle: 'VIEWER' })
  await expect(house.restart(generateApiKey(keyId))).rejects.toThrow('another organization')
  expect(house.caller(apiKey).organization).toBe('ACME')
})

it('answers a replay without the secret, and creates one key per idempotency key', async () => {
  const house = await House.open()
  const input = { organizationExternalId: 'SYSTEM', name: 'k', bundle: 'VIEWER' as const }
  const idempotency = { key: 'once', digest: 'd' }
  const [first, meanwhile] = await Promise.all([
    house.run(createApiKey, input, undefined, { idempotency }),
    house.run(createApiKey, input, undefined, { idempotency }),
  ])
  await house.restart()
  const replay = await house.run(createApiKey, input, undefined, { idempotency })
  expect(Object.keys(first)).toEqual(['keyId', 'apiKey'])
  for (const answer of [meanwhile, replay]) expect(answer).toEqual({ keyId: first.keyId })
})

it('changes nothing in a dry run', async () => {
  const house = await House.open()
  const before = [...house.engine.directory.entries()].length
  const input = { organizationExternalId: 'SYSTEM', name: 'k', bundle: 'VIEWER' as const }
  expect(await verdict(() => house.run(createApiKey, input, undefined, { dryRun: true }))).toBe(
    '400 DRY_RUN_WITHOUT_TRANSACTION ',
  )
  expect([...house.engine.directory.entries()].length).toBe(before)
})
