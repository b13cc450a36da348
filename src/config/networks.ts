// Parsers for network addresses: CIDR ranges, and host:port.
import { isIP } from 'node:net'
import type { Parser } from './parse.ts'

export interface Network {
  /** In the form of `net.BlockList.addSubnet`. */
  readonly address: string
  readonly prefix: number
  readonly family: 'ipv4' | 'ipv6'
}

export type OutboundRule =
  | ({ readonly kind: 'network' } & Network)
  | {
      readonly kind: 'host'
      /** Lower case; IPv6 addresses without brackets. */ readonly host: string
      readonly port: number
    }

function networkOf(text: string): Network | null {
  const slash = text.indexOf('/')
  const address = slash < 0 ? text : text.slice(0, slash)
  const version = isIP(address)
  if (version === 0 || address.includes('%')) return null
  const widest = version === 4 ? 32 : 128
  const digits = slash < 0 ? String(widest) : text.slice(slash + 1)
  if (!/^\d{1,3}$/.test(digits) || Number(digits) > widest) return null
  return { address, prefix: Number(digits), family: version === 4 ? 'ipv4' : 'ipv6' }
}

/** `10.0.0.0/8`, `fd00::/8`, or a single address. */
export const network: Parser<Network> = (text) => {
  const found = networkOf(text)
  if (found === null) throw new Error(`must list IP addresses or CIDR ranges, not "${text}"`)
  return found
}

/** `host:port`, `[v6]:port` or a CIDR range. An address without port or prefix is rejected as ambiguous. */
export const outboundRule: Parser<OutboundRule> = (text) => {
  const range = text.includes('/') ? networkOf(text) : null
  if (range !== null) return { kind: 'network', ...range }
  const match = /^(?:\[([0-9A-Fa-f:.]+)\]|([A-Za-z0-9_](?:[A-Za-z0-9_.-]*[A-Za-z0-9_])?)):(\d{1,5})$/.exec(text)
  const port = Number(match?.[3])
  const host = (match?.[1] ?? match?.[2] ?? '').toLowerCase()
  const wrongBrackets = match?.[1] !== undefined && isIP(host) !== 6
  if (!(port >= 1 && port <= 65_535) || wrongBrackets)
    throw new Error(`must list host:port or CIDR ranges, not "${text}"`)
  return { kind: 'host', host, port }
}

/** Whether a server listening on this host is reachable from this machine only. */
export function isLoopbackHost(host: string): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|::1)$/i.test(host)
}
