import { describe, expect, it } from 'vitest'
import { parseGitRoute } from './git-route.ts'

describe('parseGitRoute', () => {
  it('recognises the three calls of the smart protocol', () => {
    expect(parseGitRoute('GET', '/a/b.git/info/refs?service=git-upload-pack')).toEqual({
      kind: 'advertise',
      path: 'a/b',
      service: 'upload-pack',
    })
    expect(parseGitRoute('POST', '/a/b/c.git/git-upload-pack')).toEqual({
      kind: 'upload-pack',
      path: 'a/b/c',
    })
    expect(parseGitRoute('POST', '/a/b.git/git-receive-pack')).toEqual({
      kind: 'receive-pack',
      path: 'a/b',
    })
  })

  it('decodes the path', () => {
    expect(parseGitRoute('POST', '/a%2Fx/b.git/git-upload-pack')).toMatchObject({ path: 'a/x/b' })
  })

  it.each(['', '?service=git-upload-archive', '?service=', '?x=1'])(
    'treats %j as the dumb protocol',
    (query) => {
      expect(parseGitRoute('GET', `/a/b.git/info/refs${query}`)).toEqual({ kind: 'dumb' })
    },
  )

  it('redirects a path without .git', () => {
    expect(parseGitRoute('GET', '/a/b/info/refs?service=git-upload-pack')).toEqual({
      kind: 'redirect',
      location: '/a/b.git/info/refs?service=git-upload-pack',
    })
  })

  it.each([
    ['GET', '/'],
    ['GET', '/a/b.git'],
    ['GET', '/a/b.git/HEAD'],
    ['GET', '/b.git/info/refs?service=git-upload-pack'],
    ['GET', '/a/b.git/git-upload-pack'],
    ['POST', '/a/b.git/info/refs'],
    ['POST', '/a/b/git-upload-pack'],
    ['GET', '/a/b/info/refs'],
    ['GET', '/api/v4/info/refs?service=git-upload-pack'],
    ['POST', '/a/%00b.git/git-upload-pack'],
    ['POST', '/a/%E0%A4%A.git/git-upload-pack'],
    ['POST', `/a/${'b'.repeat(20_000)}.git/git-upload-pack`],
  ])('ignores %s %s', (method, url) => {
    expect(parseGitRoute(method, url)).toBeUndefined()
  })
})
