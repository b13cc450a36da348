// The Host header of a service that listens on loopback. A page of any site can make its own name mean this machine (DNS rebinding) and have the
// browser of whoever sits here send requests to it; they carry that name as Host. Not asked where the service is meant to be reached by other
// names: beyond loopback, behind a proxy, and with a certificate, which such a page cannot have.
import type { IncomingMessage } from 'node:http'
import { isLoopbackHost } from '../config/networks.ts'
import type { HttpSettings } from './ports.ts'
import { refuse } from './problem.ts'

/** Throws a Refusal (421 `HOST_NOT_ALLOWED`). */
export type HostCheck = (request: IncomingMessage) => void

export function hostCheck({ host, tls, trustedProxy }: Pick<HttpSettings, 'host' | 'tls' | 'trustedProxy'>): HostCheck {
  if (!isLoopbackHost(host) || tls !== null || trustedProxy.length > 0) return () => undefined
  return ({ headers }) => {
    // Browsers always send one.
    if (headers.host === undefined || isLoopbackHost(nameIn(headers.host))) return
    throw refuse(421, 'HOST_NOT_ALLOWED', 'the Host header must name this machine: localhost, 127.0.0.1 or [::1]')
  }
}

/** Without port and brackets. */
function nameIn(host: string): string {
  const [, bracketed, plain = ''] = /^(?:\[([^\]]*)\]|([^:]*))(?::\d*)?$/.exec(host) ?? []
  return bracketed ?? plain
}
