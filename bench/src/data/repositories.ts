import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createRepository, openGit } from '@stithy/git'
import { commitStream } from './commit-stream.ts'
import { measuredProject } from './measured.ts'
import type { ProjectNote, World } from './world.ts'

/** Real repositories for the first few projects: created as the service does, filled by fast-import. */
export async function fillRepositories(world: World): Promise<void> {
  const { size, projects, folder } = world
  const git = await openGit()
  try {
    for (const project of projects.slice(0, size.repositories)) {
      const path = join(folder, 'repositories', project.repositoryPath)
      await createRepository(git, path, { defaultBranch: 'main' })
      const commits = project.id === measuredProject.id ? size.commits : 50
      await importCommits(path, project.fullPath, commits)
      recordRepository(world, project, path, commits)
    }
  } finally {
    await git.close()
  }
}

async function importCommits(path: string, name: string, commits: number): Promise<void> {
  const args = ['--git-dir', path, 'fast-import', '--quiet', '--done']
  const child = spawn('git', args, { stdio: ['pipe', 'ignore', 'inherit'] })
  const ended = once(child, 'exit')
  await pipeline(Readable.from(commitStream(name, commits)), child.stdin)
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
  db.prepare(
    `update "projectStatistics" set "commitCount" = ?, "repositorySize" = ?, "storageSize" = ?
     where "projectId" = ?`,
  ).run(commits, bytes, bytes, project.id)
  db.prepare(
    `insert into "projectLanguages" ("projectId", language, "languageLower", bytes)
     values (?, 'Text', 'text', ?)`,
  ).run(project.id, bytes)
}
