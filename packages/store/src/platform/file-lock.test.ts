import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { acquireLock, acquireSharedLock } from './file-lock.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'stithy-lock-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

it('is held by one alone, or shared by several', () => {
  const path = join(folder, 'a.lock')
  const alone = acquireLock(path)
  expect(alone).toBeDefined()
  expect([acquireLock(path), acquireSharedLock(path)]).toEqual([undefined, undefined])
  alone?.release()
  const shared = [acquireSharedLock(path), acquireSharedLock(path)]
  expect(shared).not.toContain(undefined)
  expect(acquireLock(path)).toBeUndefined()
  shared[0]?.release()
  expect(acquireLock(path)).toBeUndefined()
  shared[1]?.release()
  const again = acquireLock(path)
  expect(again).toBeDefined()
  again?.release()
})
