// A second lending protocol, scripted, over HTTP: it splits a change into two ordered transactions and signs them with
// its own key. An answer is accepted only if its compiled messages are what was requested, and every manipulated one is
// refused.
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getAssociatedTokenAddressSync, TOKEN_PROGRAM_ID } from '@solana/spl-token'
import { PublicKey } from '@solana/web3.js'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { compileMessage } from '../../../src/solana/compile.ts'
import { computeUnitLimit, computeUnitPrice } from '../../../src/solana/instructions/compute-budget.ts'
import { transferLamports } from '../../../src/solana/instructions/system.ts'
import { assembleTransaction, type Instruction } from '../../../src/solana/message.ts'
import type { Step } from '../../../src/solana/step.ts'
import { outboundRule } from '../../../src/config/networks.ts'
import { generateKeypair, type Keypair } from '../../../src/keys/keypair.ts'
import { escrowVault } from '../../../src/lending/escrow-vault.ts'
import { httpProvider } from '../../../src/lending/http-provider.ts'
import { checkProvided, readProvided, type ProvidedTransaction } from '../../../src/operations/loans/check-provided.ts'
import type { LendingProvider, OrderHead, ProviderOrder } from '../../../src/contract/lending.ts'
import { guardedFetch } from '../../../src/operations/market-data/guarded-fetch.ts'
import { Outbound } from '../../../src/operations/context/outbound/outbound.ts'

const [borrower, escrow, lender, thief] = [generateKeypair(), generateKeypair(), generateKeypair(), generateKeypair()]
const [share, cash, other] = [generateKeypair().address, generateKeypair().address, generateKeypair().address]
const BLOCKHASH = generateKeypair().address
const program = TOKEN_PROGRAM_ID.toBase58()
const at = (owner: Keypair, mint: string): string =>
  getAssociatedTokenAddressSync(new PublicKey(mint), new PublicKey(owner.address)).toBase58()
const OURS = new Set([borrower.address, escrow.address])
const MAX_FEE = 100_000n

type Transfer = Extract<Step, { kind: 'transfer' }>
const buildTransfer = (mint: string, from: Keypair, to: Keypair, amount: bigint): Transfer => ({
  kind: 'transfer',
  program,
  mint,
  from: at(from, mint),
  to: at(to, mint),
  amount,
  decimals: 6,
  authority: from.address,
  hookAccounts: [],
})
const OPENED: Step = {
  kind: 'open',
  payer: borrower.address,
  owner: escrow.address,
  account: at(escrow, share),
  program,
  mint: share,
}
const PLEDGED = buildTransfer(share, borrower, escrow, 300_000_000n)
const LENT = buildTransfer(cash, lender, borrower, 100_000_000n)
const ORDER: ProviderOrder = { feePayer: borrower.address, steps: [OPENED, PLEDGED, LENT] }

interface Made {
  readonly instructions: readonly Instruction[]
  readonly feePayer?: string
  readonly signers?: readonly Keypair[]
  readonly blockhash?: string
}

function wireOf({
  instructions,
  feePayer = borrower.address,
  signers = [lender],
  blockhash = BLOCKHASH,
}: Made): Uint8Array {
  const message = compileMessage({ feePayer, instructions, blockhash, version: 'V0' })
  return assembleTransaction(
    message,
    message.signers.map((address) => signers.find((each) => each.address === address)?.sign(message.bytes) ?? null),
  )
}

const of = (...steps: readonly Step[]): readonly Instruction[] => escrowVault.instructions(steps)
/** Collateral first, then principal. */
const honest = (): Made[] => [{ instructions: of(OPENED, PLEDGED) }, { instructions: of(LENT) }]
const BOUNDS = { ours: OURS, maxFeeLamports: MAX_FEE, programs: new Set<string>() }
const checkWires = (
  wires: readonly Uint8Array[],
  { order = ORDER, bounds = BOUNDS } = {},
): readonly ProvidedTransaction[] => checkProvided(order, bounds, readProvided(wires), ({ staticKeys }) => staticKeys)
const check = (
  transactions: readonly Made[],
  options: Parameters<typeof checkWires>[1] = {},
): readonly ProvidedTransaction[] => checkWires(transactions.map(wireOf), options)

let server: Server
let url: string
/** The received order, and the next answer. */
let postedBody: unknown
let headers: IncomingHttpHeaders
let script: { status: number; body: string; afterMs?: number }

beforeAll(async () => {
  server = createServer((request, response) => {
    const parts: Buffer[] = []
    request
      .on('data', (part: Buffer) => parts.push(part))
      .on('end', () => {
        postedBody = JSON.parse(Buffer.concat(parts).toString('utf8'))
        headers = request.headers
        const { status, body, afterMs = 0 } = script
        setTimeout(() => response.writeHead(status, { 'content-type': 'application/json' }).end(body), afterMs)
      })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/orders`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const HEAD: OrderHead = { id: '6f0f0a4e-6c2c-4c53-9c0e-0d7f2f2f1a11', cluster: 'CHAIN_DEVNET', operation: 'CREATE' }
const settings = () => ({
  name: 'SCRIPTED',
  url,
  operations: ['CREATE'] as const,
  programs: [],
  bearer: { reveal: () => 'word' },
})
const provider = (outbound = new Outbound([outboundRule(new URL(url).host)]), timeoutMs = 60_000): LendingProvider =>
  httpProvider(settings(), guardedFetch(outbound), timeoutMs)
const says = (transactions: readonly Made[]): void => {
  script = {
    status: 200,
    body: JSON.stringify({ transactions: transactions.map((each) => Buffer.from(wireOf(each)).toString('base64')) }),
  }
}
async function requestTransactions(): Promise<readonly ProvidedTransaction[]> {
  const answer = await provider().transactions(ORDER, HEAD)
  if (!answer.ok) throw new Error(answer.reason)
  return checkWires(answer.transactions)
}

describe('a lending provider over HTTP', () => {
  it('returns two transactions in order, which lack only our signatures', async () => {
    says(honest())
    const [first, second] = await requestTransactions()
    expect(headers).toMatchObject({ authorization: 'Bearer word', 'idempotency-key': HEAD.id })
    expect(postedBody).toMatchObject({
      orderId: HEAD.id,
      chainClusterId: 'CHAIN_DEVNET',
      operation: 'CREATE',
      feePayer: borrower.address,
      steps: [{ kind: 'open' }, { kind: 'transfer', amount: '300000000' }, { amount: '100000000' }],
    })
    expect([first!.wanted, second!.wanted]).toEqual([[borrower.address], [borrower.address]])
    expect(second!.signatures.filter((signature) => signature !== null)).toHaveLength(1)
  })

  it.each<[string, (transactions: Made[]) => Made[]]>([
    [
      'with an extra transfer',
      ([first, second]) => [
        first!,
        { instructions: [...second!.instructions, ...of(buildTransfer(cash, borrower, lender, 1n))] },
      ],
    ],
    [
      'with another payer',
      ([first, second]) => [first!, { ...second!, feePayer: thief.address, signers: [lender, thief] }],
    ],
    [
      'with another mint',
      ([first]) => [first!, { instructions: of(buildTransfer(other, lender, borrower, LENT.amount)) }],
    ],
    ['in the other order', ([first, second]) => [second!, first!]],
    ['without the second', ([first]) => [first!]],
  ])('is refused %s', async (_, tamper) => {
    says(tamper(honest()))
    await expect(requestTransactions()).rejects.toMatchObject({ problems: [{ code: 'LOAN_MESSAGE_REFUSED' }] })
  })

  it.each([
    ['an error', { status: 500, body: '{}' }, /answers with 500/],
    ['no JSON', { status: 200, body: '<html>' }, /something else/],
    ['no transactions', { status: 200, body: '{"transactions":[]}' }, /something else/],
    ['no list', { status: 200, body: '{"transactions":"AA=="}' }, /something else/],
    ['no base64', { status: 200, body: '{"transactions":["?"]}' }, /not base64/],
    [
      'more bytes than a transaction has',
      { status: 200, body: JSON.stringify({ transactions: [Buffer.alloc(1_233).toString('base64')] }) },
      /of 1233 bytes/,
    ],
    ['nothing in time', { status: 200, body: '{}', afterMs: 2_000 }, /takes too long/],
    ['a request for patience', { status: 429, body: '{}' }, /answers with 429/],
    ['more than is read', { status: 200, body: `"${'x'.repeat(70_000)}"` }, /larger than/],
  ])('fails if it answers with %s', async (_, answer, why) => {
    script = answer
    const timeoutMs = 'afterMs' in answer ? 500 : undefined
    expect(await provider(undefined, timeoutMs).transactions(ORDER, HEAD)).toEqual({
      ok: false,
      reason: expect.stringMatching(why) as string,
      refused: false,
    })
  })

  it('refuses with any other client error', async () => {
    script = { status: 422, body: '{"because":"it is full"}' }
    expect(await provider().transactions(ORDER, HEAD)).toEqual({
      ok: false,
      reason: 'the provider answers with 422',
      refused: true,
    })
  })

  it('is not called at an address that requests may not reach', async () => {
    postedBody = undefined
    const unasked = { ok: false, reason: expect.stringMatching(/not allowed/) as string, refused: false }
    expect(await provider(new Outbound([])).transactions(ORDER, HEAD)).toEqual(unasked)
    expect(postedBody).toBeUndefined()
  })
})

describe('a transaction of a provider is refused', () => {
  const expectRefusal = (
    transactions: readonly Made[],
    why: RegExp,
    options: Parameters<typeof check>[1] = {},
  ): void => {
    let problem: unknown
    try {
      check(transactions, options)
    } catch (error) {
      problem = error
    }
    expect(problem).toMatchObject({
      problems: [{ code: 'LOAN_MESSAGE_REFUSED', message: expect.stringMatching(why) as string }],
    })
  }
  const [first, second] = honest() as [Made, Made]

  it('if a step differs in amount, party, program or place', () => {
    for (const transfer of [
      { ...LENT, amount: LENT.amount - 1n },
      { ...LENT, to: at(thief, cash) },
      { ...LENT, from: at(thief, cash) },
      { ...LENT, decimals: 5 },
      { ...LENT, program: 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb' },
      { ...LENT, hookAccounts: [{ address: thief.address, signer: false, writable: false }] },
    ])
      expectRefusal([first, { instructions: of(transfer) }], /is not what was decided/)
    expectRefusal([{ instructions: of(PLEDGED, OPENED) }, second], /is not what was decided/)
  })

  it('if anything is duplicated or missing', () => {
    expectRefusal([first, second, second], /is there twice/)
    expectRefusal([first, second, { ...second, blockhash: generateKeypair().address }], /more than was decided/)
    expectRefusal([first, { instructions: [computeUnitLimit(1_000), ...of()] }, second], /does nothing/)
    expectRefusal(
      [first, { instructions: [...second.instructions, transferLamports(borrower.address, thief.address, 1n)] }],
      /more than was decided/,
    )
  })

  it('if a signature is missing, invalid, or of an unrelated key', () => {
    expectRefusal([first, { ...second, signers: [] }], /wants a signature of/)
    expectRefusal([first, { ...second, signers: [lender, borrower] }], /is ours to give/)
    const wires = [wireOf(first), wireOf(second)]
    // The signature of the lender is the second of two.
    wires[1]![1 + 64] = wires[1]![1 + 64]! ^ 1
    expect(() => checkWires(wires)).toThrow(/signature of/)
  })

  it('if it calls an unknown program, unless that is allowed and gets none of the accounts', () => {
    const program = generateKeypair().address
    const withCall = (address: string): Made => {
      const call = {
        program,
        accounts: [{ address, signer: address === lender.address, writable: true }],
        data: Uint8Array.of(1),
      }
      return { instructions: [call, ...second.instructions] }
    }
    const bounds = { ...BOUNDS, programs: new Set([program]) }
    expectRefusal([first, withCall(thief.address)], /more than was decided|is not what was decided/)
    expect(check([first, withCall(thief.address)], { bounds })).toHaveLength(2)
    for (const address of [
      borrower.address,
      escrow.address,
      lender.address,
      at(borrower, cash),
      at(escrow, share),
      cash,
    ])
      expectRefusal([first, withCall(address)], /hands .* to the program/, { bounds })
  })

  it('if it thaws an account that another one must freeze again', () => {
    const tokenAccount = { program, mint: share, account: at(borrower, share), authority: borrower.address }
    const [thaw, freeze] = [
      { kind: 'thaw', ...tokenAccount },
      { kind: 'freeze', ...tokenAccount },
    ] as const
    const order = { feePayer: borrower.address, steps: [thaw, PLEDGED, freeze, LENT] }
    expect(check([{ instructions: of(thaw, PLEDGED, freeze) }, second], { order })).toHaveLength(2)
    expectRefusal(
      [{ instructions: of(thaw, PLEDGED) }, { instructions: of(freeze, LENT) }],
      /does not freeze it again/,
      {
        order,
      },
    )
  })

  it('if its fee exceeds the limit', () => {
    const priced = (microLamports: bigint): Made => ({
      instructions: [computeUnitLimit(100_000), computeUnitPrice(microLamports), ...second.instructions],
    })
    // Two signatures of 5 000, and 0.1 lamports for each micro-lamport.
    expect(check([first, priced(900_000n)])).toHaveLength(2)
    expectRefusal([first, priced(900_010n)], /over the limit/)
  })

  it('if its bytes are changed in any way', () => {
    const wires = honest().map(wireOf)
    fc.assert(
      fc.property(fc.nat(1), fc.nat(), fc.integer({ min: 1, max: 255 }), (which, place, change) => {
        const spoilt = wires.map((wire) => Uint8Array.from(wire))
        const wire = spoilt[which]!
        const index = place % wire.length
        wire[index] = wire[index]! ^ change
        let result: readonly ProvidedTransaction[] = []
        try {
          result = checkWires(spoilt)
        } catch (error) {
          expect((error as { problems?: readonly { code: string }[] }).problems?.[0]?.code).toBe('LOAN_MESSAGE_REFUSED')
          return
        }
        // The first has no signature of the provider that would protect its bytes: its blockhash may be any.
        expect(which).toBe(0)
        const { message } = result[0]!
        const same = compileMessage({
          feePayer: borrower.address,
          instructions: of(OPENED, PLEDGED),
          blockhash: message.blockhash,
          version: 'V0',
        })
        expect(message.instructions).toEqual(same.instructions)
      }),
      { numRuns: 1_000 },
    )
  })
})
