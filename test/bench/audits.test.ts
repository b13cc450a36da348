// The checks that query a chain or a database, with books as acknowledged, and with books that differ in one place.
import { Connection, Keypair } from '@solana/web3.js'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { audit as auditLoans } from '../../bench/loans/audit.ts'
import {
  BORROWER_CASH,
  BORROWER_SHARES,
  PLEDGE,
  PRINCIPAL,
  VAULT_CASH,
  type LoanScene,
} from '../../bench/loans/setup.ts'
import { INTERPRETERS, MeasuredJobs } from '../../bench/oracle/measured.ts'
import { checkCounts, createTables } from '../../bench/accounts/postgres-tables.ts'
import { checkBooks, createTables as createBooks, positionId } from '../../bench/bookkeeping/postgres-tables.ts'
import { PostgresConnection } from '../../bench/postgres/connection.ts'
import { startPostgres, type Postgres } from '../../bench/postgres/server.ts'
import { heapAfterCollection } from '../../bench/soak/collections.ts'
import { growthPerHour, type Sample } from '../../bench/soak/samples.ts'
import { audit } from '../../bench/transfers/audit.ts'
import type { Scene } from '../../bench/transfers/setup.ts'

/** The content of the chain: lamports and token amounts by address. */
const chainBalances = new Map<string, { lamports: bigint; tokens: bigint }>()
let chain: Connection
let close: () => void

/** A chain with answers of the test: for answers that a real one would never give. */
beforeAll(async () => {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { id, method, params } = JSON.parse(Buffer.concat(chunks).toString()) as {
        id: unknown
        method: string
        params: [string | string[]]
      }
      const value =
        method === 'getMultipleAccounts'
          ? (params[0] as string[]).map(account)
          : method === 'getBalance'
            ? lamports(params[0] as string)
            : account(params[0] as string)
      const text = JSON.stringify({ jsonrpc: '2.0', id, result: { context: { slot: 1 }, value } })
      response.writeHead(200, { 'Content-Type': 'application/json' }).end(text)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  chain = new Connection(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  close = () => {
    server.closeAllConnections()
    server.close()
  }
})
afterAll(() => close())

const lamports = (address: string): number => Number(chainBalances.get(address)!.lamports)

function account(address: string): object {
  const data = Buffer.alloc(165)
  data.writeBigUInt64LE(chainBalances.get(address)!.tokens, 64)
  return {
    lamports: lamports(address),
    owner: 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb',
    executable: false,
    rentEpoch: 0,
    data: [data.toString('base64'), 'base64'],
  }
}

const address = (): string => Keypair.generate().publicKey.toBase58()
const ids = (onchainId: string) => ({ onchainId, offchainId: '' })

describe('the audit of transfers', () => {
  const positions = [address(), address(), address()]
  const payer = { ...ids(address()), fundsLamports: 1_000_000n }
  const scene: Scene = {
    apiKey: '',
    feePayer: payer,
    systemPayer: payer,
    instrument: ids(''),
    minted: 500n,
    holders: positions.map((each) => ({ owner: ids(''), position: ids(each) })),
  }
  const acknowledged = { payer, tally: { acknowledged: 2, moved: [-30, 10, 20] } }
  const happened = (): void => {
    ;[470n, 510n, 520n].forEach((tokens, index) => chainBalances.set(positions[index]!, { lamports: 0n, tokens }))
    chainBalances.set(payer.onchainId, { lamports: 980_000n, tokens: 0n })
  }

  it('passes when the chain and the answers agree', async () => {
    happened()
    expect(await audit(chain, scene, [acknowledged])).toHaveLength(2)
  })

  it('fails when an acknowledged transfer did not land', async () => {
    happened()
    chainBalances.set(positions[0]!, { lamports: 0n, tokens: 500n })
    await expect(audit(chain, scene, [acknowledged])).rejects.toThrow('position 0 holds 500 on chain, not 470')
  })

  it('fails when more transactions landed than were acknowledged', async () => {
    happened()
    chainBalances.set(payer.onchainId, { lamports: 970_000n, tokens: 0n })
    await expect(audit(chain, scene, [acknowledged])).rejects.toThrow('fees of 30000 lamports were paid')
  })
})

describe('the audit of loans', () => {
  const [vault, cash, shares] = [address(), address(), address()]
  const scene = {
    vaultCash: ids(vault),
    borrowers: [{ wallet: ids(''), cash: ids(cash), shares: ids(shares) }],
  } as unknown as LoanScene
  const tally = { created: 3, repaid: 2, closed: 2, cycle: null }
  const happened = (interest = 2n): void => {
    chainBalances.set(vault, { lamports: 0n, tokens: VAULT_CASH - PRINCIPAL + interest })
    chainBalances.set(cash, { lamports: 0n, tokens: BORROWER_CASH + PRINCIPAL - interest })
    chainBalances.set(shares, { lamports: 0n, tokens: BORROWER_SHARES - PLEDGE })
  }

  it('passes when cash and shares are where the loan put them', async () => {
    happened()
    expect(await auditLoans(chain, scene, tally)).toHaveLength(1)
  })

  it('fails when a loan is not created or not repaid, or its collateral is not released', async () => {
    happened()
    await expect(auditLoans(chain, scene, { ...tally, created: 4 })).rejects.toThrow('the vault holds')
    await expect(auditLoans(chain, scene, { ...tally, repaid: 3 })).rejects.toThrow('the vault holds')
    chainBalances.set(shares, { lamports: 0n, tokens: BORROWER_SHARES - 2n * PLEDGE })
    await expect(auditLoans(chain, scene, tally)).rejects.toThrow('shares on chain')
    happened(PRINCIPAL)
    await expect(auditLoans(chain, scene, tally)).rejects.toThrow('the vault holds')
  })
})

describe('the audit of feed jobs', () => {
  it('passes when the interpreter and the hand-written function return the expected values', async () => {
    for (const interpret of Object.values(INTERPRETERS))
      expect((await new MeasuredJobs(interpret).round(20)).done).toBeGreaterThan(0)
  })

  it('fails for an implementation that returns its first answer again', async () => {
    let first: string | null = null
    const lazy = new MeasuredJobs(async (world) => (first ??= await INTERPRETERS.hand(world)))
    // On a slow machine the first answer, which is right, takes the whole round.
    const twoRounds = async (): Promise<void> => {
      for (const _ of [1, 2]) await lazy.round(20)
    }
    await expect(twoRounds()).rejects.toThrow(/definition 1 came to/)
  })
})

describe('the audit of the PostgreSQL ledger', () => {
  it('fails when an acknowledged account or transfer is missing, where PostgreSQL is installed', async () => {
    const postgres: Postgres | null = await startPostgres()
    // Without it the benches work without it, too.
    if (postgres === null) return
    await using running = postgres
    const connection = await PostgresConnection.open(running.socket, running.user)
    await createTables(connection)
    const id = "'00000000-0000-4000-8000-000000000001'"
    await connection.run(
      `INSERT INTO accounts (id, address, sealed_key, managed, status, type) VALUES (${id}, 'a', '', true, '', '')`,
    )
    await connection.run(`INSERT INTO requests VALUES (${id}, ${id})`)
    await expect(checkCounts(connection, 1)).rejects.toThrow('PostgreSQL holds 0 events')
    await connection.run(`INSERT INTO events (type, resource) VALUES ('', ${id})`)
    await checkCounts(connection, 1)
    await expect(checkCounts(connection, 2)).rejects.toThrow(
      'PostgreSQL holds 1 accounts, 2 accounts were acknowledged',
    )
    await connection.run('CREATE SCHEMA transfers; SET search_path TO transfers')
    await createBooks(connection, 2)
    const tally = { acknowledged: 1, moved: [-7, 7], open: [], last: null }
    await expect(checkBooks(connection, tally)).rejects.toThrow(
      'position 0 holds 1000000000000 in PostgreSQL, not 999999999993',
    )
    await connection.run(`UPDATE positions SET balance = balance - 7 WHERE id = '${positionId(0)}'`)
    await connection.run(`UPDATE positions SET balance = balance + 7 WHERE id = '${positionId(1)}'`)
    await expect(checkBooks(connection, tally)).rejects.toThrow('PostgreSQL holds 0 transactions')
    connection.close()
  })
})

describe('growth in a soak', () => {
  const sample = (minutes: number, serviceMb: number): Sample => ({
    minutes,
    serviceMb,
    perSecond: 0,
    p99Ms: 0,
    failures: 0,
    heapMb: 0,
    chainMb: 0,
    open: 0,
  })

  it('is the slope of the second half, so that the initial fill of caches does not count', () => {
    const filling = [0, 100, 190, 200, 200, 200, 200, 200].map((mb, index) => sample(index, mb))
    expect(growthPerHour(filling, ({ serviceMb }) => serviceMb)).toBeCloseTo(0)
    const leaking = Array.from({ length: 10 }, (_, index) => sample(index * 6, 200 + index))
    expect(growthPerHour(leaking, ({ serviceMb }) => serviceMb)).toBeCloseTo(10)
    expect(growthPerHour([sample(1, 5)], ({ serviceMb }) => serviceMb)).toBe(0)
  })

  it('reads the heap after a full collection of the main thread from the trace of V8', () => {
    const heap = heapAfterCollection()
    expect(heap.megabytes()).toBe(0)
    heap.onCollection('[7:0x1a] 12 ms: Scavenge 40.1 (50.2) -> 39.4 (50.0) MB, 1.07 / 0.00 ms  allocation failure; ')
    heap.onCollection('holdfast ready http://127.0.0.1:3000')
    expect(heap.megabytes()).toBe(0)
    heap.onCollection('[7:0x1a] 15 ms: Mark-Compact 130.1 (150.2) -> 96.4 (140.0) MB, 20.1 / 0.00 ms  task; ')
    heap.onCollection('[7:0x2b] 16 ms: Mark-Compact (reduce) 9.0 (11.2) -> 8.5 (11.0) MB, 2.1 / 0.00 ms  task; ')
    expect(heap.megabytes()).toBe(96.4)
    heap.onCollection('[7:0x1a] 90 ms: Mark-Compact 190.0 (210.5) -> 90.2 (140.0) MB, 20.1 / 0.00 ms  task; ')
    expect(heap.megabytes()).toBe(90.2)
  })
})
