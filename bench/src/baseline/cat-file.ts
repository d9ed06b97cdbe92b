import { spawn } from 'node:child_process'

interface FoundObject {
  oid: string
  size: number
  content: Buffer
}

/** One long-lived `git cat-file --batch-command` per repository. */
export interface CatFile {
  /** The id of what a name stands for. */
  resolve(name: string): Promise<string>
  read(name: string): Promise<FoundObject>
}

interface Waiting {
  contents: boolean
  done: (found: FoundObject) => void
}

/** Starts the process; it ends with this one. */
export function startCatFile(repository: string): CatFile {
  const args = ['--git-dir', repository, 'cat-file', '--batch-command']
  const git = spawn('git', args, { stdio: ['pipe', 'pipe', 'inherit'] })
  const queue: Waiting[] = []
  let rest: Buffer = Buffer.alloc(0)
  git.stdout.on('data', (chunk: Buffer) => {
    rest = takeAnswers(rest.length === 0 ? chunk : Buffer.concat([rest, chunk]), queue)
  })
  const request = (command: string, name: string): Promise<FoundObject> =>
    new Promise((done) => {
      queue.push({ contents: command === 'contents', done })
      git.stdin.write(`${command} ${name}\n`)
    })
  return {
    resolve: async (name) => (await request('info', name)).oid,
    read: (name) => request('contents', name),
  }
}

/** Passes complete answers to their requests; returns the rest, which belongs to the next chunk. */
function takeAnswers(data: Buffer, queue: Waiting[]): Buffer {
  let at = 0
  for (let [waiting] = queue; waiting !== undefined; [waiting] = queue) {
    const end = data.indexOf(10, at)
    if (end < 0) break
    const [oid = '', , length = '0'] = data.toString('latin1', at, end).split(' ')
    const size = Number(length)
    const after = waiting.contents ? end + 1 + size + 1 : end + 1
    if (after > data.length) break
    const content = waiting.contents ? data.subarray(end + 1, end + 1 + size) : Buffer.alloc(0)
    queue.shift()
    waiting.done({ oid, size, content })
    at = after
  }
  return data.subarray(at)
}
