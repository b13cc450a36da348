// Keeps credentials of endpoint URLs out of logs and answers. Providers put keys into paths, queries and user names:
// only scheme and host are shown, and text from an endpoint is cleared of every part of the URL that could be a key.

const MIN_SECRET_LENGTH = 6
const MAX_TEXT_LENGTH = 400

/** Parses the URL of an endpoint. Throws a TypeError that does not quote the URL, unlike the library's. */
export function endpointUrl(url: string): URL {
  const parsed = URL.canParse(url) ? new URL(url) : null
  if (parsed?.protocol !== 'http:' && parsed?.protocol !== 'https:')
    throw new TypeError('an endpoint must be an http or https URL')
  return parsed
}

/** Scheme, host and port. */
export function endpointName(url: string): string {
  const { protocol, host } = endpointUrl(url)
  return `${protocol}//${host}`
}

/** Parts of a URL that may be credentials: user, password, path segments, query values, fragment. */
export function endpointSecrets(url: string): readonly string[] {
  const { username, password, pathname, searchParams, hash } = endpointUrl(url)
  const parts = [username, password, ...pathname.split('/'), ...searchParams.values(), hash.slice(1)]
  const spellings = parts.flatMap((part) => [part, decoded(part)])
  return [...new Set(spellings)].filter((part) => part.length >= MIN_SECRET_LENGTH).sort((a, b) => b.length - a.length)
}

/** The text with every secret replaced, cut to 400 characters. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  let clear = text
  for (const secret of secrets) clear = clear.replaceAll(secret, '***')
  return clear.length > MAX_TEXT_LENGTH ? `${clear.slice(0, MAX_TEXT_LENGTH)}…` : clear
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
