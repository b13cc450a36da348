// JSON-RPC itself: envelopes, batches, hostile bodies, and a refusal for every wrong parameter.

import { connect } from 'node:net'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Keypair } from '@solana/web3.js'
import { jsonText, parseJson } from '../../src/localnet/rpc/json.ts'
import { plainDouble } from '../../src/localnet/rpc/encode/parsed-extension.ts'
import { decimalText, exactRatio, uiTokenAmount } from '../../src/localnet/rpc/encode/ui-amount.ts'
import { at, serveChain } from './rpc-chain.ts'
import type { RawAnswer, ServedChain } from './rpc-chain.ts'

let chain: ServedChain
const ADDRESS = Keypair.generate().publicKey.toBase58()
const SIGNATURE = '1'.repeat(64)

beforeAll(async () => {
  chain = await serveChain()
})
afterAll(async () => {
  expect(chain.unexpected).toEqual([])
  await chain.close()
})

const parsed = async (body: string): Promise<RawAnswer> => JSON.parse((await chain.post(body)).text) as RawAnswer

describe('envelopes', () => {
  it('answers with the id of the request, of any type', async () => {
    for (const id of [1, 'a "quoted" id', null, -7, 1.5]) {
      expect(await parsed(JSON.stringify({ jsonrpc: '2.0', id, method: 'getHealth' }))).toEqual({
        jsonrpc: '2.0',
        result: 'ok',
        id,
      })
    }
  })

  it('answers invalid bodies with the error codes of JSON-RPC', async () => {
    const code = async (body: string): Promise<unknown> => (await parsed(body)).error?.code
    expect(await code('{"jsonrpc":"2.0","id":1')).toBe(-32700)
    expect(await code('')).toBe(-32700)
    expect(await code('7')).toBe(-32600)
    expect(await code('[]')).toBe(-32600)
    expect(await code('{"jsonrpc":"1.0","id":1,"method":"getSlot"}')).toBe(-32600)
    expect(await code('{"jsonrpc":"2.0","id":{},"method":"getSlot"}')).toBe(-32600)
    expect(await code('{"jsonrpc":"2.0","id":1,"method":5}')).toBe(-32600)
    expect(await code('{"jsonrpc":"2.0","id":1,"method":"getSlots"}')).toBe(-32601)
    expect(await code('{"jsonrpc":"2.0","id":1,"method":"constructor"}')).toBe(-32601)
    expect(await code('{"jsonrpc":"2.0","id":1,"method":"__proto__"}')).toBe(-32601)
    expect(await code('{"jsonrpc":"2.0","id":1,"method":"holdfast_setFaults","params":[{}]}')).toBe(-32601)
    expect(await code('{"jsonrpc":"2.0","id":1,"method":"getSlot","params":{"commitment":"confirmed"}}')).toBe(-32602)
  })

  it('answers a batch in order, each call separately, and never notifications', async () => {
    const batch = [
      { jsonrpc: '2.0', id: 'a', method: 'getGenesisHash' },
      { jsonrpc: '2.0', method: 'getHealth' },
      3,
      { jsonrpc: '2.0', id: 'b', method: 'requestAirdrop', params: [ADDRESS, 1_000_000_000] },
      { jsonrpc: '2.0', id: 'c', method: 'getBalance', params: ['x'] },
    ]
    const answers = JSON.parse((await chain.post(JSON.stringify(batch))).text) as RawAnswer[]
    expect(answers.map((answer) => answer.id)).toEqual(['a', null, 'b', 'c'])
    expect(answers[0]?.result).toBe(chain.bank.genesisHash)
    expect(answers[1]?.error?.code).toBe(-32600)
    expect(answers[2]?.result).toEqual(expect.any(String))
    expect(answers[3]?.error).toMatchObject({ code: -32602, message: 'Invalid param: WrongSize' })
    expect((await chain.post(JSON.stringify([{ jsonrpc: '2.0', method: 'getHealth' }]))).text).toBe('')
  })

  it('refuses a batch beyond its limit as a whole', async () => {
    const calls = Array.from({ length: 1001 }, (_, id) => ({ jsonrpc: '2.0', id, method: 'getHealth' }))
    expect((await parsed(JSON.stringify(calls))).error?.code).toBe(-32600)
    const all = JSON.parse((await chain.post(JSON.stringify(calls.slice(1)))).text) as RawAnswer[]
    expect(all).toHaveLength(1000)
  })
})

describe('transport', () => {
  it('accepts POST of JSON, and GET /health', async () => {
    expect(await (await fetch(`${chain.url}/health`)).text()).toBe('ok')
    expect((await fetch(chain.url)).status).toBe(405)
    expect((await chain.post('{}', { 'content-type': 'text/plain' })).status).toBe(415)
    expect((await chain.post('{}', { 'content-type': 'application/json; charset=utf-8' })).status).toBe(200)
    expect((await chain.post(' '.repeat(4 * 1024 * 1024 + 1))).status).toBe(413)
    expect((await chain.post(new Uint8Array([0x22, 0xff, 0xfe, 0x22]))).text).toContain('-32700')
  })

  it('continues after any bytes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 400 }), async (bytes) => {
        const { status, text } = await chain.post(new Uint8Array(bytes))
        expect(status).toBe(200)
        expect((JSON.parse(text) as RawAnswer).error?.code).toBeLessThan(-32000)
      }),
      { numRuns: 100 },
    )
    expect((await chain.call('getHealth')).result).toBe('ok')
  })

  it('continues after malformed HTTP', async () => {
    const { port } = new URL(chain.url)
    for (const bytes of [
      '\0\r\n\r\n',
      'POST / HTTP/1.1\r\ncontent-length: x\r\n\r\n',
      `GET /${'a'.repeat(100_000)} HTTP/1.1\r\n\r\n`,
    ]) {
      const socket = connect(Number(port), '127.0.0.1')
      socket.on('error', () => socket.destroy())
      socket.end(bytes)
      await new Promise((resolve) => socket.resume().once('close', resolve))
    }
    expect((await chain.call('getHealth')).result).toBe('ok')
  })

  it('survives deeper nesting than any stack', async () => {
    const deep = '['.repeat(200_000)
    expect((await parsed(deep)).error?.code).toBe(-32700)
    const nested = `${deep}${']'.repeat(200_000)}`
    for (const method of ['getBalance', 'requestAirdrop', 'getProgramAccounts']) {
      const answer = await parsed(`{"jsonrpc":"2.0","id":1,"method":"${method}","params":${nested}}`)
      expect(answer.error?.code).toBeLessThanOrEqual(-32600)
    }
  })
})

// One valid call for every method with parameters.
const RIGHT: Readonly<Record<string, readonly unknown[]>> = {
  getSlot: [{}],
  getBlockHeight: [{}],
  getEpochInfo: [{}],
  getTransactionCount: [{}],
  getLatestBlockhash: [{}],
  isBlockhashValid: [ADDRESS, {}],
  getAccountInfo: [ADDRESS, {}],
  getMultipleAccounts: [[ADDRESS], {}],
  getProgramAccounts: [ADDRESS, {}],
  getBalance: [ADDRESS, {}],
  getTokenAccountsByOwner: [ADDRESS, { programId: 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA' }, {}],
  getTokenAccountsByDelegate: [ADDRESS, { programId: 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA' }, {}],
  getMinimumBalanceForRentExemption: [165, {}],
  getRecentPrioritizationFees: [[ADDRESS]],
  getSignatureStatuses: [[SIGNATURE], {}],
  getSignaturesForAddress: [ADDRESS, {}],
  getTransaction: [SIGNATURE, {}],
  getBlocks: [0, 1, {}],
  getBlocksWithLimit: [0, 1, {}],
  getSlotLeaders: [0, 1],
  getInflationReward: [[ADDRESS], {}],
  getStakeMinimumDelegation: [{}],
  getSupply: [{}],
  getLargestAccounts: [{}],
  getBlockProduction: [{}],
  getBlockCommitment: [0],
}

describe('parameters', () => {
  it.each(Object.entries(RIGHT))('%s answers valid calls', async (method, params) => {
    expect(await chain.call(method, params)).not.toHaveProperty('error')
  })

  it.each(Object.entries(RIGHT))('%s refuses an invalid commitment, slot or configuration', async (method, params) => {
    const place = params.findIndex((param) => typeof param === 'object' && Object.keys(param as object).length === 0)
    if (place < 0) return
    const withConfig = (config: unknown): unknown[] => params.map((param, index) => (index === place ? config : param))
    const code = async (config: unknown): Promise<unknown> => (await chain.call(method, withConfig(config))).error?.code
    expect(await code(7)).toBe(-32602)
    if (method === 'getInflationReward' || method === 'getSignatureStatuses') return
    expect(await code({ commitment: 'sure' })).toBe(-32602)
    if (method.startsWith('getBlocks') || method === 'getTransaction') return
    expect(await code({ minContextSlot: -1 })).toBe(-32602)
    expect((await chain.call(method, withConfig({ minContextSlot: 2 ** 52 }))).error).toMatchObject({
      code: -32016,
      message: 'Minimum context slot has not been reached',
      data: { contextSlot: expect.any(Number) as number },
    })
  })

  it.each(Object.entries(RIGHT).filter(([, params]) => JSON.stringify(params) !== '[{}]'))(
    '%s refuses missing and mistyped parameters',
    async (method, params) => {
      if (method !== 'getRecentPrioritizationFees') expect((await chain.call(method, [])).error?.code).toBe(-32602)
      await fc.assert(
        fc.asyncProperty(fc.nat(params.length - 1), fc.jsonValue({ maxDepth: 2 }), async (index, junk) => {
          const answer = await chain.call(
            method,
            params.map((param, place) => (place === index ? junk : param)),
          )
          if (answer.error !== undefined) expect([-32602, -32016, -32015]).toContain(answer.error.code)
        }),
        { numRuns: 25 },
      )
    },
  )

  it('has the error messages of a real node', async () => {
    const message = async (method: string, params: unknown[]): Promise<unknown> =>
      (await chain.call(method, params)).error?.message
    expect(await message('getBalance', ['11111'])).toBe('Invalid param: WrongSize')
    expect(await message('getBalance', ['0OIl'.repeat(8)])).toBe('Invalid param: Invalid')
    expect(await message('getBalance', [])).toBe('`params` should have at least 1 argument(s)')
    expect(await message('getTransaction', ['abc'])).toBe('Invalid param: WrongSize')
    expect(await message('getMultipleAccounts', [Array.from({ length: 101 }, () => ADDRESS)])).toBe(
      'Too many inputs provided; max 100',
    )
    expect(await message('getSignatureStatuses', [Array.from({ length: 257 }, () => SIGNATURE)])).toBe(
      'Too many inputs provided; max 256',
    )
    expect(
      await message('getProgramAccounts', [ADDRESS, { filters: Array.from({ length: 5 }, () => ({ dataSize: 1 })) }]),
    ).toBe('Too many filters provided; max 4')
    expect(await message('getSignaturesForAddress', [ADDRESS, { limit: 1001 }])).toBe('Invalid limit; max 1000')
    expect(await message('getTransaction', [SIGNATURE, { commitment: 'processed' }])).toBe(
      'Method does not support commitment below `confirmed`',
    )
    expect(await message('getBlocks', [0, 600_000])).toBeUndefined()
    expect(await message('getBlock', [2 ** 40])).toBe(`Block not available for slot ${2 ** 40}`)
    expect(await message('getTokenAccountBalance', [Keypair.generate().publicKey.toBase58()])).toBe(
      'Invalid param: could not find account',
    )
    expect(await message('getTokenSupply', ['11111111111111111111111111111111'])).toBe(
      'Invalid param: not a Token mint',
    )
    expect(await message('getTokenAccountsByOwner', [ADDRESS, { programId: ADDRESS }])).toBe(
      'Invalid param: unrecognized Token program id',
    )
    expect(await message('getHighestSnapshotSlot', [])).toBe('No snapshot')
    expect(await message('getAccountInfo', [ADDRESS, { encoding: 'base64+zstd' }])).toContain(
      'base64+zstd encoding is not supported',
    )
  })

  it('is not affected by keys that name prototypes', async () => {
    const config = '{"__proto__":{"commitment":"sure"},"constructor":{"prototype":{"x":1}}}'
    expect((await parsed(`{"jsonrpc":"2.0","id":1,"method":"getSlot","params":[${config}]}`)).result).toEqual(
      expect.any(Number),
    )
    const airdrop = `{"jsonrpc":"2.0","id":1,"method":"requestAirdrop","params":["${ADDRESS}",1000000,{"__proto__":{"polluted":true}}]}`
    expect((await parsed(airdrop)).result).toEqual(expect.any(String))
    expect(at({}, 'polluted')).toBeUndefined()
    expect(at({}, 'x')).toBeUndefined()
  })
})

describe('numbers', () => {
  it('prints any u64 exactly, as valid JSON', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), fc.jsonValue(), (lamports, value) => {
        expect(jsonText({ lamports })).toBe(`{"lamports":${lamports}}`)
        const plain: unknown = JSON.parse(JSON.stringify(value))
        expect(JSON.parse(jsonText(plain))).toEqual(plain)
      }),
    )
    expect(jsonText({ a: undefined, b: [undefined, NaN, null], c: -0 })).toBe('{"b":[null,null,null],"c":0}')
  })

  it('parses an amount beyond 2^53 exactly', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 2n ** 53n, max: 2n ** 64n - 1n }), (lamports) => {
        const call = parseJson(`{"method":"requestAirdrop","params":["x",${lamports},1,1.5]}`)
        expect(at(call, 'params')).toEqual(['x', lamports, 1, 1.5])
      }),
    )
  })

  it('returns amounts as integers, scaled ones rounded down', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), fc.nat(18), (raw, decimals) => {
        const text = decimalText(raw, decimals)
        const [integer = '', fraction = ''] = text.split('.')
        expect(BigInt(integer + fraction.padEnd(decimals, '0'))).toBe(raw)
        expect(text).not.toMatch(/\.\d*0$|\.$/)
      }),
    )
    expect(uiTokenAmount(1_000_000n, 6, exactRatio(1.5))).toEqual({
      amount: '1000000',
      decimals: 6,
      uiAmount: 1.5,
      uiAmountString: '1.5',
    })
    expect(uiTokenAmount(3n, 0, exactRatio(0.5)).uiAmountString).toBe('1')
    expect(exactRatio(Number.POSITIVE_INFINITY)).toBeNull()
    expect(plainDouble(1e21)).toBe('1000000000000000000000')
    expect(plainDouble(1.5e-7)).toBe('0.00000015')
    expect(plainDouble(1.25)).toBe('1.25')
  })
})
