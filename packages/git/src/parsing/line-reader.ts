/** Splits git's output, in chunks of any size, into lines. */
export interface LineReader {
  /** False once the callback has asked for no further line. */
  push(chunk: Buffer): boolean
  /** Reads what follows the last separator. */
  end(): void
}

/** How the output is split. */
export interface LineOptions {
  /** The byte that ends a line; default a line feed. */
  separator?: number
  /** Longer lines are cut to this many bytes; default 64 KiB. */
  maxBytes?: number
  /** Whether lines include their separator; one that was cut never does. */
  keepSeparator?: boolean
}

const lineFeed = 0x0a
const defaultMaxBytes = 64 * 1024

/**
 * Creates a reader that passes each line to `read`, which returns false to stop. However long a
 * line is, no more than `maxBytes` of it are held, and each byte is copied at most once.
 */
export function createLineReader(
  read: (line: Buffer) => unknown,
  { separator = lineFeed, maxBytes = defaultMaxBytes, keepSeparator = false }: LineOptions = {},
): LineReader {
  let parts: Buffer[] = []
  let held = 0
  const hold = (part: Buffer) => {
    if (held < maxBytes && part.length > 0) parts.push(part.subarray(0, maxBytes - held))
    held = Math.min(maxBytes, held + part.length)
  }
  const take = (last: Buffer): Buffer => {
    if (held === 0) return last.subarray(0, maxBytes)
    hold(last)
    const line = Buffer.concat(parts, held)
    parts = []
    held = 0
    return line
  }
  return {
    push(chunk) {
      let at = 0
      for (let end = chunk.indexOf(separator); end >= 0; end = chunk.indexOf(separator, at)) {
        const line = take(chunk.subarray(at, keepSeparator ? end + 1 : end))
        at = end + 1
        if (read(line) === false) return false
      }
      hold(chunk.subarray(at))
      return true
    },
    end() {
      if (held > 0) read(take(Buffer.alloc(0)))
    },
  }
}
