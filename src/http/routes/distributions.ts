// The endpoints of distributions: a page of routes.ts.
import { cancelDistribution, createDistribution } from '../../operations/distributions/create-distribution.ts'
import { distributionDetails, fetchDistributions } from '../../operations/distributions/read.ts'
import { DISTRIBUTIONS } from '../../operations/views/bulk/distributions.ts'
import { group, read, write, type Route } from '../route.ts'
import * as answers from '../../contract/schemas/answers.ts'
import { bulkBody } from '../../contract/values/bulk.ts'
import { itemBody } from '../../contract/values/chain-config.ts'
import * as distributions from '../../contract/schemas/distribution.ts'

/** To distribute needs the rights of a transfer. */
export const DISTRIBUTION_ROUTES: readonly Route[] = group(
  {
    tag: 'Distributions',
    path: '/api/v1/distributions',
    alsoBare: true,
    reads: ['TRANSACTIONS_READ'],
    writes: ['POSITIONS_WRITE'],
  },
  [
    write({
      method: 'POST',
      path: '',
      summary: 'Create a distribution',
      schema: distributions.newDistributionBody,
      operation: createDistribution,
      status: 201,
      transaction: 'always',
      answer: distributions.createdDistribution,
      dryRunAnswer: distributions.distributionDryRun,
    }),
    read({
      path: '/single',
      summary: 'Fetch a distribution',
      schema: itemBody(distributions.distributionReference),
      operation: distributionDetails,
      answer: distributions.distribution,
    }),
    read({
      path: '/bulk',
      summary: 'Fetch distributions',
      schema: bulkBody(DISTRIBUTIONS),
      operation: fetchDistributions,
      answer: answers.page(distributions.distribution),
    }),
    write({
      method: 'PATCH',
      path: '/cancel',
      summary: 'Cancel a distribution',
      schema: itemBody(distributions.distributionReference),
      operation: cancelDistribution,
      status: 200,
      transaction: 'never',
      answer: distributions.cancelledDistribution,
    }),
  ],
)
