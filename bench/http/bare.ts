// The baseline of the routes: a bare Koa in a separate process.
import { join } from 'node:path'
import { startChild } from '../measure/child.ts'
import type { BareKoaRequest } from './bare-process.ts'

export interface BareKoa extends AsyncDisposable {
  readonly port: number
  readonly pid: number
}

export async function startBareKoa(node: string, request: BareKoaRequest): Promise<BareKoa> {
  const child = startChild<BareKoaRequest, number>(join(import.meta.dirname, 'bare-process.ts'), node)
  const port = await child.ask(request)
  return { port, pid: child.pid, [Symbol.asyncDispose]: () => child[Symbol.asyncDispose]() }
}
