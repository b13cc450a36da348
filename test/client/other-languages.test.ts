// The generated clients in Python and Go on the real service, through a proxy that answers in its place: one effect for
// each key, and every error has the key. A language that is not installed is left out.
import { execFile, execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { goClient } from '../../src/http/pages/clients/go.ts'
import { pythonClient } from '../../src/http/pages/clients/python.ts'
import { openApi } from '../../src/http/pages/openapi.ts'
import { routes } from '../../src/http/routes.ts'
import { startWorld, type World } from '../e2e/harness.ts'
import type { Ids } from '../e2e/models.ts'
import { FaultProxy } from './fault-proxy.ts'

const PATH = '/positions/transfer-network-currency'
/** Takes a body and a key, both as JSON, and prints the error and its key, or the answer. */
const PYTHON = `
import json, sys
from holdfast import Holdfast, HoldfastError, HoldfastUnanswered

url, api_key, method, body, key = sys.argv[1:]
hf = Holdfast(url, api_key)
key = json.loads(key)
writes = {} if key is None else {"idempotency_key": key}
try:
    print(json.dumps({"answer": getattr(hf, method)(json.loads(body), **writes)}, default=str))
except HoldfastError as error:
    refused = {"error": "refused", "key": error.idempotency_key, "status": error.status}
    print(json.dumps({**refused, "message": str(error)}))
except HoldfastUnanswered as error:
    print(json.dumps({"error": "unanswered", "key": error.idempotency_key}))
`
const GO = `package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"time"

	"example/holdfast"
)

func main() {
	var body holdfast.Object
	if err := json.Unmarshal([]byte(os.Args[4]), &body); err != nil {
		panic(err)
	}
	var key *string
	if err := json.Unmarshal([]byte(os.Args[5]), &key); err != nil {
		panic(err)
	}
	ctx := context.Background()
	if key != nil {
		ctx = holdfast.WithIdempotencyKey(ctx, *key)
	}
	if len(os.Args) > 6 {
		limited, cancel := context.WithTimeout(ctx, 100*time.Millisecond)
		defer cancel()
		ctx = limited
	}
	hf := holdfast.New(os.Args[1], os.Args[2])
	call := hf.PostPositionsTransferNetworkCurrency
	if os.Args[3] == "post_statements" {
		call = hf.PostStatements
	}
	answer, err := call(ctx, body)
	result := holdfast.Object{"answer": answer}
	var refused *holdfast.Error
	var unanswered *holdfast.Unanswered
	if errors.As(err, &refused) {
		result = holdfast.Object{"error": "refused", "key": refused.IdempotencyKey, "status": refused.Status}
		result["message"] = err.Error()
	} else if errors.As(err, &unanswered) {
		result = holdfast.Object{"error": "unanswered", "key": unanswered.IdempotencyKey}
	} else if err != nil {
		panic(err)
	}
	text, _ := json.Marshal(result)
	fmt.Println(string(text))
}
`

interface Outcome {
  readonly answer?: unknown
  readonly error?: 'refused' | 'unanswered'
  readonly key?: string
  readonly status?: number
  /** Of a refusal. */
  readonly message?: string
}

const scratch = mkdtempSync(join(tmpdir(), 'holdfast-languages-'))
const document = openApi(routes, ['CHAIN_DEVNET'])
const GATEWAY = { status: 502, headers: { 'content-type': 'text/html' }, body: {}, isAsked: true }
const UNKNOWN = { status: 504, body: { errors: [{ code: 'OUTCOME_UNKNOWN', retryable: false }] }, isAsked: true }

let world: World
let proxy: FaultProxy
let payer: Ids
beforeAll(async () => {
  world = await startWorld()
  proxy = await FaultProxy.start(world.url)
  payer = await world.records.feePayer()
})
afterEach(() => {
  proxy.fault = () => 'pass'
  proxy.passed.length = 0
})
afterAll(async () => {
  await proxy.stop()
  await world.stop()
  rmSync(scratch, { recursive: true, force: true })
})

function isInstalled(command: string, argument: string): boolean {
  try {
    execFileSync(command, [argument], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

const LANGUAGES = [
  {
    name: 'Python',
    has: isInstalled('python3', '--version'),
    make: (): readonly string[] => {
      writeFileSync(join(scratch, 'holdfast.py'), pythonClient(document))
      writeFileSync(join(scratch, 'call.py'), PYTHON)
      return ['python3', join(scratch, 'call.py')]
    },
  },
  {
    name: 'Go',
    has: isInstalled('go', 'version'),
    make: (): readonly string[] => {
      mkdirSync(join(scratch, 'holdfast'), { recursive: true })
      writeFileSync(join(scratch, 'holdfast', 'holdfast.go'), goClient(document))
      writeFileSync(join(scratch, 'call.go'), GO)
      writeFileSync(join(scratch, 'go.mod'), 'module example\n\ngo 1.18\n')
      execFileSync('go', ['build', '-o', 'call', '.'], { cwd: scratch })
      return [join(scratch, 'call')]
    },
  },
]

describe.each(LANGUAGES.filter(({ has }) => has))('a payment in $name', ({ name, make }) => {
  let words: readonly string[]
  beforeAll(() => {
    words = make()
  })
  async function run(
    method: string,
    body: object,
    key: string | null = null,
    ...more: readonly string[]
  ): Promise<Outcome> {
    const [command = '', ...rest] = words
    const apiKey = world.api.bearer.replace('Bearer ', '')
    const args = [...rest, proxy.url, apiKey, method, JSON.stringify(body), JSON.stringify(key), ...more]
    return JSON.parse((await promisify(execFile)(command, args)).stdout) as Outcome
  }
  const pay = (
    to: Ids,
    { key, ...itemData }: { key?: string; idempotencyId?: string | null; lamports?: unknown } = {},
  ) => {
    const { offchainId } = to
    const given = { source: { offchainId: payer.offchainId }, destination: { offchainId }, lamports: 5_000_000 }
    return run('post_positions_transfer_network_currency', { itemData: { ...given, ...itemData } }, key)
  }
  const sent = () => proxy.passed.filter(({ path }) => path.endsWith(PATH))
  const keysSent = () => [...new Set(sent().map(({ headers }) => headers['idempotency-key']))]

  it('is made once although a proxy or a node answers in place of the service', async () => {
    const to = await world.records.account()
    proxy.fault = (_, count) => [GATEWAY, UNKNOWN][count - 1] ?? 'pass'
    expect(await pay(to)).toMatchObject({ answer: { success: true } })
    expect([sent().length, keysSent().length]).toEqual([3, 1])
    expect(await world.chain.lamports(to.onchainId)).toBe(5_000_000n)
  })

  it.each([
    ['unanswered', GATEWAY],
    ['refused', UNKNOWN],
  ] as const)('that stays %s has its key, which repeats it safely', async (error, fault) => {
    const to = await world.records.account()
    proxy.fault = () => fault
    const outcome = await pay(to)
    expect(outcome).toMatchObject({ error, key: keysSent()[0] })
    expect(sent()).toHaveLength(4)
    proxy.fault = () => 'pass'
    expect(await pay(to, { key: outcome.key! })).toMatchObject({ answer: { success: true } })
    expect(await world.chain.lamports(to.onchainId)).toBe(5_000_000n)
  })

  it.each([
    ['no answer', 'cut'],
    ['a 5xx', UNKNOWN],
  ] as const)('is unanswered after %s, although a later attempt is refused', async (_, fault) => {
    const to = await world.records.account()
    proxy.fault = (_passed, count) => (count === 1 ? fault : { status: 401, body: { errors: [{ code: 'NO_ACCESS' }] } })
    const outcome = await pay(to)
    expect(outcome).toMatchObject({ error: 'unanswered', key: keysSent()[0] })
    proxy.fault = () => 'pass'
    expect(await pay(to, { key: outcome.key! })).toMatchObject({ answer: { success: true } })
    expect(await world.chain.lamports(to.onchainId)).toBe(5_000_000n)
  })

  it('is unanswered if its answer cannot be read', async () => {
    const to = await world.records.account()
    proxy.fault = () => ({ status: 201, body: '{', isAsked: true })
    expect(await pay(to)).toMatchObject({ error: 'unanswered', key: keysSent()[0] })
    expect(await world.chain.lamports(to.onchainId)).toBe(5_000_000n)
  })

  it('has the idempotencyId of its body for its key', async () => {
    const to = await world.records.account()
    const idempotencyId = crypto.randomUUID()
    expect(await pay(to, { idempotencyId })).toMatchObject({ answer: { success: true } })
    expect(keysSent()).toEqual([undefined])
    proxy.fault = () => UNKNOWN
    expect(await pay(to, { idempotencyId })).toMatchObject({ error: 'refused', key: idempotencyId })
    expect(await world.chain.lamports(to.onchainId)).toBe(5_000_000n)
  })

  it('whose body has null for its idempotencyId happens once under another key', async () => {
    const to = await world.records.account()
    proxy.fault = (_, count) => (count < 3 ? 'half' : 'pass')
    expect(await pay(to, { idempotencyId: null })).toMatchObject({ answer: { success: true } })
    expect([sent().length, keysSent()]).toEqual([3, [expect.stringMatching(/^[0-9a-f-]{32,36}$/)]])
    expect(await world.chain.lamports(to.onchainId)).toBe(5_000_000n)
  })

  it('whose key is empty is refused', async () => {
    const to = await world.records.account()
    // In Go it is an error before anything is sent, which the program does not handle.
    if (name === 'Go') await expect(pay(to, { key: '' })).rejects.toThrow('the idempotency key is empty')
    else expect(await pay(to, { key: '' })).toMatchObject({ error: 'refused', status: 400 })
    expect(await pay(to, { idempotencyId: '' })).toMatchObject({ error: 'refused', status: 400 })
    expect(await world.chain.exists(to.onchainId)).toBe(false)
  })

  it.each([301, 302, 303, 307, 308])('does not follow a redirect with %i, which is an error', async (status) => {
    const other = await FaultProxy.start(world.url)
    try {
      const to = await world.records.account()
      proxy.fault = () => ({ status, headers: { location: other.url }, body: '' })
      const outcome = await pay(to)
      expect(outcome).toMatchObject({ error: 'refused', status, key: keysSent()[0] })
      expect(outcome.message).toContain(`redirect to ${other.url}`)
      expect([sent().length, other.passed.length]).toEqual([1, 0])
    } finally {
      await other.stop()
    }
  })

  it.each(['text', null, { code: 1 }])('is repeated if a proxy answers with the error %j', async (each) => {
    const to = await world.records.account()
    proxy.fault = (_, count) => (count < 3 ? { status: 502, body: { errors: [each] }, isAsked: true } : 'pass')
    expect(await pay(to)).toMatchObject({ answer: { success: true } })
    expect([sent().length, keysSent().length]).toEqual([3, 1])
    expect(await world.chain.lamports(to.onchainId)).toBe(5_000_000n)
  })

  it.each(['31', '99999999999999999999', 'Fri, 31 Dec 2999 23:59:59 GMT'])(
    'is not repeated if the answer has Retry-After %s',
    async (retryAfter) => {
      const headers = { 'retry-after': retryAfter }
      const busy = { status: 429, headers, body: { errors: [{ code: 'TOO_MANY_REQUESTS', retryable: true }] } }
      const to = await world.records.account()
      proxy.fault = () => busy
      expect(await pay(to)).toMatchObject({ error: 'refused', status: 429, key: keysSent()[0] })
      proxy.fault = () => ({ ...GATEWAY, headers })
      expect(await pay(to)).toMatchObject({ error: 'unanswered' })
      expect(sent()).toHaveLength(2)
    },
  )

  it('is in a statement as CSV, which is text', async () => {
    const to = await world.records.account()
    await pay(to)
    const itemData = { account: { offchainId: to.offchainId }, from: '2026-01-01T00:00:00Z', format: 'CSV' }
    const { answer } = await run('post_statements', { itemData })
    const text = name === 'Go' ? (answer as { readonly text: string }).text : (answer as string)
    expect(text.split('\n')[0]).toContain(',')
  })

  it('that is refused for good is sent once, and has its key', async () => {
    const outcome = await pay(await world.records.account(), { lamports: 'x' })
    expect(outcome).toMatchObject({ error: 'refused', status: 400, key: keysSent()[0] })
    expect(sent()).toHaveLength(1)
  })

  if (name === 'Go') {
    it('has its key when the time of the caller ends between two attempts', async () => {
      const to = await world.records.account()
      proxy.fault = () => ({ ...GATEWAY, isAsked: false })
      const itemData = { source: payer, destination: to, lamports: 5_000_000 }
      const outcome = await run('post_positions_transfer_network_currency', { itemData }, null, 'limited')
      expect(outcome).toEqual({ error: 'unanswered', key: keysSent()[0] })
    })
  }
})
