// Creates the system tenant and its first key. A configured secret is applied once: if the key has been rotated or
// disabled since, later starts do not restore it. A changed configuration replaces the secret.
import { SettingsError } from '../../config/settings-error.ts'
import type { Engine } from '../../engine/engine.ts'
import { apiKeyKey, organizationKey } from '../../engine/index/index-keys.ts'
import { EVERY_CLUSTER, ofKind } from '../../engine/records/record.ts'
import type { UnitOfWork } from '../../engine/records/unit-of-work.ts'
import { sameSecretHash } from '../../keys/api-key.ts'
import { SYSTEM_TENANT } from '../../contract/tenancy.ts'
import { ROLES } from '../../contract/roles.ts'

export interface ConfiguredKey {
  readonly keyId: string
  /** SHA-256 of the secret, hex. */
  readonly secretHash: string
}

/** Sources of time and ids. */
export interface BootstrapDependencies {
  readonly clock: { now(): number }
  readonly ids: () => string
}

/** `disabled`: the configuration has a new secret for a disabled key; it was not applied. */
export type BootstrapOutcome = 'created' | 'replaced' | 'unchanged' | 'disabled' | 'none'

/**
 * Creates the system organization and the configured key if they are missing; resolves once that is durable. The key
 * gets every role. Throws `SettingsError` if the configured key id belongs to another organization.
 */
export async function bootstrap(
  engine: Engine,
  configured: ConfiguredKey | null,
  { clock, ids }: BootstrapDependencies,
): Promise<BootstrapOutcome> {
  const { result, durable } = engine.transact((unit) => {
    if (engine.directory.firstOwn(organizationKey(SYSTEM_TENANT)) === undefined) createSystem(unit, ids())
    return configured === null
      ? 'none'
      : takeIn(engine, unit, configured, { id: ids(), at: new Date(clock.now()).toISOString() })
  })
  await durable
  return result
}

function createSystem(unit: UnitOfWork, id: string): void {
  unit.create('organization', systemPlace(id), {
    organization: {
      externalId: SYSTEM_TENANT,
      name: 'System',
      parentExternalId: null,
      allowedPrograms: [],
      system: true,
    },
  })
}

function takeIn(
  engine: Engine,
  unit: UnitOfWork,
  { keyId, secretHash }: ConfiguredKey,
  { id, at }: { readonly id: string; readonly at: string },
): BootstrapOutcome {
  const taken = `bootstrapKey.${keyId}`
  const remember = () => unit.also(SYSTEM_TENANT, { type: 'meta', name: taken, value: secretHash })
  const entry = engine.directory.firstOwn(apiKeyKey(keyId))
  if (entry === undefined) {
    createKey(unit, { keyId, secretHash }, id, at)
    remember()
    return 'created'
  }
  const key = ofKind(entry.head, 'apiKey')
  if (key?.context.organization !== SYSTEM_TENANT) {
    throw new SettingsError(['HOLDFAST_BOOTSTRAP_KEY has the id of a key that belongs to another organization'])
  }
  if (engine.store.meta(taken) === secretHash || sameSecretHash(key.context.secretHash, secretHash)) return 'unchanged'
  if (key.value === 'disabled') return 'disabled'
  // Counts as a rotation by another party: access to the configuration must not confer the key's approvals.
  unit.send<'apiKey'>(entry, { type: 'command.rotate', secretHash, graceUntil: null, at, byItself: false })
  remember()
  return 'replaced'
}

function createKey(unit: UnitOfWork, { keyId, secretHash }: ConfiguredKey, id: string, createdAt: string): void {
  unit.create('apiKey', systemPlace(id), {
    apiKey: {
      keyId,
      organization: SYSTEM_TENANT,
      name: 'bootstrap',
      roles: [...ROLES],
      secretHash,
      previousSecretHash: null,
      previousUntil: null,
      expiresAt: null,
      clusters: null,
      createdAt,
      createdBy: keyId,
      lastUsedAt: null,
      rotatedAt: null,
      approvalsSuspendedUntil: null,
    },
  })
}

function systemPlace(id: string) {
  return { tenant: SYSTEM_TENANT, cluster: EVERY_CLUSTER, id }
}
