// Webhooks of one tenant whose receivers never answer, beside one whose receiver does: no clock is turned, so nothing
// that is open ends.
import { describe, expect, it } from 'vitest'
import { deliveryShares } from '../../../src/operations/context/outbound/shares.ts'
import { DELIVERED, Post, type Target } from './post.ts'

const EVENTS = 100
const never: Target = () => new Promise(() => undefined)

/** Events of as many resources. */
function filled(post: Post): Post {
  for (let index = 0; index < EVENTS; index += 1) post.log.append(`resource ${index}`)
  return post
}

async function deliveredBeside(silent: readonly string[], organization: string): Promise<number> {
  const permits = deliveryShares(null)
  const open = silent.map((each, index) =>
    filled(new Post(never, { organization: each }, { id: `silent ${index}`, permits })),
  )
  for (const post of open) post.start()
  for (const post of open) await post.clock.rest()
  expect(open.reduce((sum, post) => sum + post.tried.length, 0)).toBeGreaterThan(0)
  const answering = filled(new Post(() => DELIVERED, { organization }, { id: 'answering', permits }))
  answering.start()
  await answering.clock.rest()
  for (const post of [...open, answering]) post.kill()
  return answering.arrived.length
}

describe('receivers that do not answer', () => {
  it('delay no webhook of another organization of the tenant, however many they are', async () => {
    expect(await deliveredBeside(Array<string>(100).fill('SIBLING'), 'OWN')).toBe(EVENTS)
  })

  it('delay no other webhook of their organization', async () => {
    expect(await deliveredBeside(Array<string>(6).fill('OWN'), 'OWN')).toBe(EVENTS)
  })

  it('of several organizations delay no further one', async () => {
    const silent = ['A', 'B', 'C', 'D'].flatMap((each) => Array<string>(100).fill(each))
    expect(await deliveredBeside(silent, 'OWN')).toBe(EVENTS)
  })
})

it('a webhook delivers to more resources at once while its target answers, and to one when it is silent', async () => {
  let isSilent = false
  const post = filled(new Post(() => (isSilent ? never({} as never, 1) : DELIVERED)))
  post.start()
  await post.clock.rest()
  expect(post.mostAtOnce).toBe(8)
  const before = post.tried.length
  isSilent = true
  filled(post)
  await post.clock.rest()
  expect(post.tried).toHaveLength(before + 8)
  post.kill()
  const restarted = filled(new Post(never))
  restarted.start()
  await restarted.clock.rest()
  expect(restarted.tried).toHaveLength(1)
  restarted.kill()
})
