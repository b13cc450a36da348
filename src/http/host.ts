// Checks the Host header of a service on loopback, against DNS rebinding: a page of any site can make its own name
// resolve to this machine and let the browser send requests, which carry that name as Host. Skipped where other names
// are legitimate: beyond loopback, behind a proxy, and with TLS, because such a page has no certificate.
import type { IncomingMessage } from 'node:http'
import { isLoopbackHost } from '../config/networks.ts'
import type { HttpSettings } from './ports.ts'
import { frontRefusal } from './problem.ts'

/** Throws a Refusal (421 `HOST_NOT_ALLOWED`). */
export type HostCheck = (request: IncomingMessage) => void

export function hostCheck({ host, tls, trustedProxy }: Pick<HttpSettings, 'host' | 'tls' | 'trustedProxy'>): HostCheck {
  if (!isLoopbackHost(host) || tls !== null || trustedProxy.length > 0) return () => undefined
  return ({ headers }) => {
    // Browsers always send a Host header.
    if (headers.host === undefined || isLoopbackHost(nameIn(headers.host))) return
    throw frontRefusal(421, 'HOST_NOT_ALLOWED', 'the Host header must name this machine: localhost, 127.0.0.1 or [::1]')
  }
}

/** Host name without port and brackets. */
function nameIn(host: string): string {
  const [, bracketed, plain = ''] = /^(?:\[([^\]]*)\]|([^:]*))(?::\d*)?$/.exec(host) ?? []
  return bracketed ?? plain
}
