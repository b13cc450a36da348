// Jobs of market data over HTTP: the refusals of invalid jobs, ratings, outside publishers, and scheduled refreshes.
import { Keypair } from '@solana/web3.js'
import { describe, expect, it } from 'vitest'
import type { Method } from './client.ts'
import type { Created, Refreshed, Source } from './feed-fixture.ts'
import { eventually, startWorld } from './harness.ts'
import {
  withPricedInstrument,
  PATH,
  world,
  origin,
  feePayer,
  authority,
  answers,
  requests,
  priceJob,
  bodyOf,
  create,
  single,
  onchain,
  refuses,
} from './instruments/priced-instrument.ts'

withPricedInstrument()

describe('a feed job', () => {
  it('with an invalid task is refused by the name of the task, and no feed is created', async () => {
    expect(await refuses('JOB_INVALID', { tasks: [{ fooTask: {} }] })).toBe(
      'job 1, task 1: fooTask is no task that is known here',
    )
    expect(await refuses('JOB_INVALID', { tasks: [{ websocketTask: {} }] })).toContain('websocketTask is not supported')
    expect(await refuses('JOB_INVALID', { tasks: [{ httpTask: { url: `${origin}/price`, verb: 'GET' } }] })).toContain(
      'verb is not known here',
    )
    expect(await refuses('JOB_FAILED', priceJob('/nowhere'))).toBe('job 1, task 1 (httpTask): the host answers 404')
    answers.set('/text', '{"price":"dear"}')
    expect(await refuses('JOB_FAILED', priceJob('/text'))).toContain('no number')
    expect(await refuses('JOB_FAILED', { tasks: [{ httpTask: { url: 'http://127.0.0.1:1/' } }] })).toContain(
      'not allowed',
    )
    expect(await refuses('JOB_FAILED', { tasks: [{ httpTask: { url: 'https://169.254.169.254/' } }] })).toContain(
      'not allowed',
    )
  })

  it('runs without effect in a dry run', async () => {
    answers.set('/price', '{"price": 7}')
    const { status, body } = await world.api.send<{ dryRun: object }>('POST', PATH, bodyOf(priceJob('/price')), {
      headers: { 'Holdfast-Dry-Run': 'true' },
    })
    expect(status).toBe(200)
    expect(body.dryRun).toMatchObject({ simulation: expect.objectContaining({}) as object })
  })

  it('requires an instrument, an authority, and a usable account', async () => {
    await refuses('INSTRUMENT_NOT_FOUND', priceJob('/price'), { financialInstrument: authority })
    await refuses('ACCOUNT_NOT_FOUND', priceJob('/price'), {
      onchainDataSourceAuthority: { offchainReferences: { code: 'NOBODY' } },
    })
    await refuses('TYPE_MISMATCH', priceJob('/price'), {
      onchainDataSource: { offchainReferences: { type: 'WALLET' } },
    })
    await refuses('NOT_APPLICABLE', priceJob('/price'), { onchainDataSource: { seedLamports: 1 } })
    await refuses('NOT_APPLICABLE', priceJob('/price'), { dataDetails: { kind: 'PRICE', ratingProvider: 'Agency' } })
  })
})

describe('a rating', () => {
  it('is text with a fixed width', async () => {
    answers.set('/rating', '{"rating":"AA- (stable)"}')
    const { newOnchainDataSource: source } = await create(priceJob('/rating', '$.rating'), {
      dataDetails: { kind: 'RATING', ratingProvider: 'Agency' },
    })
    const { latest, dataDetails } = await single(source)
    expect(latest?.value).toBe('AA- (stable)')
    expect(dataDetails).toEqual({ kind: 'RATING', ratingProvider: 'Agency' })
    const { text } = await onchain(source)
    expect(text).toMatch(/^v1t\|AA- \(stable\) {28}\|\d{20}\|\d{12}\|\d{20}\|[0-9a-f]{32}$/)
    answers.set('/rating', '{"rating":"far too long to be the rating of anything at all"}')
    await world.api.refuses(400, 'JOB_FAILED', 'PATCH', `${PATH}/refresh`, { onchainDataSource: source })
  })
})

describe('an outside publisher', () => {
  it('signs a prepared transaction, and nothing is published before', async () => {
    answers.set('/price', '{"price": 7}')
    const outside = Keypair.generate()
    const publisher = await world.records.account({ onchainId: outside.publicKey.toBase58(), managed: false })
    const { newOnchainDataSource: source, chainTransaction } = await create(priceJob('/price'), {
      onchainDataSourceAuthority: publisher,
    })
    expect(chainTransaction).toMatchObject({ success: false, status: 'PREPARED' })
    expect(await world.chain.exists(source.onchainId)).toBe(false)
    expect(await single(source)).toMatchObject({ latest: null, stale: true })
    await world.api.refuses(400, 'DATA_SOURCE_BUSY', 'PATCH', `${PATH}/refresh`, { onchainDataSource: source })
  })
})

describe('a publication that waits for a signature', () => {
  it('is not signed once a later value was published, or is about to be', async () => {
    answers.set('/waits', '{"price": 7}')
    const { newOnchainDataSource: source } = await create(priceJob('/waits'))
    const refresh = async (config: object): Promise<{ readonly transaction: { readonly offchainId: string } }> => {
      const { chainTransaction } = await world.api.ok<Refreshed>(
        200,
        'PATCH',
        `${PATH}/refresh`,
        { onchainDataSource: source },
        { config },
      )
      return { transaction: { offchainId: chainTransaction.offchainId } }
    }
    const held = { feePayer: { ...feePayer, autoSign: false } }
    const [first, second] = [await refresh(held), await refresh(held)]
    await world.api.refuses(400, 'SEQUENCE_USED', 'POST', '/transactions/sign', first)
    answers.set('/waits', '{"price": 5}')
    await refresh({ feePayer })
    await world.api.refuses(400, 'SEQUENCE_USED', 'POST', '/transactions/sign', second)
    expect((await single(source)).latest).toMatchObject({ value: '5', sequence: 4 })
    answers.set('/waits', '{"price": 6}')
    const third = await refresh(held)
    await world.api.ok(200, 'POST', '/transactions/sign', third)
    await world.api.ok(200, 'POST', '/transactions/submit', third)
    expect((await single(source)).latest).toMatchObject({ value: '6', sequence: 5 })
    expect((await onchain(source)).text.split('|')[5]).toBe('5'.padStart(20, '0'))
  })
})

describe('a frozen data source', () => {
  it('runs no job, is not published, also if that waits for a signature, and keeps its definition', async () => {
    answers.set('/frozen', '{"price": 7}')
    const { newOnchainDataSource: source } = await create(priceJob('/frozen'))
    const config = { feePayer: { ...feePayer, autoSign: false } }
    const held = await world.api.ok<Refreshed>(
      200,
      'PATCH',
      `${PATH}/refresh`,
      { onchainDataSource: source },
      { config },
    )
    const other = await world.records.instrument('SPL', await world.records.account())
    await world.api.ok(200, 'PATCH', '/admin/freeze', { account: source })
    const before = requests.length
    const frozen = (method: Method, path: string, itemData: object) =>
      world.api.refuses(403, 'FROZEN', method, path, itemData)
    const { offchainId } = held.chainTransaction
    await frozen('POST', '/transactions/sign', { transaction: { offchainId } })
    await world.api.ok(200, 'PATCH', '/transactions/cancel', { offchainId })
    await frozen('PATCH', `${PATH}/refresh`, { onchainDataSource: source })
    const jobDefinition = JSON.stringify(priceJob('/price'))
    for (const change of [
      { financialInstrument: other },
      { dataDetails: { kind: 'RATING' } },
      { oracleProviderDetails: { jobDefinition } },
      { onchainDataSourceAuthority: await world.records.account() },
    ])
      await frozen('PATCH', PATH, { onchainDataSource: source, ...change })
    expect(requests.length).toBe(before)
    await world.api.ok(200, 'PATCH', '/admin/unfreeze', { account: source })
    await world.api.ok(200, 'PATCH', `${PATH}/refresh`, { onchainDataSource: source })
    expect(await single(source)).toMatchObject({ latest: { value: '7', sequence: 3 } })
  })
})

describe('a schedule of feeds', () => {
  it('refreshes each feed repeatedly, with the rights of its creator', async () => {
    answers.set('/scheduled', '{"price": 1}')
    const scheduled = await startWorld({
      HOLDFAST_OUTBOUND_ALLOW: origin.replace('http://', ''),
      HOLDFAST_FEED_REFRESH_SECONDS: '1',
    })
    try {
      const payer = await scheduled.records.feePayer()
      const token = await scheduled.records.instrument('TOKEN_2022', payer)
      const { newOnchainDataSource: source } = await scheduled.api.ok<Created>(
        201,
        'POST',
        PATH,
        bodyOf(priceJob('/scheduled'), {
          financialInstrument: token,
          onchainDataSourceAuthority: payer,
        }),
      )
      answers.set('/scheduled', '{"price": 9}')
      await eventually(async () => {
        const { latest } = await scheduled.api.read<Source>(`${PATH}/single`, { onchainDataSource: source })
        expect(latest).toMatchObject({ value: '9' })
        expect(latest!.sequence).toBeGreaterThan(2)
      })
    } finally {
      await scheduled.stop()
    }
  })
})
