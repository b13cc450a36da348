// Parsers of the values of single settings. Each throws an error whose message follows the name of the setting.
import { resolve } from 'node:path'
import { parseApiKey } from '../keys/api-key.ts'
import { key32, type Parser } from './parse.ts'
import { Secret } from './secret.ts'

export const secretKey32: Parser<Secret<Uint8Array>> = (text) => new Secret(key32(text))

export const filePath: Parser<string> = (text) => {
  if (text === '' || text.includes('\0')) throw new Error('must be a file')
  return resolve(text)
}

export const programFile: Parser<{ readonly address: string; readonly file: string }> = (text) => {
  const [, address, file] = /^([1-9A-HJ-NP-Za-km-z]{32,44})=(.+)$/.exec(text) ?? []
  if (address === undefined || file === undefined)
    throw new Error('must be ADDRESS=FILE, with the address of a program')
  return { address, file: filePath(file) }
}

export const nonEmpty: Parser<string> = (text) => {
  if (text === '') throw new Error('must not be empty')
  return text
}

export const collector: Parser<string> = (text) => {
  if (!URL.canParse(text) || !/^https?:/i.test(text) || new URL(text).username !== '')
    throw new Error('must be a URL, without user or password')
  return text
}

export const directory: Parser<string> = (text) => {
  if (text === '' || text.includes('\0')) throw new Error('must be a directory')
  return resolve(text)
}

export const secretText: Parser<Secret<string>> = (text) => {
  if (text === '' || /[^\x21-\x7e]/.test(text)) throw new Error('must be a token of visible characters')
  return new Secret(text)
}

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])

export const vaultUrl: Parser<string> = (text) => {
  const url = URL.canParse(text) ? new URL(text) : null
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && LOOPBACK.has(url.hostname))
  if (url === null || !isSafe || url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw new Error('must be an https URL (http only on loopback) without user, query and fragment')
  }
  return text.replace(/\/+$/, '')
}

export const vaultMount: Parser<string> = (text) => {
  if (!/^[A-Za-z0-9_-]+(?:\/[A-Za-z0-9_-]+)*$/.test(text))
    throw new Error('must be the path of a transit engine, like transit')
  return text
}

export const playerCode: Parser<string> = (text) => {
  if (!/^[A-Z0-9]{1,32}$/.test(text))
    throw new Error('must name threshold signers by codes of capital letters and digits, like P1,P2,P3')
  return text
}

export const bootstrapKey: Parser<Secret<string>> = (text) => {
  if (parseApiKey(text) === null) throw new Error('must be an API key: hf_<12>_<43> base62 and 6 digits of checksum')
  return new Secret(text)
}

export const nodeId: Parser<string> = (text) => {
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(text))
    throw new Error('must have 1 to 64 letters, digits, dots, dashes and underscores')
  return text
}

export const nodeUrl: Parser<string> = (text) => {
  const url = URL.canParse(text) ? new URL(text) : null
  const isBare = url?.pathname === '/' && url.search === '' && url.hash === '' && url.username === ''
  if (url === null || !/^https?:$/.test(url.protocol) || !isBare)
    throw new Error('must be an http or https URL without user, path and query')
  return url.origin
}

export const nodeSecret: Parser<Secret<string>> = (text) => {
  if (text.length < 32 || /[^\x21-\x7e]/.test(text))
    throw new Error('must have at least 32 visible characters without spaces')
  return new Secret(text)
}
