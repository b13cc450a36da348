// The records that a request reads again are those of the directory, for any changes between two reads; and each is
// read from the directory once.
import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { Directory } from '../../../src/engine/index/directory.ts'
import { addressKey, closedAddressKey, feePayerKey, globalFeePayerKey } from '../../../src/engine/index/index-keys.ts'
import { OtherRecords } from '../../../src/engine/index/other-records.ts'
import { toEnvelope } from '../../../src/engine/records/codec.ts'
import { Entry } from '../../../src/engine/records/entry.ts'
import type { RecordIndex } from '../../../src/engine/index/record-index.ts'
import type { RecordState } from '../../../src/engine/records/record.ts'
import { RequestRecords } from '../../../src/operations/lookup/request-records.ts'
import type { Envelope } from '../../../snapshots/store.ts'
import { account } from '../../machines/records.ts'

const CLUSTERS = ['C', 'D']
const WORDS = ['x', 'y']
const IDS = ['1', '2', '3']
const word = fc.constantFrom(...WORDS)

const state = fc
  .record({
    id: fc.constantFrom(...IDS),
    tenant: word,
    cluster: fc.constantFrom(...CLUSTERS),
    address: word,
    organization: word,
    value: fc.constantFrom('active', 'closed'),
    canPayFees: fc.boolean(),
    grants: fc.option(fc.uniqueArray(word)),
    frozen: fc.boolean(),
  })
  .map(({ id, tenant, cluster, value, address, organization, canPayFees, grants, frozen }) => ({
    ...{ kind: 'account', id, tenant, cluster, value, revision: 1 },
    context: {
      ...{ ...account, address, organization, canPayFees, globalFeePayerForOrgs: grants },
      frozenByOperator: frozen,
    },
  })) as unknown as fc.Arbitrary<RecordState>

/** Adds, changes or, with `null`, removes the record, as a unit of work does. */
function change(directory: Directory, entries: Map<string, Entry>, next: RecordState | string): void {
  const id = typeof next === 'string' ? next : next.id
  const knownEntry = entries.get(id)
  const previous = knownEntry?.head
  if (typeof next === 'string') {
    if (knownEntry === undefined) return
    directory.moved(knownEntry, previous, undefined)
    entries.delete(id)
    return
  }
  // A record stays in its cluster and tenant.
  const after = previous === undefined ? next : { ...next, tenant: previous.tenant, cluster: previous.cluster }
  const entry = knownEntry ?? new Entry(after, undefined, undefined)
  entry.head = after
  entries.set(id, entry)
  directory.moved(entry, previous, after)
}

/** Every result, in the order of the reads. */
function answers(records: RecordIndex): unknown[] {
  const ofAddresses = CLUSTERS.flatMap((cluster) =>
    WORDS.flatMap((address) => [
      records.ownAtAddress(cluster, address),
      records.atAddress(cluster, address),
      records.findOwn(closedAddressKey(cluster, address)),
      records.find(addressKey(cluster, address)),
      records.first(feePayerKey(cluster, address)),
      records.firstOwn(globalFeePayerKey('x', cluster, address)),
    ]),
  )
  return [...ofAddresses, ...IDS.flatMap((id) => [records.resident(id), records.anywhere(id)])]
}

describe('the records of a request', () => {
  it('are those of the directory after every change', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(state, fc.constantFrom(...IDS)), { maxLength: 12 }), (changes) => {
        const directory = new Directory()
        const entries = new Map<string, Entry>()
        const records = new RequestRecords(directory, CLUSTERS[0]!)
        for (const each of changes) {
          change(directory, entries, each)
          expect(answers(records)).toStrictEqual(answers(directory))
          // Again, from the cached reads.
          expect(answers(records)).toStrictEqual(answers(directory))
        }
      }),
    )
  })

  it('are asked for once, and their states are read anew', () => {
    const directory = new Directory()
    const entries = new Map<string, Entry>()
    const one = { ...fc.sample(state, { numRuns: 1, seed: 1 })[0]!, id: '1', cluster: 'C', value: 'active' }
    change(directory, entries, one)
    const { address } = (one as RecordState<'account'>).context
    const records = new RequestRecords(directory, 'C')
    const spy = vi.spyOn(directory, 'ownAtAddress')
    expect(records.ownAtAddress('C', address)).toHaveLength(1)
    entries.get('1')!.head = { ...one, revision: 2 }
    directory.moved(entries.get('1')!, one, { ...one, revision: 2 })
    expect(records.atAddress('C', address)[0]!.head.revision).toBe(2)
    expect(records.resident('1')!.head.revision).toBe(2)
    expect(spy).toHaveBeenCalledTimes(1)
  })

  it('of other cells are those of the moment', () => {
    let foreignRecords: readonly Envelope[] = []
    const neighbours = {
      hasNeighbours: () => true,
      of: () => foreignRecords,
      under: () => Promise.resolve([]),
      listed: () => Promise.resolve({ names: [], count: 0 }),
    }
    const records = new RequestRecords(new Directory(undefined, new OtherRecords(neighbours)), 'C')
    expect(records.atAddress('C', 'x')).toEqual([])
    const [one] = fc.sample(state, { numRuns: 1, seed: 1 })
    foreignRecords = [toEnvelope({ ...one!, cluster: 'C' })]
    expect(records.atAddress('C', 'x')).toHaveLength(1)
    expect(records.find(addressKey('C', 'x'))).toHaveLength(1)
    expect(records.first(addressKey('C', 'x'))).toBeDefined()
    expect(records.anywhere(one!.id)).toBeDefined()
    expect(records.ownAtAddress('C', 'x')).toEqual([])
  })
})
