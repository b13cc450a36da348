// Wallets that are not on chain. They follow from their number, so every run has the same ones and nothing needs to be
// stored.
import { HOLDING_USUAL } from '../../machines/left-out.ts'
import { createHash } from 'node:crypto'
import type { RecordState } from '../../src/engine/records/record.ts'
import { encodeBase58 } from '../../src/solana/base58.ts'
import { SYSTEM_PROGRAM } from '../../src/solana/address.ts'

const CLUSTER = 'CHAIN_DEVNET'
export const TENANT = 'BENCH'

/** Types with their share of ten thousand: one half, three tenths, and so on. */
export const TYPES = [
  ['WALLET', 5_000],
  ['ASSETS_WALLET', 3_000],
  ['CURRENCIES_WALLET', 1_500],
  ['DEFI_SETTLEMENT_WALLET', 500],
] as const
const PLACES = [
  'Aldgate',
  'Bergen',
  'Calais',
  'Dresden',
  'Essen',
  'Faro',
  'Genoa',
  'Haarlem',
  'Izmir',
  'Jena',
  'Kiel',
  'Lugano',
] as const
/** Exclusive upper bound of the lamports of a wallet. */
export const MAX_LAMPORTS = 2_000_000_000
const CLOSED_ONE_IN = 50
const UNMANAGED_ONE_IN = 4

export function wallet(number: number): RecordState<'account'> {
  const hash = createHash('sha256').update(`wallet ${number}`).digest()
  const hex = hash.toString('hex')
  const managed = hash.readUInt16LE(16) % UNMANAGED_ONE_IN !== 0
  const customer = String(hash.readUInt32LE(20) % 100_000_000).padStart(8, '0')
  return {
    kind: 'account',
    tenant: TENANT,
    cluster: CLUSTER,
    revision: 1,
    id: [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
      '-',
    ),
    // Not active, because the wallets are not on chain: reconciliation would change the balances of active ones.
    value: hash.readUInt16LE(18) % CLOSED_ONE_IN === 0 ? 'closed' : 'pending',
    context: {
      address: encodeBase58(hash),
      organization: TENANT,
      ...HOLDING_USUAL,
      managed,
      keyOrigin: managed ? 'service' : 'none',
      keyLocation: managed ? ['DATABASE'] : [],
      references: {
        type: typeOf(hash.readUInt16LE(24) % 10_000),
        organizationExternalId: TENANT,
        code: `W-${number}`,
        alId: null,
        accountNumber: `DE${customer}${String(number).padStart(8, '0')}`,
        name: `${PLACES[hash[26]! % PLACES.length]!} customer ${customer}`,
      },
      dataLength: 0,
      ownerProgram: SYSTEM_PROGRAM,
      lamports: { balance: String(hash.readUInt32LE(28) % MAX_LAMPORTS), reserved: '0' },
      tokenDecimals: null,
    },
  }
}

function typeOf(share: number): (typeof TYPES)[number][0] {
  let below = 0
  for (const [type, part] of TYPES) {
    below += part
    if (share < below) return type
  }
  return 'WALLET'
}
