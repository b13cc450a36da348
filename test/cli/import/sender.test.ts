// Requests of an import, at a service that is unavailable: the wait that it asks for is kept, its last answer is named.
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { importBatch } from '../../../src/cli/import/run.ts'
import { Sender } from '../../../src/cli/import/sender.ts'

type Answer = (response: ServerResponse) => void

const away =
  (retryAfter?: string): Answer =>
  (response) => {
    response.writeHead(503, retryAfter === undefined ? {} : { 'retry-after': retryAfter })
    response.end(JSON.stringify({ errors: [{ code: 'TENANT_UNAVAILABLE', message: 'no owner', retryable: true }] }))
  }
const created: Answer = (response) => response.writeHead(201).end('{}')

let stop: () => void = () => undefined
afterEach(() => stop())

/** Answers in order; the last answer is repeated. */
async function senderTo(...answers: readonly Answer[]): Promise<{ sender: Sender; waits: number[]; url: string }> {
  let count = 0
  const server = createServer((_, response) => {
    answers[Math.min(count, answers.length - 1)]!(response)
    count += 1
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  stop = () => {
    server.close()
    server.closeAllConnections()
  }
  const waits: number[] = []
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { sender: new Sender(url, 'key', (ms) => Promise.resolve(waits.push(ms))), waits, url }
}

const inSeconds = (seconds: number): string => new Date(Date.now() + seconds * 1_000).toUTCString()

it('waits until the date of Retry-After, or for its seconds', async () => {
  const { sender, waits } = await senderTo(away(inSeconds(30)), away('20'), away('soon'), created)
  expect(await sender.post('accounts', {})).toMatchObject({ body: {} })
  // A date has whole seconds.
  expect(waits[0]).toBeGreaterThan(25_000)
  expect(waits[0]).toBeLessThanOrEqual(30_000)
  expect(waits.slice(1)).toEqual([20_000, 2_000])
})

it('names the last status and code of a service that stays unavailable', async () => {
  const { sender, waits, url } = await senderTo(away())
  await expect(sender.post('accounts', {})).rejects.toMatchObject({
    message: `the service at ${url} answers 503 TENANT_UNAVAILABLE: run the command again to resume`,
    exitCode: 69,
  })
  expect(waits).toEqual([500, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000])
})

it('does not wait for longer than a minute', async () => {
  const { sender, waits } = await senderTo(away('3600'))
  await expect(sender.post('accounts', {})).rejects.toThrow(/answers 503 TENANT_UNAVAILABLE \(Retry-After: 3600\)/)
  expect(waits).toEqual([])
})

it('says that no service is there if none answers', async () => {
  const { sender, url } = await senderTo((response) => response.destroy())
  await expect(sender.post('accounts', {})).rejects.toThrow(`no service responds at ${url}`)
})

it('reports that a batch waits for approval, which limits are not the only reason for', async () => {
  const answer =
    (body: object): Answer =>
    (response) =>
      response.writeHead(200).end(JSON.stringify(body))
  const { sender } = await senderTo(answer({ newBatch: { offchainId: 'b' } }), answer({ status: 'PREPARED' }))
  const file = { path: 'a.jsonl', items: [{ line: 1, itemData: {} }], columns: [], hash: 'h' }
  const options = { operation: 'CREATE_ACCOUNT', stopOnFailure: false }
  const { problems } = await importBatch(sender, file, options, { at: () => undefined, done: () => undefined })
  expect(problems).toEqual(['batch b waits for approval'])
})

it('does not follow a redirect, which would send the payments to another host', async () => {
  const redirect: Answer = (response) => response.writeHead(307, { location: '/elsewhere' }).end()
  const { sender, url } = await senderTo(redirect, created)
  await expect(sender.post('accounts', {})).rejects.toThrow(url)
})
