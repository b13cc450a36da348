// For any answer of a node, every call gets exactly one answer, its own, with every digit; and no name of an endpoint
// contains a secret.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { matchAnswers, parseAnswer } from '../../src/rpc/answers.ts'
import { endpointName, endpointSecrets, withoutSecrets } from '../../src/rpc/endpoint-name.ts'

const clear = (text: string) => text

describe('matching answers to calls', () => {
  it('assigns every call its own answer, in any order', () => {
    const results = fc.array(fc.jsonValue(), { minLength: 1, maxLength: 20 })
    fc.assert(
      fc.property(results, fc.integer({ min: 1, max: 1e9 }), fc.infiniteStream(fc.nat()), (values, firstId, order) => {
        const body = values.map((result, index) => ({ jsonrpc: '2.0', id: firstId + index, result }))
        const shuffled = body
          .map((entry) => ({ entry, key: order.next().value as number }))
          .sort((a, b) => a.key - b.key)
        const answers = matchAnswers(
          shuffled.map(({ entry }) => entry),
          firstId,
          values.length,
          clear,
        )
        expect(answers).toEqual(values.map((result) => ({ ok: true, result })))
      }),
    )
  })

  it('never accepts a malformed result, and answers every call', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.integer({ min: 1, max: 9 }), (body, count) => {
        const answers = matchAnswers(body, 1, count, clear)
        expect(answers).toHaveLength(count)
        const entries = (Array.isArray(body) ? body : [body]) as unknown[]
        answers.forEach((answer, index) => {
          const own = entries.filter((entry) => (entry as { id?: unknown } | null)?.id === index + 1)
          if (answer.ok) expect(own).toHaveLength(1)
        })
      }),
    )
  })

  it('reports an error for a call without an answer, with two answers, or without a result', () => {
    const body = [
      { id: 2, result: 1 },
      { id: 2, result: 1 },
      { id: 3 },
      { id: 4, result: null },
      { id: '5', result: 9 },
    ]
    const answers = matchAnswers(body, 1, 5, clear)
    expect(answers.map((answer) => (answer.ok ? answer.result : (answer.error as { fault?: string }).fault))).toEqual([
      'UNANSWERED',
      'MALFORMED',
      'MALFORMED',
      null,
      'UNANSWERED',
    ])
  })

  it('applies an error without an id to all calls: the batch was refused', () => {
    const answers = matchAnswers(
      { jsonrpc: '2.0', error: { code: -32600, message: 'no batches' }, id: null },
      7,
      3,
      clear,
    )
    expect(answers.map((answer) => !answer.ok && answer.error.message)).toEqual([
      'no batches',
      'no batches',
      'no batches',
    ])
  })
})

describe('exact integers', () => {
  it('preserve every lamport of any u64', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: (1n << 64n) - 1n }), (lamports) => {
        const text = `{"result":{"value":{"lamports":${lamports},"rentEpoch":18446744073709551615,"data":["AA==","base64"]}}}`
        const parsed = parseAnswer(text, true) as { result: { value: { lamports: number | bigint } } }
        expect(BigInt(parsed.result.value.lamports)).toBe(lamports)
      }),
    )
  })

  it('preserve every lamport of balances in arrays', () => {
    fc.assert(
      fc.property(fc.array(fc.bigInt({ min: 0n, max: (1n << 64n) - 1n }), { maxLength: 4 }), (balances) => {
        const text = `{"result":{"meta":{"preBalances":[${balances.join(',')}],"postBalances":[1, ${balances.join(', ') || 2}]}}}`
        const { meta } = (parseAnswer(text, true) as { result: { meta: Record<string, (number | bigint)[]> } }).result
        expect(meta['preBalances']!.map(BigInt)).toEqual(balances)
        expect(meta['postBalances']!.map(BigInt)).toEqual([1n, ...(balances.length === 0 ? [2n] : balances)])
      }),
    )
  })

  it('refuse text that is not JSON', () => {
    expect(() => parseAnswer('<html>', true)).toThrow(/not JSON/)
  })
})

describe('names of endpoints', () => {
  it("contain no credential, in any provider's format", () => {
    const secret = fc.stringMatching(/^[A-Za-z0-9_-]{12,40}$/)
    fc.assert(
      fc.property(secret, secret, secret, secret, (user, password, path, query) => {
        const url = `https://${user}:${password}@rpc.example.com:8443/v2/${path}?api-key=${query}`
        expect(endpointName(url)).toBe('https://rpc.example.com:8443')
        const cleared = withoutSecrets(`cannot reach ${url}`, endpointSecrets(url))
        for (const part of [user, password, path, query]) expect(cleared).not.toContain(part)
      }),
    )
  })
})
