import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Gives the whole run one temporary folder, and removes it with what the tests left there. */
export function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'stithy-tests-'))
  process.env.TMPDIR = folder
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
}
