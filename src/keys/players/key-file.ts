// The generated key of a threshold signer without a configured key: a file of its own, sealed under the master key and
// bound to the signer.
import { randomBytes } from 'node:crypto'
import { basename } from 'node:path'
import { createKeyFile, readKeyFile } from '../../config/key-file.ts'
import type { KeyWrapper } from '../vault.ts'

interface SealedPlayerKey {
  readonly v: 1
  readonly masterKeyId: string
  readonly sealed: string
}

/** Null when there is no file. Throws when the file does not open. */
export function readPlayerKey(wrapper: KeyWrapper, path: string): Buffer | null {
  const text = readKeyFile(path)
  return text === null ? null : opened(wrapper, path, text)
}

export function makePlayerKey(wrapper: KeyWrapper, path: string): Buffer {
  const key = randomBytes(32)
  const text = createKeyFile(path, sealedText(wrapper, path, key))
  key.fill(0)
  return opened(wrapper, path, text)
}

/** The text rewrapped under the current master key; null when it already is. */
export function rewrapPlayerKey(wrapper: KeyWrapper, path: string, text: string): string | null {
  const { masterKeyId } = JSON.parse(text) as SealedPlayerKey
  if (masterKeyId === wrapper.id) return null
  const key = opened(wrapper, path, text)
  const next = sealedText(wrapper, path, key)
  key.fill(0)
  return next
}

function sealedText(wrapper: KeyWrapper, path: string, key: Uint8Array): string {
  const row: SealedPlayerKey = { v: 1, masterKeyId: wrapper.id, sealed: wrapper.wrap(key, contextOf(path)) }
  return JSON.stringify(row)
}

function opened(wrapper: KeyWrapper, path: string, text: string): Buffer {
  const { sealed, masterKeyId } = JSON.parse(text) as SealedPlayerKey
  const key = wrapper.unwrap(sealed, contextOf(path), masterKeyId)
  if (key === null) throw new Error(`${path} was sealed under another master key, or changed`)
  return key
}

function contextOf(path: string): Buffer {
  return Buffer.from(JSON.stringify(['holdfast player key 1', basename(path, '.key')]))
}
