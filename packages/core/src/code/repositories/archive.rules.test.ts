import { describe, expect, it } from 'vitest'
import { archiveFormat, archiveName } from './archive.rules.ts'

describe('archiveFormat', () => {
  it('supports every suffix of the archive endpoint', () => {
    for (const suffix of ['tar.gz', 'tgz', 'gz']) expect(archiveFormat(suffix)).toBe('tar.gz')
    for (const suffix of ['tar.bz2', 'tbz', 'tbz2', 'tb2', 'bz2']) {
      expect(archiveFormat(suffix)).toBe('tar.bz2')
    }
    expect(archiveFormat('tar')).toBe('tar')
    expect(archiveFormat('zip')).toBe('zip')
  })

  it.each(['', 'rar', 'TAR', 'tar.xz', 'constructor', '__proto__'])('rejects %j', (suffix) => {
    expect(archiveFormat(suffix)).toBeUndefined()
  })
})

describe('archiveName', () => {
  it('joins project, ref and hash, without slashes', () => {
    expect(archiveName('app', 'feature/a/b', 'abc')).toBe('app-feature-a-b-abc')
  })
})
