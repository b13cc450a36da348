// Periodic refresh of pages that show a current state.
import { useEffect, useState } from 'preact/hooks'
import { EventFeed } from './event-feed.ts'
import { useLoaded, type Loaded } from './loading.tsx'

const LOOK_AGAIN_MS = 15_000
/** Delay after an event, and least interval. */
const SETTLE_MS = 4_000

/**
 * Goes up when it is time to look again: now and then while the page is looked at, and soon after something has
 * happened.
 */
export function useRounds(): number {
  const [round, setRound] = useState(0)
  useEffect(() => {
    let soon: ReturnType<typeof setTimeout> | undefined
    const look = (): void => {
      soon = undefined
      if (document.visibilityState === 'visible') setRound((number) => number + 1)
    }
    const regularly = setInterval(look, LOOK_AGAIN_MS)
    const stop = EventFeed.listen((event) => {
      if (event !== null) soon ??= setTimeout(look, SETTLE_MS)
    })
    return () => {
      clearInterval(regularly)
      clearTimeout(soon)
      stop()
    }
  }, [])
  return round
}

/** Requested again with each round; the former value stays on the page meanwhile. */
export function useRound<T>(key: string, round: number, load: (signal: AbortSignal) => Promise<T>): Loaded<T> {
  const loaded = useLoaded(key, load)
  useEffect(() => {
    if (round > 0) loaded.again()
  }, [round])
  return loaded
}
