// Compares answers with the schemas of the contract, from which the API document is generated: an answer that the
// document does not describe, or a member that it does not name, is a defect of one of the two.
import { z } from 'zod'
import { hasDryRun, type Route } from '../../src/http/route.ts'
import { routes } from '../../src/http/routes.ts'
import { dryRun } from '../../src/contract/schemas/answers.ts'
import { heldBack } from '../../src/contract/schemas/pending-change.ts'

const LEVEL = /\/(?:detailed|compact|identifiers)(?=\/|$)/

const byEndpoint = new Map(routes.map((route) => [`${route.method} ${route.path}`, route]))

function routeOf(method: string, path: string): Route | undefined {
  const fullPath = `/api/v1${path.replace(/\?.*$/, '')}`
  return (
    byEndpoint.get(`${method} ${fullPath}`) ?? byEndpoint.get(`${method} ${fullPath.replace(LEVEL, '/{detail-level}')}`)
  )
}

function schemaOf(route: Route, status: number): z.ZodType | null {
  if (status === 202) return heldBack
  const isDry = route.kind === 'write' && hasDryRun(route) && status === 200
  const dry = route.dryRunAnswer ?? dryRun
  if (status === route.status) return isDry ? z.union([route.answer, dry]) : route.answer
  return isDry ? dry : null
}

/** The deviations of an answer from the contract; empty if there are none. */
export function deviations(method: string, path: string, status: number, body: unknown): readonly string[] {
  const route = status < 300 ? routeOf(method, path) : undefined
  if (route === undefined) return []
  const schema = schemaOf(route, status)
  if (schema === null) return [`status ${status}`]
  const found = alternativesOf(schema).map((each) => deviationsFrom(each, body))
  return found.reduce((best, each) => (each.length < best.length ? each : best))
}

function alternativesOf(schema: z.core.$ZodType): readonly z.core.$ZodType[] {
  return schema instanceof z.ZodUnion ? schema.options.flatMap(alternativesOf) : [schema]
}

function deviationsFrom(schema: z.core.$ZodType, body: unknown): readonly string[] {
  const { success, data, error } = z.safeParse(schema, body)
  if (!success) return error.issues.map((issue) => `${issue.path.join('/')}: ${issue.message}`)
  return findUnnamed(body, data, '')
}

/** Members that the parser dropped. */
function findUnnamed(original: unknown, parsed: unknown, at: string): readonly string[] {
  if (typeof original !== 'object' || original === null || typeof parsed !== 'object' || parsed === null) return []
  return Object.entries(original).flatMap(([name, value]) =>
    name in parsed
      ? findUnnamed(value, (parsed as Record<string, unknown>)[name], `${at}/${name}`)
      : [`${at}/${name}: unknown`],
  )
}
