// Creates the feed of each cluster with its websocket URLs.
import { ChainFeed, type Feed } from './chain-feed.ts'
import { systemClock } from '../time/clock.ts'
import type { SharedFeeds } from './shared-feeds.ts'
import { openWebSocket, socketUrlOf } from './socket.ts'

interface ClusterPlace {
  readonly id: string
  readonly endpoints: 'embedded' | readonly (string | { readonly url: string; readonly websocket?: string })[]
}

export interface FeedLog {
  warn(fields: object, message: string): void
}

interface FeedOptions {
  /** Websocket of the embedded chain. */
  readonly embeddedUrl: string
  /** Feeds of the process, shared by all its cells. Absent: the caller has feeds of its own. */
  readonly shared: SharedFeeds | undefined
  readonly log: FeedLog
}

/** By cluster id. A feed connects only when its first account or signature is watched. */
export function chainFeedsOf(
  clusters: readonly ClusterPlace[],
  { embeddedUrl, shared, log }: FeedOptions,
): Map<string, Feed> {
  return new Map(
    clusters.map(({ id, endpoints }) => {
      const urls = endpoints === 'embedded' ? [embeddedUrl] : endpoints.map(socketOf)
      const notice = (message: string): void => log.warn({ cluster: id }, message)
      const open = (): ChainFeed => new ChainFeed({ urls, clock: systemClock, open: openWebSocket, notice })
      return [id, shared?.open(id, open) ?? open()]
    }),
  )
}

function socketOf(endpoint: string | { readonly url: string; readonly websocket?: string }): string {
  return typeof endpoint === 'string' ? socketUrlOf(endpoint) : (endpoint.websocket ?? socketUrlOf(endpoint.url))
}
