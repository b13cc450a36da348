// The page "Errors": the form of a problem document, and the meaning of each code.
import { ERROR_CODES } from './error-codes.ts'
import { escape } from './frame.ts'
import { codeHtml } from './markdown.ts'

const EXAMPLE = {
  type: 'about:blank',
  title: 'Bad Request',
  status: 400,
  detail: '/itemData/amount: must be more than zero',
  requestId: '6f0f0a4e-6c2c-4c53-9c0e-0d7f2f2f1a11',
  errors: [{ code: 'NOT_POSITIVE', message: 'must be more than zero', pointer: '/itemData/amount', retryable: false }],
}

export function errorsPage(): string {
  const terms = Object.entries(ERROR_CODES).map(([code, about]) => `<dt id="${code}"><code>${code}</code></dt><dd>${escape(about)}</dd>`)
  return `<p>A refusal is a problem document (RFC 9457, <code>application/problem+json</code>). Nothing of a refused request is kept, and nothing was
sent. Each problem has a stable <code>code</code>, says in <code>message</code> what the rule is, points with <code>pointer</code> at the member of the body,
and is <code>retryable</code> only if the same request may succeed later. What is not there and what is not yours to see are one answer.</p>
${codeHtml(JSON.stringify(EXAMPLE, null, 2))}
<h2 id="statuses">Statuses</h2>
<dl><dt>400</dt><dd>The request cannot be done as it is, for the reason that its codes give.</dd>
<dt>401, 403</dt><dd>No valid key; a key without the right.</dd>
<dt>404, 405</dt><dd>There is no such record or endpoint, or not with this method. Most endpoints say 400 of a record that is not there.</dd>
<dt>409</dt><dd>It exists already, where the endpoint says so.</dd>
<dt>413, 415</dt><dd>The body is too large, or no JSON.</dd>
<dt>429</dt><dd>Too many requests, or too many transactions under way. <code>Retry-After</code> says when.</dd>
<dt>500</dt><dd>The service failed. The request id finds the reason in its log. Ask again with the same idempotency key: nothing is done twice.</dd>
<dt>503</dt><dd>The service or a cluster is not available at the moment. Ask again with the same idempotency key.</dd></dl>
<h2 id="codes">Codes</h2>
<dl>${terms.join('')}</dl>`
}
