// Checks the settings that one of several nodes requires.
import { hostname } from 'node:os'
import type { Settings } from './settings.ts'
import { SettingsError } from './settings-error.ts'

export interface NodeIdentity {
  readonly nodeId: string
  readonly nodeSecret: string
}

/** Throws SettingsError. */
export function nodeIdentity({ nodeId, nodeSecret }: Pick<Settings, 'nodeId' | 'nodeSecret'>): NodeIdentity {
  if (nodeSecret === null)
    throw new SettingsError([
      'HOLDFAST_NODE_SECRET is needed with HOLDFAST_STORE=postgres://: it authenticates what nodes forward to each other',
    ])
  return { nodeId: nodeIdOf({ nodeId }), nodeSecret: nodeSecret.reveal() }
}

export const nodeIdOf = ({ nodeId }: Pick<Settings, 'nodeId'>): string => nodeId ?? hostname()
