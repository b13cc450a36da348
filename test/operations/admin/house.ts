// A service without its REST front: the real engine on the real store, and a clock that the test sets.
import { randomUUID } from 'node:crypto'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Engine } from '../../../src/engine/engine.ts'
import { generateApiKey, parseApiKey } from '../../../src/keys/api-key.ts'
import { generateKeypair, type Keypair } from '../../../src/keys/keypair.ts'
import { AccountKeys } from '../../../src/keys/account-keys.ts'
import { KeyRing } from '../../../src/keys/keyring.ts'
import { MasterKey } from '../../../src/keys/master-key.ts'
import { Vault } from '../../../src/keys/vault.ts'
import { Access } from '../../../src/operations/admin/authenticate.ts'
import { bootstrap, type ConfiguredKey } from '../../../src/operations/admin/bootstrap.ts'
import type { Call, Caller, JsonObject } from '../../../src/contract/call.ts'
import { createApiKey } from '../../../src/operations/admin/create-api-key.ts'
import { createOrganization } from '../../../src/operations/admin/create-organization.ts'
import type { NewApiKeyInput } from '../../../src/contract/schemas/admin.ts'
import { Performer } from '../../../src/operations/transactions/perform.ts'
import { PLAN_STEPS } from '../../../src/operations/background/plan-purposes.ts'
import type { KeyPlace, Platform, Write } from '../../../src/operations/context/platform.ts'
import { Refusal } from '../../../src/contract/refusal.ts'
import { openLevelDisk } from '../../../snapshots/level-disk.ts'
import { openStore } from '../../../snapshots/level-store.ts'
import type { Store } from '../../../snapshots/store.ts'
import type { Holding } from '../../../machines/holding.ts'
import { holding } from '../../machines/records.ts'
import { atEndOfFile } from '../../cleanup.ts'

export const CLUSTER = 'CHAIN_DEVNET'
export const START = Date.parse('2026-11-21T08:00:00.000Z')

export class House {
  readonly path = mkdtempSync(join(tmpdir(), 'holdfast-admin-'))
  readonly clock = {
    time: START,
    now(): number {
      return this.time
    },
  }
  /** The configured key, as the operator knows it. */
  readonly root = generateApiKey()
  readonly #vault = new Vault(new MasterKey(Buffer.alloc(32, 7)))
  store!: Store
  engine!: Engine
  access!: Access
  platform!: Platform
  performer!: Performer

  static async open(): Promise<House> {
    const house = new House()
    atEndOfFile(async () => {
      await house.store.close()
      rmSync(house.path, { recursive: true, force: true })
    })
    await house.start()
    return house
  }

  async start(configured: ConfiguredKey | null = this.root): Promise<string> {
    this.store = await openStore({
      path: join(this.path, 'service'),
      onFatal: (error) => {
        throw error
      },
    })
    this.engine = await Engine.open({ store: this.store })
    this.access = new Access(this.engine, this.clock)
    const vault = this.#vault
    const ring = new KeyRing({ vault, read: (tenant, cluster, id) => this.store.secret(tenant, cluster, id) })
    this.platform = {
      engine: this.engine,
      clusters: new Map(),
      keys: new AccountKeys(vault, ring),
      signingQueue: {
        ask: () => undefined,
        asks: () => false,
        receive: () => Promise.resolve(false),
        askLent: () => Promise.resolve([]),
      },
      clock: this.clock,
      ids: randomUUID,
      limits: { maxFeeLamports: 10_000_000n },
      planSteps: PLAN_STEPS,
    }
    this.performer = new Performer(this.platform)
    return await bootstrap(this.engine, configured, this.platform)
  }

  async restart(configured: ConfiguredKey | null = this.root): Promise<string> {
    await this.engine.flush()
    await this.store.close()
    return await this.start(configured)
  }

  caller(bearer: string = this.root.apiKey): Caller {
    const caller = this.access.authenticate(bearer)
    if (caller === 'invalid') throw new Error('the key opens nothing')
    return caller
  }

  call(bearer?: string, more: Partial<Call> = {}): Call {
    const caller = this.caller(bearer)
    return {
      caller,
      organization: caller.organization,
      tenant: caller.tenant,
      cluster: CLUSTER,
      requestId: 'r',
      endpoint: 'PATCH /api/v1/admin',
      idempotency: null,
      waitMs: 0,
      dryRun: false,
      ...more,
    }
  }

  /** Runs a write as the service does. */
  async run<Input>(
    write: Write<{ itemData: Input }>,
    itemData: Input,
    bearer?: string,
    more?: Partial<Call>,
  ): Promise<JsonObject> {
    const { body } = await this.performer.perform(this.call(bearer, more), write, { itemData })
    return body
  }

  async organization(externalId: string, parentExternalId?: string): Promise<void> {
    await this.run(createOrganization, { externalId, name: externalId, parentExternalId })
  }

  /** A new key, created by the first key unless another is named. */
  async key(
    organizationExternalId: string,
    more: Partial<NewApiKeyInput>,
    by?: string,
  ): Promise<{ keyId: string; apiKey: string }> {
    return (await this.run(createApiKey, { organizationExternalId, name: 'k', ...more }, by)) as {
      keyId: string
      apiKey: string
    }
  }

  /** An onboarded wallet with its own key. */
  async wallet(
    tenant: string,
    organization: string,
    pair: Keypair = generateKeypair(),
    more: Partial<Holding> = {},
  ): Promise<KeyPlace> {
    const place = { tenant, cluster: CLUSTER, id: randomUUID(), address: pair.address }
    const { durable } = this.engine.transact((unit) => {
      const references = { ...holding.references, organizationExternalId: organization }
      unit.create('account', place, {
        holding: { ...holding, tokenDecimals: null, address: pair.address, organization, references, ...more },
        state: 'active',
      })
      unit.also(tenant, { type: 'secret', tenant, cluster: CLUSTER, id: place.id, row: this.#vault.seal(place, pair) })
    })
    await durable
    return place
  }

  /**
   * Everything in the data directory: every row as the database gives it, for tables are compressed, and every byte as
   * it lies there.
   */
  async onDisk(): Promise<string> {
    const directory = join(this.path, 'service')
    const bytes = readdirSync(directory).map((name) => readFileSync(join(directory, name), 'latin1'))
    const copy = join(this.path, 'copy')
    cpSync(directory, copy, { recursive: true })
    const disk = await openLevelDisk(copy)
    const rows: string[] = []
    for await (const page of disk.pages({})) for (const row of page) rows.push(row.join(' '))
    await disk.close()
    rmSync(copy, { recursive: true })
    return [...bytes, ...rows].join('\n')
  }
}

export function secretOf(apiKey: string): string {
  if (parseApiKey(apiKey) === null) throw new Error('not a key')
  return apiKey.slice(16, 59)
}

/** `403 OVERRIDE_NOT_ALLOWED /pointer`, or `done`. */
export async function verdict(attempt: () => unknown): Promise<string> {
  try {
    await attempt()
    return 'done'
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const [problem] = error.problems
    return [String(error.status), problem?.code, problem?.pointer].filter((part) => part !== undefined).join(' ')
  }
}
