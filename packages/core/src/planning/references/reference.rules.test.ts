import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { processorMilliseconds } from '../../testing/processor-time.ts'
import { scanReferences, titleReference } from './reference.rules.ts'
import type { Reference } from './reference.schema.ts'

const webUrl = 'https://host.example/git'

/** The references without their position. */
function found(text: string) {
  return scanReferences(text, { webUrl }).map(({ start, end, text: written, ...target }) => {
    expect(text.slice(start, end)).toBe(written)
    return target
  })
}

const issue = (id: number, path: string | null = null) => ({ kind: 'issue', path, id })
const commit = (sha: string, path: string | null = null) => ({ kind: 'commit', path, sha })

describe('scanReferences', () => {
  it.each([
    ['#1', issue(1)],
    ['see #12.', issue(12)],
    ['(#1)', issue(1)],
    ['#1, and', issue(1)],
    ['-#1', issue(1)],
    ['…#1', issue(1)],
    ['project#1', issue(1, 'project')],
    ['group/sub.group/pro-ject#1', issue(1, 'group/sub.group/pro-ject')],
    ['.github#1', issue(1, '.github')],
    ['!3', { kind: 'merge_request', path: null, id: 3 }],
    ['group/project!3', { kind: 'merge_request', path: 'group/project', id: 3 }],
    ['$4', { kind: 'snippet', path: null, id: 4 }],
    ['&5', { kind: 'epic', path: null, id: 5 }],
    ['group/sub&5', { kind: 'epic', path: 'group/sub', id: 5 }],
    ['%6', { kind: 'milestone', path: null, id: 6 }],
    ['%v1.0.', { kind: 'milestone', path: null, title: 'v1.0' }],
    ['%1.0', { kind: 'milestone', path: null, title: '1.0' }],
    ['group/project%"two words"', { kind: 'milestone', path: 'group/project', title: 'two words' }],
    ['~7', { kind: 'label', path: null, id: 7 }],
    ['~bug?', { kind: 'label', path: null, title: 'bug' }],
    ['~"is it?"', { kind: 'label', path: null, title: 'is it?' }],
    ['~team::backend', { kind: 'label', path: null, title: 'team::backend' }],
    ['@user', { kind: 'user', name: 'user' }],
    ['Thanks, @user.name.', { kind: 'user', name: 'user.name' }],
    ['@group/sub', { kind: 'user', name: 'group/sub' }],
    ['@User_1-', { kind: 'user', name: 'User_1-' }],
    ['deadbee', commit('deadbee')],
    ['in DEADBEEF.', commit('deadbeef')],
    ['group/project@deadbee', commit('deadbee', 'group/project')],
    [
      'deadbee...abc12345',
      { kind: 'commit_range', path: null, from: 'deadbee', to: 'abc12345', dots: 3 },
    ],
    [
      'p@deadbee..abc1234',
      { kind: 'commit_range', path: 'p', from: 'deadbee', to: 'abc1234', dots: 2 },
    ],
  ])('parses %j', (text, target) => {
    expect(found(text)).toEqual([target])
  })

  it.each([
    [`${webUrl}/g/p/issues/1`, issue(1, 'g/p')],
    [`${webUrl}/g/p/-/issues/1`, issue(1, 'g/p')],
    [`<${webUrl}/g/p/issues/1>`, issue(1, 'g/p')],
    [`(${webUrl}/g/p/issues/1).`, issue(1, 'g/p')],
    [`${webUrl}/g/p/issues/1#note_23`, { ...issue(1, 'g/p'), noteId: 23 }],
    [`${webUrl}/g/p/issues/1?a=b`, issue(1, 'g/p')],
    [`${webUrl}/g/p/merge_requests/1/diffs`, { kind: 'merge_request', path: 'g/p', id: 1 }],
    [`${webUrl}/g/issues/issues/1`, issue(1, 'g/issues')],
    [`${webUrl}/g/p/snippets/2`, { kind: 'snippet', path: 'g/p', id: 2 }],
    [`${webUrl}/snippets/2`, { kind: 'snippet', path: null, id: 2 }],
    [`${webUrl}/groups/g/s/-/epics/2`, { kind: 'epic', path: 'g/s', id: 2 }],
    [`${webUrl}/g/p/milestones/2`, { kind: 'milestone', path: 'g/p', id: 2 }],
    [`${webUrl}/groups/g/-/milestones/2`, { kind: 'milestone', path: 'g', id: 2, inGroup: true }],
    [`${webUrl}/g/p/commit/deadbee`, commit('deadbee', 'g/p')],
    [
      `${webUrl}/g/p/compare/deadbee...abc1234`,
      { kind: 'commit_range', path: 'g/p', from: 'deadbee', to: 'abc1234', dots: 3 },
    ],
  ])('parses %s', (text, target) => {
    expect(found(text)).toEqual([target])
  })

  it.each([
    'no sign at all',
    '#',
    '#0',
    '#01',
    '# 1',
    '##1',
    '#1a',
    '#é1',
    'é#1',
    'word.#1',
    'a//b#1',
    'x.git#1',
    '\\#1',
    '&#39;',
    '&amp;',
    '100% sure',
    '~~gone~~',
    '~/folder',
    '%""',
    '@',
    '@@user',
    'me@example.com',
    'me@deadbeef.com',
    'me@user@host',
    '@user@host',
    'abcdef',
    'deadbees',
    'x-deadbee',
    'a/deadbee',
    '#deadbee',
    'f'.repeat(41),
    'https://elsewhere.example/g/p/issues/1',
    'https://elsewhere.example/#1',
    'https://elsewhere.example/@user',
    'ssh://me@host/g/p!1',
    `${webUrl}/g/p/issues`,
    `${webUrl}/g/p/issues/0`,
    `${webUrl}/g/p/issues/1x`,
    `${webUrl}/p/issues/1`,
    `${webUrl}x/g/p/issues/1`,
    `${webUrl}/groups/g/-/issues/1`,
    `${webUrl}/g/p/epics/1`,
  ])('finds nothing in %j', (text) => {
    expect(found(text)).toEqual([])
  })

  it('parses URLs only when the web URL is given', () => {
    expect(scanReferences(`${webUrl}/g/p/issues/1`)).toEqual([])
  })

  it('finds several references in order', () => {
    const text = 'Fixes #1, g/p!2 by @me (deadbee) ~"a b"~x %v1'
    expect(found(text).map(({ kind }) => kind)).toEqual([
      'issue',
      'merge_request',
      'user',
      'commit',
      'label',
      'label',
      'milestone',
    ])
  })

  it('ignores code', () => {
    expect(found('`#1` #2\n\n    #3\n\n```\n#4\n```\n<!-- #5 -->')).toEqual([issue(2)])
  })

  const id = fc.integer({ min: 1, max: 10 ** 15 - 1 })
  const word = fc
    .stringMatching(/^[a-z][a-z0-9_-]{0,9}$/)
    .filter((text) => !/^[0-9a-f]{7,}$/.test(text))
  const path = fc
    .array(word, { minLength: 1, maxLength: 3 })
    .map((parts) => parts.join('/'))
    .filter((text) => !/(?:\.git|\.atom)$/.test(text))
  const title = fc.string({ minLength: 1, maxLength: 30, unit: 'grapheme' }).filter((text) => {
    return !/["`\r\n\u2028\u2029<]/.test(text) && text.length <= 255
  })
  const sha = fc.stringMatching(/^[0-9a-f]{7,40}$/)
  const written = fc.oneof(
    fc.tuple(fc.constantFrom('#', '!', '$', '&'), id).map(([sign, number]) => `${sign}${number}`),
    fc.tuple(path, fc.constantFrom('#', '!', '&'), id).map((parts) => parts.join('')),
    fc.tuple(fc.constantFrom('%' as const, '~' as const), title).map(([sign, name]) => {
      return titleReference(sign, name)
    }),
    path.map((name) => `@${name}`),
    sha,
    fc.tuple(path, sha).map(([name, hash]) => `${name}@${hash}`),
    fc.tuple(path, path, id).map(([a, b, number]) => `${webUrl}/${a}/${b}/issues/${number}`),
  )

  it('finds every written reference at its position', () => {
    const glue = fc.constantFrom(' ', ', ', ' (', ') ', '\n', ': ')
    fc.assert(
      fc.property(fc.array(fc.tuple(glue, written), { maxLength: 8 }), (parts) => {
        let text = 'Text'
        const expected: Pick<Reference, 'start' | 'text'>[] = []
        for (const [before, reference] of parts) {
          text += before
          expected.push({ start: text.length, text: reference })
          text += reference
        }
        const references = scanReferences(text, { webUrl })
        expect(references.map(({ start, text: at }) => ({ start, text: at }))).toEqual(expected)
      }),
    )
  })

  it('finds nothing in texts without references', () => {
    const plain = fc.string({ unit: 'grapheme' }).filter((text) => {
      return !/[#!$&%~@]|:\/\/|[0-9a-f]{7}/i.test(text)
    })
    fc.assert(
      fc.property(plain, (text) => {
        expect(scanReferences(text, { webUrl })).toEqual([])
      }),
    )
  })

  it('never throws, and returns ranges that do not overlap', () => {
    const wild = fc.array(
      fc.oneof(fc.constantFrom(...'#!$&%~@"\\/.-`1aé \n:<'), fc.constant('://'), fc.string()),
    )
    fc.assert(
      fc.property(wild, (pieces) => {
        const text = pieces.join('')
        let last = 0
        for (const { start, end, text: at } of scanReferences(text, { webUrl })) {
          expect(start).toBeGreaterThanOrEqual(last)
          expect(text.slice(start, end)).toBe(at)
          last = end
        }
      }),
    )
  })

  it.each([
    'a',
    'a/',
    '#',
    '@',
    '@a',
    '%"',
    '%"a',
    '~',
    '1#',
    '/-',
    '.',
    'deadbee',
    'deadbee.',
    'a://',
    'a://.',
    '`',
    '``a`',
    '<!--',
    '\\`',
    '> ',
    '- ',
  ])('takes linear time for a text of %j', (piece) => {
    const time = (count: number) => {
      const text = piece.repeat(count)
      return processorMilliseconds(() => scanReferences(text, { webUrl }))
    }
    const best = (count: number) => Math.min(time(count), time(count), time(count))
    best(2000)
    // 64 times the text; quadratic time would take 4096 times as long.
    expect(best(128_000)).toBeLessThan(1000 * Math.max(best(2000), 1))
  })
})

describe('titleReference', () => {
  it.each([
    ['bug', '~bug'],
    ['two words', '~"two words"'],
    ['12', '~"12"'],
    ['v1.0', '~v1.0'],
    ['bug?', '~"bug?"'],
  ])('formats %j as %s', (title, text) => {
    expect(titleReference('~', title)).toBe(text)
  })
})
