// Schemas of onchain data sources.
import { z } from 'zod'
import { accountLookup } from '../values/lookup.ts'
import { newAccount } from './new-account.ts'
import { changesSomething } from '../values/rule.ts'
import { lines, name } from '../values/text.ts'
import type { OutputOf } from '../values/validated.ts'

const dataKind = z.enum(['PRICE', 'RATING'])
const providerKind = z.enum(['QUOTES'])
const DEFINITION_LENGTH = 32_768

/** The executor validates the content, with more precise errors than "not JSON". */
const jobDefinition = lines(DEFINITION_LENGTH).meta({
  description: 'JSON of an oracle job, or of an array of jobs: then the median of those that succeed.',
})

export const newDataSource = z
  .strictObject({
    defiProtocol: z.enum(['PUBLISHED_FEED']),
    onchainDataSource: newAccount.optional(),
    financialInstrument: accountLookup,
    onchainDataSourceAuthority: accountLookup,
    dataDetails: z.strictObject({ kind: dataKind, ratingProvider: name.nullable().optional() }),
    oracleProviderDetails: z.strictObject({ kind: providerKind.optional(), jobDefinition }),
  })
  .meta({ id: 'NewOnchainDataSource' })
export type NewDataSourceInput = OutputOf<typeof newDataSource>

const changes = {
  financialInstrument: accountLookup.optional(),
  onchainDataSourceAuthority: accountLookup.optional(),
  dataDetails: z.strictObject({ kind: dataKind.optional(), ratingProvider: name.nullable().optional() }).optional(),
  oracleProviderDetails: z
    .strictObject({ kind: providerKind.optional(), jobDefinition: jobDefinition.optional() })
    .optional(),
}

export const dataSourceChanges = z
  .strictObject({ onchainDataSource: accountLookup, ...changes })
  .check(changesSomething(Object.keys(changes)))
  .meta({ id: 'OnchainDataSourceChanges', description: 'What is given replaces; the rest stays.' })
/** Absent members keep their value. */
export type DataSourceChangesInput = OutputOf<typeof dataSourceChanges>

export const namedDataSource = z
  .strictObject({ onchainDataSource: accountLookup })
  .meta({ id: 'NamedOnchainDataSource' })
export type NamedDataSourceInput = OutputOf<typeof namedDataSource>
