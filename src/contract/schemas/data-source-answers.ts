// Schemas of onchain data sources in responses, for the API document only.
import { z } from 'zod'
import { account, ids, reference, text, transactionResult } from './answers.ts'
import type { ModelOf } from '../values/validated.ts'

const jobResult = z.object({
  succeeded: z.boolean(),
  value: z.string().optional(),
  error: z.string().optional().meta({ description: 'The job, the task and the reason.' }),
})
export type JobResultModel = ModelOf<typeof jobResult>

const dataKind = z.enum(['PRICE', 'RATING'])

export const dataSource = z
  .object({
    defiProtocol: z.enum(['PUBLISHED_FEED']),
    onchainDataSource: account,
    financialInstrument: reference,
    onchainDataSourceAuthority: reference,
    dataDetails: z.object({ kind: dataKind, ratingProvider: text }),
    oracleProviderDetails: z.object({
      kind: z.string(),
      jobDefinition: text.meta({ description: 'null: of another tenant.' }),
    }),
    latest: z
      .object({ value: z.string(), asOf: z.iso.datetime(), slot: z.int(), sequence: z.int() })
      .nullable()
      .meta({ description: 'The value that was last published on chain.' }),
    stale: z.boolean(),
    lastRun: z
      .object({ at: z.iso.datetime(), value: text, jobs: z.array(jobResult) })
      .nullable()
      .meta({ description: 'The jobs when they were executed last, whatever came of it.' }),
  })
  .meta({ id: 'OnchainDataSource' })
export type DataSourceModel = ModelOf<typeof dataSource>

export const refreshedDataSource = z.object({
  refreshedOnchainDataSource: ids,
  value: z.string(),
  asOf: z.iso.datetime(),
  jobs: z.array(jobResult),
  chainTransaction: transactionResult,
})
