// Opens the account feed of each cluster at its websocket URLs.
import { AccountFeed } from './account-feed.ts'
import { systemClock } from '../time/clock.ts'
import { openWebSocket, socketUrlOf } from './socket.ts'

interface ClusterPlace {
  readonly id: string
  readonly endpoints: 'embedded' | readonly (string | { readonly url: string; readonly websocket?: string })[]
}

type Open = (hear: (address: string, slot: number, value?: unknown) => void) => AccountFeed

export interface FeedLog {
  warn(fields: object, message: string): void
}

/** By cluster id. A feed connects only when its first account is watched. */
export function accountFeedsOf(clusters: readonly ClusterPlace[], embeddedUrl: string, log: FeedLog): Map<string, Open> {
  return new Map(
    clusters.map(({ id, endpoints }) => {
      const urls = endpoints === 'embedded' ? [embeddedUrl] : endpoints.map(socketOf)
      const notice = (message: string): void => log.warn({ cluster: id }, message)
      return [id, (hear) => new AccountFeed({ urls, clock: systemClock, open: openWebSocket, hear, notice })]
    }),
  )
}

function socketOf(endpoint: string | { readonly url: string; readonly websocket?: string }): string {
  return typeof endpoint === 'string' ? socketUrlOf(endpoint) : (endpoint.websocket ?? socketUrlOf(endpoint.url))
}
