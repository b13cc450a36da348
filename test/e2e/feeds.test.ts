// Market data over HTTP: jobs that request data from a real server, and feeds that are read from the chain with the
// standard library alone, as an outside party would read them.
import bs58 from 'bs58'
import { Keypair, PublicKey, sendAndConfirmTransaction, Transaction } from '@solana/web3.js'
import { createUpdateFieldInstruction } from '@solana/spl-token-metadata'
import { TOKEN_2022_PROGRAM_ID } from '@solana/spl-token'
import { describe, expect, it } from 'vitest'
import { once } from './client.ts'
import { hashOf, readAs, type Refreshed, type Source } from './feed-fixture.ts'
import type { Balance, Ids, Result } from './models.ts'
import {
  withPricedInstrument,
  PATH,
  world,
  origin,
  feePayer,
  authority,
  instrument,
  answers,
  requests,
  priceJob,
  create,
  single,
  onchain,
  refuses,
} from './instruments/priced-instrument.ts'

withPricedInstrument()

interface Page {
  readonly lastSequence: number
  readonly items: readonly {
    readonly type: string
    readonly resource: Ids
    readonly data: Readonly<Record<string, unknown>>
  }[]
}

const refresh = (source: Ids, options = {}): Promise<Refreshed> =>
  world.api.ok<Refreshed>(200, 'PATCH', `${PATH}/refresh`, { onchainDataSource: source }, options)

describe('a price feed', () => {
  it('publishes its price on chain at creation, in the documented text format', async () => {
    answers.set('/price', '{"price": 123.450000000000000001}')
    const { newOnchainDataSource: source, chainTransaction } = await create(priceJob('/price'))
    expect(chainTransaction.success).toBe(true)
    expect(['CONFIRMED', 'FINALIZED']).toContain(chainTransaction.status)
    const { latest, stale, ...details } = await single(source)
    expect(latest).toMatchObject({ value: '123.450000000000000001', sequence: 1 })
    expect(stale).toBe(false)
    expect(details).toMatchObject({
      defiProtocol: 'PUBLISHED_FEED',
      onchainDataSource: {
        onchain: { id: source.onchainId },
        offchain: { id: source.offchainId, type: 'ASSET_TOKEN' },
        managed: true,
      },
      financialInstrument: { onchain: { id: instrument.onchainId } },
      onchainDataSourceAuthority: { onchain: { id: authority.onchainId } },
      dataDetails: { kind: 'PRICE', ratingProvider: null },
      oracleProviderDetails: { kind: 'QUOTES', jobDefinition: JSON.stringify(priceJob('/price')) },
      lastRun: { value: '123.450000000000000001', jobs: [{ succeeded: true, value: '123.450000000000000001' }] },
    })
    const { text, publisher, info } = await onchain(source)
    expect(publisher).toBe(authority.onchainId)
    const canonical = `{"tasks":[{"httpTask":{"url":"${origin}/price"}},{"jsonParseTask":{"path":"$.price"}}]}`
    const [version, units, exponent, slot, seconds, sequence, hash] = text.split('|')
    expect(version).toBe('v1')
    expect(units).toBe(`+${'123450000000000000001'.padStart(39, '0')}`)
    expect(exponent).toBe('-18')
    expect(slot).toBe(String(latest!.slot).padStart(20, '0'))
    expect(seconds).toBe(String(Date.parse(latest!.asOf) / 1000).padStart(12, '0'))
    expect(sequence).toBe('1'.padStart(20, '0'))
    expect(hash).toBe(hashOf(canonical))
    expect(latest!.slot).toBeLessThanOrEqual(await world.chain.connection.getSlot('confirmed'))
    expect(
      readAs(source, info, { publisher: authority.onchainId, kind: 'PRICE', jobHash: hashOf(canonical) }),
    ).toMatchObject({
      ok: true,
      publication: { value: '123.450000000000000001', sequence: 1 },
    })
    expect(readAs(source, info, { publisher: feePayer.onchainId })).toEqual({ ok: false, problem: 'OTHER_PUBLISHER' })
    await world.records.accountsEqualChain(source, feePayer)
  })

  it('is refreshed by request: a small transaction, the same account size, and the next sequence number', async () => {
    answers.set('/moves', '{"price": "0.00000001"}')
    const { newOnchainDataSource: source } = await create(priceJob('/moves'))
    const before = await onchain(source)
    answers.set('/moves', '{"price": -98765432109876543210.5e-3}')
    const { refreshedOnchainDataSource, value, jobs, asOf, chainTransaction } = await refresh(source)
    expect(refreshedOnchainDataSource).toEqual(source)
    expect(value).toBe('-98765432109876543.2105')
    expect(jobs).toEqual([{ succeeded: true, value }])
    expect(chainTransaction.success).toBe(true)
    const after = await onchain(source)
    expect(after.text.startsWith(`v1|-${'987654321098765432105'.padStart(39, '0')}|-04|`)).toBe(true)
    expect(after.bytes).toBe(before.bytes)
    expect((await single(source)).latest).toMatchObject({ value, asOf, sequence: 2 })
    const lastSeen = { sequence: 1, slot: 0 }
    expect(readAs(source, after.info, { publisher: authority.onchainId, after: lastSeen })).toMatchObject({ ok: true })
    expect(readAs(source, before.info, { publisher: authority.onchainId, after: { sequence: 2, slot: 0 } })).toEqual({
      ok: false,
      problem: 'WENT_BACK',
    })
    const landed = await world.chain.connection.getTransaction(chainTransaction.onchainId!, {
      maxSupportedTransactionVersion: 0,
      commitment: 'confirmed',
    })
    expect(landed?.meta?.computeUnitsConsumed).toBeLessThan(20_000)
    await world.records.accountsEqualChain(source, feePayer)
  })

  it('is refreshed by one publication at a time, and once per idempotency key', async () => {
    answers.set('/busy', '{"price": 7}')
    const { newOnchainDataSource: source } = await create(priceJob('/busy'))
    const all = await Promise.all([1, 2, 3, 4].map(() => refresh(source)))
    expect(all.every(({ chainTransaction }) => chainTransaction.success)).toBe(true)
    expect((await single(source)).latest?.sequence).toBe(5)
    expect((await onchain(source)).text.split('|')[5]).toBe('5'.padStart(20, '0'))
    const first = await refresh(source, { headers: once('again') })
    const replay = await refresh(source, { headers: once('again') })
    expect({ ...replay, chainTransaction: replay.chainTransaction.offchainId }).toEqual({
      ...first,
      chainTransaction: first.chainTransaction.offchainId,
    })
    expect((await single(source)).latest?.sequence).toBe(6)
  })

  it('publishes the median of the successful jobs, at least half of all, and stores each result', async () => {
    for (const [path, answer] of [
      ['/a', '{"price": 1}'],
      ['/b', '{"price": 3}'],
      ['/c', '{"price": 10}'],
    ] as const)
      answers.set(path, answer)
    const { newOnchainDataSource: source } = await create(['/a', '/b', '/c'].map((path) => priceJob(path)))
    expect((await single(source)).latest?.value).toBe('3')
    answers.set('/b', 500)
    const { value, jobs } = await refresh(source)
    expect(value).toBe('5.5')
    expect(jobs).toEqual([
      { succeeded: true, value: '1' },
      { succeeded: false, error: 'job 2, task 1 (httpTask): the host answers 500' },
      { succeeded: true, value: '10' },
    ])
    answers.set('/c', 'no json')
    const problem = await world.api.refuses(400, 'JOB_FAILED', 'PATCH', `${PATH}/refresh`, {
      onchainDataSource: source,
    })
    expect(problem.message).toContain('1 of 3 jobs succeed, and 2 must')
    const { latest, lastRun } = await single(source)
    expect(latest?.value).toBe('5.5')
    expect(lastRun).toMatchObject({
      value: null,
      jobs: [{ succeeded: true }, { succeeded: false }, { succeeded: false }],
    })
  })

  it('sends the request of the job, and follows no redirect', async () => {
    answers.set('/post', '[{"v":"2"}]')
    requests.length = 0
    await create({
      tasks: [
        { cacheTask: { cacheItems: [{ variableName: 'WHO', job: { tasks: [{ valueTask: { utf8: 'me' } }] } }] } },
        {
          httpTask: {
            url: `${origin}/post`,
            method: 'METHOD_POST',
            headers: [{ key: 'X-Token', value: '${WHO}' }],
            body: '{"for":"${WHO}"}',
          },
        },
        { jsonParseTask: { path: '$[0].v' } },
      ],
    })
    expect(requests).toEqual([{ path: '/post', method: 'POST', header: 'me', body: '{"for":"me"}' }])
    expect(await refuses('JOB_FAILED', priceJob('/moved'))).toBe(
      'job 1, task 1 (httpTask): the request fails: it is redirected',
    )
  })
})

describe('the definition of a feed', () => {
  it('is replaced in part: the new jobs run, and their hash is published', async () => {
    answers.set('/old', '{"price": 1}')
    answers.set('/new', '{"price": 2}')
    const { newOnchainDataSource: source } = await create(priceJob('/old'))
    const old = await onchain(source)
    const jobDefinition = JSON.stringify(priceJob('/new'))
    const updated = await world.api.ok<{ updatedOnchainDataSource: Ids; chainTransaction: Result }>(
      200,
      'PATCH',
      PATH,
      {
        onchainDataSource: source,
        oracleProviderDetails: { jobDefinition },
      },
    )
    expect(updated.updatedOnchainDataSource).toEqual(source)
    expect(updated.chainTransaction.success).toBe(true)
    const now = await onchain(source)
    expect(now.text.split('|')[6]).not.toBe(old.text.split('|')[6])
    expect(await single(source)).toMatchObject({
      latest: { value: '2', sequence: 2 },
      oracleProviderDetails: { kind: 'QUOTES', jobDefinition },
      dataDetails: { kind: 'PRICE' },
    })
    const bad = { onchainDataSource: source, oracleProviderDetails: { jobDefinition: '{"tasks":[]}' } }
    await world.api.refuses(400, 'JOB_INVALID', 'PATCH', PATH, bad)
    expect((await single(source)).oracleProviderDetails.jobDefinition).toBe(jobDefinition)
  })

  it('is bound to another instrument without a transaction', async () => {
    const other = await world.records.instrument('SPL', await world.records.account())
    const { newOnchainDataSource: source } = await create(priceJob('/price'))
    const answer = await world.api.ok<{ chainTransaction?: Result }>(200, 'PATCH', PATH, {
      onchainDataSource: source,
      financialInstrument: other,
    })
    expect(answer.chainTransaction).toBeUndefined()
    expect((await single(source)).financialInstrument.onchain.id).toBe(other.onchainId)
    await world.api.refuses(400, 'REQUIRED', 'PATCH', PATH, { onchainDataSource: source })
  })

  it('changes its kind, and discards the value of the former kind', async () => {
    answers.set('/both', '{"price": "42"}')
    const { newOnchainDataSource: source } = await create(priceJob('/both'))
    await world.api.ok(200, 'PATCH', PATH, {
      onchainDataSource: source,
      dataDetails: { kind: 'RATING', ratingProvider: 'Agency' },
    })
    expect((await onchain(source)).text.startsWith('v1t|42 ')).toBe(true)
    expect(await single(source)).toMatchObject({
      latest: { value: '42', sequence: 2 },
      dataDetails: { kind: 'RATING', ratingProvider: 'Agency' },
    })
    await world.api.ok(200, 'PATCH', PATH, { onchainDataSource: source, dataDetails: { kind: 'PRICE' } })
    expect((await onchain(source)).text.startsWith('v1|+')).toBe(true)
    expect((await single(source)).dataDetails).toEqual({ kind: 'PRICE', ratingProvider: null })
    await world.records.accountsEqualChain(source)
  })

  it('is transferred on chain to another authority, which then publishes', async () => {
    const next = await world.records.account()
    const { newOnchainDataSource: source } = await create(priceJob('/price'))
    const { chainTransaction } = await world.api.ok<{ chainTransaction: Result }>(200, 'PATCH', PATH, {
      onchainDataSource: source,
      onchainDataSourceAuthority: next,
    })
    expect(chainTransaction.success).toBe(true)
    expect((await onchain(source)).publisher).toBe(next.onchainId)
    expect((await single(source)).onchainDataSourceAuthority.onchain.id).toBe(next.onchainId)
    expect((await refresh(source)).chainTransaction.success).toBe(true)
    expect((await single(source)).latest?.sequence).toBe(2)
  })
})

describe('a change of a data source', () => {
  /** The data of the events of the source that `change` causes, without what its balances and transactions change. */
  async function eventsOf(source: Ids, change: object): Promise<unknown[]> {
    const { lastSequence } = (await world.api.get<Page>('/events?limit=0')).body
    await world.api.ok(200, 'PATCH', PATH, { onchainDataSource: source, ...change })
    const { items } = (await world.api.get<Page>(`/events?after=${lastSequence}`)).body
    return items.flatMap(({ type, resource, data: { onchain: _, offchain: __, latest, ...changed } }) => {
      if (resource.offchainId !== source.offchainId) return []
      expect(type).toBe('data_source.updated')
      if (latest != null) expect(Object.keys(changed)).toEqual([])
      return Object.keys(changed).length === 0 ? [] : [changed]
    })
  }

  it('is an event with the changed members, and no others', async () => {
    answers.set('/seen', '{"price": "42"}')
    const { newOnchainDataSource: source } = await create(priceJob('/seen'))
    const { items } = (await world.api.get<Page>('/events')).body
    expect(items.find(({ resource }) => resource.offchainId === source.offchainId)).toMatchObject({
      type: 'data_source.created',
      data: {
        financialInstrument: { onchain: { id: instrument.onchainId } },
        onchainDataSourceAuthority: { onchain: { id: authority.onchainId } },
        dataDetails: { kind: 'PRICE', ratingProvider: null },
        oracleProviderDetails: { kind: 'QUOTES', jobDefinition: JSON.stringify(priceJob('/seen')) },
      },
    })

    const other = await world.records.instrument('SPL', await world.records.account())
    expect(await eventsOf(source, { financialInstrument: other })).toEqual([
      { financialInstrument: { onchain: { id: other.onchainId } } },
    ])
    expect(await eventsOf(source, { dataDetails: { kind: 'RATING', ratingProvider: 'Agency' } })).toEqual([
      { dataDetails: { kind: 'RATING', ratingProvider: 'Agency' } },
    ])
    expect(await eventsOf(source, { dataDetails: { kind: 'RATING', ratingProvider: 'Bureau' } })).toEqual([
      { dataDetails: { ratingProvider: 'Bureau' } },
    ])
    expect(await eventsOf(source, { dataDetails: { kind: 'RATING', ratingProvider: 'Bureau' } })).toEqual([])
    const jobDefinition = JSON.stringify([priceJob('/seen')])
    expect(await eventsOf(source, { oracleProviderDetails: { jobDefinition } })).toEqual([
      { oracleProviderDetails: { jobDefinition } },
    ])
    const next = await world.records.account()
    expect(await eventsOf(source, { onchainDataSourceAuthority: next })).toEqual([
      { onchainDataSourceAuthority: { onchain: { id: next.onchainId } } },
    ])
  })
})

describe('data sources', () => {
  it('are filtered by every field, and by both spellings of the type', async () => {
    const token = await world.records.instrument('TOKEN_2022', await world.records.account())
    const publisher = await world.records.account()
    const members = { financialInstrument: token, onchainDataSourceAuthority: publisher }
    answers.set('/grade', '{"price":"B+"}')
    const { newOnchainDataSource: price } = await create(priceJob('/price'), members)
    const { newOnchainDataSource: rating } = await create(priceJob('/grade'), {
      ...members,
      dataDetails: { kind: 'RATING', ratingProvider: 'Moodish' },
    })
    const findSources = async (fieldName: string, value: object): Promise<string[]> => {
      const query = {
        filter: [
          {
            fieldName: 'financialInstrumentOnchainId',
            filterValues: [{ filterType: 'EQUALS', valueString: token.onchainId }],
          },
          { fieldName, filterValues: [value] },
        ],
      }
      const { items, count } = (await world.api.bulk(`${PATH}/bulk`, query)) as { count: number; items: Source[] }
      expect(count).toBe(items.length)
      return items.map(({ onchainDataSource }) => onchainDataSource.onchain.id)
    }
    const is = (valueString: string, dataType?: string): object => ({
      filterType: 'EQUALS',
      valueString,
      ...(dataType === undefined ? {} : { dataType }),
    })
    const both = [price.onchainId, rating.onchainId]
    expect(await findSources('defiProtocol', is('PUBLISHED_FEED', 'TEXT'))).toEqual(both)
    expect(await findSources('dataType', is('RATING', 'TEXT'))).toEqual([rating.onchainId])
    expect(await findSources('ratingAgency', is('Moodish'))).toEqual([rating.onchainId])
    expect(await findSources('ratingAgency', { filterType: 'IS_NULL' })).toEqual([price.onchainId])
    for (const type of ['ADDRESS_ONCHAIN_ID', 'ONCHAIN_ADDRESS_ID']) {
      expect(await findSources('onchainDataSourceOnchainId', is(price.onchainId, type))).toEqual([price.onchainId])
      expect(await findSources('financialInstrumentOnchainId', is(token.onchainId, type))).toEqual(both)
      expect(await findSources('onchainDataSourceAuthorityOnchainId', is(publisher.onchainId, type))).toEqual(both)
    }
    expect(await findSources('onchainDataSourceOffchainId', is(rating.offchainId, 'OFFCHAIN_ID'))).toEqual([
      rating.onchainId,
    ])
    expect(await findSources('financialInstrumentOffchainId', is(token.offchainId))).toEqual(both)
    expect(await findSources('onchainDataSourceAuthorityOffchainId', is(publisher.offchainId))).toEqual(both)
    await world.api.refuses(400, 'DATA_SOURCE_NOT_FOUND', 'POST', `${PATH}/single`, { onchainDataSource: token })
    await world.api.refuses(400, 'DATA_SOURCE_NOT_FOUND', 'PATCH', `${PATH}/refresh`, { onchainDataSource: token })
  })

  it('are updated by publications of others with the key, once observed', async () => {
    const outside = Keypair.generate()
    const publisher = await world.records.funded({ privateKeyDetails: { privateKey: bs58.encode(outside.secretKey) } })
    const { newOnchainDataSource: source } = await create(priceJob('/price'), { onchainDataSourceAuthority: publisher })
    const text = (await onchain(source)).text
      .split('|')
      .with(1, `+${'7'.padStart(39, '0')}`)
      .with(2, '+00')
      .with(5, '9'.padStart(20, '0'))
      .join('|')
    const metadata = new PublicKey(source.onchainId)
    const instruction = createUpdateFieldInstruction({
      programId: TOKEN_2022_PROGRAM_ID,
      metadata,
      updateAuthority: outside.publicKey,
      field: 'q',
      value: text,
    })
    await sendAndConfirmTransaction(world.chain.connection, new Transaction().add(instruction), [outside])
    await world.api.read<Balance>('/accounts/single/balance', { offchainId: source.offchainId })
    expect((await single(source)).latest).toMatchObject({ value: '7', sequence: 9 })
    await refresh(source)
    expect((await single(source)).latest).toMatchObject({ value: '123.450000000000000001', sequence: 10 })
  })
})
