// Validated request bodies of the market data endpoints.
import type { AccountLookup, NewAccountInput } from './input.ts'
import type { DataKind } from './market-data.ts'

export interface NewDataSourceInput {
  readonly defiProtocol: 'PUBLISHED_FEED'
  readonly onchainDataSource?: NewAccountInput | undefined
  readonly financialInstrument: AccountLookup
  readonly onchainDataSourceAuthority: AccountLookup
  readonly dataDetails: { readonly kind: DataKind; readonly ratingProvider?: string | null | undefined }
  readonly oracleProviderDetails: { readonly kind?: 'QUOTES' | undefined; readonly jobDefinition: string }
}

/** Absent members keep their value. */
export interface DataSourceChangesInput {
  readonly onchainDataSource: AccountLookup
  readonly financialInstrument?: AccountLookup | undefined
  readonly onchainDataSourceAuthority?: AccountLookup | undefined
  readonly dataDetails?:
    { readonly kind?: DataKind | undefined; readonly ratingProvider?: string | null | undefined } | undefined
  readonly oracleProviderDetails?:
    { readonly kind?: 'QUOTES' | undefined; readonly jobDefinition?: string | undefined } | undefined
}

export interface NamedDataSourceInput {
  readonly onchainDataSource: AccountLookup
}
