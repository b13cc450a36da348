// Compares the records with the chain: for every live account, the recorded balance and the balance on the cluster. The
// service would reconcile a difference itself, but an operator who restores a backup wants to see it first.
import { decodeMint } from '../solana/mint-layout.ts'
import { systemClock } from '../time/clock.ts'
import { EMBEDDED_CLUSTER, REMOTE_CLUSTER } from '../rpc/cluster-settings.ts'
import { openCluster, type Cluster } from '../rpc/cluster.ts'
import { startBriefly } from '../embedded/configured.ts'
import { decodeTokenAccount } from '../solana/token-layout.ts'
import { isDatabase } from '../../snapshots/whole-directory.ts'
import { dataLayout } from '../config/data-layout.ts'
import type { Settings } from '../config/settings.ts'
import { ofKind, type HoldingState } from '../engine/records/record.ts'
import type { Findings } from './inspect.ts'

const AT_ONCE = 500

export interface Difference {
  readonly cluster: string
  readonly kind: string
  readonly onchainId: string
  readonly offchainId: string
  readonly what: 'lamports' | 'tokens' | 'supply' | 'account'
  /** Raw units. */
  readonly books: string
  readonly chain: string
}

export interface ClusterComparison {
  readonly cluster: string
  /** Why the cluster was not compared; absent if it was. */
  readonly notCompared?: string
  readonly accounts: number
  readonly differences: readonly Difference[]
  /** Number of open transactions, whose effects can cause differences. */
  readonly openTransactions: number
}

/**
 * Clusters that do not answer are reported in the result; they do not reject.
 * @param genesis genesis hash by cluster id, as recorded in the store
 */
export async function compareWithChain(
  settings: Settings,
  { books, open }: Findings,
  genesis: (cluster: string) => string | undefined,
  progress: (accounts: number, of: number) => void = () => undefined,
): Promise<ClusterComparison[]> {
  await using clusters = new Clusters(settings, genesis)
  const total = [...books.values()].reduce((sum, records) => sum + records.length, 0)
  let done = 0
  const comparisons: ClusterComparison[] = []
  for (const [id, records] of books) {
    const deps = { cluster: id, accounts: records.length, openTransactions: open.get(id) ?? 0 }
    try {
      const cluster = await clusters.open(id)
      const differences: Difference[] = []
      for (let at = 0; at < records.length; at += AT_ONCE) {
        const portion = records.slice(at, at + AT_ONCE)
        const { accounts } = await cluster.accounts(portion.map(({ context }) => context.address))
        for (const [index, record] of portion.entries())
          differences.push(...differencesOf(id, record, accounts[index] ?? null))
        progress((done += portion.length), total)
      }
      comparisons.push({ ...deps, differences })
    } catch (error) {
      comparisons.push({
        ...deps,
        accounts: 0,
        differences: [],
        notCompared: error instanceof Error ? error.message : String(error),
      })
    }
  }
  return comparisons
}

type Seen = Awaited<ReturnType<Cluster['accounts']>>['accounts'][number]

function differencesOf(cluster: string, record: HoldingState, account: Seen): Difference[] {
  const { kind, id, context } = record
  const place = { cluster, kind, onchainId: context.address, offchainId: id }
  const differences: Difference[] = []
  const judge = (what: Difference['what'], books: string, chain: string): void => {
    if (books !== chain) differences.push({ ...place, what, books, chain })
  }
  judge('lamports', context.lamports.balance, (account?.lamports ?? 0n).toString())
  if (account === null) return differences
  try {
    const position = ofKind(record, 'position')
    if (position !== undefined) {
      judge(
        'tokens',
        position.context.tokens.balance,
        decodeTokenAccount(account.data, account.owner).amount.toString(),
      )
    }
    const instrument = ofKind(record, 'instrument')
    if (instrument !== undefined)
      judge('supply', instrument.context.supply.balance, decodeMint(account.data, account.owner).supply.toString())
  } catch (error) {
    judge('account', kind, (error as Error).message)
  }
  return differences
}

/** Clusters, opened when first needed. The embedded chain is started on its directory, on free ports. */
class Clusters implements AsyncDisposable {
  readonly #settings: Settings
  readonly #genesis: (cluster: string) => string | undefined
  readonly #opened: { close(): Promise<void> }[] = []
  #rpcUrl: string | undefined

  constructor(settings: Settings, genesis: (cluster: string) => string | undefined) {
    this.#settings = settings
    this.#genesis = genesis
  }

  async open(id: string): Promise<Cluster> {
    const setting = this.#settings.clusters.find((each) => each.id === id)
    if (setting === undefined) throw new Error('HOLDFAST_CLUSTERS does not contain the cluster')
    const genesisHash = this.#genesis(id)
    const embedded = setting.endpoints === 'embedded'
    const cluster = await openCluster({
      id,
      endpoints: setting.endpoints === 'embedded' ? [await this.#embedded()] : setting.endpoints,
      settings: embedded ? EMBEDDED_CLUSTER : REMOTE_CLUSTER,
      clock: systemClock,
      genesisHash,
    })
    this.#opened.push(cluster)
    if (genesisHash !== undefined && cluster.genesisHash !== genesisHash)
      throw new Error('the endpoint serves a different chain: its genesis hash differs')
    return cluster
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const each of this.#opened.reverse()) await each.close()
  }

  async #embedded(): Promise<string> {
    if (this.#rpcUrl !== undefined) return this.#rpcUrl
    const { dataDir, embeddedRpcHost: host } = this.#settings
    // A backup of a service with remote clusters, and a command without its settings.
    if (!isDatabase(dataLayout(dataDir).chain))
      throw new Error('HOLDFAST_CLUSTERS names the embedded chain, and there is no data of it')
    const chain = await startBriefly(this.#settings, { host })
    this.#opened.push({ close: () => chain.stop() })
    this.#rpcUrl = chain.rpcUrl
    return chain.rpcUrl
  }
}
