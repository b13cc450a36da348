// Three nodes as real processes through failures, at start, and at the command line.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { holdfast } from '../../../src/client/client.ts'
import { builtMain } from '../../config/command-line.ts'
import { eventually } from '../../e2e/harness.ts'
import { chainOfGenesis } from '../../service/chain-of-genesis.ts'
import { ownerOf, readyz } from '../cluster-fixture.ts'
import { testFailures } from './failover-cases.ts'
import { addressOf, sql } from '../postgres.ts'

const world = testFailures({ isUnchecked: false })

describe('any of three nodes', () => {
  it('serves every request, and reports the identity', async () => {
    const { fixture } = world()
    const live = world().alive()
    const owner = await ownerOf(live)
    for (const node of live) {
      const hf = holdfast({ url: node.url, apiKey: fixture.apiKey })
      expect(await hf.get('/whoami')).toMatchObject({ organizationExternalId: 'SYSTEM' })
      await eventually(async () => {
        const { checks } = await readyz(node.url)
        expect(checks).toMatchObject({ lease: 'ok', database: 'ok', owner: 'ok', history: 'ok' })
        expect(checks['store']).toBe(node === owner ? 'ok' : undefined)
      })
    }
  })
})

describe('a node on another chain', () => {
  it('is refused at its start with 78, before it can take over a cell', async () => {
    const { fixture } = world()
    await using chain = await chainOfGenesis('11111111111111111111111111111112')
    const starting = fixture.start('f', { settings: { CLUSTERS: JSON.stringify({ CHAIN_DEVNET: chain.url }) } })
    await expect(starting).rejects.toThrow(/ended with 78[^]*HOLDFAST_CLUSTERS: CHAIN_DEVNET is another chain/)
    expect(await sql(addressOf(fixture.postgres), "SELECT 1 FROM holdfast.node WHERE id = 'f'")).toEqual([])
  })
})

describe('a node with other clusters', () => {
  it('is refused at its start with 78, and the others go on', async () => {
    const { fixture } = world()
    const starting = fixture.start('g', { settings: { CLUSTERS: JSON.stringify({ CHAIN_MAINNET: fixture.rpcUrl }) } })
    await expect(starting).rejects.toThrow(/ended with 78[^]*HOLDFAST_CLUSTERS: this node has CHAIN_MAINNET/)
    expect((await cli('nodes', 'list')).out.map((line) => line.split('\t')[0])).not.toContain('g')
  })
})

describe('a node with another secret', () => {
  it('is refused at its start with 78, and the others go on', async () => {
    const { fixture } = world()
    const starting = fixture.start('g', { settings: { NODE_SECRET: 'a-secret-that-no-other-node-has-1' } })
    await expect(starting).rejects.toThrow(/ended with 78[^]*HOLDFAST_NODE_SECRET is not the secret of the live node/)
    expect((await cli('nodes', 'list')).out.map((line) => line.split('\t')[0])).not.toContain('g')
    const tags = await sql(addressOf(fixture.postgres), 'SELECT DISTINCT secret_tag FROM holdfast.node')
    expect(tags).toEqual([[expect.stringMatching(/^[0-9a-f]{32}$/)]])
  })
})

describe('the command line', () => {
  it('lists nodes and cells, hands over, drains, and refuses impossible commands', async () => {
    const live = world().alive()
    const owner = await ownerOf(live)
    const [target, third] = live.filter((node) => node !== owner)
    expect((await cli('nodes', 'list')).out.map((line) => line.split('\t')[0])).toEqual(
      expect.arrayContaining(['a', 'b']),
    )
    expect((await cli('cells', 'hand-over', 'main', target!.name)).out).toEqual([`${target!.name} owns main`])
    expect((await cli('cells', 'list')).out[0]).toContain(`main\t${target!.name}\tepoch `)
    expect(await cli('cells', 'hand-over', 'main', target!.name)).toMatchObject({ code: 64 })
    expect(await cli('cells', 'hand-over', 'main', 'nobody')).toMatchObject({ code: 64 })
    expect(await cli('cells', 'hand-over', 'other', third!.name)).toMatchObject({ code: 64 })
    expect(await cli('cells', 'move', 'ACME', 'main')).toMatchObject({ code: 64 })
    expect(await cli('nodes', 'drain', 'nobody')).toMatchObject({ code: 64 })
    expect((await cli('nodes', 'drain', target!.name)).out).toEqual([`${target!.name} is drained`])
    expect(await ownerOf(live)).not.toBe(target)
    const refused = await cli('cells', 'hand-over', 'main', target!.name)
    expect(refused).toEqual({ code: 64, out: [], err: [`holdfast: ${target!.name} is draining: start it again first`] })
    expect(await ownerOf(live)).not.toBe(target)
  })
})

interface Ended {
  readonly code: number
  readonly out: string[]
  readonly err: string[]
}

async function cli(...words: string[]): Promise<Ended> {
  const run = spawn(process.execPath, [builtMain(), ...words, '--store', world().fixture.store], {
    cwd: join(import.meta.dirname, '..', '..', '..'),
    env: { PATH: process.env['PATH'] },
  })
  let [out, err] = ['', '']
  run.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()))
  run.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()))
  const [code] = (await once(run, 'close')) as [number]
  const linesOf = (text: string): string[] => text.split('\n').filter((line) => line !== '')
  return { code, out: linesOf(out), err: linesOf(err) }
}
