/** A text in UTF-8, in memory that is lent. */
export interface ScratchBytes {
  bytes: Buffer
  /** Gives the memory back, after which nothing may read it. */
  release: () => void
}

/** Memory for bytes that are needed for a moment. */
export interface ScratchBuffers {
  encode: (text: string) => ScratchBytes
}

/**
 * Buffers that are used again and again. Memory outside of V8's heap counts as its growth: new buffers of
 * some hundred kilobytes for each request would have it collect garbage all the time.
 * @param bytes the size of a buffer; longer texts get memory of their own
 * @param kept how many buffers are kept while nobody uses them
 */
export function createScratchBuffers({
  bytes,
  kept,
}: {
  bytes: number
  kept: number
}): ScratchBuffers {
  const free: Buffer[] = []
  const encoder = new TextEncoder()
  const giveBack = (buffer: Buffer) => {
    if (free.length < kept) free.push(buffer)
  }
  return {
    encode(text) {
      const buffer = free.pop() ?? Buffer.allocUnsafeSlow(bytes)
      const { read, written } = encoder.encodeInto(text, buffer)
      if (read === text.length) {
        return { bytes: buffer.subarray(0, written), release: () => giveBack(buffer) }
      }
      giveBack(buffer)
      return { bytes: Buffer.from(text), release: () => {} }
    },
  }
}
