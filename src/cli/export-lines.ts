// The lines of an export, from the running service or, while none has it open, from the data directory.
import { isDatabase } from '../../snapshots/whole-directory.ts'
import { openStore } from '../../snapshots/level-store.ts'
import { dataLayout } from '../config/data-layout.ts'
import { EXIT_CODES } from '../config/exit-codes.ts'
import { exportLines, type ExportScope } from '../operations/events/export.ts'
import { CommandFailed } from './command-failed.ts'
import { askOwner, tenantsOf } from './owner.ts'

/** Throws `CommandFailed` if there is no store, or no such tenant. */
export async function* exportedLines(
  dataDir: string,
  scope: ExportScope,
): AsyncGenerator<Buffer | string, void, undefined> {
  const { socket, store: path } = dataLayout(dataDir)
  const query = new URLSearchParams({
    after: String(scope.after),
    ...(scope.tenant === null ? {} : { tenant: scope.tenant }),
  })
  if (scope.tenant !== null) refuseUnknown(scope.tenant, await tenantsOf(socket))
  const answer = await askOwner(socket, `/${scope.what}?${query.toString()}`)
  if (answer !== null) {
    yield* answer
    return
  }
  if (!isDatabase(path)) throw new CommandFailed(`${dataDir} contains no store`, EXIT_CODES.unavailable)
  const store = await openStore({ path, onFatal: () => undefined })
  try {
    if (scope.tenant !== null) refuseUnknown(scope.tenant, await store.tenants())
    yield* exportLines(store, scope)
  } finally {
    await store.close()
  }
}

/** @param tenants null: the tenants are unknown here */
function refuseUnknown(tenant: string, tenants: readonly string[] | null): void {
  if (tenants === null || tenants.includes(tenant)) return
  const rule = '--tenant takes an id as the lines of an export show it'
  throw new CommandFailed(`there is no tenant ${tenant}; ${rule}`, EXIT_CODES.usage)
}
