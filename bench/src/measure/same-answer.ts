import { requestHeaders } from '../rows.ts'

/** Headers that differ between requests or connections. */
const varying = new Set(['date', 'x-request-id', 'x-runtime', 'connection', 'keep-alive'])

/**
 * Throws unless both URLs give the same response: status, bytes of the body, and headers, of which
 * the varying ones only have to be present.
 */
export async function assertSameAnswer(
  first: string,
  second: string,
  headers: Readonly<Record<string, string>> = requestHeaders,
): Promise<void> {
  const [a, b] = await Promise.all([ask(first, headers), ask(second, headers)])
  if (a.status !== 200) throw new Error(`${first} answers ${a.status}: ${a.body.toString()}`)
  if (a.status !== b.status) throw new Error(`${second} answers ${b.status}: ${b.body.toString()}`)
  if (!a.body.equals(b.body)) throw new Error(describeDifference(first, second, a.body, b.body))
  if (a.headers !== b.headers) {
    throw new Error(`The headers of ${second} differ\n${a.headers}\n\n${b.headers}`)
  }
}

function describeDifference(first: string, second: string, a: Buffer, b: Buffer): string {
  const at = a.findIndex((byte, index) => byte !== b[index])
  const around = (body: Buffer) => body.subarray(Math.max(0, at - 80), at + 80).toString()
  const texts = `${around(a)}\n\n${around(b)}`
  return `The bodies of ${first} and ${second} differ at byte ${at}\n${texts}`
}

async function ask(
  url: string,
  requested: Readonly<Record<string, string>>,
): Promise<{ status: number; headers: string; body: Buffer }> {
  const answer = await fetch(url, { headers: requested })
  const headers = [...answer.headers]
    .map(([name, value]) => (varying.has(name) ? name : `${name}: ${value}`))
    .toSorted()
    .join('\n')
  return { status: answer.status, headers, body: Buffer.from(await answer.arrayBuffer()) }
}
