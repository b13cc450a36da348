// Settings of the store that several processes share, and the settings that it requires of a service. A node stores no
// data of its own that must not be lost.
import { addressText, parseAddress, type PostgresAddress } from '../../snapshots/postgres/address.ts'
import type { Parser } from './parse.ts'

/** In the data directory, or in a database. */
export type StorePlace = 'level' | PostgresAddress

/** `level`, or the address for messages. */
export const storeName = (place: StorePlace): string => (place === 'level' ? place : addressText(place))

export const storePlace: Parser<StorePlace> = (text) => {
  if (text === 'level') return 'level'
  if (!/^postgres(?:ql)?:/.test(text)) throw new Error('must be level or postgres://user@host:port/database')
  return parseAddress(text)
}

/** The settings that a shared store requires or excludes. */
interface Shareable {
  readonly store: StorePlace | null
  readonly masterKey: unknown
  readonly masterKeyNext: unknown
  readonly bootstrapKey: unknown
  readonly clusters: readonly { readonly id: string; readonly endpoints: unknown }[] | null
  readonly archiveDir: unknown
  readonly players: readonly string[] | null
  readonly secretsStore: string | null
  readonly secretsDir: unknown
  readonly workers: number | null
  readonly nodeUrl: unknown
  readonly tlsCertificate: unknown
  readonly cellIdleSeconds: number | null
}

const SHARED = 'HOLDFAST_STORE=postgres://'

/** Each problem begins with the setting. */
export function sharedStoreProblems(given: Shareable): string[] {
  if (given.store === null) return []
  if (given.store === 'level') return (given.workers ?? 1) > 1 ? threadProblems(given) : []
  const problems: string[] = []
  const refuse = (isWrong: boolean, problem: string): void => {
    if (isWrong) problems.push(problem)
  }
  refuse(
    given.masterKey === null,
    `HOLDFAST_MASTER_KEY is needed with ${SHARED}: every node needs the same one, and none keeps it`,
  )
  refuse(
    given.masterKeyNext !== null,
    `HOLDFAST_MASTER_KEY_NEXT cannot be used with ${SHARED}: keys are not rotated there`,
  )
  refuse(
    given.bootstrapKey === null,
    `HOLDFAST_BOOTSTRAP_KEY is needed with ${SHARED}: every node needs the same one, and none keeps it`,
  )
  for (const { id, endpoints } of given.clusters ?? [])
    refuse(
      endpoints === 'embedded',
      `HOLDFAST_CLUSTERS has ${id} embedded, which cannot be with ${SHARED}: name the URL of a chain, as npm run localnet starts one`,
    )
  refuse(
    given.archiveDir !== null,
    `HOLDFAST_ARCHIVE_DIR cannot be used with ${SHARED}: archive the write-ahead log of the database`,
  )
  refuse(
    given.players !== null && given.players.length > 0,
    `HOLDFAST_PLAYERS must be empty with ${SHARED}: threshold signers keep keys in the data directory of one node`,
  )
  refuse(
    given.secretsStore === 'folder' && given.secretsDir === null,
    `HOLDFAST_SECRETS_DIR must name a folder that all nodes share with ${SHARED}, or HOLDFAST_SECRETS_STORE another place`,
  )
  return problems
}

/** Settings that the threads of one data directory require or exclude. */
function threadProblems({ archiveDir, players, nodeUrl, tlsCertificate, cellIdleSeconds }: Shareable): string[] {
  const problems: string[] = []
  if (archiveDir !== null)
    problems.push('HOLDFAST_WORKERS above 1 cannot be used with HOLDFAST_ARCHIVE_DIR: an archive has one writer')
  if (players !== null && players.length > 0)
    problems.push('HOLDFAST_WORKERS above 1 needs an empty HOLDFAST_PLAYERS: threshold signers serve one thread')
  if ((cellIdleSeconds ?? 0) > 0)
    problems.push('HOLDFAST_WORKERS above 1 needs HOLDFAST_CELL_IDLE_SECONDS=0: threads let no cell go')
  if (tlsCertificate !== null && nodeUrl === null)
    problems.push(
      'HOLDFAST_WORKERS above 1 needs HOLDFAST_NODE_URL beside HOLDFAST_TLS_CERTIFICATE: threads reach each other by a name of the certificate',
    )
  return problems
}
