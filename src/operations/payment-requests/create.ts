// POST /payment-requests: reads only the kind of the mint from the chain; the watcher finds the payments.
import { organizationKey, openPaymentRequestsKey } from '../../engine/index/index-keys.ts'
import { ofKind, type RecordState } from '../../engine/records/record.ts'
import type { PaymentRequestContext } from '../../../machines/payment-request.ts'
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../solana/address.ts'
import { associatedTokenAddress } from '../../solana/derive.ts'
import { qrSvg } from '../../qr/svg.ts'
import type { Call } from '../../contract/call.ts'
import type { AccountLookup } from '../../contract/values/lookup.ts'
import type { ItemBody } from '../../contract/values/chain-config.ts'
import type { NewPaymentRequestInput } from '../../contract/schemas/payment-request.ts'
import { together } from '../../contract/together.ts'
import { badRequest } from '../../contract/refusal.ts'
import type { Write, Context } from '../context/platform.ts'
import { requireRoom } from '../context/room.ts'
import { resolveRecord } from '../lookup/account.ts'
import { rawUnits } from '../lookup/amounts.ts'
import { instrumentRef, optionalInstrument } from '../lookup/instrument.ts'
import { changeRecords } from '../transactions/change-records.ts'
import { payerPath, payUrl } from '../views/read-models/payment-request.ts'
import { NETWORK_DECIMALS, NETWORK_SYMBOL } from '../views/read-models/amounts.ts'
import type { MembersOf } from '../../contract/schemas/members.ts'
import type { createdPaymentRequest } from '../../contract/schemas/payment-request.ts'

type Members = MembersOf<typeof createdPaymentRequest>

const MAX_OPEN_OF_TENANT = 1_000
const MAX_URL_BYTES = 2_000

/**
 * Throws 400 `ACCOUNT_NOT_FOUND`, `NOT_A_WALLET`, `INSTRUMENT_NOT_FOUND`, `EXTENSION_NOT_USABLE`,
 * `TOO_MANY_PAYMENT_REQUESTS`.
 */
export const createPaymentRequest: Write<ItemBody<NewPaymentRequestInput>, Members> = async (context, { itemData }) => {
  const { platform, call } = context
  const now = platform.clock.now()
  const at = new Date(now).toISOString()
  requireRoom(platform, {
    key: openPaymentRequestsKey(call.tenant),
    most: MAX_OPEN_OF_TENANT,
    code: 'TOO_MANY_PAYMENT_REQUESTS',
    what: 'payment requests that are watched',
  })
  const [, destination, instrument] = together(
    () => {
      if (itemData.expiresAt !== undefined && Date.parse(itemData.expiresAt) <= now)
        throw badRequest('INVALID_VALUE', '`expiresAt` must be in the future', '/itemData/expiresAt')
    },
    () => walletNamed(context, itemData.destination),
    () => instrumentAsked(context, itemData.financialInstrument),
  )
  const asset = assetOf(context, instrument, destination.address)
  const request: PaymentRequestContext = {
    organization: call.organization,
    destination,
    ...asset,
    amount: rawUnits(itemData.amount, asset.decimals, '/itemData/amount').toString(),
    label: labelOf(context),
    memo: itemData.memo ?? null,
    externalReference: itemData.externalReference,
    reference: platform.keys.generate().address,
    payId: platform.ids(),
    expiresAt: itemData.expiresAt === undefined ? null : new Date(itemData.expiresAt).toISOString(),
    payments: [],
    isExpired: false,
    cancelledAt: null,
    watched: true,
    createdAt: at,
    endedAt: null,
  }
  const url = payUrl(request)
  if (Buffer.byteLength(url) > MAX_URL_BYTES)
    throw badRequest('TOO_LONG', 'label and memo do not fit into a QR code', '/itemData/memo')
  const { tenant, cluster } = call
  const offchainId = platform.ids()
  const newPaymentRequest = {
    offchainId,
    url,
    reference: request.reference,
    payerPage: payerPath(request.payId),
    qrCode: qrSvg(url),
  }
  return await changeRecords(context, (unit) => {
    unit.openFor(tenant)
    unit.create('paymentRequest', { tenant, cluster, id: offchainId }, { request })
    return { members: { newPaymentRequest } }
  })
}

/** Must be a wallet of the organization. */
function walletNamed(context: Context, lookup: AccountLookup): PaymentRequestContext['destination'] {
  const { call } = context
  const { head } = resolveRecord(context, lookup, '/itemData/destination', {
    code: 'ACCOUNT_NOT_FOUND',
    refuse: badRequest,
  })
  const account = ofKind(head, 'account')
  const isOwn =
    account?.tenant === call.tenant && account.context.organization === call.organization && account.value === 'active'
  if (account === undefined || !isOwn)
    throw badRequest('NOT_A_WALLET', 'must be an active wallet of the organization', '/itemData/destination')
  return { address: account.context.address, id: account.id }
}

type Asset = Pick<PaymentRequestContext, 'account' | 'mint' | 'symbol' | 'decimals'>

/** null: network currency. */
function instrumentAsked(context: Context, lookup: AccountLookup | undefined): RecordState<'instrument'> | null {
  const pointer = '/itemData/financialInstrument'
  const instrument = optionalInstrument(context, lookup, pointer)
  if ((instrument?.context.scaledUiAmountMultiplier ?? null) !== null)
    throw badRequest('EXTENSION_NOT_USABLE', 'an instrument with a scaled amount cannot be requested', pointer)
  return instrument
}

function assetOf(context: Context, instrument: RecordState<'instrument'> | null, owner: string): Asset {
  if (instrument === null) return { account: owner, mint: null, symbol: NETWORK_SYMBOL, decimals: NETWORK_DECIMALS }
  const { address, version, decimals } = instrument.context
  const account = associatedTokenAddress(owner, address, version === 'SPL' ? TOKEN_PROGRAM : TOKEN_2022_PROGRAM)
  return { account, mint: instrumentRef(instrument), symbol: symbolOf(context.call, instrument), decimals }
}

/** The name that another organization gives to an instrument is not shown to payers. */
function symbolOf(call: Call, { tenant, context }: RecordState<'instrument'>): string {
  const isOwn = tenant === call.tenant && context.organization === call.organization
  return context.onchainData?.symbol ?? (isOwn ? context.references.name : null) ?? context.address
}

function labelOf({ platform: { engine }, call: { organization } }: Context): string {
  return (
    ofKind(engine.directory.firstOwn(organizationKey(organization))?.committed, 'organization')?.context.name ??
    organization
  )
}
