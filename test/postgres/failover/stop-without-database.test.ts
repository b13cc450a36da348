// Nodes that are stopped while their database does not answer.
import { expect, it } from 'vitest'
import { openClusterFixture, ownerOf, type NodeProcess } from '../cluster-fixture.ts'
import { showNodesOnFailure } from './show-nodes.ts'

const LEASE_MS = 3_000

let nodes: NodeProcess[] = []
showNodesOnFailure(() => nodes)

it('nodes that are stopped while the database is away end, and what was acknowledged is there afterwards', async () => {
  await using fixture = await openClusterFixture({ LEASE_MS: String(LEASE_MS) })
  nodes = await Promise.all(['a', 'b'].map((id) => fixture.start(id)))
  const owner = await ownerOf(nodes)
  const other = nodes.find((node) => node !== owner)!
  const headers = { authorization: `Bearer ${fixture.apiKey}`, 'content-type': 'application/json' }
  const ask = async (url: string, path: string, itemData: object): Promise<{ status: number; text: string }> => {
    const options = { method: 'POST', headers, body: JSON.stringify({ itemData }) }
    const response = await fetch(`${url}/api/v1/accounts${path}`, options)
    return { status: response.status, text: await response.text() }
  }
  const create = (code: string) => ask(owner.url, '', { offchainReferences: { code } })
  expect(await create('KEPT')).toMatchObject({ status: 201 })
  await fixture.postgres.kill()
  const unanswered = create('LOST').then(
    ({ status }) => status,
    () => 'no answer',
  )
  owner.signal('SIGTERM')
  other.signal('SIGTERM')
  expect(await owner.ended).toBe(69)
  expect(await other.ended).toBe(0)
  expect(await unanswered).not.toBe(201)

  await fixture.postgres.restart()
  const next = await fixture.start('a')
  nodes = [next]
  await ownerOf(nodes)
  const find = (code: string) => ask(next.url, '/single', { offchainReferences: { code } })
  expect(await find('KEPT')).toMatchObject({ status: 200 })
  expect(await find('LOST')).toMatchObject({ status: 404 })
})
