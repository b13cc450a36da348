// A database with few connections: many requests that wait for a hand-over, and many with invented credentials, use no
// more connections than a few.
import { randomBytes } from 'node:crypto'
import { Agent, request } from 'node:http'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { generateApiKey } from '../../../src/keys/api-key.ts'
import { connect } from '../../../snapshots/postgres/connection.ts'
import { openClusterFixture, type ClusterFixture, type NodeProcess } from '../cluster-fixture.ts'
import { placeCells } from '../place-cells.ts'
import { addressOf } from '../postgres.ts'
import { SECOND } from '../second-cell.ts'
import { askAt, divideCells, firstNode, newTenant, untilServed, type Tenant } from '../two-nodes.ts'
import { showNodesOnFailure } from './show-nodes.ts'

/** Two nodes with two cells need no more, however many requests there are. */
const MAX_CONNECTIONS = 60
const SETTINGS = ['shared_buffers=64MB', 'jit=off', `max_connections=${MAX_CONNECTIONS}`]
const CLIENTS = 200
const HAND_OVERS = 4
const INVENTED = 2_000
const BOUND_MS = 30_000
const CLIENTS_NOW = "SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend'"
/** Of the requests that wait as long as they may: on a slow machine the next owner may be longer in coming. */
const NOT_TAKEN = 'no node owns the data of the tenant at this moment'

let fixture: ClusterFixture
let nodes: NodeProcess[] = []
let acme: Tenant
const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS })
showNodesOnFailure(() => nodes)

beforeAll(async () => {
  fixture = await openClusterFixture({ LEASE_MS: '5000' }, { database: SETTINGS })
  const node = await firstNode(fixture)
  acme = await newTenant(fixture, node, 'ACME')
  nodes = await divideCells(fixture, node, acme)
  askAt(fixture, acme, nodes[0]!.url)
  await untilServed([acme])
})
afterAll(async () => {
  agent.destroy()
  await fixture[Symbol.asyncDispose]()
})

interface Problem {
  readonly detail?: string
}

/** Status and reason of an answer of the node `a`. */
async function whoami(bearer: string): Promise<string> {
  const headers = { authorization: `Bearer ${bearer}` }
  return await new Promise((resolve, reject) => {
    const sent = request(`${nodes[0]!.url}/api/v1/whoami`, { agent, headers }, (response) => {
      response.setEncoding('utf8')
      let text = ''
      response.on('data', (part: string) => (text += part))
      response.on('end', () => resolve(`${response.statusCode ?? ''} ${(JSON.parse(text) as Problem).detail ?? ''}`))
      response.on('error', reject)
    })
    sent.on('error', reject)
    sent.end()
  })
}

it('requests that wait for a hand-over are not refused', async () => {
  let isOver = false
  const answers: string[] = []
  const reading = Promise.all(
    Array.from({ length: CLIENTS }, async () => {
      while (!isOver) answers.push(await whoami(acme.key))
    }),
  )
  for (let count = 0; count < HAND_OVERS; count += 1) {
    await placeCells(addressOf(fixture.postgres), { [SECOND]: count % 2 === 0 ? 'a' : 'b' })
    await untilServed([acme])
  }
  isOver = true
  await reading
  const refused = answers.filter((answer) => !answer.startsWith('200 ') && !answer.includes(NOT_TAKEN))
  expect([...new Set(refused)]).toEqual([])
  expect(answers.filter((answer) => answer.startsWith('200 ')).length).toBeGreaterThan(CLIENTS)
})

it('requests with invented credentials are refused, and take no connections from other requests', async () => {
  const tokens = Array.from({ length: INVENTED }, () => generateApiKey().apiKey)
  const garbled = Array.from({ length: INVENTED }, () => `hf_${randomBytes(6).toString('hex')}_`)
  const watching = await connect(addressOf(fixture.postgres), { boundMs: BOUND_MS })
  let isOver = false
  let highest = 0
  const count = async (): Promise<void> => {
    while (!isOver) {
      const [row] = await watching.query({ text: CLIENTS_NOW }, [], BOUND_MS)
      highest = Math.max(highest, Number(row?.[0]))
    }
  }
  const counting = count()
  const answers = await Promise.all([...tokens, ...garbled].map((token) => whoami(token)))
  isOver = true
  await counting
  watching.destroy()
  expect([...new Set(answers.map((answer) => answer.slice(0, 4)))]).toEqual(['401 '])
  expect(highest).toBeLessThan(MAX_CONNECTIONS)
  expect(await whoami(acme.key)).toMatch(/^200 /)
})
