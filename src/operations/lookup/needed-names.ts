// Collects the names that a request looks for, so that those of other cells are fetched in one go before it begins.
import type { RecordIndex } from '../../engine/index/record-index.ts'
import { addressKey, closedAddressKey, escrowKey, idKey } from '../../engine/index/index-keys.ts'

/** Throws `NotAtHand`. Does nothing while there is one cell. */
export function needNamed(directory: RecordIndex, cluster: string, input: unknown): void {
  directory.need(() => {
    const keys = new Set<string>()
    collect(input, (member, value) => {
      if (member === 'onchainId')
        for (const keyOf of [closedAddressKey, addressKey, escrowKey]) keys.add(keyOf(cluster, value))
      else if (member === 'offchainId' && directory.resident(value) === undefined) keys.add(idKey(value))
    })
    return [...keys]
  })
}

/** Throws `NotAtHand` for records at the addresses. Does nothing while there is one cell. */
export function needAddresses(directory: RecordIndex, cluster: string, addresses: Iterable<string>): void {
  directory.need(() => [...new Set(addresses)].map((address) => addressKey(cluster, address)))
}

function collect(value: unknown, take: (member: string, value: string) => void): void {
  if (typeof value !== 'object' || value === null) return
  for (const [member, each] of Object.entries(value)) {
    if (typeof each === 'string') take(member, each)
    else collect(each, take)
  }
}
