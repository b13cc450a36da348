// Instruments that neither the tenant has on record nor the system tenant shares: what a request needs of them is read from the mint on
// chain, once a request. Resolving is synchronous, so it says which mint it lacks, and the request is run again when that has been read.
import { FormatError } from '../../solana/format-error.ts'
import { unsupportedExtensions } from '../../solana/mint-extensions.ts'
import { decodeMint, type Mint } from '../../solana/mint-layout.ts'
import type { RecordState } from '../../engine/records/record.ts'
import type { InstrumentContext } from '../../../machines/instrument-record.ts'
import type { Call } from '../../contract/call.ts'
import type { ChainAccount, Platform } from '../context/platform.ts'
import { mintContents } from './mint-contents.ts'

/** Different mints that one request may name: a trade of eight legs names as many. */
const MOST_MINTS = 64

/** `id` of an instrument that is no record. */
export const NO_RECORD = ''

class MintNotRead extends Error {
  readonly call: Call
  readonly mint: string

  constructor(call: Call, mint: string) {
    super(`mint ${mint} was not read yet`)
    this.call = call
    this.mint = mint
  }
}

/** undefined: there is no such mint. */
const mintsRead = new WeakMap<Call, Map<string, RecordState<'instrument'> | undefined>>()

/** Only to be called within `withMintsRead`. undefined: the cluster has no such mint, or one of a kind that is not supported. */
export function mintOnChain(call: Call, mint: string): RecordState<'instrument'> | undefined {
  const read = mintsRead.get(call)
  if (read?.has(mint) !== true) throw new MintNotRead(call, mint)
  return read.get(mint)
}

/** Runs an operation until it lacks no mint. Nothing is changed by an attempt that lacks one. */
export async function withMintsRead<T>(platform: Platform, call: Call, attempt: () => Promise<T>): Promise<T> {
  for (let count = 0; ; count += 1) {
    try {
      return await attempt()
    } catch (error) {
      if (!(error instanceof MintNotRead) || error.call !== call || count >= MOST_MINTS) throw error
      await readMints(platform, call, [error.mint])
    }
  }
}

/** Reads mints at `confirmed` that the rest of the request is going to need. */
export async function readMints(platform: Platform, call: Call, mints: readonly string[]): Promise<void> {
  if (mints.length === 0) return
  const accounts = (await platform.clusters.get(call.cluster)?.accounts(mints)) ?? []
  const read = mintsRead.get(call) ?? new Map<string, RecordState<'instrument'> | undefined>()
  mintsRead.set(call, read)
  for (const [index, mint] of mints.entries()) {
    const account = accounts[index] ?? null
    read.set(mint, account === null ? undefined : asInstrument(platform, call, mint, account))
  }
}

function asInstrument(platform: Platform, call: Call, address: string, account: ChainAccount): RecordState<'instrument'> | undefined {
  const mint = decoded(account)
  if (mint === undefined) return undefined
  const contents = mintContents(platform, { tenant: call.tenant, cluster: call.cluster, known: null }, mint)
  const context: InstrumentContext = {
    ...NOBODYS,
    ...contents,
    address,
    ownerProgram: account.owner,
    dataLength: account.data.length,
    lamports: { balance: account.lamports.toString(), reserved: '0' },
    version: mint.version,
    decimals: mint.decimals,
    supply: { balance: mint.supply.toString(), reserved: '0' },
  }
  const value = contents.paused === true ? 'paused' : 'active'
  return { kind: 'instrument', tenant: '', cluster: call.cluster, id: NO_RECORD, revision: 0, value, context }
}

function decoded({ data, owner }: ChainAccount): Mint | undefined {
  try {
    const mint = decodeMint(data, owner)
    return unsupportedExtensions(mint.extensionTypes).length === 0 ? mint : undefined
  } catch (error) {
    if (error instanceof FormatError) return undefined
    throw error
  }
}

const NOBODYS: Omit<InstrumentContext, 'address' | 'authorities' | 'supply' | 'version' | 'decimals' | 'extensions' | 'paused'> = {
  organization: '',
  managed: false,
  keyOrigin: 'none',
  keyLocation: [],
  references: { type: 'ASSET_TOKEN', organizationExternalId: '', code: null, alId: null, accountNumber: null, name: null },
  comments: null,
  domain: null,
  isDerived: false,
  isGenesis: false,
  subscribeToNetworkEvents: false,
  shared: false,
  wasOnchainAlready: true,
  canPayFees: false,
  globalFeePayerForOrgs: null,
  orgsAllowedToSignWithPrivateKey: null,
  solDebitApiKeys: null,
  tokenDebitApiKeys: null,
  networkCurrencyDebitLimits: null,
  tokenDebitLimits: null,
  frozenByOperator: false,
  dataLength: 0,
  ownerProgram: '',
  lamports: { balance: '0', reserved: '0' },
  rentPayer: null,
  creation: null,
  last: null,
  onchainData: null,
  offchainData: { description: null, simpleCustomMetadata: null, complexCustomMetadata: null, logo: null },
  defaultPositionState: null,
  scaledUiAmountMultiplier: null,
}
