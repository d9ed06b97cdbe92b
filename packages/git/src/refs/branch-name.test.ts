import { spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { seededRandom } from '../testing/fixture.ts'
import { isValidBranchName } from './branch-name.ts'

const parts = ['a', 'B', '.', '..', '/', '//', '-', '@', '@{', '{', '}', '~', '^', ':', '?', '*']
parts.push(
  '[',
  ']',
  '\\',
  ' ',
  '\t',
  '\x01',
  '\x7f',
  '.lock',
  '.lock/',
  'HEAD',
  'é',
  '😀',
  '"',
  "'",
)

function acceptedByGit(name: string): boolean {
  return spawnSync('git', ['check-ref-format', '--branch', name], { cwd: '/' }).status === 0
}

describe('isValidBranchName', () => {
  it.each(['main', 'feature/x', 'é/ü', '@', 'a@b', 'x.locked', 'HEAD/x', 'refs/heads/x'])(
    'accepts %j',
    (name) => {
      expect(isValidBranchName(name)).toBe(true)
    },
  )

  it.each([
    '',
    'HEAD',
    '-x',
    '--all',
    'a..b',
    'a.lock',
    '/a',
    'a/',
    'a.',
    '.a',
    'a b',
    'a\0b',
    '\ud800',
  ])('refuses %j', (name) => {
    expect(isValidBranchName(name)).toBe(false)
  })

  it('decides as git does, for names put together at random', () => {
    const random = seededRandom(20_261_120)
    const pick = () => parts[Math.floor(random() * parts.length)] ?? ''
    for (let turn = 0; turn < 400; turn += 1) {
      const name = Array.from({ length: 1 + Math.floor(random() * 4) }, pick).join('')
      expect([name, isValidBranchName(name)]).toEqual([name, acceptedByGit(name)])
    }
  })
})
