import { createHash } from 'node:crypto'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Where Debian's package installs it. */
export const cgitProgram = '/usr/lib/cgit/cgit.cgi'
export const cgitStyle = '/usr/share/cgit/cgit.css'

export const hasCgit = existsSync(cgitProgram)

/** Nothing is cached, here or in the browser: every page shows the repository as it is. */
const settings = [
  ...['css=/cgit.css', 'logo=', 'enable-blame=1', 'cache-size=0'],
  ...['root', 'repo', 'dynamic', 'static', 'about', 'snapshot'].map((of) => `cache-${of}-ttl=0`),
]

/** Writes a configuration that shows the repositories of some projects of a data folder under the names given. */
export function writeCgitConfig(
  file: string,
  folder: string,
  repositories: Readonly<Record<string, number>>,
): void {
  const lines = Object.entries(repositories).flatMap(([name, projectId]) => [
    `repo.url=${name}`,
    `repo.path=${repositoryFolder(folder, projectId)}`,
  ])
  writeFileSync(file, `${[...settings, ...lines].join('\n')}\n`)
}

function repositoryFolder(folder: string, projectId: number): string {
  const id = createHash('sha256').update(String(projectId)).digest('hex')
  return join(folder, 'repositories', id.slice(0, 2), id.slice(2, 4), `${id}.git`)
}
