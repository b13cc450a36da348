// The cache of lookup tables: read from the chain as finalized, kept for a while, and never more than the chain shows.
import { describe, expect, it } from 'vitest'
import { addressBytes, LOOKUP_TABLE_PROGRAM } from '../../src/solana/address.ts'
import type { ChainAccount } from '../../src/rpc/account-read.ts'
import { TransportError } from '../../src/rpc/rpc-error.ts'
import { TableCache } from '../../src/rpc/table-cache.ts'
import { addressNumber } from '../solana/arbitraries.ts'

const NEVER = 0xffff_ffff_ffff_ffffn
const [ONE, TWO] = [addressNumber(1), addressNumber(2)]
const A = [10, 11, 12].map(addressNumber)

interface Held {
  readonly addresses: readonly string[]
  readonly extendedAt?: number
  readonly extendedFrom?: number
  readonly deactivatedAt?: bigint
}

function table({ addresses, extendedAt = 5, extendedFrom = 0, deactivatedAt = NEVER }: Held): ChainAccount {
  const data = Buffer.alloc(56)
  data.writeUInt32LE(1, 0)
  data.writeBigUInt64LE(deactivatedAt, 4)
  data.writeBigUInt64LE(BigInt(extendedAt), 12)
  data[20] = extendedFrom
  return {
    lamports: 1n,
    owner: LOOKUP_TABLE_PROGRAM,
    data: Buffer.concat([data, ...addresses.map(addressBytes)]),
    executable: false,
  }
}

/** A chain whose finalized slot is `slot`, and a node that counts its requests. */
class EngineFixture {
  readonly accounts = new Map<string, ChainAccount>()
  readonly asked: (readonly string[])[] = []
  readonly shelf: TableCache
  now = 100
  fails = false

  constructor() {
    this.shelf = new TableCache({
      read: (addresses) => {
        this.asked.push(addresses)
        if (this.fails) return Promise.reject(new TransportError('TIMEOUT', 'no answer'))
        return Promise.resolve({
          slot: this.now,
          accounts: addresses.map((address) => this.accounts.get(address) ?? null),
        })
      },
      slot: () => this.now,
    })
  }

  async contents(...wanted: [string, number][]): Promise<Record<string, readonly string[]>> {
    return Object.fromEntries(await this.shelf.contents(wanted.map(([address, count]) => ({ address, count }))))
  }
}

describe('the cache of lookup tables', () => {
  it('reads a table once for all callers', async () => {
    const fixture = new EngineFixture()
    fixture.accounts.set(ONE, table({ addresses: A }))
    for (let turn = 0; turn < 3; turn += 1) expect(await fixture.contents([ONE, 3])).toEqual({ [ONE]: A })
    expect(fixture.asked).toEqual([[ONE]])
    expect(await fixture.contents([ONE, 3], [TWO, 1])).toEqual({ [ONE]: A })
    expect(fixture.asked).toEqual([[ONE], [TWO]])
  })

  it('reads again while more entries are expected, once for each new slot', async () => {
    const fixture = new EngineFixture()
    fixture.accounts.set(ONE, table({ addresses: A.slice(0, 2) }))
    expect(await fixture.contents([ONE, 3])).toEqual({ [ONE]: A.slice(0, 2) })
    await fixture.contents([ONE, 3])
    expect(fixture.asked).toHaveLength(1)
    fixture.accounts.set(ONE, table({ addresses: A }))
    fixture.now += 1
    expect(await fixture.contents([ONE, 3])).toEqual({ [ONE]: A })
    expect(fixture.asked).toHaveLength(2)
  })

  it('returns the actual table, not the expected one', async () => {
    const fixture = new EngineFixture()
    fixture.accounts.set(ONE, table({ addresses: A }))
    expect(await fixture.contents([ONE, 1])).toEqual({ [ONE]: A })
  })

  it('omits entries appended in the very slot, deactivated tables, and other accounts', async () => {
    const fixture = new EngineFixture()
    fixture.accounts.set(ONE, table({ addresses: A, extendedAt: 100, extendedFrom: 2 }))
    expect(await fixture.contents([ONE, 3])).toEqual({ [ONE]: A.slice(0, 2) })
    fixture.accounts.set(TWO, table({ addresses: A, deactivatedAt: 99n }))
    expect(await fixture.contents([TWO, 3])).toEqual({})
    const other = addressNumber(3)
    fixture.accounts.set(other, { ...table({ addresses: A }), owner: addressNumber(4) })
    expect(await fixture.contents([other, 3])).toEqual({})
  })

  it('refreshes old entries, and returns no table while no node answers', async () => {
    const fixture = new EngineFixture()
    fixture.accounts.set(ONE, table({ addresses: A }))
    await fixture.contents([ONE, 3])
    fixture.fails = true
    fixture.now += 200
    expect(await fixture.contents([ONE, 3])).toEqual({ [ONE]: A })
    fixture.now += 1
    expect(await fixture.contents([ONE, 3])).toEqual({})
    fixture.fails = false
    fixture.accounts.set(ONE, table({ addresses: A, deactivatedAt: 250n }))
    expect(await fixture.contents([ONE, 3])).toEqual({})
  })
})
