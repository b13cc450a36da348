// Periodic refresh of pages that show a current state.
import { useEffect, useState } from 'preact/hooks'
import { EventFeed } from './event-feed.ts'
import { useLoaded, type Loaded } from './loading.tsx'

const REFRESH_MS = 15_000
/** Delay after an event, and least interval. */
const SETTLE_MS = 4_000

/**
 * Goes up when the page should be refreshed: at intervals while it is visible, and soon after an event.
 */
export function useRounds(): number {
  const [round, setRound] = useState(0)
  useEffect(() => {
    let soon: ReturnType<typeof setTimeout> | undefined
    const refresh = (): void => {
      soon = undefined
      if (document.visibilityState === 'visible') setRound((number) => number + 1)
    }
    const regularly = setInterval(refresh, REFRESH_MS)
    const stop = EventFeed.listen((event) => {
      if (event !== null) soon ??= setTimeout(refresh, SETTLE_MS)
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
