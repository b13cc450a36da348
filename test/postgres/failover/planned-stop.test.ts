// A stop of the owner with SIGTERM, under requests that another node forwards to it: the outcome of each is known.
import { expect, it } from 'vitest'
import { openClusterFixture, ownerOf, type NodeProcess } from '../cluster-fixture.ts'
import { showNodesOnFailure } from './show-nodes.ts'

const STOPS = 4
const WRITERS = 16

let nodes: NodeProcess[] = []
showNodesOnFailure(() => nodes)

it('an owner that is stopped lets every request finish, here or at the next owner', async () => {
  await using fixture = await openClusterFixture()
  nodes = await Promise.all(['a', 'b'].map((id) => fixture.start(id)))
  const headers = { authorization: `Bearer ${fixture.apiKey}`, 'content-type': 'application/json' }
  const create = async (url: string): Promise<string> => {
    const response = await fetch(`${url}/api/v1/accounts`, { method: 'POST', headers, body: '{"itemData":{}}' })
    const text = await response.text()
    if (response.status === 201) return 'created'
    // On a slow machine, the next owner may be longer in coming than a request waits.
    return text.includes('TENANT_UNAVAILABLE') ? 'not taken' : `${response.status} ${text}`
  }
  for (let stop = 0; stop < STOPS; stop += 1) {
    const owner = await ownerOf(nodes)
    const gateway = nodes.find((node) => node !== owner)!
    let isOver = false
    const answers: string[] = []
    const writing = Promise.all(
      Array.from({ length: WRITERS }, async () => {
        while (!isOver) answers.push(await create(gateway.url))
      }),
    )
    owner.signal('SIGTERM')
    expect(await owner.ended).toBe(0)
    expect(await ownerOf([gateway])).toBe(gateway)
    isOver = true
    await writing
    expect(answers).toContain('created')
    expect(answers.filter((answer) => answer !== 'created' && answer !== 'not taken')).toEqual([])
    nodes = [gateway, await fixture.start(owner.name)]
  }
})
