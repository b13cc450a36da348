// Determines the client address of a request: the peer, or what a trusted proxy reports.
import type { IncomingMessage } from 'node:http'
import { BlockList, isIP } from 'node:net'
import { forwardedClientOf } from './forwarded.ts'
import type { HttpSettings } from './ports.ts'

const LOOPBACK = new BlockList()
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4')
LOOPBACK.addAddress('::1', 'ipv6')

/**
 * True if the client is on this host. A forwarded request counts as remote unless a trusted proxy reports otherwise.
 */
export function isLocal(request: IncomingMessage, trusted: BlockList): boolean {
  const { 'x-forwarded-for': forwarded, forwarded: other } = request.headers
  if (other !== undefined || (forwarded !== undefined && !contains(trusted, request.socket.remoteAddress ?? '')))
    return false
  return contains(LOOPBACK, clientAddress(request, trusted))
}

/**
 * The client address: what another node saw, the peer's, or behind trusted proxies the last forwarded address that is
 * not a trusted proxy.
 */
export function clientAddress(request: IncomingMessage, trusted: BlockList): string {
  const seen = forwardedClientOf(request)
  if (seen !== undefined) return seen
  const peer = request.socket.remoteAddress ?? ''
  const forwarded = request.headers['x-forwarded-for']
  if (forwarded === undefined || !contains(trusted, peer)) return peer
  const hops = String(forwarded)
    .split(',')
    .map((hop) => hop.trim())
  return hops.findLast((hop) => !contains(trusted, hop)) ?? hops[0] ?? ''
}

export function trustedProxies(settings: Pick<HttpSettings, 'trustedProxy'>): BlockList {
  const list = new BlockList()
  for (const { address, prefix, family } of settings.trustedProxy) list.addSubnet(address, prefix, family)
  return list
}

function contains(list: BlockList, address: string): boolean {
  const version = isIP(address)
  return version !== 0 && list.check(address, version === 4 ? 'ipv4' : 'ipv6')
}
