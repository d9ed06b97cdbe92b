import { GitError } from '../git-error.ts'

/** Git's object types. */
export type ObjectType = 'commit' | 'tree' | 'blob' | 'tag'

/** Cat-file's output for one object; `content` only if requested. */
export interface CatFileObject {
  oid: string
  type: ObjectType
  /** Bytes of the content. */
  size: number
  content?: Buffer
}

/**
 * Parses the output of `git cat-file --batch-command` from chunks of any size, and keeps nothing of
 * them.
 */
export interface CatFileParser {
  push(chunk: Buffer): void
}

const header = /^([0-9a-f]{40,64}) (commit|tree|blob|tag) (\d+)$/
const absent = / (missing|ambiguous)$/
const newline = 0x0a
/** A line repeats the name that was asked for, of which 4096 characters are allowed. */
const maxLineBytes = 64 * 1024

function parseHeader(line: string): CatFileObject | undefined {
  const [, oid, type, size] = header.exec(line) ?? []
  if (oid && type) return { oid, type: type as ObjectType, size: Number(size) }
  if (absent.test(line)) return undefined
  throw new GitError('failed', `cat-file answered ${JSON.stringify(line.slice(0, 200))}`)
}

interface ParserState {
  rest: Buffer
  open: { answer: CatFileObject; content: Buffer; filled: number } | undefined
}

/** Copies the bytes of the current content; returns how many bytes of the chunk were used. */
function fill(open: NonNullable<ParserState['open']>, chunk: Buffer, from: number): number {
  const copied = chunk.copy(open.content, open.filled, from)
  open.filled += copied
  return copied
}

/**
 * Calls `answered` once per object, in order, with undefined for a missing or ambiguous name.
 * `expectsContent` tells whether content follows the current header.
 */
export function createCatFileParser(
  expectsContent: () => boolean,
  answered: (answer: CatFileObject | undefined) => void,
): CatFileParser {
  const state: ParserState = { rest: Buffer.alloc(0), open: undefined }
  const step = (data: Buffer, at: number): number => {
    const { open } = state
    if (open) {
      const next = at + fill(open, data, at)
      // A newline follows the content.
      if (open.filled < open.content.length || next >= data.length) return -next
      state.open = undefined
      answered({ ...open.answer, content: open.content })
      return next + 1
    }
    const end = data.indexOf(newline, at)
    if (end < 0) return -at
    const answer = parseHeader(data.toString('utf8', at, end))
    if (answer && expectsContent()) {
      // Allocated separately: a slice of a pool would keep the whole pool alive in the cache.
      state.open = { answer, content: Buffer.allocUnsafeSlow(answer.size), filled: 0 }
    } else {
      answered(answer)
    }
    return end + 1
  }
  return {
    push(chunk) {
      const data = state.rest.length > 0 ? Buffer.concat([state.rest, chunk]) : chunk
      let at = 0
      while (at < data.length) {
        const next = step(data, at)
        if (next <= 0) {
          at = -next
          break
        }
        at = next
      }
      // A copy: the chunk is the caller's.
      state.rest = Buffer.from(data.subarray(at))
      if (!state.open && state.rest.length > maxLineBytes)
        parseHeader(state.rest.toString('latin1'))
    },
  }
}
