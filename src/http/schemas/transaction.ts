// References to transactions (completion 4).
import { z } from 'zod'
import { signature, uuid } from './identity.ts'
import { atLeastOne } from './rule.ts'

export const transactionReference = z.strictObject({ offchainId: uuid.optional(), onchainId: signature.optional() })
  .check(atLeastOne(['offchainId', 'onchainId']))
  .meta({ id: 'TransactionReference', description: 'offchainId or onchainId (the first signature); both must agree.' })
