// The names in a request are fetched from other cells together, before it begins. A service with one cell fetches
// nothing.
import { describe, expect, it } from 'vitest'
import { Directory } from '../../../src/engine/index/directory.ts'
import {
  addressKey,
  closedAddressKey,
  escrowKey,
  idKey,
  organizationKey,
} from '../../../src/engine/index/index-keys.ts'
import { OtherRecords } from '../../../src/engine/index/other-records.ts'
import { toEnvelope } from '../../../src/engine/records/codec.ts'
import { Entry } from '../../../src/engine/records/entry.ts'
import type { RecordState } from '../../../src/engine/records/record.ts'
import { needOwners } from '../../../src/operations/lookup/signing-requests.ts'
import { needAddresses, needNamed } from '../../../src/operations/lookup/request-records.ts'
import { NotAtHand } from '../../../snapshots/not-at-hand.ts'
import type { Envelope } from '../../../snapshots/store.ts'
import { account } from '../../machines/records.ts'

const C = 'CHAIN_DEVNET'
/** Address of an account of a tenant of another cell. */
const STRANGER = 'stranger'
const BODY = {
  itemData: {
    source: { offchainId: 'own' },
    legs: [{ destination: { onchainId: 'a' } }, { destination: { offchainId: 'other', onchainId: 'b' } }, null],
    lamports: 5,
    memo: 'onchainId',
  },
}

/** @param cells the number of cells of the service */
function directoryOf(cells: number): { readonly directory: Directory; readonly fetched: Set<string> } {
  const fetched = new Set<string>()
  const of = (name: string): readonly Envelope[] => {
    if (!fetched.has(name)) throw new NotAtHand([{ read: 'name', name }])
    return name === addressKey(C, STRANGER) ? [toEnvelope(accountOf('THEIRS', 'theirs'))] : []
  }
  const directory = new Directory(
    undefined,
    new OtherRecords({
      hasNeighbours: () => cells > 1,
      of,
      under: () => Promise.resolve([]),
      listed: () => Promise.resolve({ names: [], count: 0 }),
    }),
  )
  const state = accountOf('MINE', 'own')
  const entry = new Entry(state, state, undefined)
  directory.moved(entry, undefined, state)
  return { directory, fetched }
}

function accountOf(tenant: string, id: string): RecordState {
  const place = { kind: 'account', tenant, cluster: C, id, revision: 1, value: 'active' } as const
  return { ...place, context: { ...account, organization: tenant } }
}

/** The names that the work lacks at its first attempt. */
function lackedBy(work: () => void): readonly unknown[] {
  try {
    work()
    return []
  } catch (error) {
    if (!(error instanceof NotAtHand)) throw error
    return error.keys.map((key) => (key as { readonly name: string }).name)
  }
}

describe('the names that a request looks up', () => {
  it('are requested together: each address and id of another cell', () => {
    const { directory, fetched } = directoryOf(2)
    const asks = (): void => needNamed(directory, C, BODY)
    const names = lackedBy(asks)
    const ofAddress = (address: string): string[] => [
      closedAddressKey(C, address),
      addressKey(C, address),
      escrowKey(C, address),
    ]
    expect(names).toEqual([...ofAddress('a'), idKey('other'), ...ofAddress('b')])
    for (const name of names) fetched.add(String(name))
    expect(lackedBy(asks)).toEqual([])
  })

  it('include all accounts of a message, once each', () => {
    const { directory } = directoryOf(2)
    expect(lackedBy(() => needAddresses(directory, C, ['a', 'b', 'a']))).toEqual([
      addressKey(C, 'a'),
      addressKey(C, 'b'),
    ])
  })

  it('are not requested in a service with one cell', () => {
    const { directory } = directoryOf(1)
    const body = new Proxy(BODY, { ownKeys: () => expect.unreachable() })
    expect(lackedBy(() => needNamed(directory, C, body))).toEqual([])
    expect(lackedBy(() => needAddresses(directory, C, new Proxy([], { get: () => expect.unreachable() })))).toEqual([])
  })
})

describe('the organizations that can receive a signature request', () => {
  it('take the same work for an address of another tenant as for an unknown one', () => {
    const { directory, fetched } = directoryOf(2)
    const call = { cluster: C, tenant: 'MINE', organization: 'MINE' }
    const namesFor = (address: string): readonly (readonly unknown[])[] => {
      const rounds: (readonly unknown[])[] = []
      for (;;) {
        const lacked = lackedBy(() => needOwners(directory, call, [address]))
        if (lacked.length === 0) return rounds
        rounds.push(lacked)
        for (const name of lacked) fetched.add(String(name))
      }
    }
    expect(namesFor(STRANGER)).toEqual([[addressKey(C, STRANGER)], [organizationKey('THEIRS')]])
    expect(namesFor('nobody')).toEqual([[addressKey(C, 'nobody')], [organizationKey('nobody')]])
  })
})
