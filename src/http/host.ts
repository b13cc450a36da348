// Checks the Host header of a service on loopback, against DNS rebinding: a page of any site can make its own name
// resolve to this machine and let the browser send requests, which carry that name as Host. Skipped where other names
// are legitimate: beyond loopback, behind a proxy, and with TLS, because such a page has no certificate.
import type { IncomingMessage } from 'node:http'
import { isLoopbackHost } from '../config/networks.ts'
import type { HttpSettings } from './ports.ts'
import { frontRefusal } from './problem.ts'

/** Throws a Refusal (421 `HOST_NOT_ALLOWED`; 400 for a request of HTTP/1.1 without the header). */
export type HostCheck = (request: IncomingMessage) => void

export function hostCheck({ host, tls, trustedProxy }: Pick<HttpSettings, 'host' | 'tls' | 'trustedProxy'>): HostCheck {
  const takesEveryName = !isLoopbackHost(host) || tls !== null || trustedProxy.length > 0
  return ({ headers, httpVersion }) => {
    if (headers.host === undefined) {
      if (httpVersion === '1.1') throw frontRefusal(400, 'MALFORMED_REQUEST', 'the header Host is required')
      return
    }
    if (takesEveryName || isLoopbackHost(nameIn(headers.host))) return
    throw frontRefusal(421, 'HOST_NOT_ALLOWED', 'the Host header must name this machine: localhost, 127.0.0.1 or [::1]')
  }
}

/** Host name without port and brackets. */
function nameIn(host: string): string {
  const [, bracketed, plain = ''] = /^(?:\[([^\]]*)\]|([^:]*))(?::\d*)?$/.exec(host) ?? []
  return bracketed ?? plain
}
