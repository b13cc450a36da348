// Decides where a request of a client may go. The decision rests on resolved addresses, never on the host name, except
// for hosts that the operator has listed.
import { BlockList, isIP } from 'node:net'
import type { OutboundRule } from '../../../config/networks.ts'
import { isPublicAddress } from './public-address.ts'

export interface Address {
  readonly address: string
  readonly family: 4 | 6
}

/** Resolves a name to all of its addresses. */
export type Resolve = (hostname: string) => Promise<readonly Address[]>

/** The request is not allowed. The message states the rule and never an address. */
export class OutboundRefused extends Error {
  override readonly name = 'OutboundRefused'
}

/** Names of the local machine (RFC 6761), whether they resolve or not. */
const LOCAL = /(?:^|\.)localhost\.?$/
/**
 * One message for a name with private addresses and a name that does not resolve; different messages would reveal
 * internal names.
 */
const NOT_PUBLIC = 'the host is not on the public internet, or its name does not resolve'
const UNUSUAL = 'only https on its usual port is fetched'
const PORTS: Readonly<Record<string, number>> = { 'https:': 443, 'http:': 80 }

export class OutboundPolicy {
  readonly #hosts: ReadonlySet<string>
  readonly #networks = new BlockList()
  readonly #resolve: Resolve

  constructor(rules: readonly OutboundRule[], resolve: Resolve) {
    this.#resolve = resolve
    this.#hosts = new Set(rules.flatMap((rule) => (rule.kind === 'host' ? [`${rule.host}:${rule.port}`] : [])))
    for (const rule of rules)
      if (rule.kind === 'network') this.#networks.addSubnet(rule.address, rule.prefix, rule.family)
  }

  /**
   * The addresses to connect to. The caller must connect to these and not resolve the name again. Every address of the
   * name must be allowed, because the connection may use any of them.
   *
   * Throws OutboundRefused.
   */
  async addressesOf(url: URL): Promise<readonly [Address, ...Address[]]> {
    const port = PORTS[url.protocol]
    if (port === undefined) throw new OutboundRefused('only https is fetched')
    if (url.username !== '' || url.password !== '')
      throw new OutboundRefused('a URI with a user name or password is not fetched')
    const hostname = url.hostname.replace(/^\[(.*)\]$/, '$1').toLowerCase()
    const effective = url.port === '' ? port : Number(url.port)
    const listed = this.#hosts.has(`${hostname}:${effective}`)
    const [first, ...rest] = await this.#addresses(hostname)
    const usual = this.isUsual(url)
    const refusal = usual || listed ? NOT_PUBLIC : UNUSUAL
    if (first === undefined) throw new OutboundRefused(refusal)
    for (const { address } of listed ? [] : [first, ...rest]) {
      if (!this.#isListed(address) && !(usual && isPublicAddress(address))) throw new OutboundRefused(refusal)
    }
    return [first, ...rest]
  }

  /** True if the host is a name whose addresses are known only at the time of a request. */
  isName({ hostname }: URL): boolean {
    return isIP(hostname.replace(/^\[(.*)\]$/, '$1')) === 0 && !LOCAL.test(hostname)
  }

  /** True for https on its standard port, which needs no listing if the addresses are public. */
  isUsual({ protocol, port }: URL): boolean {
    return protocol === 'https:' && (port === '' || Number(port) === PORTS['https:'])
  }

  /** The URL parser has normalized every spelling of an IP address, so that resolvers never receive one. */
  async #addresses(hostname: string): Promise<readonly Address[]> {
    const family = isIP(hostname)
    if (family === 4 || family === 6) return [{ address: hostname, family }]
    try {
      return await this.#resolve(hostname)
    } catch {
      return []
    }
  }

  #isListed(address: string): boolean {
    const family = isIP(address)
    return family !== 0 && !address.includes('%') && this.#networks.check(address, family === 4 ? 'ipv4' : 'ipv6')
  }
}
