// One PostgreSQL for all files of the run; each world has a database of its own.
import type { TestProject } from 'vitest/node'
import { ownPostgres } from '../postgres/postgres.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Of the server, without the name of a database. */
    readonly postgres: { readonly dir: string; readonly user: string }
  }
}

const SETTINGS = ['shared_buffers=128MB', 'jit=off', 'max_connections=300']

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const postgres = await ownPostgres({ settings: SETTINGS })
  project.provide('postgres', { dir: postgres.dir, user: postgres.user })
  return async () => {
    await postgres[Symbol.asyncDispose]()
  }
}
