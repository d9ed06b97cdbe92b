import { describe, expect, it } from 'vitest'
import { formatDate, parseCommit, parseSignature, parseTag, titleOf } from './commit-parser.ts'

const oid = '1'.repeat(40)
const tree = '2'.repeat(40)

function raw(headers: string[], message: Buffer | string): Buffer {
  return Buffer.concat([Buffer.from(`${headers.join('\n')}\n\n`, 'latin1'), Buffer.from(message)])
}

describe('formatDate', () => {
  it.each([
    [1551434400, '+0200', '2019-03-01T12:00:00.000+02:00'],
    [1551434400, '+0000', '2019-03-01T10:00:00.000+00:00'],
    [1551434400, '-0000', '2019-03-01T10:00:00.000+00:00'],
    [1551434400, '-0330', '2019-03-01T06:30:00.000-03:30'],
    [1551434400, '+051800', '2019-03-01T10:00:00.000+00:00'],
    [1551434400, '+9959', '2019-03-01T10:00:00.000+00:00'],
    [0, '-0100', '1969-12-31T23:00:00.000-01:00'],
    [1e300, '+0000', '1970-01-01T00:00:00.000+00:00'],
    [Number.NaN, '', '1970-01-01T00:00:00.000+00:00'],
  ])('writes %d %s as %s', (seconds, offset, date) => {
    expect(formatDate(seconds, offset)).toBe(date)
  })
})

describe('parseSignature', () => {
  it.each([
    ['digits', '1'.repeat(40_000)],
    ['digits before a letter', `${'1'.repeat(40_000)}x`],
    ['blanks', ' '.repeat(40_000)],
    ['brackets', '<'.repeat(40_000)],
  ])('gives the epoch for a line that ends in many %s', (_, end) => {
    const { email, date } = parseSignature(`Ada <ada@example.com> ${end}`)
    expect({ email, date }).toEqual({
      email: 'ada@example.com',
      date: '1970-01-01T00:00:00.000+00:00',
    })
  })

  it.each([
    ['A U <a@b> 0 +0000', 'A U', 'a@b'],
    ['<a@b> 0 +0000', '', 'a@b'],
    ['A <> 0 +0000', 'A', ''],
    ['A <b>c> 0 +0000', 'A', 'b>c'],
    ['no brackets', 'no brackets', ''],
    ['', '', ''],
    ['A >x< 0', 'A >x', ''],
  ])('reads %j', (line, name, email) => {
    expect(parseSignature(line)).toEqual({ name, email, date: '1970-01-01T00:00:00.000+00:00' })
  })
})

describe('parseCommit', () => {
  it('reads headers, many parents and the message to its last byte', () => {
    const parents = ['3', '4'].map((digit) => digit.repeat(40))
    const headers = [`tree ${tree}`, ...parents.map((parent) => `parent ${parent}`)]
    headers.push('author A <a@b> 1551434400 +0200', 'committer C <c@d> 1551434460 -0100')
    headers.push('gpgsig -----BEGIN', ' author Mallory <m@m> 1 +0000', ' -----END')
    const commit = parseCommit(oid, raw(headers, 'Title\r\n\nBody\n\nauthor X <x> 1\n'))
    expect(commit).toEqual({
      oid,
      tree,
      parents,
      author: { name: 'A', email: 'a@b', date: '2019-03-01T12:00:00.000+02:00' },
      committer: { name: 'C', email: 'c@d', date: '2019-03-01T09:01:00.000-01:00' },
      message: 'Title\r\n\nBody\n\nauthor X <x> 1\n',
      title: 'Title',
    })
  })

  it('reads names and messages in the declared encoding', () => {
    const headers = [`tree ${tree}`, 'author J\xf6rg <j@x> 0 +0000', 'encoding ISO-8859-1']
    const commit = parseCommit(oid, raw(headers, Buffer.from('Gr\xfc\xdfe', 'latin1')))
    expect([commit.author.name, commit.message]).toEqual(['Jörg', 'Grüße'])
    const japanese = Buffer.from([0x93, 0xfa, 0x96, 0x7b])
    const shifted = parseCommit(oid, raw(['encoding Shift_JIS'], japanese))
    expect(shifted.message).toBe('日本')
  })

  it('replaces invalid UTF-8 and accepts an unknown encoding', () => {
    const bytes = Buffer.from([0x61, 0xff, 0x62])
    expect(parseCommit(oid, raw([`tree ${tree}`], bytes)).message).toBe('a\ufffdb')
    expect(parseCommit(oid, raw(['encoding klingon'], 'x')).message).toBe('x')
  })

  it('returns empty fields for garbage', () => {
    const commit = parseCommit(oid, Buffer.from('garbage'))
    expect(commit).toMatchObject({ tree: '', parents: [], message: '', title: '' })
  })
})

describe('titles and tags', () => {
  it('takes the first non-empty line as the title', () => {
    expect(titleOf('\n\n  One \r\nTwo')).toBe('One')
    expect(titleOf(' \n')).toBe('')
  })

  it('reads a tag, with and without a tagger', () => {
    const headers = [`object ${tree}`, 'type commit', 'tag v1']
    const plain = parseTag(oid, raw(headers, 'm\n'))
    expect(plain).toEqual({ oid, name: 'v1', target: tree, targetType: 'commit', message: 'm\n' })
    const signed = parseTag(oid, raw([...headers, 'tagger T <t@t> 0 +0100'], ''))
    expect(signed.tagger?.date).toBe('1970-01-01T01:00:00.000+01:00')
  })
})
