// A node on a database of its own, with the fixture of loans over its REST interface.
import { expect } from 'vitest'
import { Client } from '../e2e/client.ts'
import { eventually, passKnownSlots } from '../e2e/harness.ts'
import { LoanFixture } from '../e2e/loans/loan-fixture.ts'
import { Onchain } from '../e2e/onchain.ts'
import { Records } from '../e2e/records.ts'
import { openClusterFixture, type ClusterFixture, type NodeProcess } from './cluster-fixture.ts'

export interface LoanNode {
  readonly fixture: ClusterFixture
  readonly node: NodeProcess
  /** Stops the cluster too. */
  readonly loans: LoanFixture
}

export async function openLoanNode(): Promise<LoanNode> {
  const fixture = await openClusterFixture({ LEASE_MS: '10000' })
  const node = await fixture.start('a')
  const api = new Client(node.url, fixture.apiKey)
  await eventually(async () => expect((await api.get('/whoami')).status).toBe(200))
  const chain = new Onchain(fixture.rpcUrl)
  const { url } = node
  const loans = LoanFixture.over({
    ...{ api, chain, url, rpcUrl: fixture.rpcUrl, records: new Records(api, chain) },
    passSlots: (slots) => passKnownSlots(chain, [], slots),
    stop: () => Promise.resolve(fixture[Symbol.asyncDispose]()),
  })
  return { fixture, node, loans }
}
