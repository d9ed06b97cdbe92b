import { describe, expect, it } from 'vitest'
import { parseCommand } from './command.ts'

describe('parseCommand', () => {
  it.each([
    ["git-upload-pack '/group/project.git'", 'upload-pack', 'group/project'],
    ["git-upload-pack 'group/project.git'", 'upload-pack', 'group/project'],
    ["git-receive-pack 'a/b/c'", 'receive-pack', 'a/b/c'],
    ['git-upload-pack /group/project.git', 'upload-pack', 'group/project'],
    ["git upload-pack 'a/b.git'", 'upload-pack', 'a/b'],
    ["git-upload-pack 'it'\\''s/b.git'", 'upload-pack', "it's/b"],
    ["git-upload-pack 'a'\\!'/b.git'", 'upload-pack', 'a!/b'],
    ["git-upload-pack '~root/x.git'", 'upload-pack', '~root/x'],
  ])('reads %s', (line, kind, path) => {
    expect(parseCommand(line)).toEqual({ kind, path })
  })

  it.each([
    '',
    'ls',
    'git-upload-pack',
    "git-upload-archive 'a/b.git'",
    "git-upload-pack 'a/b.git",
    "git-upload-pack 'a'b'",
    "git-upload-pack 'a''b'\\",
    "git-upload-pack 'a' 'b'",
    "git-upload-pack 'a/b'; id",
    'git-upload-pack $(id)',
    "git-upload-pack --strict 'a/b'",
    "git-upload-pack 'a\0b'",
    `git-upload-pack '${'a'.repeat(10_000)}'`,
  ])('refuses %j', (line) => {
    expect(parseCommand(line)).toEqual({ kind: 'unsupported' })
  })
})
