import { open, readdir } from 'node:fs/promises'
import { join } from 'node:path'

/** Headers and contents are padded to multiples of it, in bytes. */
const blockSize = 512

/** Bytes that are read at a time. */
const chunkSize = 256 * 1024

/** The largest size that fits into eleven octal digits. */
const maxOctal = 0o77777777777

/**
 * Packs the files and folders below a folder as an uncompressed tar (POSIX.1-1988 `ustar`; larger
 * files with sizes in base 256, as GNU and libarchive read them). Paths must have at most 100 bytes.
 * Anything but files and folders, such as a symbolic link, is left out and never followed.
 */
export async function* packFolder(root: string): AsyncGenerator<Buffer, void> {
  yield* packEntries(root, '')
  yield Buffer.alloc(2 * blockSize)
}

/** The depth is that of a repository's objects. */
async function* packEntries(root: string, parent: string): AsyncGenerator<Buffer, void> {
  const entries = await readdir(join(root, parent), { withFileTypes: true })
  const names = entries.toSorted((one, other) => (one.name < other.name ? -1 : 1))
  for (const entry of names) {
    const path = parent === '' ? entry.name : `${parent}/${entry.name}`
    if (entry.isDirectory()) {
      yield header({ path: `${path}/`, mode: 0o755, size: 0, type: '5', mtime: 0 })
      yield* packEntries(root, path)
    } else if (entry.isFile()) yield* packFile(join(root, path), path)
  }
}

async function* packFile(file: string, path: string): AsyncGenerator<Buffer, void> {
  const handle = await open(file, 'r')
  try {
    const { size, mtimeMs } = await handle.stat()
    yield header({ path, mode: 0o644, size, type: '0', mtime: Math.floor(mtimeMs / 1000) })
    for (let position = 0; position < size; ) {
      const length = Math.min(chunkSize, size - position)
      const { bytesRead, buffer } = await handle.read(Buffer.alloc(length), 0, length, position)
      if (bytesRead === 0) throw new Error(`a file became shorter: ${path}`)
      position += bytesRead
      yield buffer.subarray(0, bytesRead)
    }
    const rest = size % blockSize
    if (rest > 0) yield Buffer.alloc(blockSize - rest)
  } finally {
    await handle.close()
  }
}

interface Header {
  path: string
  mode: number
  /** Bytes. */
  size: number
  /** `0` a file, `5` a folder. */
  type: '0' | '5'
  /** Seconds since the epoch. */
  mtime: number
}

function header({ path, mode, size, type, mtime }: Header): Buffer {
  const block = Buffer.alloc(blockSize)
  if (block.write(path, 0, 'utf8') > 100) throw new Error(`the path is too long: ${path}`)
  writeOctal(block, 100, 8, mode)
  writeOctal(block, 108, 8, 0)
  writeOctal(block, 116, 8, 0)
  if (size <= maxOctal) writeOctal(block, 124, 12, size)
  else writeBase256(block, 124, size)
  writeOctal(block, 136, 12, mtime)
  block.fill(' ', 148, 156)
  block.write(type, 156)
  block.write('ustar\u000000', 257, 'latin1')
  const sum = block.reduce((total, byte) => total + byte, 0)
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1')
  return block
}

function writeOctal(block: Buffer, offset: number, length: number, value: number): void {
  block.write(value.toString(8).padStart(length - 1, '0'), offset, 'latin1')
}

/** The first bit says that a big-endian number follows. */
function writeBase256(block: Buffer, offset: number, value: number): void {
  block[offset] = 0x80
  block.writeBigUInt64BE(BigInt(value), offset + 4)
}
