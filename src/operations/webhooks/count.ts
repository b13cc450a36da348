// How many webhooks an organization has, in a cluster.
import { webhooksKey } from '../../engine/index-keys.ts'
import type { Call } from '../call.ts'
import type { Platform } from '../platform.ts'

export function countWebhooks({ engine }: Platform, { cluster, organization }: Call): number {
  return engine.directory.find(webhooksKey(cluster, organization)).length
}
