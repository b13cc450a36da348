// The process of the load generator. It keeps its connections over all rounds, so that no round includes connecting.
import { answerParent } from '../measure/child.ts'
import { runRound, type RoundRequest } from './closed-loop.ts'
import { Connection } from './connection.ts'
import type { Target, Traffic } from './traffic.ts'

export interface OpenRequest {
  readonly kind: 'open'
  readonly target: Target
  readonly clients: number
  /** URL of a module that exports `traffic(target, settings)`, a Traffic or a promise of one. */
  readonly module: string
  readonly settings: unknown
}

export type GeneratorQuestion = OpenRequest | ({ readonly kind: 'round' } & RoundRequest) | { readonly kind: 'tally' }

interface TrafficModule {
  traffic(target: Target, settings: unknown): Traffic | Promise<Traffic>
}

let connections: Connection[] = []
let open: () => Promise<Connection>
let traffic: Traffic | null = null

answerParent(async (question: GeneratorQuestion) => {
  if (question.kind === 'open') {
    const { target, clients, module, settings } = question
    const trafficModule = (await import(module)) as TrafficModule
    traffic = await trafficModule.traffic(target, settings)
    open = () => Connection.open(target.host, target.port)
    connections = await Promise.all(Array.from({ length: clients }, open))
    return null
  }
  if (traffic === null) throw new Error('not opened')
  if (question.kind === 'tally') return traffic.tally()
  connections = await Promise.all(connections.map((each) => (each.isOpen ? Promise.resolve(each) : open())))
  return await runRound(connections, traffic, question)
})
