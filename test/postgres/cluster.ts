// `npm run cluster -- --nodes 3`: nodes, the chain and a database on this machine in one command. Runs the tour against
// each node, then serves until it is interrupted; with `--once` it ends. It ends all that it started.
import { parseArgs } from 'node:util'
import { ChainReader } from '../../src/cli/chain-reader.ts'
import { Printer } from '../../src/cli/print.ts'
import { Rest } from '../../src/cli/rest.ts'
import { walk } from '../../src/cli/walk.ts'
import { openClusterYard, ownerOf, type ClusterYard } from './cluster-yard.ts'

const MOST_NODES = 9

const { values } = parseArgs({ options: { nodes: { type: 'string', default: '3' }, once: { type: 'boolean' } } })
const count = Number(values.nodes)
if (!Number.isInteger(count) || count < 1 || count > MOST_NODES) {
  console.error(`cluster: --nodes must be a whole number from 1 to ${MOST_NODES}`)
  process.exit(64)
}

const interrupted = new Promise<void>((resolve) => {
  process.once('SIGINT', () => resolve())
  process.once('SIGTERM', () => resolve())
})
const yard = await openClusterYard()
try {
  await Promise.race([serve(yard), interrupted])
} finally {
  await yard[Symbol.asyncDispose]()
}

async function serve(cluster: ClusterYard): Promise<void> {
  console.log(`PostgreSQL ${cluster.postgres.version}  ${cluster.store}`)
  console.log(`chain  ${cluster.rpcUrl}`)
  const names = Array.from({ length: count }, (_, index) => `node-${index + 1}`)
  const nodes = await Promise.all(names.map((name) => cluster.start(name)))
  for (const { name, url } of nodes) console.log(`${name}  ${url}`)
  console.log(`API key  ${cluster.apiKey}`)
  console.log(`${(await ownerOf(nodes)).name} owns the cell`)
  for (const { name, url } of nodes) {
    console.log(`\nThe tour at ${name}`)
    await walk(new Rest(url, cluster.apiKey), new ChainReader(cluster.rpcUrl), new Printer())
  }
  console.log(`\nEvery step and every balance is as expected at ${count} nodes.`)
  if (values.once !== true) await interrupted
}
