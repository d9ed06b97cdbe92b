import { spawn } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Gives the whole run one temporary folder, and removes it with what the tests left there. */
export function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'stithy-tests-'))
  process.env.TMPDIR = folder
  // Hundreds of repositories take minutes on a busy machine, for which the end of a run need not wait.
  return () => spawn('rm', ['-rf', folder], { detached: true, stdio: 'ignore' }).unref()
}
