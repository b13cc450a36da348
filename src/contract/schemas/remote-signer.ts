// Body and answer of the callback of custodians.
import { z } from 'zod'
import { name } from '../values/text.ts'

const MAX_REASON_CHARACTERS = 2_000

export const signerAnswer = z
  .strictObject({
    signer: z
      .string()
      .regex(/^[A-Z0-9_]{1,32}$/)
      .meta({ description: 'Code of the custodian in HOLDFAST_SIGNERS.' }),
    id: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .meta({ description: 'Id of the request that is answered.' }),
    status: z.enum(['SIGNED', 'REFUSED']).meta({
      description: 'REFUSED: the custodian has not signed the message and never will.',
    }),
    signature: name.meta({ description: 'Base58 of 64 bytes; required with SIGNED.' }).optional(),
    reason: z
      .string()
      .max(MAX_REASON_CHARACTERS)
      .meta({ description: 'Why it was refused, for the history of the transaction.' })
      .optional(),
  })
  .meta({ id: 'RemoteSignerAnswer', description: 'An answer of a custodian to a request for a signature.' })

export const signerAnswered = z
  .object({
    id: z.string().meta({ description: 'Id of the request that was answered.' }),
    used: z.boolean().meta({ description: 'False: no transaction waits for the answer; it is too late, or repeated.' }),
  })
  .meta({ id: 'RemoteSignerAnswered', description: 'Whether a transaction waited for the answer.' })
