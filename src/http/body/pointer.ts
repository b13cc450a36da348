// JSON Pointers (RFC 6901) into a request body.

export function childPointer(pointer: string, member: string | number): string {
  return `${pointer}/${typeof member === 'number' ? member : member.replaceAll('~', '~0').replaceAll('/', '~1')}`
}

export function pointerOf(path: readonly PropertyKey[]): string {
  let pointer = ''
  for (const member of path) pointer = childPointer(pointer, typeof member === 'number' ? member : String(member))
  return pointer
}
