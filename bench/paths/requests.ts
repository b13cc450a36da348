// The observed requests: a transfer, the repayment of a loan, a page of accounts. Each throws on a wrong answer.
import type { Connection } from '@solana/web3.js'
import { prepare as prepareLoans, settingsOf as settingsOfLoans } from '../loans/setup.ts'
import { itemOf } from '../loans/traffic.ts'
import { PAGE, pathOf, queryOf } from '../query/traffic.ts'
import type { ServiceProcess } from '../service/process.ts'
import { POSITIONS, prepare as prepareTransfers, settingsOf } from '../transfers/setup.ts'
import { transferBody, transferOf } from '../transfers/traffic.ts'

export interface ObservedRequest {
  readonly name: string
  /** True: it makes a transaction, which is settled in the records and becomes final later. */
  readonly settles: boolean
  /** Prepares the request with this number, before it is observed. */
  prepare?(number: number): Promise<void>
  send(number: number): Promise<void>
}

const TENANT = 'TRANSFERS'
const SETTLED = /"status":"(CONFIRMED|FINALIZED)"/
/** Even the page lists managed wallets, which the scene of the transfers has. */
const QUERY = 4
const TRANSFER = '/api/v1/positions/transfer?chainClusterId=CHAIN_DEVNET'
const LOANS = '/api/v1/loans'

interface Sent {
  readonly method: 'POST' | 'PATCH'
  readonly path: string
  readonly body: string
}

type Send = (apiKey: string, sent: Sent) => Promise<string>

/** Over the connection that `fetch` keeps open. Rejects when the answer refuses. */
function sender({ host, port }: ServiceProcess): Send {
  return async (apiKey, { method, path, body }) => {
    const headers = { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' }
    const response = await fetch(`http://${host}:${port}${path}`, { method, headers, body })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
    return text
  }
}

function settled(answer: string): string {
  if (!answer.includes('"success":true') || !SETTLED.test(answer)) throw new Error(`not settled: ${answer}`)
  return answer
}

export async function makeRequests(service: ServiceProcess, chain: Connection): Promise<readonly ObservedRequest[]> {
  const send = sender(service)
  const { transfer, page } = await transfersAndPages(service, chain, send)
  return [transfer, await repayments(service, chain, send), page]
}

async function transfersAndPages(service: ServiceProcess, chain: Connection, send: Send) {
  const scene = await prepareTransfers(service, chain, TENANT)
  const settings = settingsOf(scene)
  const transfer: ObservedRequest = {
    name: 'transfer',
    settles: true,
    async send(number) {
      const { source, destination } = transferOf(number, POSITIONS)
      if (source === destination) throw new Error('a transfer needs two positions')
      settled(await send(scene.apiKey, { method: 'POST', path: TRANSFER, body: transferBody(settings, number) }))
    },
  }
  const body = JSON.stringify(queryOf('filter and sort', QUERY))
  const page: ObservedRequest = {
    name: 'page',
    settles: false,
    async send() {
      const answer = await send(scene.apiKey, { method: 'POST', path: pathOf('filter and sort'), body })
      const { items } = JSON.parse(answer) as { readonly items: readonly unknown[] }
      if (items.length !== PAGE) throw new Error(`a page of ${items.length} accounts, not of ${PAGE}`)
    },
  }
  return { transfer, page }
}

async function repayments(service: ServiceProcess, chain: Connection, send: Send): Promise<ObservedRequest> {
  const scene = await prepareLoans(service, chain)
  const settings = settingsOfLoans(scene)
  const loans = new Map<number, { readonly borrower: string; readonly escrow: string }>()
  return {
    name: 'repayment',
    settles: true,
    async prepare(number) {
      const borrower = settings.borrowers[number % settings.borrowers.length]!
      const item = itemOf({ kind: 'create', borrower, escrow: '', signatures: [] }, settings)
      const body = JSON.stringify({ itemData: item })
      const answer = settled(await send(scene.apiKey, { method: 'POST', path: LOANS, body }))
      const { newLoan } = JSON.parse(answer) as { readonly newLoan: { readonly offchainId: string } }
      loans.set(number, { borrower, escrow: newLoan.offchainId })
    },
    async send(number) {
      const item = itemOf({ kind: 'repay', ...loans.get(number)!, signatures: [] }, settings)
      const body = JSON.stringify({ itemData: item })
      settled(await send(scene.apiKey, { method: 'PATCH', path: `${LOANS}/repay`, body }))
    },
  }
}
