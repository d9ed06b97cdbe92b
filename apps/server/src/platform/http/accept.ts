/**
 * Whether a client would rather have HTML than the JSON that programs get: `text/html` is in its
 * `Accept`, and no other type that errors have is preferred (RFC 9110, 12.5.1). What accepts anything
 * gets JSON.
 */
export function prefersHtml(accept: string | undefined): boolean {
  const [first] = (accept ?? '')
    .split(',')
    .map(readRange)
    .filter(({ type, quality }) => answered.has(type) && quality > 0)
    .toSorted((one, other) => other.quality - one.quality)
  return first?.type === 'text/html'
}

const answered: ReadonlySet<string> = new Set(['text/html', 'application/json', 'text/plain'])

function readRange(text: string): { type: string; quality: number } {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase())
  const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
  return { type, quality: quality === undefined ? 1 : Number(quality) || 0 }
}
