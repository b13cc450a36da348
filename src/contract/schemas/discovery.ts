// Discovery of token accounts: the request and its answers.
import { z } from 'zod'
import { ids, idsOrNull } from './answers.ts'
import { accountLookup } from '../values/lookup.ts'
import type { ModelOf, OutputOf } from '../values/validated.ts'

export const discovery = z.strictObject({ owner: accountLookup }).meta({ id: 'Discovery' })
export type DiscoverInput = OutputOf<typeof discovery>

const skipped = z
  .object({
    onchainId: z.string(),
    financialInstrumentOnchainId: z.string().nullable(),
    reason: z.enum([
      'NOT_A_TOKEN_ACCOUNT',
      'INSTRUMENT_NOT_ON_RECORD',
      'INSTRUMENT_REFUSED',
      'ACCOUNT_REFUSED',
      'LIMIT',
    ]),
    message: z.string(),
  })
  .meta({ id: 'SkippedAccount' })

const found = z
  .object({
    owner: idsOrNull,
    foundCount: z.int(),
    added: z.array(
      z.object({ onchainId: z.string(), offchainId: z.uuid().nullable(), financialInstrument: idsOrNull }),
    ),
    known: z.array(ids),
    newFinancialInstruments: z.array(idsOrNull),
    skipped: z.array(skipped),
  })
  .meta({ id: 'Discovered' })
export type DiscoveryModel = ModelOf<typeof found>

export const discovered = z.object({ discovered: found })
export const discoveryDryRun = z
  .object({ dryRun: found })
  .meta({ id: 'DiscoveryDryRun', description: 'What would be recorded; ids of new records are null.' })
