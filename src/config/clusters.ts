// Parses HOLDFAST_CLUSTERS: the clusters of the service. RPC URLs often contain a provider's key, so they are never
// quoted.
import { jsonValue, type Parser } from './parse.ts'

export const CLUSTER_IDS = [
  'CHAIN_DEVNET',
  'CHAIN_DEVNET_1',
  'CHAIN_MAINNET_TESTING',
  'CHAIN_MAINNET',
  'CHAIN_PERMISSIONED',
] as const
export type ClusterId = (typeof CLUSTER_IDS)[number]

/**
 * A URL of weight 1, or a URL with a weight: its share of the queries relative to the others. `websocket`: URL of its
 * subscriptions, if not the conventional one.
 */
export type EndpointSetting = string | { readonly url: string; readonly weight: number; readonly websocket?: string }

export interface ClusterSetting {
  readonly id: ClusterId
  /** The embedded chain, or at least one RPC endpoint. */
  readonly endpoints: 'embedded' | readonly EndpointSetting[]
  /** The least time that it takes for a block, milliseconds; absent: as usual. The embedded chain has its own. */
  readonly minSlotMs?: number
  /** Most requests per second that send transactions, each with a batch of them; absent: as usual. */
  readonly ratePerSecond?: number
}

const MAX_WEIGHT = 1_000
const MAX_MIN_SLOT_MS = 60_000
const MAX_RATE_PER_SECOND = 10_000

function clusterId(text: string): ClusterId {
  const found = CLUSTER_IDS.find((id) => id === text)
  if (found === undefined) {
    // If the two sides of an entry are swapped, the URL must not appear in a log.
    const shown = /^\w{1,64}$/.test(text) ? ` "${text}"` : ''
    throw new Error(`names an unknown cluster${shown}; known are ${CLUSTER_IDS.join(', ')}`)
  }
  return found
}

function isRpcUrl(value: unknown): value is string {
  if (typeof value !== 'string' || !URL.canParse(value)) return false
  return /^https?:$/.test(new URL(value).protocol)
}

function endpointsOf(id: string, value: unknown): 'embedded' | readonly EndpointSetting[] {
  if (value === 'embedded') return value
  const endpoints: unknown[] = Array.isArray(value) ? value.map((entry) => listedEndpoint(id, entry)) : [value]
  const alone = !Array.isArray(value) && typeof value !== 'string'
  if (alone || endpoints.length === 0 || !endpoints.every(isEndpoint)) {
    throw new Error(`must give "embedded", an http(s) URL, or a list of http(s) URLs and {"url","weight"} for ${id}`)
  }
  const urls = endpoints.map((endpoint) => new URL(typeof endpoint === 'string' ? endpoint : endpoint.url).href)
  if (new Set(urls).size < urls.length) throw new Error(`must name each endpoint of ${id} once`)
  return endpoints
}

/**
 * An object in a list becomes an endpoint with its weight; anything else is returned unchanged. Throws on an invalid
 * member.
 */
function listedEndpoint(id: string, entry: unknown): unknown {
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) return entry
  const { url, weight = 1, websocket, ...others } = entry as Record<string, unknown>
  if (Object.keys(others).length > 0)
    throw new Error(`must give endpoints of ${id} no members other than "url", "weight" and "websocket"`)
  if (typeof weight !== 'number' || !(weight > 0 && weight <= MAX_WEIGHT)) {
    throw new Error(`must give weights above 0 and at most ${MAX_WEIGHT} for ${id}`)
  }
  if (websocket === undefined) return { url, weight }
  if (typeof websocket !== 'string' || !URL.canParse(websocket) || !/^wss?:$/.test(new URL(websocket).protocol))
    throw new Error(`must give a ws or wss URL as "websocket" for ${id}`)
  return { url, weight, websocket }
}

function isEndpoint(value: unknown): value is EndpointSetting {
  return isRpcUrl(typeof value === 'object' && value !== null ? (value as { url?: unknown }).url : value)
}

/** The value of a cluster: its endpoints, or an object with `endpoints` and further settings. */
function clusterOf(id: ClusterId, value: unknown): ClusterSetting {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { id, endpoints: endpointsOf(id, value) }
  }
  const { endpoints, minSlotMs, ratePerSecond, ...others } = value as Record<string, unknown>
  if (Object.keys(others).length > 0) {
    throw new Error(`must give ${id} no members other than "endpoints", "minSlotMs" and "ratePerSecond"`)
  }
  if (!isNumberUpTo(minSlotMs, MAX_MIN_SLOT_MS)) {
    throw new Error(`must give "minSlotMs" from 1 to ${MAX_MIN_SLOT_MS} for ${id}`)
  }
  if (!isNumberUpTo(ratePerSecond, MAX_RATE_PER_SECOND) || !Number.isInteger(ratePerSecond ?? 1)) {
    throw new Error(`must give a whole "ratePerSecond" from 1 to ${MAX_RATE_PER_SECOND} for ${id}`)
  }
  return {
    id,
    endpoints: endpointsOf(id, endpoints),
    ...(minSlotMs === undefined ? {} : { minSlotMs }),
    ...(ratePerSecond === undefined ? {} : { ratePerSecond }),
  }
}

function isNumberUpTo(value: unknown, max: number): value is number | undefined {
  return value === undefined || (typeof value === 'number' && value >= 1 && value <= max)
}

/** In the order of the text: the first cluster is the default of every request. */
export const clusters: Parser<readonly ClusterSetting[]> = (text) => {
  const value = jsonValue(text)
  const entries = typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : []
  if (entries.length === 0) throw new Error('must be a JSON object from cluster id to "embedded" or RPC URL(s)')
  return entries.map(([id, endpoints]) => clusterOf(clusterId(id), endpoints))
}
