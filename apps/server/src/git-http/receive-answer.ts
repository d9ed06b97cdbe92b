/** What receive-pack says while it works, sorted into what may pass and what must wait. */
export interface ReceiveAnswer {
  /** Takes a piece of the answer; gives back what the client may have at once. */
  push(chunk: Buffer): Buffer
  /** Everything that was held back: the report and the end. */
  held(): Buffer
  /** Names of the refs that moved, as the report says; undefined where there is no whole report. */
  movedRefs(): Set<string> | undefined
}

const headerBytes = 4
const none = Buffer.alloc(0)

/**
 * Holds the report of a push back until it is recorded, and lets progress through meanwhile. With
 * `sideBand` the answer consists of packets of which band 1 carries the report; without it is the report.
 */
export function createReceiveAnswer({ sideBand }: { sideBand: boolean }): ReceiveAnswer {
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
    // Not a packet: what follows cannot be told apart, so all of it waits.
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
  // The empty packet at the end says that nothing is missing.
  if (!lines.includes('') || !lines[0]?.startsWith('unpack ')) return undefined
  return new Set(lines.filter((line) => line.startsWith('ok ')).map((line) => line.slice(3)))
}
