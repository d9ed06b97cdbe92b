import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { runGit } from '../transfers/client.ts'

/** A repository whose branches each change some of the files of `main`. */
export interface Source {
  /** The files of `main`, a hundred in each folder. */
  files: number
  /** Names of the branches, which all start at the first commit of `main`. */
  branches: readonly string[]
  /** Commits of each branch. */
  commits: number
  /** Files that each of these commits changes; each branch has files of its own, if there are enough. */
  changed: number
}

const who = 'Bench <bench@example.com>'
const lines = Array.from({ length: 30 }, (_, line) => `line ${line} of an everyday file`).join('\n')

/** Creates a bare repository at `name` in a folder; returns its path. */
export async function buildBranches(folder: string, name: string, source: Source): Promise<string> {
  const path = join(folder, name)
  await runGit(folder, 'init', '--quiet', '--bare', '--initial-branch=main', path)
  const options = ['pipe', 'inherit', 'inherit'] as const
  const importing = spawn('git', ['fast-import', '--quiet'], { cwd: path, stdio: [...options] })
  const ended = once(importing, 'exit')
  await pipeline(Readable.from(stream(source)), importing.stdin)
  const [code] = await ended
  if (code !== 0) throw new Error(`git fast-import ended with ${code}`)
  return path
}

function* stream({ files, branches, commits, changed }: Source): Generator<string> {
  let mark = 1
  yield head('main', mark)
  for (let file = 0; file < files; file += 1) yield write(file, `file ${file}\n${lines}`)
  for (const [position, branch] of branches.entries()) {
    for (let commit = 0; commit < commits; commit += 1) {
      mark += 1
      yield head(branch, mark, commit === 0 ? 1 : mark - 1)
      const first = (position * commits + commit) * changed
      for (let index = 0; index < changed; index += 1) {
        const file = (first + index) % files
        yield write(file, `file ${file}\n${lines}\nchanged by ${commit} of ${branch}`)
      }
    }
  }
  yield 'done\n'
}

function head(branch: string, mark: number, from?: number): string {
  const date = 1_600_000_000 + mark * 60
  const message = `Change ${mark}`
  const start = from === undefined ? '' : `from :${from}\n`
  return (
    `commit refs/heads/${branch}\nmark :${mark}\ncommitter ${who} ${date} +0000\n` +
    `data ${message.length}\n${message}\n${start}`
  )
}

function write(file: number, content: string): string {
  const path = `folder-${Math.floor(file / 100)}/file-${file % 100}.txt`
  return `M 100644 inline ${path}\ndata ${content.length + 1}\n${content}\n\n`
}
