import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'

/** A DNS server (RFC 1035) that knows TXT records alone. */
export interface TestDnsServer {
  /** `127.0.0.1:53535` */
  address: string
  /** The texts by name, in lower case. */
  records: Map<string, string>
  close: () => void
}

/** Starts a server on a port of its own. */
export async function startDnsServer(): Promise<TestDnsServer> {
  const records = new Map<string, string>()
  const socket = createSocket('udp4')
  socket.on('message', (query, { port, address }) => {
    socket.send(answerTo(query, records), port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  const { port } = socket.address() as AddressInfo
  return { address: `127.0.0.1:${port}`, records, close: () => socket.close() }
}

const headerLength = 12

function answerTo(query: Buffer, records: ReadonlyMap<string, string>): Buffer {
  const { name, end } = readName(query)
  const text = records.get(name.toLowerCase())
  const answers = text === undefined ? [] : [record(text)]
  const isUnknown = text === undefined
  const header = Buffer.alloc(headerLength)
  query.copy(header, 0, 0, 2)
  // An answer, recursion included; 3 is NXDOMAIN.
  header.writeUInt16BE(0x8180 | (isUnknown ? 3 : 0), 2)
  header.writeUInt16BE(1, 4)
  header.writeUInt16BE(answers.length, 6)
  // The type and class of the question follow its name.
  return Buffer.concat([header, query.subarray(headerLength, end + 4), ...answers])
}

function readName(query: Buffer): { name: string; end: number } {
  const labels: string[] = []
  let at = headerLength
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('ascii', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.'), end: at + 1 }
}

/** A TXT record for the name of the question. */
function record(text: string): Buffer {
  const fixed = Buffer.from([0xc0, headerLength, 0, 16, 0, 1, 0, 0, 0, 60])
  const length = Buffer.alloc(2)
  length.writeUInt16BE(text.length + 1)
  return Buffer.concat([fixed, length, Buffer.from([text.length]), Buffer.from(text)])
}
