// GET /financial-instruments/{offchainId}/logo: the stored logo of an instrument.
import { ofKind } from '../../engine/records/record.ts'
import type { Read } from '../context/platform.ts'
import { notFound } from '../../contract/refusal.ts'
import { resolveRecord } from '../lookup/account.ts'
import { isOutside } from '../views/read-models/outside.ts'
import type { LogoFile } from './logo-image.ts'

const MISSING = { code: 'INSTRUMENT_NOT_FOUND', refuse: notFound }

/**
 * The answer is a file: {`contentType`, `fileName`, `base64`}. Throws 404 `INSTRUMENT_NOT_FOUND`, `LOGO_NOT_FOUND`.
 */
export const instrumentLogo: Read<{ readonly offchainId: string }, LogoFile> = ({ platform, call }, { offchainId }) => {
  const { committed } = resolveRecord({ platform, call }, { offchainId }, '', MISSING)
  const instrument = ofKind(committed, 'instrument')
  if (instrument === undefined) throw notFound('INSTRUMENT_NOT_FOUND', 'the record is not a financial instrument')
  const { tenant, cluster, id, context } = instrument
  const file = platform.engine.store.file(tenant, cluster, id) as LogoFile | undefined
  if (isOutside(call, instrument) || context.offchainData.logo === null || file === undefined)
    throw notFound('LOGO_NOT_FOUND', 'the instrument has no logo')
  return file
}
