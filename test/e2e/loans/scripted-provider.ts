// A lending provider over HTTP as an outside party would write one: it lends from its own account, splits each order
// into two transactions in order, signs both with its key and returns them. Tests can manipulate its answers.
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  createAssociatedTokenAccountIdempotentInstruction,
  createCloseAccountInstruction,
  createFreezeAccountInstruction,
  createMintToCheckedInstruction,
  createThawAccountInstruction,
  createTransferCheckedInstruction,
} from '@solana/spl-token'
import {
  Keypair,
  PublicKey,
  SystemProgram,
  TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
  type Connection,
} from '@solana/web3.js'
import { MEMO_PROGRAM } from '../onchain.ts'

export interface Step {
  readonly kind: 'open' | 'mint' | 'transfer' | 'freeze' | 'thaw' | 'close' | 'lamports'
  /** Addresses, and amounts as decimal strings. */
  readonly [member: string]: string
}

export interface Order {
  readonly orderId: string
  readonly chainClusterId: string
  readonly operation: string
  readonly feePayer: string
  readonly steps: readonly Step[]
}

/** A transaction before it is signed. */
export interface Part {
  readonly payer: string
  readonly instructions: readonly TransactionInstruction[]
  readonly signers: readonly Keypair[]
  readonly blockhash: string
}

export interface Reply {
  readonly status: number
  readonly body: string
}

export class ScriptedProvider {
  readonly lender = Keypair.generate()
  /** All received orders. */
  readonly orders: Order[] = []
  headers: IncomingHttpHeaders = {}
  /** The cluster from which it reads blockhashes. */
  connection: Connection | null = null
  /** The manipulation of an honest answer before it is signed; a reply is returned unchanged. */
  tamper: (parts: readonly Part[], order: Order) => readonly Part[] | Reply | Promise<readonly Part[] | Reply> = (
    parts,
  ) => parts
  readonly #server: Server

  private constructor(server: Server) {
    this.#server = server
    server.on('request', (request, response) => {
      const parts: Buffer[] = []
      request
        .on('data', (part: Buffer) => parts.push(part))
        .on('end', () => {
          this.headers = request.headers
          const order = JSON.parse(Buffer.concat(parts).toString('utf8')) as Order
          this.orders.push(order)
          void this.#answer(order).then(({ status, body }) =>
            response.writeHead(status, { 'content-type': 'application/json' }).end(body),
          )
        })
    })
  }

  static async open(): Promise<ScriptedProvider> {
    const server = createServer()
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return new ScriptedProvider(server)
  }

  get host(): string {
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  get address(): string {
    return this.lender.publicKey.toBase58()
  }

  /** Settings of a service that uses this provider. */
  settings(more: object = {}): Record<string, string> {
    const provider = { name: 'SCRIPTED', url: `http://${this.host}/orders`, ...more }
    return { HOLDFAST_OUTBOUND_ALLOW: this.host, HOLDFAST_LENDING_PROVIDERS: JSON.stringify([provider]) }
  }

  /** A part of these instructions, with a recent blockhash. */
  async part(order: Order, instructions: readonly TransactionInstruction[]): Promise<Part> {
    const { blockhash } = await this.connection!.getLatestBlockhash('confirmed')
    return { payer: order.feePayer, instructions, signers: [this.lender], blockhash }
  }

  close(): void {
    this.#server.closeAllConnections()
    this.#server.close()
  }

  async #answer(order: Order): Promise<Reply> {
    const steps = order.steps.map(instructionOf)
    const cutIndex = this.#cut(order)
    const halves =
      cutIndex === 0 || cutIndex === steps.length ? [steps] : [steps.slice(0, cutIndex), steps.slice(cutIndex)]
    const parts = await Promise.all(
      halves.map((half, index) => this.part(order, [this.#memo(`${order.orderId} ${index}`), ...half])),
    )
    const reply = await this.tamper(parts, order)
    if (!Array.isArray(reply)) return reply as Reply
    return { status: 200, body: JSON.stringify({ transactions: (reply as readonly Part[]).map(wireOf) }) }
  }

  /**
   * The last transaction moves the funds of the provider. Of the other steps, all but the last one are in the first
   * transaction.
   */
  #cut({ steps }: Order): number {
    const own = steps.findIndex(({ authority }) => authority === this.address)
    return own === -1 ? steps.length - 1 : own
  }

  #memo(text: string): TransactionInstruction {
    const keys = [{ pubkey: this.lender.publicKey, isSigner: true, isWritable: false }]
    return new TransactionInstruction({ programId: new PublicKey(MEMO_PROGRAM), keys, data: Buffer.from(text) })
  }
}

export function wireOf({ payer, instructions, signers, blockhash }: Part): string {
  const message = new TransactionMessage({
    payerKey: new PublicKey(payer),
    recentBlockhash: blockhash,
    instructions: [...instructions],
  })
  const transaction = new VersionedTransaction(message.compileToV0Message())
  const requiredKeys = transaction.message.staticAccountKeys.slice(0, transaction.message.header.numRequiredSignatures)
  transaction.sign(signers.filter(({ publicKey }) => requiredKeys.some((each) => each.equals(publicKey))))
  return Buffer.from(transaction.serialize()).toString('base64')
}

const key = (text: string | undefined): PublicKey => new PublicKey(text ?? '')

export function instructionOf(step: Step): TransactionInstruction {
  const { kind, payer, owner, account, mint, from, to, authority, destination } = step
  const amount = BigInt(step['amount'] ?? step['lamports'] ?? 0)
  const decimals = Number(step['decimals'])
  const program = kind === 'lamports' ? undefined : key(step['program'])
  switch (kind) {
    case 'open':
      return createAssociatedTokenAccountIdempotentInstruction(key(payer), key(account), key(owner), key(mint), program)
    case 'mint':
      return createMintToCheckedInstruction(key(mint), key(to), key(authority), amount, decimals, [], program)
    case 'transfer':
      return createTransferCheckedInstruction(
        key(from),
        key(mint),
        key(to),
        key(authority),
        amount,
        decimals,
        [],
        program,
      )
    case 'freeze':
      return createFreezeAccountInstruction(key(account), key(mint), key(authority), [], program)
    case 'thaw':
      return createThawAccountInstruction(key(account), key(mint), key(authority), [], program)
    case 'close':
      return createCloseAccountInstruction(key(account), key(destination), key(authority), [], program)
    case 'lamports':
      return SystemProgram.transfer({ fromPubkey: key(from), toPubkey: key(to), lamports: amount })
  }
}
