// A tenant of another cell, followed by readings that are answered late or not at all.
import { expect, it } from 'vitest'
import { CommitFollower } from '../../src/engine/following.ts'
import type { Envelope } from '../../snapshots/store.ts'
import { HandClock } from '../nodes/hand-clock.ts'

interface Reading {
  readonly head: number
  readonly records: readonly Envelope[]
}

const POLL_MS = 100
const recordAt = (head: number): Envelope => ({ id: `as of ${head}` }) as unknown as Envelope

function followed() {
  const clock = new HandClock()
  /** What the database has, and whether it answers polls. */
  const database = { head: 5, answersPolls: true }
  const waiting: ((reading: Reading) => void)[] = []
  const applied: string[] = []
  const said: number[] = []
  const asked: number[] = []
  const follower = new CommitFollower({
    read: (after, now) => {
      asked.push(after)
      if (!now && !database.answersPolls) return new Promise<Reading>((resolve) => void waiting.push(resolve))
      const { head } = database
      return Promise.resolve({ head, records: head > after ? [recordAt(head)] : [] })
    },
    apply: (records) => void applied.push(...records.map(({ id }) => id)),
    acknowledge: (head) => Promise.resolve(void said.push(head)),
    clock,
    onPollFailed: (error) => {
      throw error
    },
  })
  return { clock, database, waiting, applied, said, asked, follower }
}

it('catches up without waiting for a poll that gets no answer, and is not set back by its late answer', async () => {
  const { clock, database, waiting, applied, said, asked, follower } = followed()
  await follower.begin()
  database.answersPolls = false
  await clock.pass(POLL_MS)
  expect(waiting).toHaveLength(1)
  database.head = 7
  await follower.catchUp()
  expect([applied, said]).toEqual([
    ['as of 5', 'as of 7'],
    [5, 7],
  ])
  waiting[0]!({ head: 6, records: [recordAt(6)] })
  database.answersPolls = true
  await clock.pass(POLL_MS)
  expect([applied.at(-1), said.at(-1), asked.at(-1)]).toEqual(['as of 7', 7, 7])
  database.head = 8
  await clock.pass(POLL_MS)
  expect([applied.at(-1), said.at(-1)]).toEqual(['as of 8', 8])
  await follower.stop()
})

it('applies what a poll shows that was overtaken, if it shows more', async () => {
  const { clock, database, waiting, applied, said, asked, follower } = followed()
  await follower.begin()
  database.answersPolls = false
  await clock.pass(POLL_MS)
  database.head = 6
  await follower.catchUp()
  waiting[0]!({ head: 7, records: [recordAt(7)] })
  database.answersPolls = true
  database.head = 7
  await clock.pass(POLL_MS)
  expect([applied, said, asked.at(-1)]).toEqual([['as of 5', 'as of 6', 'as of 7'], [5, 6, 7], 7])
  await follower.stop()
})

it('applies nothing once it has stopped', async () => {
  const { database, applied, follower } = followed()
  await follower.begin()
  await follower.stop()
  database.head = 6
  await follower.catchUp()
  expect(applied).toEqual(['as of 5'])
})
