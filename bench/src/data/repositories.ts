import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createRepository, openGit } from '@stithy/git'
import { branchesStream, changesStream, commitStream, historyStream } from './commit-stream.ts'
import { branchesProject, changesProject, historyProject, measuredProject } from './measured.ts'
import type { Size } from './sizes.ts'
import type { ProjectNote, World } from './world.ts'

/**
 * A repository's content: the input of `git fast-import`, and the resulting number of commits on
 * `main`.
 */
interface Content {
  stream: Iterable<string>
  commits: number
}

/**
 * Real repositories for the first few projects: created like the server does, filled by
 * fast-import.
 */
export async function fillRepositories(world: World): Promise<void> {
  const { size, projects, folder } = world
  const git = await openGit()
  try {
    for (const project of projects.slice(0, size.repositories)) {
      const path = join(folder, 'repositories', project.repositoryPath)
      await createRepository(git, path, { defaultBranch: 'main' })
      const { stream, commits } = contentOf(project, size)
      await importStream(path, stream)
      // As the server's housekeeping leaves a repository.
      execFileSync('git', ['--git-dir', path, 'commit-graph', 'write', '--reachable'])
      execFileSync('git', ['--git-dir', path, 'pack-refs', '--all'])
      recordRepository(world, project, path, commits)
    }
  } finally {
    await git.close()
  }
}

function contentOf({ id, fullPath }: ProjectNote, size: Size): Content {
  if (id === measuredProject.id) return plain(fullPath, size.commits)
  if (id === historyProject) {
    return { stream: historyStream(fullPath, size.history), commits: size.history }
  }
  if (id === branchesProject) return { stream: branchesStream(fullPath, size.branches), commits: 1 }
  if (id === changesProject)
    return { stream: changesStream(fullPath, size.changedFiles), commits: 1 }
  return plain(fullPath, 50)
}

function plain(name: string, commits: number): Content {
  return { stream: commitStream(name, commits), commits }
}

async function importStream(path: string, stream: Iterable<string>): Promise<void> {
  const args = ['--git-dir', path, 'fast-import', '--quiet', '--done']
  const child = spawn('git', args, { stdio: ['pipe', 'ignore', 'inherit'] })
  const ended = once(child, 'exit')
  await pipeline(Readable.from(stream), child.stdin)
  const [code] = await ended
  if (code !== 0) throw new Error(`git fast-import ended with ${code} in ${path}`)
}

function recordRepository(
  { db }: World,
  project: ProjectNote,
  path: string,
  commits: number,
): void {
  const counted = execFileSync('git', ['--git-dir', path, 'count-objects', '-v'], {
    encoding: 'utf8',
  })
  const bytes = Number(/^size-pack: (\d+)$/m.exec(counted)?.[1] ?? 0) * 1024
  db.prepare(
    `update projects set "emptyRepo" = 0, "defaultBranch" = 'main', "readmePath" = 'README.md'
     where id = ?`,
  ).run(project.id)
  const tip = execFileSync('git', ['--git-dir', path, 'rev-parse', 'main'], { encoding: 'utf8' })
  db.prepare(
    `update "projectStatistics" set "commitCount" = ?, "countedTip" = ?, "repositorySize" = ?,
     "storageSize" = ? where "projectId" = ?`,
  ).run(commits, tip.trim(), bytes, bytes, project.id)
  db.prepare(
    `insert into "projectLanguages" ("projectId", language, "languageLower", bytes)
     values (?, 'Text', 'text', ?)`,
  ).run(project.id, bytes)
}
