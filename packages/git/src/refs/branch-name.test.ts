import { describe, expect, it } from 'vitest'
import { seededRandom } from '../testing/fixture.ts'
import { runProcessSync } from '../testing/processes/run-process-sync.ts'
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

/** Whether git accepts each of the names, all asked by one shell. */
function acceptedByGit(names: readonly string[]): boolean[] {
  const script = 'for name do git check-ref-format --branch "$name" >&2; echo $?; done'
  const { stdout } = runProcessSync({ file: 'sh', args: ['-c', script, 'sh', ...names], cwd: '/' })
  return stdout
    .toString()
    .trim()
    .split('\n')
    .map((status) => status === '0')
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

  it('agrees with git on random names', () => {
    const random = seededRandom(20_261_120)
    const pick = () => parts[Math.floor(random() * parts.length)] ?? ''
    const names = Array.from({ length: 400 }, () =>
      Array.from({ length: 1 + Math.floor(random() * 4) }, pick).join(''),
    )
    const accepted = acceptedByGit(names)
    expect(accepted).toHaveLength(names.length)
    expect(names.map((name) => [name, isValidBranchName(name)])).toEqual(
      names.map((name, index) => [name, accepted[index]]),
    )
  })
})
