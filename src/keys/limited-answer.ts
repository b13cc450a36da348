// Answers of key stores and custodians are read up to a limit, after decompression: a broken one must not use up the
// memory of the service.

/** The text of the body. Rejects if it is longer than `maxBytes`, or breaks off; messages begin with `whose`. */
export async function limitedText(response: Response, maxBytes: number, whose: string): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
      size += chunk.length
      if (size > maxBytes) break
      chunks.push(chunk)
    }
  } catch {
    throw new Error(`${whose} breaks off`)
  }
  if (size > maxBytes) throw new Error(`${whose} is larger than ${maxBytes} bytes`)
  return Buffer.concat(chunks).toString('utf8')
}
