// POST /remote-signers/answers: the answer of a custodian to a request for a signature, sent when it has decided. The
// custodian signs the request as webhooks are signed; there is no API key.
import type { Router } from '@koa/router'
import type { z } from 'zod'
import { answerIn } from '../keys/custodians/protocol.ts'
import { checkBodyHeaders, readBody } from './body/read.ts'
import { validate, type EndpointDependencies } from './endpoint.ts'
import { answer, JSON_TYPE, type Exchange } from './exchange.ts'
import { noteRead } from './forwarded.ts'
import { frontRefusal } from './problem.ts'
import { ServedByOtherCell } from '../contract/served-by-other-cell.ts'
import { signerAnswer } from '../contract/schemas/remote-signer.ts'

/** Not in the table of routes, whose endpoints are called with an API key. */
export const SIGNER_ANSWERS_PATH = '/api/v1/remote-signers/answers'
export const SIGNER_ANSWER_BYTES = 16 * 1024

export function signerAnswers(router: Router, gate: EndpointDependencies): void {
  router.post(SIGNER_ANSWERS_PATH, (exchange: Exchange) => receive(exchange, gate))
}

async function receive(exchange: Exchange, { apiFor, closed }: EndpointDependencies): Promise<void> {
  const { headers } = exchange.req
  exchange.state.endpoint = `POST ${SIGNER_ANSWERS_PATH}`
  checkBodyHeaders(headers, SIGNER_ANSWER_BYTES)
  if (closed(exchange)) throw frontRefusal(503, 'UNAVAILABLE', 'the service is stopping or not ready')
  const bytes = await readBody(exchange.req, SIGNER_ANSWER_BYTES)
  const signed = {
    id: headerOf(headers['webhook-id']),
    timestamp: headerOf(headers['webhook-timestamp']),
    signature: headerOf(headers['webhook-signature']),
  }
  const { signerAnswers } = apiFor(exchange)
  if (signerAnswers?.isSigned(codeIn(bytes), signed, bytes.toString('utf8')) !== true)
    throw frontRefusal(401, 'CALLBACK_NOT_SIGNED', 'the request must carry a current signature of the signer')
  const body = validate(signerAnswer, bytes) as unknown as z.output<typeof signerAnswer>
  const given = answerIn(body, body.id)
  if (given === null) throw frontRefusal(400, 'REQUIRED', 'signature is required with SIGNED', '/signature')
  const used = await signerAnswers.receive(body.signer, body.id, given)
  if (used === 'invalid')
    throw frontRefusal(
      400,
      'SIGNATURE_INVALID',
      'the signature is not one of the requested message and key',
      '/signature',
    )
  const tenant = used ? undefined : await signerAnswers.elsewhere(body.id, exchange.state.servedFor)
  if (tenant !== undefined) {
    noteRead(exchange.req, bytes)
    throw new ServedByOtherCell(tenant)
  }
  answer(exchange, 200, JSON_TYPE, JSON.stringify({ id: body.id, used }))
}

function headerOf(value: string | string[] | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined
}

/** The signer that the body names, before anything else of the body is read. */
function codeIn(bytes: Buffer): string {
  try {
    const { signer } = JSON.parse(bytes.toString('utf8')) as { readonly signer?: unknown }
    return typeof signer === 'string' ? signer : ''
  } catch {
    return ''
  }
}
