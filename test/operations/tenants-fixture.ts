// Operations on the real engine, store and keys, with a real embedded chain in this process; for several tenants.
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ClusterAccess } from '../../src/submission/access.ts'
import { systemClock } from '../../src/time/clock.ts'
import { openCluster, type Cluster } from '../../src/rpc/cluster.ts'
import { openLink } from '../../src/submission/link.ts'
import type { ClusterLink } from '../../src/submission/submission.ts'
import { ChainFacts } from '../../src/engine/settlement/chain-facts.ts'
import { Engine } from '../../src/engine/engine.ts'
import type { Entry } from '../../src/engine/records/entry.ts'
import { AccountKeys } from '../../src/keys/account-keys.ts'
import { KeyRing } from '../../src/keys/keyring.ts'
import { generateKeypair, type Keypair } from '../../src/keys/keypair.ts'
import { MasterKey } from '../../src/keys/master-key.ts'
import { Vault } from '../../src/keys/vault.ts'
import { addressBytes } from '../../src/solana/address.ts'
import type { Call, Caller, JsonObject } from '../../src/contract/call.ts'
import { Performer, type RequestOutcome } from '../../src/operations/transactions/perform.ts'
import { PLAN_STEPS } from '../../src/operations/background/plan-purposes.ts'
import type { Platform, Read, Write } from '../../src/operations/context/platform.ts'
import type { Holding } from '../../machines/holding.ts'
import type { PositionContext } from '../../machines/position.ts'
import { openStore } from '../../snapshots/level-store.ts'
import { account, instrument, position } from '../machines/records.ts'
import { serveChain, type ServedChain } from '../localnet/rpc-chain.ts'
import { QUICK } from '../submission/linked.ts'
import { atEndOfFile } from '../cleanup.ts'

export const CLUSTER = 'CHAIN_DEVNET'
const ROLES = ['PLATFORM_UPDATE_DEBIT_API_KEYS', 'ORGANIZATION_OVERRIDE', 'ACCOUNT_POLICY_WRITE']

export interface Wallet {
  readonly onchainId: string
  readonly offchainId: string
  readonly entry: Entry
}

export class TenantsFixture {
  readonly platform: Platform
  readonly performer: Performer
  readonly engine: Engine
  /** Absent if a test needs no chain. */
  readonly chain: ServedChain | null
  readonly #vault: Vault

  private constructor(platform: Platform, vault: Vault, chain: ServedChain | null) {
    this.platform = platform
    this.engine = platform.engine
    this.performer = new Performer(platform)
    this.chain = chain
    this.#vault = vault
  }

  /**
   * @param onchain false: no cluster, for what asks none
   * @param parts others than it has of itself
   */
  static async open(onchain = true, parts: Partial<Pick<Platform, 'clock' | 'lending'>> = {}): Promise<TenantsFixture> {
    const path = mkdtempSync(join(tmpdir(), 'holdfast-tenants-'))
    const store = await openStore({
      path,
      onFatal: (error) => {
        throw error
      },
    })
    const engine = await Engine.open({ store })
    atEndOfFile(async () => {
      await store.close()
      rmSync(path, { recursive: true, force: true })
    })
    const vault = new Vault(new MasterKey(Buffer.alloc(32, 7)))
    const ring = new KeyRing({ vault, read: (tenant, cluster, id) => store.secret(tenant, cluster, id) })
    const chain = onchain ? await serveChain({ slotMs: 100 }) : null
    const clusters = new Map<string, ClusterAccess>()
    if (chain !== null) {
      const cluster = await openCluster({ id: CLUSTER, endpoints: [chain.url], settings: QUICK, clock: systemClock })
      clusters.set(CLUSTER, new ClusterAccess(cluster, linkOf(cluster, engine, chain)))
    }
    const clock = { now: () => Date.now() }
    const desk = {
      ask: () => undefined,
      asks: () => false,
      receive: () => Promise.resolve(false),
      askLent: () => Promise.resolve([]),
    }
    return new TenantsFixture(
      {
        engine,
        clusters,
        keys: new AccountKeys(vault, ring),
        signingQueue: desk,
        clock,
        ids: randomUUID,
        limits: { maxFeeLamports: 10_000_000n },
        planSteps: PLAN_STEPS,
        ...parts,
      },
      vault,
      chain,
    )
  }

  call(organization: string, more: Partial<Call> = {}): Call {
    const caller: Caller = {
      keyId: `key of ${organization}`,
      organization,
      tenant: organization,
      system: organization === 'SYSTEM',
      roles: new Set(ROLES),
      clusters: null,
    }
    return {
      caller,
      organization,
      tenant: organization,
      cluster: CLUSTER,
      requestId: 'r',
      endpoint: 'POST /api/v1/tested',
      idempotency: null,
      waitMs: 60_000,
      dryRun: false,
      ...more,
    }
  }

  async write<Input>(
    organization: string,
    write: Write<Input>,
    input: Input,
    more: Partial<Call> = {},
  ): Promise<JsonObject> {
    return (await this.perform(organization, write, input, more)).body
  }

  async perform<Input>(
    organization: string,
    write: Write<Input>,
    input: Input,
    more: Partial<Call> = {},
  ): Promise<RequestOutcome> {
    return await this.performer.perform(this.call(organization, more), write, input)
  }

  async read<Input>(organization: string, read: Read<Input>, input: Input): Promise<JsonObject> {
    return (await this.performer.read(this.call(organization), read, input)) as JsonObject
  }

  /** An organization of the tenant that accepts fee payers of others. */
  async organization(externalId: string, payers: readonly Wallet[] = []): Promise<void> {
    const acceptedFeePayers = payers.map(({ onchainId }) => onchainId)
    const context = {
      externalId,
      name: externalId,
      parentExternalId: null,
      allowedPrograms: [],
      acceptedFeePayers,
      system: false,
    }
    const { durable } = this.engine.transact((unit) =>
      unit.create(
        'organization',
        { tenant: externalId, cluster: '*', id: `organization ${externalId}` },
        { organization: context },
      ),
    )
    await durable
  }

  /**
   * A record of an account; with its key unless `pair` is null and an address is given. Funded where there is a chain.
   */
  async wallet(
    organization: string,
    more: Partial<Holding> = {},
    lamports = 0n,
    pair: Keypair | null = generateKeypair(),
  ): Promise<Wallet> {
    const address = more.address ?? pair?.address ?? ''
    if (lamports > 0n && this.chain !== null) await this.chain.bank.airdrop(addressBytes(address), lamports)
    return await this.#made((unit, id) => {
      const place = { tenant: organization, cluster: CLUSTER, id }
      if (pair !== null)
        unit.also(organization, { type: 'secret', ...place, row: this.#vault.seal({ ...place, address }, pair) })
      const lacking = pair === null ? ({ managed: false, keyOrigin: 'none', keyLocation: [] } as const) : {}
      const references = {
        ...account.references,
        organizationExternalId: organization,
        accountNumber: null,
        ...more.references,
      }
      return unit.create('account', place, {
        state: 'active',
        holding: {
          ...account,
          canPayFees: false,
          ...lacking,
          organization,
          ...more,
          address,
          references,
          lamports: { balance: String(lamports), reserved: '0' },
        },
      })
    })
  }

  async instrument(organization: string, authority: string, address = generateKeypair().address): Promise<Wallet> {
    return await this.#made((unit, id) =>
      unit.create(
        'instrument',
        { tenant: organization, cluster: CLUSTER, id },
        {
          state: 'active',
          holding: {
            ...instrument,
            canPayFees: false,
            address,
            organization,
            references: {
              ...instrument.references,
              organizationExternalId: organization,
              accountNumber: null,
              type: 'ASSET_TOKEN',
            },
            authorities: { ...instrument.authorities, mintAuthority: { address: authority, id: null } },
          },
        },
      ),
    )
  }

  async position(
    organization: string,
    owner: Wallet,
    mint: Wallet,
    more: Partial<PositionContext> = {},
  ): Promise<Wallet> {
    const address = more.address ?? generateKeypair().address
    return await this.#made((unit, id) =>
      unit.create(
        'position',
        { tenant: organization, cluster: CLUSTER, id },
        {
          state: 'initialized',
          holding: {
            ...position,
            canPayFees: false,
            managed: false,
            organization,
            references: { ...position.references, organizationExternalId: organization, accountNumber: null },
            owner: { address: owner.onchainId, id: owner.offchainId },
            mint: { address: mint.onchainId, id: mint.offchainId },
            ...more,
            address,
          },
        },
      ),
    )
  }

  async #made(work: (unit: Parameters<Parameters<Engine['transact']>[0]>[0], id: string) => Entry): Promise<Wallet> {
    const { result, durable } = this.engine.transact((unit) => work(unit, randomUUID()))
    await durable
    return { onchainId: (result.head.context as unknown as Holding).address, offchainId: result.head.id, entry: result }
  }

  lamports(wallet: Wallet): bigint {
    return this.chain?.bank.account(addressBytes(wallet.onchainId))?.lamports ?? 0n
  }

  book(wallet: Wallet): { readonly balance: string; readonly reserved: string } {
    return (wallet.entry.head.context as unknown as Holding).lamports
  }
}

function linkOf(cluster: Cluster, engine: Engine, chain: ServedChain): ClusterLink {
  const facts = new ChainFacts(engine, {
    error: (fields, message) => {
      throw new Error(`${message} ${JSON.stringify(fields)}`)
    },
  })
  const link = openLink(cluster, systemClock, { onFacts: (reported) => facts.take(reported), onAlarm: () => undefined })
  atEndOfFile(async () => {
    await link.close()
    await cluster.close()
    await chain.close()
  })
  return link
}
