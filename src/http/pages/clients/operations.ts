// The operations of the OpenAPI document as the generators of clients need them.
import type { Document } from '../openapi.ts'

export interface ClientOperation {
  /** As in the document, for example `postPositionsTransfer`. */
  readonly id: string
  readonly method: string
  /** With `{name}` for the parameters of the path. */
  readonly path: string
  readonly pathNames: readonly string[]
  readonly hasBody: boolean
  readonly writes: boolean
  readonly summary: string
  readonly description: string
}

interface About {
  readonly operationId: string
  readonly summary: string
  readonly description: string
  readonly requestBody?: unknown
  readonly parameters?: readonly { readonly $ref?: string }[]
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, unknown>> }>>
}

/** All that answer with JSON: a stream and a picture need code of their own. */
export function clientOperations(document: Document): readonly ClientOperation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods as unknown as Record<string, About>)
      .filter(([, { responses }]) =>
        Object.values(responses).some(({ content }) => content?.['application/json'] !== undefined),
      )
      .map(([method, about]) => ({
        id: about.operationId,
        method: method.toUpperCase(),
        path,
        pathNames: [...path.matchAll(/\{([^}]+)\}/g)].map(([, name = '']) => name),
        hasBody: about.requestBody !== undefined,
        writes: about.parameters?.some(({ $ref }) => $ref?.endsWith('/idempotencyKey') === true) === true,
        summary: about.summary,
        description: about.description,
      })),
  )
}
