// How often changed accounts are looked at, with a clock that the test turns.
import { expect, it } from 'vitest'
import { NetworkListener } from '../../../src/operations/background/listener.ts'
import type { Platform } from '../../../src/operations/context/platform.ts'
import { TurnedClock } from '../webhooks/turned-clock.ts'

it('follows its pace, which falls when further cells share the limits of the cluster', async () => {
  const clock = new TurnedClock()
  const turns: number[] = []
  // No record has the address, so a turn ends with the search for its records.
  const ownAtAddress = (): [] => {
    turns.push(clock.elapsed())
    return []
  }
  const platform = { engine: { onCommitted: () => undefined, directory: { ownAtAddress } } } as unknown as Platform
  const pace = { questionsPerSecond: 10, subscribedAccounts: 1 }
  const feed = { standing: 0, watch: () => undefined, forget: () => undefined, close: () => undefined }
  let hear: (address: string, slot: number) => void = () => undefined
  const listener = new NetworkListener(platform, 'CHAIN_DEVNET', (listen) => ((hear = listen), feed), {
    ...{ pace, clock },
    log: { warn: () => undefined },
  })
  const start = clock.elapsed()
  for (const questionsPerSecond of [10, 10, 1]) {
    pace.questionsPerSecond = questionsPerSecond
    hear('address', 0)
    await clock.turn()
  }
  expect(turns).toEqual([start, start + 100, start + 1_100])
  await listener.stop()
})
