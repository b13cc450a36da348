// Mints that have no record of the tenant and no shared record are read from the chain once per request. Resolution is
// synchronous: for a missing mint it throws `Needs`; the caller then reads the mint and repeats the attempt.
import { FormatError } from '../../solana/format-error.ts'
import { unsupportedExtensions } from '../../solana/mint-extensions.ts'
import { decodeMint, type Mint } from '../../solana/mint-layout.ts'
import type { RecordState } from '../../engine/records/record.ts'
import { HOLDING_USUAL } from '../../../machines/left-out.ts'
import type { InstrumentContext } from '../../../machines/instrument-record.ts'
import type { Call } from '../../contract/call.ts'
import { Needs } from '../context/needs.ts'
import type { ChainAccount, Context, Platform } from '../context/platform.ts'
import { mintContents } from './mint-contents.ts'

/** `id` of an instrument without a record. */
export const NO_RECORD = ''

interface Mints {
  /** undefined: the cluster has no such mint. */
  readonly read: Map<string, RecordState<'instrument'> | undefined>
  readonly reading: Map<string, Promise<void>>
}

const mintsOfCalls = new WeakMap<Call, Mints>()

function mintsOf(call: Call): Mints {
  let mints = mintsOfCalls.get(call)
  if (mints === undefined) {
    mints = { read: new Map(), reading: new Map() }
    mintsOfCalls.set(call, mints)
  }
  return mints
}

/** Makes the calls for the items of one request share their reads: each mint is read once. */
export function shareMints(from: Call, to: Call): void {
  mintsOfCalls.set(to, mintsOf(from))
}

/**
 * Throws `Needs`: call it inside an attempt. undefined: the cluster has no such mint, or its kind is not
 * supported.
 */
export function mintOnChain(call: Call, mint: string): RecordState<'instrument'> | undefined {
  const { read } = mintsOf(call)
  if (read.has(mint)) return read.get(mint)
  const gather = (platform: Platform) => readMintOnce({ platform, call }, mint)
  throw new Needs({ what: `mint ${mint}`, of: call, gather, simulation: 'outdated' })
}

/** Attempts that lack a mint at the same time share one read. */
async function readMintOnce(context: Context, mint: string): Promise<void> {
  const { call } = context
  const { reading } = mintsOf(call)
  const read = reading.get(mint) ?? readMints(context, [mint])
  reading.set(mint, read)
  try {
    await read
  } finally {
    reading.delete(mint)
  }
}

/** Reads mints at `confirmed` in advance, for the rest of the request. */
export async function readMints(context: Context, mints: readonly string[]): Promise<void> {
  const { platform, call } = context
  if (mints.length === 0) return
  const accounts = (await platform.clusters.get(call.cluster)?.accounts(mints)) ?? []
  const { read } = mintsOf(call)
  for (const [index, mint] of mints.entries()) {
    const account = accounts[index] ?? null
    read.set(mint, account === null ? undefined : asInstrument(context, mint, account))
  }
}

function asInstrument(
  { platform, call }: Context,
  address: string,
  account: ChainAccount,
): RecordState<'instrument'> | undefined {
  const mint = decodeSupported(account)
  if (mint === undefined) return undefined
  const contents = mintContents(platform, { tenant: call.tenant, cluster: call.cluster, known: null }, mint)
  const context: InstrumentContext = {
    ...WITHOUT_RECORD,
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

function decodeSupported({ data, owner }: ChainAccount): Mint | undefined {
  try {
    const mint = decodeMint(data, owner)
    return unsupportedExtensions(mint.extensionTypes).length === 0 ? mint : undefined
  } catch (error) {
    if (error instanceof FormatError) return undefined
    throw error
  }
}

const WITHOUT_RECORD: Omit<
  InstrumentContext,
  'address' | 'authorities' | 'supply' | 'version' | 'decimals' | 'extensions' | 'paused'
> = {
  ...HOLDING_USUAL,
  organization: '',
  managed: false,
  keyOrigin: 'none',
  keyLocation: [],
  references: {
    type: 'ASSET_TOKEN',
    organizationExternalId: '',
    code: null,
    alId: null,
    accountNumber: null,
    name: null,
  },
  wasOnchainAlready: true,
  dataLength: 0,
  ownerProgram: '',
  lamports: { balance: '0', reserved: '0' },
  onchainData: null,
  offchainData: { description: null, simpleCustomMetadata: null, complexCustomMetadata: null, logo: null },
  defaultPositionState: null,
  scaledUiAmountMultiplier: null,
}
