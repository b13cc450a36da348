// Decides which addresses belong to the public internet, by the IANA special-purpose registries. An address that cannot
// be classified counts as not public.
import { BlockList, isIP } from 'node:net'

const SPECIAL_V4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]
/** The only IPv6 range for public unicast. Tunnels and documentation ranges inside it are excluded. */
const GLOBAL_V6 = ['2000::/3']
const SPECIAL_V6 = ['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20']

const special = listOf(SPECIAL_V4, 'ipv4')
const global = listOf(GLOBAL_V6, 'ipv6')
const specialV6 = listOf(SPECIAL_V6, 'ipv6')

/** True for public unicast. Text that is not a plain IP address (for example one with a zone) is not public. */
export function isPublicAddress(address: string): boolean {
  if (address.includes('%')) return false
  switch (isIP(address)) {
    case 4:
      return !special.check(address, 'ipv4')
    case 6:
      return global.check(address, 'ipv6') && !specialV6.check(address, 'ipv6')
    default:
      return false
  }
}

function listOf(ranges: readonly string[], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList()
  for (const range of ranges) {
    const [address = '', prefix = ''] = range.split('/')
    list.addSubnet(address, Number(prefix), family)
  }
  return list
}
