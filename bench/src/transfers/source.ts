import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createRandom, type Random } from '../data/random.ts'
import { runGit } from './client.ts'

const commits = 100
const filesPerCommit = 20
const person = 'Bench <bench@example.com>'

/**
 * Creates a bare repository of about `mebibytes` in one pack, at `name` in a folder; returns its
 * path. Half of each file is noise and half is text, like a repository with images.
 */
export async function buildSource(
  folder: string,
  name: string,
  mebibytes: number,
): Promise<string> {
  const path = join(folder, name)
  await runGit(folder, 'init', '--quiet', '--bare', '--initial-branch=main', path)
  const importing = spawn('git', ['fast-import', '--quiet'], {
    cwd: path,
    stdio: ['pipe', 'inherit', 'inherit'],
  })
  const ended = once(importing, 'exit')
  await pipeline(Readable.from(stream(mebibytes)), importing.stdin)
  const [code] = await ended
  if (code !== 0) throw new Error(`git fast-import ended with ${code}`)
  await runGit(path, 'repack', '-adq')
  return path
}

function* stream(mebibytes: number): Generator<Buffer> {
  const random = createRandom('transfers')
  const size = Math.floor((mebibytes * 1024 * 1024) / (commits * filesPerCommit))
  for (let commit = 1; commit <= commits; commit += 1) {
    const date = 1_600_000_000 + commit * 60
    yield Buffer.from(`commit refs/heads/main\ncommitter ${person} ${date} +0000\ndata 1\nx\n`)
    for (let file = 0; file < filesPerCommit; file += 1) {
      yield Buffer.from(`M 100644 inline f${file % 7}/c${commit}-${file}\ndata ${2 * size}\n`)
      yield noise(random, size)
      yield Buffer.alloc(size, `commit ${commit}, file ${file}: the quick brown fox\n`)
      yield Buffer.from('\n')
    }
  }
  yield Buffer.from('done\n')
}

function noise(random: Random, size: number): Buffer {
  const bytes = Buffer.alloc(size)
  for (let at = 0; at + 4 <= size; at += 4) bytes.writeUInt32LE(random.integer(2 ** 32), at)
  return bytes
}
