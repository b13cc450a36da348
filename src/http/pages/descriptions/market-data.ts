// Descriptions of onchain data sources.
import type { Descriptions } from './describe.ts'

export const MARKET_DATA: Descriptions = {
  onchainDataSource: 'Lookup of the data source.',
  'NewOnchainDataSource.onchainDataSource':
    'The account of the feed to create. Default: a new account.' + ' `alreadyOnchain` is rejected.',
  'OnchainDataSource.onchainDataSource': 'Account record of the feed.',
  'NewOnchainDataSource.financialInstrument': 'The instrument that the data is about.',
  'OnchainDataSourceChanges.financialInstrument': 'New instrument that the data is about.',
  'OnchainDataSource.financialInstrument':
    'The instrument that the data is about. Of one that the caller may not' + ' see, only the address.',
  onchainDataSourceAuthority: 'Account whose key publishes the values. Readers of the feed trust this key.',
  dataDetails: 'What the data is.',
  'dataDetails.kind': 'PRICE of a display unit, or RATING.',
  ratingProvider: 'Agency that a rating is from; null: none. Ratings only.',
  oracleProviderDetails: 'Where the value comes from.',
  'oracleProviderDetails.kind': 'Kind of the definition: QUOTES, which is the default.',
  'latest.value': 'The published value: a decimal number, or the text of a rating.',
  'latest.asOf': 'Time at which the value was computed, ISO 8601 in UTC.',
  'latest.slot': 'Slot that the value was published for.',
  'latest.sequence': 'Number of the publication; increases with each one.',
  stale:
    'True if nothing is published, or the value is older than the setting of the service allows (default: one' +
    ' hour).',
  'lastRun.at': 'Time of the run, ISO 8601 in UTC.',
  'lastRun.value': 'The result: the median of the jobs that succeeded; null: none succeeded.',
  jobs: 'The result of each job, in the order of the definition.',
  succeeded: 'True if the job yielded a value.',
  'jobs.value': 'The value of the job. Absent: it failed.',
  newOnchainDataSource: 'Ids of the created data source.',
  updatedOnchainDataSource: 'Ids of the changed data source.',
  refreshedOnchainDataSource: 'Ids of the refreshed data source.',
  'patchMarketDataOnchainDataSourceRefresh.value': 'The value that was published.',
  asOf: 'Time at which the value was computed, ISO 8601 in UTC.',
}
