// Parses server-sent events (HTML Standard, 9.2.6) as far as the client needs: the data of each complete message.

/** @param heard called with every chunk, comments included */
export async function* messages(
  body: ReadableStream<Uint8Array>,
  heard: () => void,
): AsyncGenerator<string, void, void> {
  const decoder = new TextDecoder()
  let rest = ''
  let data: string[] = []
  for await (const chunk of body) {
    heard()
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines.map((each) => each.replace(/\r$/, ''))) {
      if (line === '') {
        if (data.length > 0) yield data.join('\n')
        data = []
      } else if (line.startsWith('data:')) data.push(line.slice('data:'.length).replace(/^ /, ''))
    }
  }
}
