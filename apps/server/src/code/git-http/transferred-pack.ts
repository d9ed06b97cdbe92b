import { pipeline, type Readable, Transform } from 'node:stream'

/** Sections that come before objects in an answer of protocol 2 (gitprotocol-v2, `fetch`). */
const beforeObjects = ['packfile', 'shallow-info', 'wanted-refs'] as const

/** After which objects follow a negotiation in protocol 2. */
const ready = '000aready\n'

/** The most that is searched, in bytes: a client names some thousand commits at a time. */
const maxSearched = 256 * 1024

/**
 * Calls `found` if an answer of upload-pack, whose first bytes are there, has objects. A list of
 * refs has none, nor has a round of negotiation in protocol 2. Returns the stream to send.
 */
export function watchPack(stream: Readable, found: () => void): Readable {
  const bytes: unknown = stream.read()
  if (!Buffer.isBuffer(bytes)) return stream
  stream.unshift(bytes)
  // Four digits of length precede each line.
  const first = bytes.toString('latin1', 4, 20)
  if (first.startsWith('acknowledgments')) return searched(stream, found)
  // Protocols 0 and 1 list refs elsewhere; here they acknowledge, and objects follow.
  if ([...beforeObjects, 'NAK', 'ACK', 'shallow'].some((start) => first.startsWith(start))) found()
  return stream
}

/** Searches the acknowledgments as they are sent; git writes each of them on its own. */
function searched(stream: Readable, found: () => void): Readable {
  let [searching, length, tail] = [true, 0, '']
  const passing = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      if (searching) {
        const text = tail + chunk.toString('latin1')
        length += chunk.length
        tail = text.slice(-ready.length)
        const isFound = text.includes(ready)
        if (isFound) found()
        searching = !isFound && length < maxSearched
      }
      done(null, chunk)
    },
  })
  // An error ends both; whoever reads `passing` sees it.
  return pipeline(stream, passing, () => {})
}
