import { describe, expect, it } from 'vitest'
import { type BadgeValues, badgeErrors, renderBadgeUrl } from './badge.rules.ts'

const values: BadgeValues = {
  project_path: 'a/b',
  project_id: '7',
  default_branch: 'release/1#2?x&y',
  commit_sha: 'f00',
}

describe('renderBadgeUrl', () => {
  it.each([
    ['https://a.example/%{project_path}/x', 'https://a.example/a/b/x'],
    ['https://a.example/%{project_id}?sha=%{commit_sha}', 'https://a.example/7?sha=f00'],
    ['https://a.example/%{project_id}%{project_id}', 'https://a.example/77'],
    ['https://a.example/%{default_branch}', 'https://a.example/release/1%232%3Fx%26y'],
    ['https://a.example/%{unknown}%{}%{project_id', 'https://a.example/%{unknown}%{}%{project_id'],
  ])('renders %s', (url, rendered) => {
    expect(renderBadgeUrl(url, values)).toBe(rendered)
  })

  it('leaves what has no value', () => {
    const empty = { project_path: 'a/b', project_id: '7' }
    const url = 'https://a.example/%{project_id}/%{default_branch}/%{commit_sha}'
    expect(renderBadgeUrl(url, empty)).toBe('https://a.example/7/%{default_branch}/%{commit_sha}')
  })

  it('never returns more than 8192 characters', () => {
    const url = `https://a.example/${'%{project_path}'.repeat(130)}%{project_id}`
    const rendered = renderBadgeUrl(url, { ...values, project_path: 'p'.repeat(5000) })
    expect(rendered.length).toBeLessThanOrEqual(8192)
    expect(rendered.startsWith(`https://a.example/${'p'.repeat(5000)}%{project_path}`)).toBe(true)
  })
})

describe('badgeErrors', () => {
  it('accepts http and https, with placeholders', () => {
    const link_url = 'http://a.example/%{project_path}'
    expect(badgeErrors({ link_url, image_url: 'https://a.example/%{default_branch}.svg' })).toBe(
      undefined,
    )
  })

  it.each([
    ['ftp://a.example', 'is blocked: only http and https are allowed'],
    ['javascript:alert(1)', 'is blocked'],
    ['https://%{project_path}/x', 'must be a valid URL'],
    ['/a', 'must be a valid URL'],
    ['https://u:p@a.example', 'must not contain'],
    [`https://a.example/${'x'.repeat(2100)}`, 'is too long'],
  ])('rejects %s', (image_url, reason) => {
    expect(badgeErrors({ image_url })).toEqual({ image_url: [expect.stringContaining(reason)] })
  })
})
