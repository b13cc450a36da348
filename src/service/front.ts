// The front of the service: the interface that HTTP requires of an open cell, the HTTP server, and the socket of the
// owner of the data.
import { CLUSTER_IDS } from '../config/clusters.ts'
import { dataLayout } from '../config/data-layout.ts'
import { releaseVersion } from '../config/release.ts'
import { openTls } from '../config/secrets.ts'
import type { Settings } from '../config/settings.ts'
import { readIssuerKeys } from '../config/tokens.ts'
import { storeName } from '../config/shared-store-settings.ts'
import { portError } from '../config/settings-error.ts'
import type { Cell } from './cell.ts'
import type { Engine } from '../engine/engine.ts'
import type { NodeGateway } from '../http/node-gateway.ts'
import { ownerQuestions } from '../http/owner-questions.ts'
import { openOwnerSocket, type OwnerSocket } from '../http/owner-socket.ts'
import type { Api, RequestMetrics } from '../http/ports.ts'
import { createServer, type RestServer } from '../http/server.ts'
import { IssuerTokens } from '../keys/issuer-tokens.ts'
import { Refusals } from '../operations/admin/refusals.ts'
import { TokenCallers } from '../operations/admin/token-callers.ts'
import { payerView } from '../operations/payment-requests/payer-view.ts'
import { custodianAnswers } from '../operations/signing/custodian-answers.ts'
import { switchesOver } from '../operations/views/read-models/switches.ts'
import type { Site } from '../site/files.ts'
import type { Log } from '../telemetry/log.ts'
import { systemClock } from '../time/clock.ts'

const CLOCK_OFF =
  'the clock of this machine is off by more than a minute: set it; if it is right, its records were dated by a wrong clock'

/** The check of a wrong clock in `GET /readyz`. */
export const clockOffText = (store: Settings['store']): string =>
  `${CLOCK_OFF}: ${store === 'level' ? 'stop the service and run holdfast clock reset' : 'see the runbook'}`

/** The interface that HTTP requires of an open cell. */
export function apiOf(
  settings: Settings,
  { assembled: { performer, access, clock, platform, events }, health, custodians }: Cell,
  log: Log,
): { readonly api: Api; readonly refusals: Refusals } {
  const tokens = tokenCallers(settings, platform.engine, log)
  const refusals = new Refusals(platform.engine, clock)
  const api: Api = {
    authenticate: (bearer) =>
      tokens !== null && TokenCallers.mayBe(bearer) ? tokens.authenticate(bearer) : access.authenticate(bearer),
    callFor: (caller, { cluster, overrideOrganization }) =>
      access.callContext(caller, { cluster, overrideOrganizationExternalId: overrideOrganization }),
    perform: (call, write, input) => performer.perform(call, write, input),
    read: (call, read, input) => performer.read(call, read, input),
    refused: (refused) => refusals.note(refused),
    events,
    switches: (caller) => switchesOver(platform, caller),
    payerView: (id) => payerView(platform.engine, id),
    signerAnswers: custodianAnswers(custodians, platform),
    readiness: () => {
      const off = clock.isOff()
      const state = off ? clockOffText(settings.store) : 'ok'
      return { ready: health.ready && !off, checks: { ...health.checks, clock: state } }
    },
    get accepting() {
      return health.accepting
    },
  }
  return { api, refusals }
}

export interface FrontOptions {
  readonly api: Api
  readonly log: Log
  readonly metrics: RequestMetrics
  readonly site: Site | undefined
  readonly nodeGateway?: NodeGateway
}

export async function startFront(
  settings: Settings,
  { site, ...options }: FrontOptions,
): Promise<{ readonly rest: RestServer; readonly url: string }> {
  // A key file that is replaced later is not judged here: without it the tokens get 503.
  if (settings.jwtKeys?.kind === 'file') readIssuerKeys(settings.jwtKeys.path)
  const rest = createServer({
    ...options,
    ...(site === undefined ? {} : { served: site }),
    settings: {
      host: settings.host,
      port: settings.port,
      clusters: settings.clusters.map(({ id }) => id),
      rateLimit: settings.rateLimit,
      tenantShare: settings.tenantShare,
      responseWaitMs: settings.responseWaitMs,
      tls: openTls(settings),
      trustedProxy: settings.trustedProxy,
    },
  })
  const url = await rest.listen().catch((error: unknown) => {
    throw portError(settings, error as NodeJS.ErrnoException)
  })
  return { rest, url }
}

/** null: no socket can be created in the data directory; the service runs without it. */
export async function answerOwner(
  settings: Settings,
  { store, engine, chain, archive }: Pick<Cell, 'store' | 'engine' | 'chain' | 'archive'>,
  log: Log,
): Promise<OwnerSocket | null> {
  const { socket, secrets, players } = dataLayout(settings.dataDir)
  const deps = {
    store,
    engine,
    archive,
    release: releaseVersion(),
    clusters: CLUSTER_IDS,
    chainIncluded: chain !== null,
    storeName: storeName(settings.store),
    chainRpcUrl: chain?.rpcUrl ?? null,
    secrets: settings.secretsDir ?? secrets,
    players,
    now: () => systemClock.now(),
  }
  return await openOwnerSocket(socket, ownerQuestions(deps), log).catch((error: unknown) => {
    log.warn({ err: error }, `backups of the running service are unavailable: cannot listen on socket ${socket}`)
    return null
  })
}

/** null: only API keys are accepted. */
function tokenCallers(settings: Settings, engine: Engine, log: Log): TokenCallers | null {
  const { jwtIssuer: issuer, jwtAudience: audience, jwtAlgorithms: algorithms, jwtKeys, jwtClaims } = settings
  if (issuer === null || audience === null) return null
  const watch = {
    now: () => systemClock.now(),
    unavailable: (err: unknown) => log.warn({ err, issuer }, 'the keys of the issuer of tokens cannot be read'),
    available: () => log.info({ issuer }, 'the keys of the issuer of tokens can be read again'),
  }
  const tokens = new IssuerTokens({ issuer, audience, algorithms, keys: jwtKeys ?? { kind: 'discovery' } }, watch)
  return new TokenCallers(tokens, jwtClaims, engine, systemClock)
}
