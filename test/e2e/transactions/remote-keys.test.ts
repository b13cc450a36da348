// A custodian key that two clients register at the same time belongs to one of them.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { CODE, Custodian } from '../../keys/custodian.ts'
import { startWorld, type World } from '../harness.ts'
import { LimitFixture } from '../limits/limit-fixture.ts'
import type { Problems } from '../models.ts'

const REMOTE = { location: ['REMOTE'], signer: CODE }

let world: World
let custodian: Custodian

beforeAll(async () => {
  custodian = await Custodian.start()
  const host = new URL(custodian.url).host
  world = await startWorld({ HOLDFAST_SIGNERS: custodian.setting, HOLDFAST_OUTBOUND_ALLOW: host })
  await world.records.feePayer()
})
afterAll(async () => {
  await world.stop()
  await custodian.stop()
})

it('is created once by concurrent requests, of one organization or of two', async () => {
  const fixture = new LimitFixture(world)
  const organization = await fixture.organization()
  const { api: other } = await fixture.person(organization, 'ADMIN')
  await world.records.with(other).feePayer()
  for (const [second, refusal] of [
    [world.api, [409, 'ALREADY_EXISTS']],
    [other, [400, 'REMOTE_KEY_REFUSED']],
  ] as const)
    for (const more of [{}, { seedLamports: '2000000' }]) {
      const privateKeyDetails = { ...REMOTE, publickKey: custodian.newKey() }
      const make = (api: typeof world.api) =>
        api.send<Problems>('POST', '/accounts', { privateKeyDetails, ...more }, {})
      const answers = await Promise.all([make(world.api), make(second)])
      expect(answers.map(({ status }) => status).sort(), JSON.stringify(answers)).toEqual([201, refusal[0]].sort())
      expect(answers.map(({ body }) => body.errors?.[0]?.code).filter((code) => code !== undefined)).toEqual([
        refusal[1],
      ])
      const reads = [...new Set([world.api, second])].map((api) =>
        api.send('POST', '/accounts/single', { onchainId: privateKeyDetails.publickKey }),
      )
      expect((await Promise.all(reads)).filter(({ status }) => status === 200)).toHaveLength(1)
    }
})
