// SIGKILL of a real writer at random instants: acknowledged commits exist, whole, and no commit exists in part. (A kill
// keeps the page cache, so a missing sync is found elsewhere: every batch is observed for `sync`, and the simulated
// disk loses unsynced data.)

import { expect, it } from 'vitest'
import { openStore } from '../../snapshots/level-store.ts'
import { startWriter } from './child.ts'
import { scratch } from './scratch.ts'
import { wholeCommits, within } from './units.ts'

const ROUNDS = 8
const MAX_LINES = 1_500

it('loses nothing acknowledged to repeated kills of one database', async () => {
  const path = scratch()
  const acknowledged = new Set<number>()
  for (let round = 0; round < ROUNDS; round += 1) {
    const writer = startWriter('forever', path, Math.max(-1, ...acknowledged) + 100)
    await writer.said(1 + Math.floor(Math.random() * MAX_LINES))
    await writer.kill()
    for (const n of writer.acknowledged) acknowledged.add(n)
    const store = await openStore({
      path,
      onFatal: (error) => {
        throw error
      },
    })
    expect(within(acknowledged, await wholeCommits(store))).toBe(true)
    await store.close()
  }
})
