// `GET /pay/{id}`: the page for the payer of a payment request. It needs no key and no script; its id cannot be
// guessed. Rate limited per client address and for the whole server.
import { hash } from 'node:crypto'
import type { BlockList } from 'node:net'
import type { Router } from '@koa/router'
import { qrSvg } from '../../qr/svg.ts'
import { ClientLimit } from '../client-limit.ts'
import { answer, type Exchange, type ApiFor } from '../exchange.ts'
import type { PayerView } from '../ports.ts'
import { frontRefusal } from '../problem.ts'

const HTML_TYPE = 'text/html; charset=utf-8'
const RELOAD_SECONDS = 5
const RATES = { ofClient: { perSecond: 2, burst: 30 }, ofServer: { perSecond: 200, burst: 1_000 } }

const STYLE =
  'body{font:16px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:22rem;padding:0 1rem;text-align:center;color:#1a1a1a}' +
  'h1{font-size:1.1rem;font-weight:600}p.amount{font-size:1.8rem;margin:.5rem 0}svg{width:100%;height:auto}a{color:#1551b5}' +
  'p.state{font-weight:600}'
const POLICY = `default-src 'none'; style-src 'sha256-${hash('sha256', STYLE, 'base64')}'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'`

const STATES: Readonly<Record<string, string>> = {
  OPEN: 'Waiting for payment',
  UNDERPAID: 'Paid in part',
  PAID: 'Paid',
  OVERPAID: 'Paid, more than requested',
  EXPIRED: 'Expired',
  CANCELLED: 'Cancelled',
}

export function payerPage(router: Router, apiFor: ApiFor, trusted: BlockList): void {
  const limit = new ClientLimit(RATES, trusted)
  router.get('/pay/:id', async (context) => {
    const exchange = context as unknown as Exchange
    exchange.state.endpoint = 'GET /pay/{id}'
    limit.admit(exchange.req)
    const view = await apiFor(exchange).payerView?.(exchange.state.path.slice('/pay/'.length))
    if (view === undefined) throw frontRefusal(404, 'ROUTE_NOT_FOUND', 'the page does not exist')
    for (const [name, value] of [
      ['Content-Security-Policy', POLICY],
      ['Referrer-Policy', 'no-referrer'],
      ['X-Frame-Options', 'DENY'],
      ['Cross-Origin-Opener-Policy', 'same-origin'],
      ['Cache-Control', 'no-store'],
      ['X-Robots-Tag', 'noindex'],
    ] as const)
      exchange.res.setHeader(name, value)
    answer(exchange, 200, HTML_TYPE, htmlOf(view))
  })
}

function htmlOf({ label, amount, symbol, status, isFinal, url }: PayerView): string {
  const isPaid = status === 'PAID' || status === 'OVERPAID'
  const reload = isFinal && isPaid ? '' : `<meta http-equiv="refresh" content="${RELOAD_SECONDS}">`
  const state = `${STATES[status] ?? status}${isPaid && !isFinal ? ', being finalized' : ''}`
  const payment = url === null ? '' : `${qrSvg(url)}<p><a href="${escaped(url)}">Pay with a wallet</a></p>`
  return (
    `<!doctype html><html lang="en"><head><meta charset="utf-8">${reload}<meta name="viewport" content="width=device-width">` +
    `<title>Payment</title><style>${STYLE}</style></head><body><main><h1>${escaped(label)}</h1>` +
    `<p class="amount">${escaped(amount)} ${escaped(symbol)}</p>${payment}<p class="state" role="status">${escaped(state)}</p></main></body></html>`
  )
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
