// Whom a typed text names: by code before name, among all records, never one of several.
import { afterEach, describe, expect, it } from 'vitest'
import { RequestRefused } from '../../src/console/api.ts'
import type { PickableKind } from '../../src/console/forms/form-definitions.ts'
import { lookupFor } from '../../src/console/forms/form-lookups.ts'
import { begin, current } from '../../src/console/session.ts'
import { pretendService, refused, type Asked, type Reply } from './pretended-service.ts'

const ADDRESS = 'So11111111111111111111111111111111111111112'
const UUID = '7c9e6679-7425-40de-944b-e07fc1f90ae7'

interface Account {
  readonly id: string
  readonly code?: string
  readonly name?: string
  readonly type?: string
  readonly address?: string
  readonly status?: string
}
interface Instrument {
  readonly id: string
  readonly symbol: string
}
interface Records {
  readonly accounts?: readonly Account[]
  readonly instruments?: readonly Instrument[]
  /** Of several records of one code, the nearest. */
  readonly nearest?: string
}
interface FilterShape {
  readonly fieldName: string
  readonly filterValues: readonly [{ readonly valueString?: string; readonly valuesString?: readonly string[] }]
}

let stop = (): void => undefined
afterEach(() => {
  stop()
  stop = () => undefined
})

const accountItem = ({ id, code, name, type = 'WALLET', address = `address of ${id}` }: Account): object => ({
  offchain: { id, code: code ?? null, name: name ?? null, type },
  onchain: { id: address },
})
const instrumentItem = ({ id, symbol }: Instrument): object => ({
  status: 'ACTIVE',
  onchainData: { symbol, name: `${symbol} bond` },
  mintAccount: { offchain: { id }, onchain: { id: `address of ${id}` } },
})
const MEMBERS: Readonly<Record<string, (account: Account) => string | undefined>> = {
  code: ({ code }) => code,
  offchainReferenceName: ({ name }) => name,
  type: ({ type = 'WALLET' }) => type,
  status: ({ status = 'ACTIVE' }) => status,
}

function matches(account: Account, { fieldName, filterValues: [{ valueString, valuesString }] }: FilterShape): boolean {
  const value = MEMBERS[fieldName]!(account) ?? ''
  return valuesString === undefined ? value === valueString : valuesString.includes(value)
}

/** Answers like the service, one page at a time. */
function serve({ accounts = [], instruments = [], nearest }: Records): Asked[] {
  const page = (all: readonly object[], { skip = 0, limit = 100 }: { skip?: number; limit?: number }): Reply => [
    200,
    { count: all.length, items: all.slice(skip, skip + limit) },
  ]
  const service = pretendService(({ path, body }) => {
    const query = body.itemQuery as { filter?: FilterShape[]; skip?: number; limit?: number }
    if (path === '/financial-instruments/bulk/detailed') return page(instruments.map(instrumentItem), query)
    if (path === '/accounts/bulk/detailed') {
      const found = accounts.filter((each) => (query.filter ?? []).every((filter) => matches(each, filter)))
      return page(found.map(accountItem), query)
    }
    const { offchainId, onchainId } = body.itemData as { offchainId?: string; onchainId?: string }
    const byReferences = offchainId === undefined && onchainId === undefined
    if (byReferences && nearest === undefined) return refused(400, 'LOOKUP_AMBIGUOUS')
    const one = accounts.find(({ id, address }) =>
      byReferences ? id === nearest : id === offchainId || (address !== undefined && address === onchainId),
    )
    return one === undefined ? refused(400, 'ACCOUNT_NOT_FOUND') : [200, accountItem(one)]
  })
  stop = service.stop
  return service.asked
}

const find = async (pick: PickableKind, typed: string): Promise<object> =>
  await lookupFor(pick, typed, '/itemData/source')
const OTHERS = Array.from({ length: 300 }, (_, index) => ({ id: `other ${index}`, code: `FILL-${index}` }))

describe('an account', () => {
  it('is found by its code, also if another has that text as its name, wherever both are in the list', async () => {
    const named = { id: 'wrong', code: 'OLD-1', name: 'SUP-13' }
    const coded = { id: 'right', code: 'SUP-13', name: 'Supplier' }
    for (const accounts of [
      [named, ...OTHERS, coded],
      [coded, ...OTHERS, named],
    ]) {
      serve({ accounts })
      expect(await find('parties', 'SUP-13')).toEqual({
        lookup: { offchainId: 'right' },
        shown: 'SUP-13 · Supplier · address of right',
      })
      stop()
    }
  })

  it('is found by its name among all records, unless several have it', async () => {
    const first = { id: 'first', code: 'J-1', name: 'John' }
    serve({ accounts: [first, ...OTHERS] })
    expect(await find('parties', 'John')).toMatchObject({ lookup: { offchainId: 'first' } })
    stop()
    serve({ accounts: [first, ...OTHERS, { id: 'second', code: 'J-2', name: 'John' }] })
    const error = await find('parties', 'John').catch((problem: unknown) => problem)
    expect(error).toBeInstanceOf(RequestRefused)
    expect((error as RequestRefused).problems).toMatchObject([
      { code: 'LOOKUP_AMBIGUOUS', pointer: '/itemData/source' },
    ])
  })

  it('is not found by a name that is the code of a closed one', async () => {
    const closed = { id: 'closed', code: 'SUP-13', status: 'CLOSED' }
    serve({ accounts: [closed, ...OTHERS, { id: 'wrong', code: 'OLD-1', name: 'SUP-13' }] })
    expect(await find('parties', 'SUP-13')).toMatchObject({ lookup: { offchainReferences: { code: 'SUP-13' } } })
    stop()
    serve({ accounts: [closed, ...OTHERS, { id: 'new', code: 'SUP-13' }] })
    expect(await find('parties', 'SUP-13')).toMatchObject({ lookup: { offchainId: 'new' } })
  })

  it('of a code that several have is the party, else the nearest, else none', async () => {
    const accounts = [
      { id: 'mint', code: 'HAND', type: 'ASSET_TOKEN' },
      { id: 'wallet', code: 'HAND' },
    ]
    serve({ accounts })
    expect(await find('parties', 'HAND')).toMatchObject({ lookup: { offchainId: 'wallet' } })
    expect(await find('instruments', 'HAND')).toMatchObject({ lookup: { offchainId: 'mint' } })
    stop()
    const two = { accounts: [...accounts, { id: 'nearer', code: 'HAND' }] }
    serve({ ...two, nearest: 'nearer' })
    expect(await find('parties', 'HAND')).toMatchObject({ lookup: { offchainId: 'nearer' } })
    stop()
    serve(two)
    await expect(find('parties', 'HAND')).rejects.toThrow('several records have this code')
  })

  it('is found by id or address before anything else, and is from outside if it is not on record', async () => {
    const trap = { id: 'trap', code: UUID, name: ADDRESS }
    serve({ accounts: [trap, { id: UUID, code: 'A' }] })
    expect(await find('parties', UUID)).toEqual({ lookup: { offchainId: UUID }, shown: `A · address of ${UUID}` })
    expect(await find('parties', ADDRESS)).toMatchObject({ lookup: { onchainId: ADDRESS, offPlatform: true } })
    stop()
    serve({ accounts: [{ id: 'own', code: 'A', address: ADDRESS }] })
    for (const typed of [ADDRESS, `A · ${ADDRESS}`])
      expect(await find('parties', typed)).toEqual({ lookup: { onchainId: ADDRESS }, shown: `A · ${ADDRESS}` })
  })

  it('is called neither known nor unknown to a key that may not read accounts', async () => {
    const asked = serve({ accounts: [{ id: 'own', code: 'A', address: ADDRESS }] })
    begin('key', { ...current()!.identity, roles: ['POSITIONS_WRITE'] })
    expect(await find('parties', ADDRESS)).toEqual({
      lookup: { onchainId: ADDRESS, offPlatform: true },
      shown: ADDRESS,
    })
    expect(await find('parties', 'A')).toEqual({ lookup: { offchainReferences: { code: 'A' } }, shown: 'A' })
    expect(asked).toEqual([])
  })

  it('is left to the service if nothing has the text', async () => {
    serve({ accounts: OTHERS })
    expect(await find('parties', 'NOBODY')).toEqual({
      lookup: { offchainReferences: { code: 'NOBODY' } },
      shown: 'NOBODY',
    })
  })

  it('is not guessed while the service does not answer', async () => {
    stop = pretendService(() => [503, {}]).stop
    await expect(find('parties', 'ALICE')).rejects.toBeInstanceOf(RequestRefused)
  })
})

it('finds an instrument by its code, else by its symbol among all, unless several have it', async () => {
  const many = Array.from({ length: 300 }, (_, index) => ({ id: `other ${index}`, symbol: `X${index}` }))
  const bond = { id: 'bond', symbol: 'BNDA' }
  serve({ instruments: [...many, bond] })
  expect(await find('instruments', 'BNDA')).toEqual({
    lookup: { offchainId: 'bond' },
    shown: 'BNDA · BNDA bond · address of bond',
  })
  stop()
  serve({ instruments: [bond, ...many, { id: 'copy', symbol: 'BNDA' }] })
  await expect(find('instruments', 'BNDA')).rejects.toThrow('several records have this symbol or name')
  stop()
  serve({ instruments: [bond], accounts: [{ id: 'coded', code: 'BNDA', type: 'FUNDS_TOKEN' }] })
  expect(await find('instruments', 'BNDA')).toMatchObject({ lookup: { offchainId: 'coded' } })
})
