import { describe, expect, it } from 'vitest'
import { type CatFileObject, createCatFileParser } from '../reading/cat-file-parser.ts'
import { isValidPath } from './path-rules.ts'
import { packet, readPacket, sideBand } from './pkt-line.ts'
import { unquotePath } from './quoted-path.ts'

describe('the output of cat-file', () => {
  const oid = 'a'.repeat(40)

  it('is parsed the same however it is split into chunks', () => {
    const content = 'line\nline\n'
    const text = `${oid} blob 10\n${content}\nx missing\n${oid} blob 0\n\n${oid} tree 5\nab ambiguous\n`
    for (let size = 1; size <= text.length; size += 1) {
      const answers: (CatFileObject | undefined)[] = []
      const asked = [true, true, true, false, false]
      const parser = createCatFileParser(
        () => asked[answers.length] ?? false,
        (answer) => answers.push(answer),
      )
      for (let at = 0; at < text.length; at += size) {
        parser.push(Buffer.from(text.slice(at, at + size)))
      }
      expect(answers.map((answer) => answer?.content?.toString() ?? answer?.type)).toEqual([
        'line\nline\n',
        undefined,
        '',
        'tree',
        undefined,
      ])
    }
  })

  it('is rejected if it is malformed', () => {
    const parser = createCatFileParser(
      () => false,
      () => {},
    )
    expect(() => parser.push(Buffer.from('what\n'))).toThrow('cat-file answered "what"')
  })
})

describe('quoted paths', () => {
  it.each([
    ['plain', 'plain'],
    ['"tab\\there"', 'tab\there'],
    ['"a\\"b\\\\c\\nd"', 'a"b\\c\nd'],
    ['"\\303\\244\\001é"', 'ä\x01é'],
  ])('%s is unquoted', (quoted, path) => {
    expect(unquotePath(quoted)).toBe(path)
  })
})

describe('isValidPath', () => {
  it.each(['a', 'a/b.c', '.gitignore', '.github/x', 'git~', 'a/.gitx', 'ü/…'])(
    'accepts %j',
    (path) => {
      expect(isValidPath(path)).toBe(true)
    },
  )

  it.each([
    '',
    '/a',
    'a/',
    'a//b',
    '.',
    'a/../b',
    '.git',
    'a/.GIT/config',
    '.git ',
    '.git.',
    'git~1',
    '.g\u200cit/x',
    'a\\.git\\x',
    '.git::$INDEX',
    'a\0b',
    '\ud800',
  ])('refuses %j', (path) => {
    expect(isValidPath(path)).toBe(false)
  })
})

describe('packets', () => {
  it('round-trip their data, and wait for incomplete input', () => {
    const bytes = Buffer.concat([packet('hello\n'), Buffer.from('0000')])
    expect(bytes.toString()).toBe('000ahello\n0000')
    const first = readPacket(bytes, 0)
    expect(first?.data?.toString()).toBe('hello\n')
    expect(readPacket(bytes, first?.next ?? 0)).toEqual({ data: undefined, next: 14 })
    expect(readPacket(bytes.subarray(0, 9), 0)).toBeUndefined()
    expect(() => readPacket(Buffer.from('zzzz'), 0)).toThrow('not a packet length')
    expect(() => readPacket(Buffer.from('0003'), 0)).toThrow('not a packet length')
  })

  it('split a long band into packets that git accepts', () => {
    const bytes = sideBand(1, Buffer.alloc(150_000, 'x'))
    let total = 0
    for (let at = 0; at < bytes.length; ) {
      const read = readPacket(bytes, at)
      expect(read?.data?.[0]).toBe(1)
      total += (read?.data?.length ?? 0) - 1
      at = read?.next ?? bytes.length
    }
    expect(total).toBe(150_000)
  })
})
