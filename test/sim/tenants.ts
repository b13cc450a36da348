// The tenants of a simulated world: organizations with their accounts, instruments and positions, created through the
// service.
import { addressBytes } from '../../src/solana/address.ts'
import { keypairFromSeed, type Keypair } from '../../src/keys/keypair.ts'
import { accountBalance } from '../../src/operations/accounts/balance.ts'
import type { JsonObject } from '../../src/contract/call.ts'
import { createAccount } from '../../src/operations/accounts/create.ts'
import { createInstrument } from '../../src/operations/instruments/create.ts'
import { createNonces } from '../../src/operations/nonces/create.ts'
import { createOrganization } from '../../src/operations/admin/create-organization.ts'
import { updateOrganization } from '../../src/operations/admin/update-organization.ts'
import { initializePosition } from '../../src/operations/positions/initialize.ts'
import { mintTokens } from '../../src/operations/positions/mint.ts'
import type { Read, Write } from '../../src/operations/context/platform.ts'
import type { SimulatedChain } from './chain.ts'
import type { Asked, Clients, Organization, Request } from './clients.ts'
import type { Process } from './process.ts'
import { Random } from './random.ts'

export interface Ids {
  readonly onchainId: string
  readonly offchainId: string
}

export interface Position extends Ids {
  readonly wallet: Ids
  readonly instrument: Ids
  /** A client has requested its closing. */
  closing: boolean
}

export interface House {
  readonly organization: Organization
  readonly feePayer: Ids
  readonly authority: Ids
  readonly wallets: Ids[]
  /** Wallets whose inactivation was requested: no client uses them any more. */
  readonly left: Ids[]
  readonly instruments: readonly Ids[]
  readonly positions: Position[]
  /** Pays fees for the organizations of other tenants, with low funds. */
  readonly sponsor: Ids
  /** One of the wallets at first: organizations of other tenants may sign with it. */
  readonly lent: Ids
  /** Not managed: only the client has its key. */
  readonly outsider: Ids & { readonly key: Keypair }
}

const SYSTEM: Organization = { tenant: 'SYSTEM', name: 'SYSTEM' }
const ORGANIZATIONS: readonly Organization[] = [
  { tenant: 'ACME', name: 'ACME' },
  { tenant: 'ACME', name: 'ACME-EU' },
  { tenant: 'BOLT', name: 'BOLT' },
]
const WALLETS = 3
const NONCES = 3
/** Little, so that requests compete for it. */
const WALLET_LAMPORTS = 60_000_000n
const SPONSOR_LAMPORTS = 3_000_000n
const FEE_PAYER_LAMPORTS = 20_000_000_000n

export class Tenants {
  /** Instruments with a permanent delegate, by offchain id. */
  readonly forcible = new Set<string>()
  readonly houses: House[] = []
  readonly #clients: Clients
  readonly #chain: SimulatedChain
  readonly #process: () => Process | null
  readonly #random: Random

  constructor(seed: string, clients: Clients, chain: SimulatedChain, process: () => Process | null) {
    this.#clients = clients
    this.#chain = chain
    this.#process = process
    this.#random = new Random(seed, 'town')
  }

  /** Creates everything, without faults. Rejects when a request was refused. */
  async build(): Promise<void> {
    for (const { tenant, name } of ORGANIZATIONS) {
      const parent = tenant === name ? {} : { parentExternalId: tenant }
      await this.ask(SYSTEM, 'createOrganization', createOrganization, {
        itemData: { externalId: name, name, ...parent },
      })
    }
    await Promise.all(ORGANIZATIONS.map((organization) => this.#house(organization)))
    for (const { organization } of this.houses) {
      const acceptedFeePayers = this.houses
        .filter((each) => each.organization.tenant !== organization.tenant)
        .map(({ sponsor }) => sponsor.onchainId)
      const itemData = { externalId: organization.name, acceptedFeePayers }
      await this.ask(SYSTEM, 'updateOrganization', updateOrganization, { itemData })
    }
  }

  async #house(organization: Organization): Promise<void> {
    const feePayer = await this.account(organization, { canPayFees: true }, FEE_PAYER_LAMPORTS)
    const authority = await this.account(organization, {}, 0n)
    const key = keypairFromSeed(this.#random.bytes(32))
    await this.#chain.bank.airdrop(addressBytes(key.address), WALLET_LAMPORTS)
    const outsider = await this.account(
      organization,
      { managed: false, onchainId: key.address, alreadyOnchain: true },
      0n,
    )
    const wallets = await Promise.all(
      Array.from({ length: WALLETS }, () => this.account(organization, {}, WALLET_LAMPORTS)),
    )
    const strangers = ORGANIZATIONS.filter(({ tenant }) => tenant !== organization.tenant).map(({ name }) => name)
    const sponsor = await this.account(organization, { globalFeePayerForOrgs: strangers }, SPONSOR_LAMPORTS)
    const lentWallet = await this.account(organization, { orgsAllowedToSignWithPrivateKey: strangers }, WALLET_LAMPORTS)
    wallets.push(lentWallet)
    const instruments: Ids[] = []
    const house: House = {
      organization,
      feePayer,
      authority,
      wallets,
      left: [],
      instruments,
      positions: [],
      sponsor,
      lent: lentWallet,
      outsider: { ...outsider, key },
    }
    this.houses.push(house)
    instruments.push(
      ...(await Promise.all((['SPL', 'TOKEN_2022'] as const).map((version) => this.instrument(house, version)))),
    )
    const nonces = { itemData: { nonceAuthority: lookup(authority), count: NONCES } }
    await this.ask(organization, 'createNonces', createNonces, nonces)
    await Promise.all(
      wallets
        .slice(1, WALLETS)
        .flatMap((wallet) => instruments.map((instrument) => this.position(house, wallet, instrument))),
    )
    await Promise.all(house.positions.map((position) => this.#fill(house, position)))
  }

  async instrument({ organization, authority }: House, version: 'SPL' | 'TOKEN_2022'): Promise<Ids> {
    const forcible = version === 'TOKEN_2022'
    const authorities = {
      mintAuthority: lookup(authority),
      freezeAuthority: lookup(authority),
      ...(forcible ? { permanentDelegateAuthority: lookup(authority) } : {}),
    }
    const itemData = { mintAccount: {}, version, ...authorities, onchainData: { decimals: 2 } }
    const { body } = await this.ask(organization, 'createInstrument', createInstrument, { itemData })
    const ids = idsOf(body, 'newFinancialInstrument')
    if (forcible) this.forcible.add(ids.offchainId)
    return ids
  }

  /** An account that the service knows, with lamports that it has observed. */
  async account(organization: Organization, itemData: object, lamports: bigint): Promise<Ids> {
    const { body } = await this.ask(organization, 'createAccount', createAccount, { itemData })
    const ids = idsOf(body, 'newAccount')
    if (lamports > 0n) {
      await this.#chain.bank.airdrop(addressBytes(ids.onchainId), lamports)
      await this.read(organization, accountBalance, { itemData: { offchainId: ids.offchainId } })
    }
    return ids
  }

  async position(house: House, wallet: Ids, instrument: Ids): Promise<void> {
    const itemData = { owner: lookup(wallet), financialInstrument: lookup(instrument) }
    const { body } = await this.ask(house.organization, 'initializePosition', initializePosition, { itemData })
    house.positions.push({ ...idsOf(body, 'newPosition'), wallet, instrument, closing: false })
  }

  /** A position of a wallet without limits, which only its creator uses. */
  async unlimited(house: House, amount: bigint): Promise<Position> {
    const { organization, instruments } = house
    const [instrument] = instruments as readonly [Ids]
    const wallet = await this.account(organization, { tokenDebitLimits: [] }, 0n)
    const opening = { owner: lookup(wallet), financialInstrument: lookup(instrument) }
    const { body } = await this.ask(organization, 'initializePosition', initializePosition, { itemData: opening })
    const ids = idsOf(body, 'newPosition')
    const minting = { destination: { position: lookup(ids) }, lamports: String(amount) }
    await this.ask(organization, 'mint', mintTokens, { itemData: minting })
    return { ...ids, wallet, instrument, closing: false }
  }

  async #fill({ organization }: House, position: Position): Promise<void> {
    const amount = BigInt(1_000 + this.#random.below(100_000))
    const itemData = { destination: { position: lookup(position) }, lamports: String(amount) }
    const legs = [{ address: position.onchainId, asset: 'tokens', amount }] as const
    await this.#clients.ask((number) => ({
      ...draft(organization, 'mint', mintTokens, { itemData: { ...itemData, memo: memoOf(number) } }),
      legs,
      waitMs: 30_000,
    }))
  }

  async ask(organization: Organization, kind: string, write: Write<never>, input: object): Promise<Request> {
    const request = await this.#clients.ask({ ...draft(organization, kind, write, input), waitMs: 30_000 })
    if (request.state !== 'answered')
      throw new Error(`${kind} of ${organization.name}: ${request.code ?? request.state}`)
    return request
  }

  /** Repeats until the service answers. */
  async read<Input>(organization: Organization, read: Read<Input>, input: Input): Promise<JsonObject> {
    const process = this.#process()
    if (process?.service == null) throw new Error('the service is down')
    const call = this.#clients.call(organization)
    return (await process.serve(({ performer }) => performer.read(call, read, input))) as JsonObject
  }
}

export function draft(organization: Organization, kind: string, write: Write<never>, input: object): Asked {
  return { kind, organization, endpoint: `POST /api/v1/${kind}`, write, input }
}

/** The name by which the auditor finds the request of a landed transaction. */
export function memoOf(request: number): string {
  return `#r${request};`
}

export function lookup({ offchainId }: Ids): { readonly offchainId: string } {
  return { offchainId }
}

export function idsOf(body: JsonObject | null, member: string): Ids {
  const { onchainId, offchainId } = (body?.[member] ?? {}) as { onchainId?: string; offchainId?: string }
  if (onchainId === undefined || offchainId === undefined) throw new Error(`no ${member} in ${JSON.stringify(body)}`)
  return { onchainId, offchainId }
}
