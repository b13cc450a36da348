// A request that takes longer than a hand-over waits for open requests: its outcome is known, and nothing of it is
// done.
import { once } from 'node:events'
import { randomBytes } from 'node:crypto'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Keypair } from '@solana/web3.js'
import { expect, it, onTestFinished } from 'vitest'
import { Client } from '../../e2e/client.ts'
import { Onchain } from '../../e2e/onchain.ts'
import { Records, SOL } from '../../e2e/records.ts'
import { openClusterFixture, ownerOf, type NodeProcess } from '../cluster-fixture.ts'
import { until } from '../nodes-fixture.ts'
import { showNodesOnFailure } from './show-nodes.ts'

let nodes: NodeProcess[] = []
showNodesOnFailure(() => nodes)

it('a payment whose screening outlasts the grace of a stop is refused as retryable, and not made', async () => {
  const screenings: ServerResponse[] = []
  const server = createServer((request, response) => request.resume().on('end', () => screenings.push(response)))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const host = `127.0.0.1:${String((server.address() as AddressInfo).port)}`
  await using fixture = await openClusterFixture({ OUTBOUND_ALLOW: host })
  nodes = await Promise.all(['a', 'b'].map((id) => fixture.start(id)))
  const owner = await ownerOf(nodes)
  const next = nodes.find((node) => node !== owner)!
  const api = new Client(owner.url, fixture.apiKey)
  const chain = new Onchain(fixture.rpcUrl)
  const records = new Records(api, chain)
  await records.feePayer()
  const source = await records.funded({ networkCurrencyDebitLimits: [] }, SOL)
  const screening = { url: `http://${host}/`, secret: `whsec_${randomBytes(32).toString('base64')}`, timeoutMs: 10_000 }
  await api.ok(200, 'PATCH', '/admin/organizations', { externalId: 'SYSTEM', screening })

  const destination = { onchainId: Keypair.generate().publicKey.toBase58(), offPlatform: true }
  const payment = { source, destination, lamports: 1_000_000 }
  const answer = api.send<{ errors?: { code: string; retryable: boolean }[] }>(
    'POST',
    '/positions/transfer-network-currency',
    payment,
  )
  await until('the screening is asked', () => screenings.length === 1)
  owner.signal('SIGTERM')
  await ownerOf([next])
  screenings[0]!.writeHead(200, { 'content-type': 'application/json' }).end('{"decision":"ALLOW"}')
  const { status, body } = await answer
  expect([status, body.errors]).toMatchObject([503, [{ code: 'TENANT_UNAVAILABLE', retryable: true }]])
  expect(await owner.ended).toBe(0)
  expect(await chain.lamports(destination.onchainId)).toBe(0n)
})
