// The page "Errors": the form of a problem document, and the meaning of each code.
import { ERROR_CODES } from '../../../contract/error-codes.ts'
import { escape } from './frame.ts'
import { codeHtml } from './markdown.ts'

const EXAMPLE = {
  type: '/docs/errors#NOT_POSITIVE',
  title: 'Bad Request',
  status: 400,
  detail: '/itemData/amount: must be greater than 0',
  requestId: '6f0f0a4e-6c2c-4c53-9c0e-0d7f2f2f1a11',
  errors: [{ code: 'NOT_POSITIVE', message: 'must be greater than 0', pointer: '/itemData/amount', retryable: false }],
}

export function errorsPage(): string {
  const terms = Object.entries(ERROR_CODES).map(
    ([code, about]) => `<dt id="${code}"><code>${code}</code></dt><dd>${escape(about)}</dd>`,
  )
  return `<p>A refused request returns a problem document (RFC 9457, <code>application/problem+json</code>). It stores and sends nothing. Each problem
has a stable <code>code</code>, a <code>message</code> with the rule, a <code>pointer</code> to the member of the body, and <code>retryable</code>, which is
true only if the same request may succeed later. The <code>type</code> of the document is the address of the first code on this page;
with 429 and 503 it is the type that IANA has registered for the status. A record that does not exist and a record that the key may not read return the same problem.</p>
${codeHtml(JSON.stringify(EXAMPLE, null, 2))}
<h2 id="statuses">Statuses</h2>
<dl><dt>400</dt><dd>The request cannot be executed; the codes give the reason.</dd>
<dt>401, 403</dt><dd>The key is not valid; the key lacks a right.</dd>
<dt>404, 405</dt><dd>The record or endpoint does not exist, or does not support the method. Most endpoints return 400 for an unknown record.</dd>
<dt>409</dt><dd>The record exists already, on endpoints that document this status.</dd>
<dt>413, 415</dt><dd>The body is too large, or is not JSON.</dd>
<dt>429</dt><dd>Too many requests, or too many open transactions. <code>Retry-After</code> gives the wait in seconds.</dd>
<dt>500</dt><dd>Internal error. The log has the reason under the request id. Retry with the same idempotency key: nothing is executed twice.</dd>
<dt>503</dt><dd>The service or a cluster is not available. Retry with the same idempotency key.</dd></dl>
<h2 id="codes">Codes</h2>
<dl>${terms.join('')}</dl>`
}
