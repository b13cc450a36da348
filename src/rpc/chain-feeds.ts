// Creates the feed of each cluster with its websocket URLs.
import { ChainFeed } from './chain-feed.ts'
import { systemClock } from '../time/clock.ts'
import { openWebSocket, socketUrlOf } from './socket.ts'

interface ClusterPlace {
  readonly id: string
  readonly endpoints: 'embedded' | readonly (string | { readonly url: string; readonly websocket?: string })[]
}

export interface FeedLog {
  warn(fields: object, message: string): void
}

/** By cluster id. A feed connects only when its first account or signature is watched. */
export function chainFeedsOf(
  clusters: readonly ClusterPlace[],
  embeddedUrl: string,
  log: FeedLog,
): Map<string, ChainFeed> {
  return new Map(
    clusters.map(({ id, endpoints }) => {
      const urls = endpoints === 'embedded' ? [embeddedUrl] : endpoints.map(socketOf)
      const notice = (message: string): void => log.warn({ cluster: id }, message)
      return [id, new ChainFeed({ urls, clock: systemClock, open: openWebSocket, notice })]
    }),
  )
}

function socketOf(endpoint: string | { readonly url: string; readonly websocket?: string }): string {
  return typeof endpoint === 'string' ? socketUrlOf(endpoint) : (endpoint.websocket ?? socketUrlOf(endpoint.url))
}
