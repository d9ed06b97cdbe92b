import { describe, expect, it } from 'vitest'
import { createCatFileParser } from '../reading/cat-file-parser.ts'
import { createBlameParser } from './blame-parser.ts'
import { parseCommit, parseTag } from './commit-parser.ts'
import { createDiffParser } from './diff-parser.ts'
import { createLineReader } from './line-reader.ts'
import { parseStats } from './stats-parser.ts'
import { indexTree } from './tree-index.ts'
import { parseListedEntry } from './tree-parser.ts'

const oid = 'a'.repeat(40)
const size = 1024 * 1024
const chunkSize = 64 * 1024

/** The same numbers in every run. */
function random(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 2_147_483_648
  }
}

function randomBytes(alphabet: readonly string[], seed: number): Buffer {
  const next = random(seed)
  const parts: string[] = []
  for (let length = 0; length < size; ) {
    const part = alphabet[Math.floor(next() * alphabet.length)] ?? ''
    parts.push(part)
    length += part.length
  }
  return Buffer.from(parts.join(''), 'latin1').subarray(0, size)
}

const words = ['parent ', 'author ', 'tree ', 'gpgsig ', ' ', '\n', '\0', '\t', '<', '>', '"', '\\']
const structure = [
  ...words,
  oid,
  '100644 ',
  '40000 ',
  'diff --git a/x b/x\n',
  '--- a/x\n',
  '0',
  ':',
]

const outputs: [string, Buffer][] = [
  ...['\n', ' ', '\0', '\t', '<', '>', '0', '"', '\\', '\xff', ':', 'a'].map(
    (char): [string, Buffer] => [JSON.stringify(char), Buffer.alloc(size, char, 'latin1')],
  ),
  ['line breaks after letters', Buffer.alloc(size, 'a\n')],
  ['carriage returns', Buffer.alloc(size, '\r\r\n')],
  ['parents', Buffer.alloc(size, `parent ${oid}\n`)],
  ['continuation lines', Buffer.concat([Buffer.from('gpgsig x\n'), Buffer.alloc(size, ' x\n')])],
  ['authors', Buffer.alloc(size, 'author A <a@b> 0 +0000\n')],
  ['a long author', Buffer.concat([Buffer.from('author '), Buffer.alloc(size, '<a> ')])],
  ['tree entries', Buffer.alloc(size, `40000 a\0${'x'.repeat(20)}`)],
  ['lines of a listing', Buffer.alloc(size, `100644 blob ${oid}       7\tpath\0`)],
  ['lines of a blame', Buffer.alloc(size, `${oid} 1 1\n\tx\n`)],
  ['raw lines', Buffer.alloc(size, `:100644 100644 ${oid} ${oid} M\t"\\303\\244"\n`)],
  ['sections', Buffer.alloc(size, 'diff --git a/x b/x\n--- a/x\n+++ b/x\n')],
  ['statistics', Buffer.alloc(size, `${oid}\n 1 insertion(+), 2 deletions(-)\n`)],
  ['random structure', randomBytes(structure, 1)],
  ['other random structure', randomBytes(words, 2)],
  [
    'random bytes',
    randomBytes(
      Array.from({ length: 256 }, (_, byte) => String.fromCharCode(byte)),
      3,
    ),
  ],
]

function inChunks(bytes: Buffer, push: (chunk: Buffer) => unknown): void {
  for (let at = 0; at < bytes.length; at += chunkSize) push(bytes.subarray(at, at + chunkSize))
}

const parsers: [string, (bytes: Buffer) => unknown][] = [
  ['parseCommit', (bytes) => parseCommit(oid, bytes, 10_000)],
  ['parseCommit, whole', (bytes) => parseCommit(oid, bytes, 1024 * 1024)],
  ['parseTag', (bytes) => parseTag(oid, bytes, 10_000)],
  [
    'indexTree',
    (bytes) => {
      const index = indexTree(bytes, 'folder')
      return [index.find('name'), index.find('\ufffd'), index.slice(0, index.length)]
    },
  ],
  ['parseStats', (bytes) => parseStats(bytes.toString('latin1'))],
  [
    'parseListedEntry',
    (bytes) => {
      const reader = createLineReader((line) => void parseListedEntry(line, 'folder'), {
        separator: 0,
      })
      inChunks(bytes, reader.push)
      reader.end()
    },
  ],
  ['createBlameParser', (bytes) => inChunks(bytes, createBlameParser().push)],
  [
    'createDiffParser',
    (bytes) => {
      const parser = createDiffParser()
      inChunks(bytes, parser.push)
      return parser.finish()
    },
  ],
  [
    'createCatFileParser',
    (bytes) => {
      const parser = createCatFileParser(
        () => false,
        () => {},
      )
      try {
        inChunks(bytes, parser.push)
      } catch {
        // The process is ended at the first line that makes no sense.
      }
    },
  ],
]

/** What takes less is measured too roughly to compare. */
const shortestMs = 10

function processorMs(work: () => void): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

describe.each(parsers)('%s', (_, parse) => {
  it('takes time in proportion to its input, whatever that is', () => {
    for (const [name, bytes] of outputs) {
      const part = processorMs(() => parse(bytes.subarray(0, size / 16)))
      const whole = processorMs(() => parse(bytes))
      // Sixteen times as much; 256 times would be a quadratic one.
      const ratio = whole / Math.max(shortestMs, part)
      expect(ratio, `${name}: ${part} ms, then ${whole} ms`).toBeLessThan(60)
    }
  })
})
