// What a request names is fetched of other cells in one go, before it begins; in a service of one cell nothing is
// looked for.
import { describe, expect, it } from 'vitest'
import { Directory } from '../../src/engine/index/directory.ts'
import { addressKey, closedAddressKey, escrowKey, idKey } from '../../src/engine/index/index-keys.ts'
import { OtherRecords } from '../../src/engine/index/other-records.ts'
import { Entry } from '../../src/engine/records/entry.ts'
import { needAddresses, needNamed } from '../../src/operations/lookup/needed-names.ts'
import { NotAtHand } from '../../snapshots/not-at-hand.ts'
import { account } from '../machines/records.ts'

const C = 'CHAIN_DEVNET'
const BODY = {
  itemData: {
    source: { offchainId: 'own' },
    legs: [{ destination: { onchainId: 'a' } }, { destination: { offchainId: 'other', onchainId: 'b' } }, null],
    lamports: 5,
    memo: 'onchainId',
  },
}

/** @param cells how many the service has */
function directoryOf(cells: number): { readonly directory: Directory; readonly fetched: Set<string> } {
  const fetched = new Set<string>()
  const of = (name: string): [] => {
    if (!fetched.has(name)) throw new NotAtHand([{ read: 'name', name }])
    return []
  }
  const directory = new Directory(
    undefined,
    new OtherRecords({ hasNeighbours: () => cells > 1, of, under: () => Promise.resolve([]) }),
  )
  const place = { kind: 'account', tenant: 'MINE', cluster: C, id: 'own', revision: 1, value: 'active' } as const
  const state = { ...place, context: account } as unknown as Entry['head']
  const entry = new Entry(state, state, undefined)
  directory.moved(entry, undefined, state)
  return { directory, fetched }
}

/** The names that work lacks when it is first tried. */
function lackedBy(work: () => void): readonly unknown[] {
  try {
    work()
    return []
  } catch (error) {
    if (!(error instanceof NotAtHand)) throw error
    return error.keys.map((key) => (key as { readonly name: string }).name)
  }
}

describe('the names of a request', () => {
  it('are asked for together: of each address and each id that is not of this cell', () => {
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

  it('are those of all accounts of a message, once each', () => {
    const { directory } = directoryOf(2)
    expect(lackedBy(() => needAddresses(directory, C, ['a', 'b', 'a']))).toEqual([
      addressKey(C, 'a'),
      addressKey(C, 'b'),
    ])
  })

  it('are not looked for in a service of one cell', () => {
    const { directory } = directoryOf(1)
    const body = new Proxy(BODY, { ownKeys: () => expect.unreachable() })
    expect(lackedBy(() => needNamed(directory, C, body))).toEqual([])
    expect(lackedBy(() => needAddresses(directory, C, new Proxy([], { get: () => expect.unreachable() })))).toEqual([])
  })
})
