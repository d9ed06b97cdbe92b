/** The output of receive-pack, split into progress and the report. */
export interface ReceiveResponse {
  /** Takes a chunk of output; returns what the client may have immediately. */
  push(chunk: Buffer): Buffer
  /** Everything that was held back: the report and the flush packet. */
  held(): Buffer
  /**
   * Names of the refs that moved according to the report; undefined if the report is incomplete.
   */
  movedRefs(): Set<string> | undefined
}

const headerBytes = 4
const none = Buffer.alloc(0)

/**
 * Holds the report of a push back until it is recorded, and passes progress on meanwhile. With
 * `sideBand` the output is packets of which band 1 carries the report; without it, all of it is the
 * report.
 */
export function createReceiveResponse({ sideBand }: { sideBand: boolean }): ReceiveResponse {
  const held: Buffer[] = []
  const report: Buffer[] = []
  let rest: Buffer = none
  const keep = (packet: Buffer, data: Buffer) => {
    held.push(packet)
    report.push(data)
  }
  return {
    push(chunk) {
      if (!sideBand) {
        keep(chunk, chunk)
        return Buffer.alloc(0)
      }
      const { packets, remainder } = splitPackets(Buffer.concat([rest, chunk]))
      rest = remainder
      const passing: Buffer[] = []
      for (const packet of packets) {
        if (isProgress(packet)) passing.push(packet)
        else keep(packet, packet.subarray(headerBytes + 1))
      }
      return Buffer.concat(passing)
    },
    held: () => Buffer.concat([...held, rest]),
    movedRefs: () => readReport(Buffer.concat(report)),
  }
}

/** Messages, and the empty packets that keep a connection alive. */
function isProgress(packet: Buffer): boolean {
  const band = packet[headerBytes]
  return band === 2 || band === 3 || (band === 1 && packet.length === headerBytes + 1)
}

function splitPackets(bytes: Buffer): { packets: Buffer[]; remainder: Buffer } {
  const packets: Buffer[] = []
  let at = 0
  while (at + headerBytes <= bytes.length) {
    const length = Number.parseInt(bytes.toString('latin1', at, at + headerBytes), 16)
    // Not a packet: what follows cannot be split, so all of it is held.
    if (Number.isNaN(length)) return { packets: [...packets, bytes.subarray(at)], remainder: none }
    const end = at + Math.max(length, headerBytes)
    if (end > bytes.length) break
    packets.push(bytes.subarray(at, end))
    at = end
  }
  return { packets, remainder: bytes.subarray(at) }
}

function readReport(bytes: Buffer): Set<string> | undefined {
  const { packets } = splitPackets(bytes)
  const lines = packets.map((packet) => packet.toString('utf8', headerBytes).trimEnd())
  // The flush packet at the end shows that the report is complete.
  if (!lines.includes('') || !lines[0]?.startsWith('unpack ')) return undefined
  return new Set(lines.filter((line) => line.startsWith('ok ')).map((line) => line.slice(3)))
}
