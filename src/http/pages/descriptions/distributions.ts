// Descriptions of distributions.
import type { Descriptions } from './describe.ts'

export const DISTRIBUTIONS: Descriptions = {
  'NewDistribution.financialInstrument': 'The instrument whose holders are paid.',
  'NewDistribution.recordAt': 'Record instant, ISO 8601. What was held at its end counts. It may be in the future.',
  'NewDistribution.source':
    'The position that pays; for network currency the wallet alone. A position in another instrument than the payout is refused (400 INSTRUMENT_MISMATCH).',
  payout: 'What is paid: `total`, or `perUnit` for each displayed unit held.',
  'payout.financialInstrument': 'The instrument that is paid. Absent: network currency.',
  'payout.total': 'Amount to distribute, in display units.',
  'payout.perUnit': 'Amount for each displayed unit held, in display units. It may have more decimals than the payout.',
  excluded: 'Owners that get nothing; a position names its owner. Their holdings do not count.',
  'NewDistribution.minimum': 'Parts below it, in display units, are not paid and remain at the source.',
  newDistribution: 'Id of the created distribution.',
  cancelledDistribution: 'Id of the cancelled distribution.',
  'Distribution.status':
    'WAITING: not computed yet; PAYING; DONE: every part is paid by final transactions; FAILED; CANCELLED.',
  'Distribution.financialInstrument': 'Ids of the instrument whose holders are paid.',
  'Distribution.recordAt': 'Record instant, ISO 8601 in UTC.',
  'Distribution.source': 'Lookup of what pays.',
  payoutInstrument: 'Ids of the instrument that is paid; null: network currency.',
  'Distribution.total': 'As requested, in display units; null: not given.',
  'Distribution.perUnit': 'As requested, in display units; null: not given.',
  excludedOnchainIds: 'Addresses of the owners that get nothing.',
  'Distribution.minimum': 'As requested, in display units; null: none.',
  holdersCount: 'Number of holders that count; null: not computed yet.',
  partsCount: 'Number of parts that are paid; null: not computed yet.',
  unpaidCount: 'Number of holders that count and are not paid.',
  totalLamports: 'Parts and remainder together, in raw integer units; null: not computed yet.',
  remainderLamports: 'What is not paid and stays at the source, in raw integer units; null: not computed yet.',
  computedAt: 'Time at which the parts were computed, ISO 8601 in UTC; null: not yet.',
  batchOffchainIds: 'Ids of the batches that pay the parts.',
  'Distribution.errorCode': 'Code of the problem that ended it. Absent: none.',
  'Distribution.errorMessage': 'What ended it. Absent: nothing did.',
  'DistributionDryRun.dryRun':
    'What the distribution would pay. With a record instant in the future: to the holders of now.',
  parts: 'The first 1000 parts.',
  'parts.ownerOnchainId': 'Address of the holder.',
  'parts.lamports': 'Part of the holder, in raw integer units.',
}
