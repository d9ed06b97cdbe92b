import { describe, expect, it } from 'vitest'
import { parseCodeQuery } from './code-query.rules.ts'

describe('parseCodeQuery', () => {
  it.each([
    ['some text', 'some text'],
    ['  Some   Text\t ', 'some   text'],
    ['filename:a.ts some text', 'some text'],
    ['some filename:a.ts text', 'some text'],
    ['some text path:src extension:ts', 'some text'],
    ['filename:', 'filename:'],
    ['http://example.com', 'http://example.com'],
    ['constructor:a __proto__:b', 'constructor:a __proto__:b'],
    ['filename:a', ''],
    ['filename:"my file.txt" some  text', 'some  text'],
    ['some path:"a b/" text', 'some text'],
    ['path:"a b/"c text', 'b/"c text'],
    ['filename:"a b', 'b'],
    ['filename:"', ''],
    ['filename:"" text', 'filename:"" text'],
    ['say:"hello world"', 'say:"hello world"'],
    ['"path:a b"', '"path:a b"'],
  ])('takes the text of %j', (search, text) => {
    expect(parseCodeQuery(search).text).toBe(text)
  })

  it.each([
    ['filename:main.ts', ['main.ts', 'src/main.ts'], ['domain.ts', 'main.ts/a', 'main.tsx']],
    ['filename:Main*', ['src/main.ts', 'main'], ['main/other.ts']],
    ['filename:*.t*t', ['a/b.test', 'x.tst'], ['x.ts']],
    ['path:src/lib', ['src/lib/a', 'my/src/library.ts'], ['lib/src/a']],
    ['path:a*z', ['a/z', 'xaz'], ['za']],
    ['extension:ts', ['a.ts', 'b/a.test.ts'], ['ts', 'a.tsx', 'a.ts/b']],
    ['extension:.ts', ['a.ts'], ['a.js']],
    ['extension:t*', ['a.ts', 'a.tsx'], ['a.js']],
    ['extension:ts path:src text', ['src/a.ts'], ['a.ts', 'src/a.js']],
    ['filename:"my file.txt"', ['my file.txt', 'a/my file.txt'], ['file.txt', 'my']],
    ['filename:"My*.txt"', ['a/my file.txt'], ['a my/file.txt']],
    ['path:"a b/"', ['a b/c', 'x/a b/c'], ['a/b', 'a b']],
    ['extension:"ts"', ['a.ts'], ['a.js', 'a."ts"']],
    ['filename:"a', ['"a'], ['a']],
    ['path:"a b" extension:ts', ['a b/c.ts'], ['a b/c.js', 'a/b.ts']],
    ['text', ['anything'], []],
  ])('filters paths by %j', (search, matching, others) => {
    const { matchesPath } = parseCodeQuery(search)
    for (const path of matching) expect(matchesPath(path), path).toBe(true)
    for (const path of others) expect(matchesPath(path), path).toBe(false)
  })

  it('takes linear time', () => {
    const started = process.threadCpuUsage().user
    const { matchesPath } = parseCodeQuery(`path:${'*a'.repeat(500)} ${' '.repeat(60_000)}x`)
    expect(matchesPath('a'.repeat(4000))).toBe(true)
    expect(matchesPath('b'.repeat(4000))).toBe(false)
    for (const quoted of ['path:"', 'path:"a ', 'path:"a "b', 'path:"a" ']) {
      parseCodeQuery(quoted.repeat(60_000 / quoted.length))
    }
    expect(process.threadCpuUsage().user - started).toBeLessThan(100_000)
  })
})
