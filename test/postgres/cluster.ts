// `npm run cluster -- --nodes 3`: nodes, the chain and a database on this machine in one command. Runs the tour against
// each node, then serves until it is interrupted; with `--once` it exits. It stops every process that it started.
import { parseArgs } from 'node:util'
import { ChainReader } from '../../src/cli/chain-reader.ts'
import { Printer } from '../../src/cli/print.ts'
import { Rest } from '../../src/cli/rest.ts'
import { walk } from '../../src/cli/walk.ts'
import { readArguments, wholeNumber } from '../arguments.ts'
import { openClusterFixture, ownerOf, type ClusterFixture } from './cluster-fixture.ts'

const MAX_NODES = 9
const say = (line: string): void => void process.stdout.write(`${line}\n`)

const USAGE = [
  'npm run cluster -- [options]',
  '  --nodes N   number of nodes [3]',
  '  --once      exit after the tour of each node',
].join('\n')

const { count, once } = readArguments(USAGE, (args) => {
  const { values } = parseArgs({
    args: [...args],
    options: { nodes: { type: 'string', default: '3' }, once: { type: 'boolean', default: false } },
  })
  return { count: wholeNumber('nodes', values.nodes, MAX_NODES), once: values.once }
})

const interrupted = new Promise<void>((resolve) => {
  process.once('SIGINT', () => resolve())
  process.once('SIGTERM', () => resolve())
})
const fixture = await openClusterFixture()
try {
  await Promise.race([serve(fixture), interrupted])
} finally {
  await fixture[Symbol.asyncDispose]()
}

async function serve(cluster: ClusterFixture): Promise<void> {
  say(`PostgreSQL ${cluster.postgres.version}  ${cluster.store}`)
  say(`chain  ${cluster.rpcUrl}`)
  const names = Array.from({ length: count }, (_, index) => `node-${index + 1}`)
  const nodes = await Promise.all(names.map((name) => cluster.start(name)))
  for (const { name, url } of nodes) say(`${name}  ${url}`)
  say(`API key  ${cluster.apiKey}`)
  say(`${(await ownerOf(nodes)).name} owns the cell`)
  for (const { name, url } of nodes) {
    say(`\nThe tour at ${name}`)
    await walk(new Rest(url, cluster.apiKey), new ChainReader(cluster.rpcUrl), new Printer())
  }
  say(`\nEvery step and every balance is as expected at ${count} nodes.`)
  if (!once) await interrupted
}
