import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { databaseOf } from '../data/generate.ts'
import { historyProject, measuredProject } from '../data/measured.ts'
import { requestHeaders } from '../rows.ts'
import { startStithy, type Target } from '../servers.ts'
import { median } from './pairs.ts'

/** The first read of a page by the server, compared with git in a shell. */
export interface ColdRow {
  name: string
  /** Medians, in milliseconds. */
  git: number
  stithy: number
  /** The server's time as a multiple of git's: the median of the rounds. */
  times: number
  goal: number
}

interface Subject {
  name: string
  path: string
  command: string
  goal: number
}

const commits = `/api/v4/projects/${historyProject}/repository/commits`

const subjects: readonly Subject[] = [
  { name: 'first page', path: commits, command: 'log -20 main', goal: 1.5 },
  {
    name: 'page 500',
    path: `${commits}?page=500`,
    command: 'log --skip=9980 -20 main',
    goal: 1.2,
  },
]

/**
 * Measures pages of a long history on a server that has not read the repository yet. The server is
 * restarted for each round; its code is warmed up with the same page of another repository.
 */
export async function measureCold(folder: string, rounds: number): Promise<ColdRow[]> {
  const repository = join(folder, 'repositories', repositoryPathOf(folder))
  const rows: ColdRow[] = []
  for (const { name, path, command, goal } of subjects) {
    const times: { git: number; stithy: number }[] = []
    for (let round = 0; round < rounds; round += 1) {
      const target = await startStithy(folder)
      try {
        await warmUp(target)
        const git = timeGit(repository, command)
        times.push({ git, stithy: await timeRequest(target.url + path) })
      } finally {
        await target.stop()
      }
    }
    rows.push({
      name,
      git: median(times.map((time) => time.git)),
      stithy: median(times.map((time) => time.stithy)),
      times: median(times.map((time) => time.stithy / time.git)),
      goal,
    })
  }
  return rows
}

function repositoryPathOf(folder: string): string {
  const db = new Sqlite(databaseOf(folder), { readonly: true })
  try {
    const select = db.prepare<[number], string>(
      'select "repositoryPath" from projects where id = ?',
    )
    return select.pluck().get(historyProject) ?? ''
  } finally {
    db.close()
  }
}

async function warmUp({ url }: Target): Promise<void> {
  const path = `${url}/api/v4/projects/${measuredProject.id}/repository/commits`
  for (let page = 1; page <= 30; page += 1) await timeRequest(`${path}?page=${page}`)
}

async function timeRequest(url: string): Promise<number> {
  const started = performance.now()
  const answer = await fetch(url, { headers: requestHeaders })
  await answer.arrayBuffer()
  if (answer.status !== 200) throw new Error(`${url} answers ${answer.status}`)
  return performance.now() - started
}

function timeGit(repository: string, command: string): number {
  const started = performance.now()
  const line = `git --git-dir '${repository}' ${command} > /dev/null`
  const { status } = spawnSync('sh', ['-c', line], { stdio: 'inherit' })
  if (status !== 0) throw new Error(`${line} ended with ${status}`)
  return performance.now() - started
}
