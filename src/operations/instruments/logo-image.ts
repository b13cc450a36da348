// Logos of instruments: downloaded once from a URI of the client, checked to be a picture, and stored with the
// record.
import type { Logo } from '../../../machines/instrument-record.ts'
import type { UnitOfWork } from '../../engine/records/unit-of-work.ts'
import type { Call } from '../../contract/call.ts'
import type { LogoInput } from '../../contract/schemas/instrument.ts'
import { OutboundFailed, OutboundRefused, type OutboundAnswer } from '../context/outbound/outbound.ts'
import type { Context } from '../context/platform.ts'
import { badRequest } from '../../contract/refusal.ts'

const POINTER = '/itemData/offchainData/logo'
const MAX_BYTES = 1_048_576
const TIMEOUT_MS = 10_000
const REDIRECTS = 3

/**
 * Magic bytes of the accepted formats. SVG is excluded: it may contain script, and logos are served from this
 * service's own origin.
 */
const PICTURES: Readonly<Record<string, (bytes: Buffer) => boolean>> = {
  'image/png': (bytes) => bytes.subarray(0, 8).equals(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])),
  'image/jpeg': (bytes) => bytes.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff])),
  'image/webp': (bytes) => bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP',
}

export interface LogoFile {
  readonly contentType: string
  readonly fileName: string
  readonly base64: string
}

export interface NewLogo {
  readonly record: Logo
  /** null: no file is stored. */
  readonly file: LogoFile | null
}

/**
 * Downloads the logo; null without one. Call it before anything is decided.
 *
 * Throws 400 `OUTBOUND_NOT_ALLOWED`, `LOGO_UNAVAILABLE`, `LOGO_TYPE`, 429 `OUTBOUND_BUSY`.
 */
export async function fetchLogo(context: Context, input: LogoInput | null | undefined): Promise<NewLogo | null> {
  if (input === undefined || input === null) return null
  const { copyFromUri = null, fileName = null, contentType = null } = input
  if (copyFromUri === null) return { record: { copyFromUri, fileName, contentType, type: 'LOGO' }, file: null }
  const { status, contentType: actual, body } = await copied(context, copyFromUri)
  if (status !== 200)
    throw badRequest(
      'LOGO_UNAVAILABLE',
      `the logo cannot be copied: the host returned status ${status}`,
      `${POINTER}/copyFromUri`,
    )
  if (PICTURES[actual]?.(body) !== true)
    throw badRequest(
      'LOGO_TYPE',
      `a logo must have one of the types ${Object.keys(PICTURES).join(', ')}`,
      `${POINTER}/copyFromUri`,
    )
  if (contentType !== null && contentType !== actual)
    throw badRequest('LOGO_TYPE', `the logo has the type ${actual}`, `${POINTER}/contentType`)
  const name = fileName ?? nameIn(copyFromUri)
  return {
    record: { copyFromUri, fileName: name, contentType: actual, type: 'LOGO' },
    file: { contentType: actual, fileName: name, base64: body.toString('base64') },
  }
}

async function copied({ platform, call: { tenant } }: Context, uri: string): Promise<OutboundAnswer> {
  const pointer = `${POINTER}/copyFromUri`
  const { outbound, outboundShares: shares } = platform
  if (outbound === undefined) throw badRequest('OUTBOUND_NOT_ALLOWED', 'this server does not fetch logos', pointer)
  const headers = { accept: Object.keys(PICTURES).join(', ') }
  const fetched = () =>
    outbound.fetch(uri, { maxBytes: MAX_BYTES, timeoutMs: TIMEOUT_MS, redirects: REDIRECTS, headers })
  try {
    return await (shares === undefined ? fetched() : shares.run(tenant, 1, fetched))
  } catch (error) {
    if (error instanceof OutboundRefused)
      throw badRequest('OUTBOUND_NOT_ALLOWED', `the logo cannot be copied: ${error.message}`, pointer)
    if (error instanceof OutboundFailed)
      throw badRequest('LOGO_UNAVAILABLE', `the logo cannot be copied: ${error.message}`, pointer)
    throw error
  }
}

function nameIn(uri: string): string {
  const last = new URL(uri).pathname.split('/').at(-1) ?? ''
  return /^[A-Za-z0-9._-]{1,255}$/.test(last) ? last : 'logo'
}

/** Stores the file in the same batch as the record change; null removes it. */
export function keepLogo(
  unit: UnitOfWork,
  { tenant, cluster }: Pick<Call, 'tenant' | 'cluster'>,
  id: string,
  logo: NewLogo | null,
): void {
  unit.also(tenant, { type: 'file', tenant, cluster, id, row: logo?.file ?? null })
}
