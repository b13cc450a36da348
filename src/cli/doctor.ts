// `doctor`: the checks that an operator would make first, each with its verdict. Changes nothing; works with and
// without a running service.
import { statfs, stat } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { systemClock } from '../time/clock.ts'
import { REMOTE_CLUSTER } from '../rpc/cluster-settings.ts'
import { openCluster, type Cluster } from '../rpc/cluster.ts'
import { isDatabase } from '../../snapshots/whole-directory.ts'
import { openStore } from '../../snapshots/level-store.ts'
import { StoreLocked } from '../../snapshots/errors.ts'
import type { ClusterId } from '../config/clusters.ts'
import { CLUSTER_IDS } from '../config/clusters.ts'
import { dataLayout } from '../config/data-layout.ts'
import { EXIT_CODES } from '../config/exit-codes.ts'
import { isReadableByOthers, readKeyFile } from '../config/key-file.ts'
import { key32 } from '../config/parse.ts'
import type { Settings } from '../config/settings.ts'
import { storeName } from '../config/shared-store-settings.ts'
import type { FeePayer, ServiceStatus } from '../http/owner-questions.ts'
import { MasterKey } from '../keys/master-key.ts'
import { SecretsFolder } from '../keys/secrets-folder.ts'
import { checkSigner } from './check-signer.ts'
import { CommandFailed } from './command-failed.ts'
import { failureOf } from './failure.ts'
import { inspectStore } from './inspect.ts'
import { serviceStatusOf } from './owner.ts'
import { checkDatabase, withDirectory } from './shared-copy.ts'

/** Required by `GET /readyz`, and sufficient for some time. */
const MIN_FREE_BYTES = 256 * 1024 * 1024
const ENOUGH_FREE_BYTES = 2 * 1024 * 1024 * 1024
/** Block times are estimated from votes and may be off by some seconds. */
const MAX_SKEW_SECONDS = 30
const MAX_LAG_SLOTS = 150
/** Lag behind the other endpoints from which on the service skips an endpoint. */
const MAX_BEHIND_SLOTS = 30
const SLOW_MS = 2_000
/** Batches. */
const MAX_ARCHIVE_LAG = 10_000

export interface DoctorCheck {
  readonly check: string
  readonly verdict: 'ok' | 'warning' | 'failed'
  readonly says: string
}

export interface DoctorOptions {
  /** Lamports. */
  readonly leastBalance: bigint
  /** The current time in Unix milliseconds. `now` and `freeBytes` are replaced only in tests. */
  readonly now?: () => number
  readonly freeBytes?: (path: string) => Promise<number>
}

type Known = Pick<ServiceStatus, 'masterKeyId' | 'genesisHashes' | 'chainRpcUrl' | 'feePayers' | 'archive'>

export async function examine(
  settings: Settings,
  { leastBalance, now = Date.now, freeBytes = freeOn }: DoctorOptions,
): Promise<DoctorCheck[]> {
  const checks: DoctorCheck[] = []
  const say = (check: string, verdict: DoctorCheck['verdict'], says: string): void =>
    void checks.push({ check, verdict, says })
  const { dataDir } = settings
  const isShared = settings.store !== 'level'
  if (existsSync(dataDir)) await disk(dataDir, freeBytes, say)
  else if (!isShared) {
    say('data directory', 'failed', `${dataDir} does not exist: no service was started with it yet`)
    return checks
  }
  if (isShared && !(await isUsable(settings, say))) return checks
  const known = await knownOf(settings, say)
  if (known === null) return checks
  if (known.archive !== null) say('archive', ...archiveVerdict(known.archive))
  say('master key', ...masterKeyVerdict(settings, known.masterKeyId))
  for (const signer of settings.signers) say(`signer ${signer.code}`, ...(await checkSigner(signer, now())))
  for (const { id, endpoints } of settings.clusters) {
    const urls = endpoints === 'embedded' ? (known.chainRpcUrl === null ? [] : [known.chainRpcUrl]) : endpoints
    if (urls.length === 0) {
      say(id, 'ok', 'is the embedded chain, which is not running')
      continue
    }
    await cluster(
      { id, urls, genesisHash: known.genesisHashes[id], feePayers: known.feePayers, leastBalance, now },
      say,
    )
    if (urls.length > 1) await endpointsOf(id, urls, say)
  }
  return checks
}

/** Asks the database itself: a service that answers may have lost it, or have another one. */
async function isUsable(settings: Settings, say: Say): Promise<boolean> {
  try {
    await checkDatabase(settings)
    say('database', 'ok', `${storeName(settings.store)} answers and can be used`)
    return true
  } catch (error) {
    say('database', 'failed', failureOf(error).text)
    return false
  }
}

/** null: the reference values of the checks are unknown, which was reported. */
async function knownOf(settings: Settings, say: Say): Promise<Known | null> {
  const { dataDir, store } = settings
  const running = await serviceStatusOf(dataLayout(dataDir).socket)
  if (running !== null) {
    say('service', 'ok', `release ${running.release} runs, process ${running.pid}`)
    if (running.store === storeName(store)) return running
    // A service of an earlier release does not say it.
    const which = `its store is ${running.store ?? 'unknown'}, and not ${storeName(store)}`
    say('service store', 'warning', `${which}: the following checks are about the latter`)
  }
  try {
    const known = await withDirectory(settings, knownOffline)
    // The nodes on a database may be on other machines.
    if (store === 'level' && running === null) say('service', 'ok', 'is not running')
    return known
  } catch (error) {
    if (isHeld(error)) {
      // A service of several threads answers no questions about its directory.
      say('service', 'ok', `runs on ${dataDir}`)
      say('store', 'warning', 'is in use by the service, and was not checked: stop the service to check it')
    } else say('store', 'failed', failureOf(error).text)
    return null
  }
}

const isHeld = (error: unknown): boolean =>
  (error instanceof CommandFailed && error.exitCode === EXIT_CODES.dataHeld) || error instanceof StoreLocked

type Say = (check: string, verdict: DoctorCheck['verdict'], says: string) => void

async function freeOn(path: string): Promise<number> {
  const { bavail, bsize } = await statfs(path)
  return bavail * bsize
}

async function disk(dataDir: string, freeBytes: (path: string) => Promise<number>, say: Say): Promise<void> {
  const free = await freeBytes(dataDir)
  const verdict = free < MIN_FREE_BYTES ? 'failed' : free < ENOUGH_FREE_BYTES ? 'warning' : 'ok'
  say('disk', verdict, `${Math.floor(free / 1024 / 1024)} MiB are free in ${dataDir}`)
  const open = ((await stat(dataDir)).mode & 0o077) !== 0
  say(
    'data directory',
    open ? 'warning' : 'ok',
    open ? `${dataDir} is accessible to other users: set its mode to 0700` : 'is private',
  )
}

/** For a stopped service: opens the store here, and closes it. */
async function knownOffline({ dataDir, secretsDir }: Settings): Promise<Known> {
  const { store: path, secrets } = dataLayout(dataDir)
  if (!isDatabase(path)) throw new CommandFailed(`${dataDir} contains no store`, EXIT_CODES.unavailable)
  const store = await openStore({ path, onFatal: () => undefined })
  try {
    const { books } = await inspectStore(store, new SecretsFolder(secretsDir ?? secrets))
    const feePayers: FeePayer[] = [...books.values()]
      .flat()
      .flatMap((record) =>
        record.kind === 'account' && record.context.canPayFees
          ? [{ cluster: record.cluster, onchainId: record.context.address, offchainId: record.id }]
          : [],
      )
    const hashes = CLUSTER_IDS.map((id) => [id, store.meta(`genesis:${id}`)] as const).filter(
      ([, hash]) => typeof hash === 'string',
    )
    return {
      masterKeyId: (store.meta('masterKeyCheck') as string | undefined) ?? null,
      genesisHashes: Object.fromEntries(hashes) as Record<string, string>,
      chainRpcUrl: null,
      archive: null,
      feePayers,
    }
  } finally {
    await store.close()
  }
}

function archiveVerdict({ lag, trouble }: NonNullable<Known['archive']>): [DoctorCheck['verdict'], string] {
  if (trouble !== null) return ['failed', `is not writable and lacks ${lag} batches: ${trouble}`]
  return lag <= MAX_ARCHIVE_LAG
    ? ['ok', lag === 0 ? 'is up to date' : `lacks ${lag} batches`]
    : ['warning', `lacks ${lag} batches: it is falling behind`]
}

function masterKeyVerdict(
  { masterKey: given, dataDir }: Settings,
  storedId: string | null,
): [DoctorCheck['verdict'], string] {
  const path = dataLayout(dataDir).masterKey
  const text = given === null ? readKeyFile(path) : null
  if (storedId === null) return ['ok', 'nothing is sealed yet']
  if (given === null && text === null)
    return ['failed', `is neither in HOLDFAST_MASTER_KEY nor in ${path}: the service would not start`]
  let id: string | null = null
  try {
    id = new MasterKey(given?.reveal() ?? key32(text!)).id
  } catch {
    // The key is not 32 bytes.
  }
  if (id !== storedId) return ['failed', 'is not the key that seals the private keys: the service would not start']
  if (text === null) return ['ok', 'opens the stored secrets']
  const readable = isReadableByOthers(path) ? ', readable by other users' : ''
  return [
    'warning',
    `opens the stored secrets, but is stored next to them in ${path}${readable}: move it into HOLDFAST_MASTER_KEY and keep a copy elsewhere`,
  ]
}

interface ClusterInputs {
  readonly id: ClusterId
  readonly urls: Parameters<typeof openCluster>[0]['endpoints']
  readonly genesisHash: string | undefined
  readonly feePayers: readonly FeePayer[]
  readonly leastBalance: bigint
  readonly now: () => number
}

async function cluster(
  { id, urls, genesisHash, feePayers, leastBalance, now }: ClusterInputs,
  say: Say,
): Promise<void> {
  let opened: Cluster | undefined
  try {
    const startedMs = performance.now()
    opened = await openCluster({ id, endpoints: urls, settings: REMOTE_CLUSTER, clock: systemClock, genesisHash })
    const slot = await opened.slot('confirmed')
    const tookMs = Math.round(performance.now() - startedMs)
    say(`${id} answers`, tookMs > SLOW_MS ? 'warning' : 'ok', `confirmed slot ${slot}, after ${tookMs} ms`)
    const other = genesisHash !== undefined && opened.genesisHash !== genesisHash
    say(
      `${id} chain`,
      other ? 'failed' : 'ok',
      other ? 'is a different chain than that of the records' : `genesis ${opened.genesisHash}`,
    )
    await lag(opened, slot, now, say)
    const clusterPayers = feePayers.filter((payer) => payer.cluster === id)
    const { accounts } = await opened.accounts(clusterPayers.map(({ onchainId }) => onchainId))
    for (const [index, { onchainId }] of clusterPayers.entries()) {
      const lamports = accounts[index]?.lamports ?? 0n
      const low = lamports < leastBalance
      say(
        `${id} fee payer`,
        low ? 'failed' : 'ok',
        `${onchainId} has ${lamports} lamports${low ? `, less than ${leastBalance}` : ''}`,
      )
    }
  } catch (error) {
    say(`${id} answers`, 'failed', error instanceof Error ? error.message : String(error))
  } finally {
    await opened?.close()
  }
}

/** Checks each endpoint separately, because the other endpoints hide a lagging or failed one until they fail too. */
async function endpointsOf(id: ClusterId, urls: ClusterInputs['urls'], say: Say): Promise<void> {
  const slots = await Promise.all(
    urls.map(async (endpoint) => {
      const url = typeof endpoint === 'string' ? endpoint : endpoint.url
      // A path or a query may be a key.
      const name = new URL(url).origin
      try {
        const opened = await openCluster({ id, endpoints: [url], settings: REMOTE_CLUSTER, clock: systemClock })
        return { name, slot: await opened.slot('confirmed').finally(() => opened.close()) }
      } catch (error) {
        return { name, slot: error instanceof Error ? error.message : String(error) }
      }
    }),
  )
  const newest = Math.max(...slots.map(({ slot }) => (typeof slot === 'number' ? slot : 0)))
  for (const { name, slot } of slots) {
    if (typeof slot === 'string') say(`${id} endpoint ${name}`, 'failed', slot)
    else {
      const behind = newest - slot
      say(`${id} endpoint ${name}`, behind > MAX_BEHIND_SLOTS ? 'failed' : 'ok', `is ${behind} slots behind the newest`)
    }
  }
}

async function lag(opened: Cluster, slot: number, now: () => number, say: Say): Promise<void> {
  const finalized = await opened.slot('finalized')
  const behind = slot - finalized
  say(
    `${opened.id} finality`,
    behind > MAX_LAG_SLOTS ? 'failed' : 'ok',
    `finalized is ${behind} ${behind === 1 ? 'slot' : 'slots'} behind confirmed`,
  )
  say(`${opened.id} clock`, ...clockVerdict(await opened.blockTime(finalized), now()))
}

function clockVerdict(blockSeconds: number | null, nowMs: number): [DoctorCheck['verdict'], string] {
  if (blockSeconds === null) return ['warning', 'the endpoint returned no time for its block']
  const off = Math.round(nowMs / 1_000 - blockSeconds)
  if (Math.abs(off) <= MAX_SKEW_SECONDS) return ['ok', `${off} s from the newest final block`]
  return ['failed', `the newest final block is ${off} s old: the clock is wrong, or the chain has stalled`]
}
