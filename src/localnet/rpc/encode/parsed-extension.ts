// Token-2022 extensions in the form of a real node: `{ extension: name, state }`, markers without `state`.

import { base64, ByteReader } from '../bytes.ts'
import { extensionsOf } from './extension-list.ts'

export interface ParsedExtension {
  readonly extension: string
  readonly state?: unknown
}

interface Shape {
  readonly name: string
  readonly read: ((reader: ByteReader) => Record<string, unknown>) | null
}

const marker = (name: string): Shape => ({ name, read: null })
const shape = (name: string, read: (reader: ByteReader) => Record<string, unknown>): Shape => ({ name, read })

const ACCOUNT_STATES = ['uninitialized', 'initialized', 'frozen']

function optionalKey(bytes: Uint8Array): string | null {
  return bytes.every((byte) => byte === 0) ? null : base64(bytes)
}

function transferFee(reader: ByteReader): Record<string, unknown> {
  return { epoch: reader.u64(), maximumFee: reader.u64(), transferFeeBasisPoints: reader.u16() }
}

function confidentialAccount(reader: ByteReader): Record<string, unknown> {
  return {
    approved: reader.bool(),
    elgamalPubkey: base64(reader.take(32)),
    pendingBalanceLo: base64(reader.take(64)),
    pendingBalanceHi: base64(reader.take(64)),
    availableBalance: base64(reader.take(64)),
    decryptableAvailableBalance: base64(reader.take(36)),
    allowConfidentialCredits: reader.bool(),
    allowNonConfidentialCredits: reader.bool(),
    pendingBalanceCreditCounter: reader.u64(),
    maximumPendingBalanceCreditCounter: reader.u64(),
    expectedPendingBalanceCreditCounter: reader.u64(),
    actualPendingBalanceCreditCounter: reader.u64(),
  }
}

function tokenMetadata(reader: ByteReader): Record<string, unknown> {
  const base = {
    updateAuthority: reader.optionalAddress(),
    mint: reader.address(),
    name: reader.text(),
    symbol: reader.text(),
    uri: reader.text(),
  }
  const additionalMetadata: [string, string][] = []
  for (let left = reader.u32(); left > 0; left--) additionalMetadata.push([reader.text(), reader.text()])
  return { ...base, additionalMetadata }
}

/** A double in plain decimals, as Rust prints it: never with an exponent. */
export function plainDouble(value: number): string {
  const text = String(value)
  const match = /^(-?)(\d+)(?:\.(\d+))?e([+-]\d+)$/.exec(text)
  if (match === null) return text
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match
  const digits = whole + fraction
  const point = whole.length + Number(exponent)
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`
  return point >= digits.length
    ? sign + digits.padEnd(point, '0')
    : `${sign}${digits.slice(0, point)}.${digits.slice(point)}`
}

const SHAPES: ReadonlyMap<number, Shape> = new Map([
  [
    1,
    shape('transferFeeConfig', (r) => ({
      transferFeeConfigAuthority: r.optionalAddress(),
      withdrawWithheldAuthority: r.optionalAddress(),
      withheldAmount: r.u64(),
      olderTransferFee: transferFee(r),
      newerTransferFee: transferFee(r),
    })),
  ],
  [2, shape('transferFeeAmount', (r) => ({ withheldAmount: r.u64() }))],
  [3, shape('mintCloseAuthority', (r) => ({ closeAuthority: r.optionalAddress() }))],
  [
    4,
    shape('confidentialTransferMint', (r) => ({
      authority: r.optionalAddress(),
      autoApproveNewAccounts: r.bool(),
      auditorElgamalPubkey: optionalKey(r.take(32)),
    })),
  ],
  [5, shape('confidentialTransferAccount', confidentialAccount)],
  [6, shape('defaultAccountState', (r) => ({ accountState: ACCOUNT_STATES[r.u8()] ?? 'uninitialized' }))],
  [7, marker('immutableOwner')],
  [8, shape('memoTransfer', (r) => ({ requireIncomingTransferMemos: r.bool() }))],
  [9, marker('nonTransferable')],
  [
    10,
    shape('interestBearingConfig', (r) => ({
      rateAuthority: r.optionalAddress(),
      initializationTimestamp: r.i64(),
      preUpdateAverageRate: r.i16(),
      lastUpdateTimestamp: r.i64(),
      currentRate: r.i16(),
    })),
  ],
  [11, shape('cpiGuard', (r) => ({ lockCpi: r.bool() }))],
  [12, shape('permanentDelegate', (r) => ({ delegate: r.optionalAddress() }))],
  [13, marker('nonTransferableAccount')],
  [14, shape('transferHook', (r) => ({ authority: r.optionalAddress(), programId: r.optionalAddress() }))],
  [15, shape('transferHookAccount', (r) => ({ transferring: r.bool() }))],
  [
    16,
    shape('confidentialTransferFeeConfig', (r) => ({
      authority: r.optionalAddress(),
      withdrawWithheldAuthorityElgamalPubkey: optionalKey(r.take(32)),
      harvestToMintEnabled: r.bool(),
      withheldAmount: base64(r.take(64)),
    })),
  ],
  [17, shape('confidentialTransferFeeAmount', (r) => ({ withheldAmount: base64(r.take(64)) }))],
  [18, shape('metadataPointer', (r) => ({ authority: r.optionalAddress(), metadataAddress: r.optionalAddress() }))],
  [19, shape('tokenMetadata', tokenMetadata)],
  [20, shape('groupPointer', (r) => ({ authority: r.optionalAddress(), groupAddress: r.optionalAddress() }))],
  [
    21,
    shape('tokenGroup', (r) => ({
      updateAuthority: r.optionalAddress(),
      mint: r.address(),
      size: r.u64(),
      maxSize: r.u64(),
    })),
  ],
  [22, shape('groupMemberPointer', (r) => ({ authority: r.optionalAddress(), memberAddress: r.optionalAddress() }))],
  [23, shape('tokenGroupMember', (r) => ({ mint: r.address(), group: r.address(), memberNumber: r.u64() }))],
  [
    24,
    shape('confidentialMintBurn', (r) => ({
      confidentialSupply: base64(r.take(64)),
      decryptableSupply: base64(r.take(36)),
      supplyElgamalPubkey: base64(r.take(32)),
      pendingBurn: base64(r.take(64)),
    })),
  ],
  [
    25,
    shape('scaledUiAmountConfig', (r) => ({
      authority: r.optionalAddress(),
      multiplier: plainDouble(r.f64()),
      newMultiplierEffectiveTimestamp: r.i64(),
      newMultiplier: plainDouble(r.f64()),
    })),
  ],
  [26, shape('pausableConfig', (r) => ({ authority: r.optionalAddress(), paused: r.bool() }))],
  [27, marker('pausableAccount')],
])

/** The extensions of a mint or token account; one that cannot be read is `unparseableExtension`. */
export function parsedExtensions(data: Uint8Array): ParsedExtension[] {
  return extensionsOf(data).map(({ type, value }) => {
    const known = SHAPES.get(type)
    if (known === undefined) return { extension: 'unparseableExtension' }
    if (known.read === null) return { extension: known.name }
    try {
      return { extension: known.name, state: known.read(new ByteReader(value)) }
    } catch {
      return { extension: 'unparseableExtension' }
    }
  })
}
