// An address that another tenant onboarded and one that nobody did: whatever role it is named in, as it is or with `offPlatform`, meant or as
// a dry run, both get the same answer. One row for each endpoint and role.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { answerTo, ownOf, ROWS, type Own } from './fixtures/address-roles.ts'
import { addressOf } from './fixtures/addresses.ts'
import { startWorld, type World } from '../e2e/harness.ts'
import { SOL } from '../e2e/records.ts'
import { everythingSeenBy, newParty, type Party } from './fixtures/parties.ts'

let world: World
let asker: Party
let owner: Party
let own: Omit<Own, 'spare'>
let onboarded: string
let unknown: string

beforeAll(async () => {
  world = await startWorld()
  ;[asker, owner] = [await newParty(world, 'ASKER'), await newParty(world, 'OWNER')]
  own = await ownOf(asker)
  onboarded = (await owner.records.funded({}, SOL)).onchainId
  unknown = addressOf('nobody knows it')
  await world.chain.airdrop(unknown, SOL)
})
afterAll(() => world.stop())

/** Roles in which the exact address of another tenant's account may be named without `offPlatform`, and an unknown one may not. */
const PAID = ['destination', 'destination within limits', 'destination over limits', 'owner of the destination', 'position paid to', 'leg']

describe("14.11 attack 17: answers tell another tenant's address from an unknown one", () => {
  describe.each(ROWS)('$role of $method $path', (each) => {
    it.each([
      ['plain', {}, {}],
      ['offPlatform', { offPlatform: true }, {}],
      ['dry run', { offPlatform: true }, { 'Holdfast-Dry-Run': 'true' }],
    ] as const)('%s', async (title, members, headers) => {
      const about = (onchainId: string): Promise<unknown> => answerTo(each, { asker, own }, { onchainId, ...members }, headers)
      const answers = [await about(onboarded), await about(unknown)]
      if (title === 'plain' && PAID.includes(each.role)) expect(answers[1]).toMatchObject({ status: 400 })
      else expect(answers[0]).toEqual(answers[1])
    })
  })

  it('and their owner has heard of nothing', async () => {
    const seen = await everythingSeenBy(world, owner)
    expect(seen).not.toContain('ASKER')
    expect(seen).not.toContain('transaction.')
  })
})
