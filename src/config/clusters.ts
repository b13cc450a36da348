// HOLDFAST_CLUSTERS: which networks the service works on. RPC URLs often carry a provider's key: they are never quoted.
import type { Parser } from './parse.ts'

export const CLUSTER_IDS = ['CHAIN_DEVNET', 'CHAIN_DEVNET_1', 'CHAIN_MAINNET_TESTING', 'CHAIN_MAINNET', 'CHAIN_PERMISSIONED'] as const
export type ClusterId = (typeof CLUSTER_IDS)[number]

export interface ClusterSetting {
  readonly id: ClusterId
  /** The embedded chain, or RPC URLs in order of preference, at least one. */
  readonly endpoints: 'embedded' | readonly string[]
}

function clusterId(text: string): ClusterId {
  const found = CLUSTER_IDS.find((id) => id === text)
  if (found === undefined) {
    // Whoever swaps the two sides of an entry must not find the URL in a log.
    const shown = /^\w{1,64}$/.test(text) ? ` "${text}"` : ''
    throw new Error(`names an unknown cluster${shown}; known are ${CLUSTER_IDS.join(', ')}`)
  }
  return found
}

function isRpcUrl(value: unknown): value is string {
  if (typeof value !== 'string' || !URL.canParse(value)) return false
  return /^https?:$/.test(new URL(value).protocol)
}

function endpointsOf(id: string, value: unknown): 'embedded' | readonly string[] {
  if (value === 'embedded') return value
  const urls: unknown[] = Array.isArray(value) ? value : [value]
  if (urls.length === 0 || !urls.every(isRpcUrl)) {
    throw new Error(`must give "embedded", an http(s) URL or a list of http(s) URLs for ${id}`)
  }
  return urls
}

/** In the order of the text: the first is the default of every request. */
export const clusters: Parser<readonly ClusterSetting[]> = (text) => {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    value = null
  }
  const entries = typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : []
  if (entries.length === 0) throw new Error('must be a JSON object from cluster id to "embedded" or RPC URL(s)')
  return entries.map(([id, endpoints]) => ({ id: clusterId(id), endpoints: endpointsOf(id, endpoints) }))
}
