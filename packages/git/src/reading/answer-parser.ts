import { GitError } from '../git-error.ts'

/** The kinds of object that git keeps. */
export type ObjectType = 'commit' | 'tree' | 'blob' | 'tag'

/** What cat-file says of one object; `content` only where it was asked for. */
export interface ObjectAnswer {
  oid: string
  type: ObjectType
  /** Bytes of the content. */
  size: number
  content?: Buffer
}

/** Reads the answers of `git cat-file --batch-command` from chunks of any size. */
export interface AnswerParser {
  push(chunk: Buffer): void
}

const header = /^([0-9a-f]{40,64}) (commit|tree|blob|tag) (\d+)$/
const absent = / (missing|ambiguous)$/
const newline = 0x0a

function parseHeader(line: string): ObjectAnswer | undefined {
  const [, oid, type, size] = header.exec(line) ?? []
  if (oid && type) return { oid, type: type as ObjectType, size: Number(size) }
  if (absent.test(line)) return undefined
  throw new GitError('failed', `cat-file answered ${JSON.stringify(line.slice(0, 200))}`)
}

interface ParserState {
  rest: Buffer
  open: { answer: ObjectAnswer; content: Buffer; filled: number } | undefined
}

/** Copies what belongs to the open content; answers how many bytes of the chunk were used. */
function fill(open: NonNullable<ParserState['open']>, chunk: Buffer, from: number): number {
  const copied = chunk.copy(open.content, open.filled, from)
  open.filled += copied
  return copied
}

/**
 * Calls `answered` once for each answer, in order; undefined stands for a missing or an ambiguous
 * name. `expectsContent` says of the answer that begins whether content follows its header.
 */
export function createAnswerParser(
  expectsContent: () => boolean,
  answered: (answer: ObjectAnswer | undefined) => void,
): AnswerParser {
  const state: ParserState = { rest: Buffer.alloc(0), open: undefined }
  const step = (data: Buffer, at: number): number => {
    const { open } = state
    if (open) {
      const next = at + fill(open, data, at)
      // One byte follows the content: a newline.
      if (open.filled < open.content.length || next >= data.length) return -next
      state.open = undefined
      answered({ ...open.answer, content: open.content })
      return next + 1
    }
    const end = data.indexOf(newline, at)
    if (end < 0) return -at
    const answer = parseHeader(data.toString('utf8', at, end))
    if (answer && expectsContent()) {
      // Memory of its own: a slice of a pool would keep the whole pool alive in the cache.
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
      state.rest = data.subarray(at)
    },
  }
}
